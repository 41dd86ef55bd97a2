//! When a game is decided before its end: both sides have said the same for some time.

use std::fmt;
use std::str::FromStr;

use rules::Side;

use crate::value::BadValue;

/// `0.98,4`: the expected score that counts as won, and for how many actions in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Adjudication {
    score: f32,
    actions: u32,
}

impl FromStr for Adjudication {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Adjudication, BadValue> {
        let read = || {
            let (score, actions) = text.split_once(',')?;
            let score = score.trim().parse().ok().filter(|score| (0.5..1.0).contains(score))?;
            let actions = actions.trim().parse().ok().filter(|actions| (1..=1000).contains(actions))?;
            Some(Adjudication { score, actions })
        };
        read().ok_or(BadValue::Adjudication)
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.score, self.actions)
    }
}

/// Follows what the two sides of a game expect.
pub(super) struct Umpire {
    rule: Option<Adjudication>,
    leader: Option<Side>,
    actions: u32,
    /// Which sides have said so.
    agreed: [bool; 2],
}

impl Umpire {
    pub(super) fn new(rule: Option<Adjudication>) -> Umpire {
        Umpire { rule, leader: None, actions: 0, agreed: [false; 2] }
    }

    /// Takes in what a side expects; the winner, once both sides have agreed long enough.
    pub(super) fn judge(&mut self, side: Side, expected: Option<f32>) -> Option<Side> {
        let rule = self.rule?;
        // A player without an opinion agrees and disagrees with nothing.
        let expected = expected?;
        let other = Side::from_index(1 - side.index().min(1));
        let leader = match expected {
            score if score >= rule.score => Some(side),
            score if score <= 1.0 - rule.score => Some(other),
            _ => None,
        };
        if leader.is_none() || leader != self.leader {
            (self.leader, self.actions, self.agreed) = (leader, 0, [false; 2]);
        }
        let leader = leader?;
        self.actions += 1;
        self.agreed[side.index().min(1)] = true;
        (self.actions >= rule.actions && self.agreed == [true; 2]).then_some(leader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_must_agree_for_long_enough() {
        let rule = "0.9,4".parse().ok();
        let (one, two) = (Side::ONE, Side::TWO);
        let mut umpire = Umpire::new(rule);
        assert_eq!(umpire.judge(one, Some(0.95)), None);
        assert_eq!(umpire.judge(one, Some(0.95)), None);
        assert_eq!(umpire.judge(one, Some(0.95)), None);
        assert_eq!(umpire.judge(one, Some(0.95)), None, "the other side has not agreed");
        assert_eq!(umpire.judge(two, Some(0.05)), Some(one));
        let mut doubtful = Umpire::new(rule);
        for _ in 0..10 {
            assert_eq!(doubtful.judge(one, Some(0.95)), None);
            assert_eq!(doubtful.judge(two, Some(0.3)), None);
        }
        assert_eq!(Umpire::new(None).judge(one, Some(1.0)), None);
        for bad in ["0.9", "1.2,4", "0.4,4", "0.9,0", "x,y"] {
            assert!(bad.parse::<Adjudication>().is_err(), "{bad}");
        }
    }
}
