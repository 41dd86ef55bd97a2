use std::cmp::Ordering;
use std::ops::Neg;

/// What a position or an action is worth to the seat that is to act.
///
/// Values are ordered from the worst to the best: a sooner win is better than a later one, a later loss better than a
/// sooner one. A win or loss whose length is not known lies nearer to the draw than all that are counted. Negation is
/// the same position seen by the opponent, and reverses the order.
///
/// ```
/// use search::Value;
///
/// assert!(Value::win_in(3) > Value::win_in(5) && Value::win_in(5) > Value::Win(None));
/// assert!(Value::Draw > Value::Loss(None) && Value::loss_in(4) > Value::loss_in(2));
/// // One action earlier, the opponent of a player who has lost in 2 wins in 3.
/// assert_eq!(-Value::loss_in(2).add_plies(1), Value::win_in(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Proved: won, in this many actions of all seats under best play if they are counted.
    Win(Option<u32>),
    /// Proved: neither side can force a win.
    Draw,
    /// Proved: lost, in this many actions at the latest if they are counted.
    Loss(Option<u32>),
    /// Not proved: the expected score.
    Estimate(Score),
}

impl Value {
    /// A win that takes so many actions.
    pub const fn win_in(plies: u32) -> Value {
        Value::Win(Some(plies))
    }

    /// A loss that takes so many actions.
    pub const fn loss_in(plies: u32) -> Value {
        Value::Loss(Some(plies))
    }

    /// An expected score from 0 (lost) to 1 (won).
    pub fn estimate(score: f32) -> Value {
        Value::Estimate(Score::new(score))
    }

    /// Whether the value is proved.
    pub fn is_exact(self) -> bool {
        !matches!(self, Value::Estimate(_))
    }

    /// Whether the value is proved and its distance counted, so that no search could say more.
    pub fn is_final(self) -> bool {
        matches!(self, Value::Win(Some(_)) | Value::Draw | Value::Loss(Some(_)))
    }

    /// The expected score from 0 to 1, for bars and comparisons.
    pub fn score(self) -> f32 {
        match self {
            Value::Win(_) => 1.0,
            Value::Draw => 0.5,
            Value::Loss(_) => 0.0,
            Value::Estimate(score) => score.into(),
        }
    }

    /// In how many actions the game ends, if that is counted.
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => plies,
            Value::Draw | Value::Estimate(_) => None,
        }
    }

    /// The same value so many actions earlier in the game, for the same side.
    #[must_use]
    pub fn add_plies(self, more: u32) -> Value {
        let later = |plies: Option<u32>| plies.map(|plies| plies.saturating_add(more));
        match self {
            Value::Win(plies) => Value::Win(later(plies)),
            Value::Loss(plies) => Value::Loss(later(plies)),
            Value::Draw | Value::Estimate(_) => self,
        }
    }

    /// Lost, between, or won; within each the larger number is better.
    fn rank(self) -> (i8, i64) {
        let uncounted = i64::from(u32::MAX) + 1;
        let length = |plies: Option<u32>| plies.map_or(uncounted, i64::from);
        match self {
            Value::Win(plies) => (1, -length(plies)),
            // A proved draw comes before an estimate of one half, for either side.
            Value::Draw => (0, 2 * i64::from(Score::EVEN.0) + 1),
            Value::Estimate(score) => (0, 2 * i64::from(score.0)),
            Value::Loss(plies) => (-1, length(plies)),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Value {
    type Output = Value;

    /// The value for the other side.
    fn neg(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies),
            Value::Estimate(score) => Value::Estimate(-score),
        }
    }
}

/// An expected score from 0 (lost) to 1 (won), in steps of a ten-thousandth so that it can be compared and negated
/// exactly.
///
/// ```
/// use search::Score;
///
/// assert_eq!(-Score::new(0.25), Score::new(0.75));
/// assert_eq!(f32::from(Score::new(2.0)), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u16);

impl Score {
    /// As likely to win as to lose.
    pub const EVEN: Score = Score(Score::ONE / 2);

    const ONE: u16 = 10_000;

    /// The nearest score, at least 0 and at most 1.
    pub fn new(score: f32) -> Score {
        Score((score.clamp(0.0, 1.0) * f32::from(Score::ONE)).round() as u16)
    }

    /// A number of ten-thousandths, at most 10,000.
    pub const fn from_ten_thousandths(number: u16) -> Score {
        Score(if number < Score::ONE { number } else { Score::ONE })
    }

    /// How many ten-thousandths of a point it is.
    pub const fn ten_thousandths(self) -> u16 {
        self.0
    }
}

impl From<Score> for f32 {
    fn from(score: Score) -> f32 {
        f32::from(score.0) / f32::from(Score::ONE)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(Score::ONE - self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        // Small lengths meet each other often enough to be compared.
        let plies = || proptest::option::of(prop_oneof![0..5u32, any::<u32>()]);
        let score = prop_oneof![4_998..5_003u16, 0..=10_000u16];
        prop_oneof![
            plies().prop_map(Value::Win),
            Just(Value::Draw),
            plies().prop_map(Value::Loss),
            score.prop_map(|score| Value::Estimate(Score::from_ten_thousandths(score))),
        ]
    }

    /// The one pair that negation cannot reverse, since both are their own negatives.
    fn both_even(a: Value, b: Value) -> bool {
        -a == a && -b == b
    }

    proptest! {
        #[test]
        fn the_order_is_total_and_agrees_with_equality(a in any_value(), b in any_value(), c in any_value()) {
            prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert!(!(a <= b && b <= c) || a <= c);
        }

        #[test]
        fn negation_reverses_the_order(a in any_value(), b in any_value()) {
            prop_assert_eq!(-(-a), a);
            prop_assert!(both_even(a, b) || (-a).cmp(&-b) == b.cmp(&a));
            prop_assert!((a.score() + (-a).score() - 1.0).abs() < 1e-6);
        }

        #[test]
        fn plies_add_up_and_keep_the_order(a in any_value(), b in any_value(), m in 0..1000u32, n in 0..1000u32) {
            prop_assert_eq!(a.add_plies(0), a);
            prop_assert_eq!(a.add_plies(m).add_plies(n), a.add_plies(m + n));
            prop_assert_eq!((-a).add_plies(n), -a.add_plies(n));
            // At the largest number of plies there is no later one.
            let room = |value: Value| value.plies().unwrap_or(0) < u32::MAX - 1000;
            prop_assert!(!room(a) || !room(b) || a.add_plies(n).cmp(&b.add_plies(n)) == a.cmp(&b));
        }

        #[test]
        fn a_better_value_never_has_a_lower_score(a in any_value(), b in any_value()) {
            prop_assert!(a < b || a.score() >= b.score());
        }
    }

    #[test]
    fn from_best_to_worst() {
        let half = Value::Estimate(Score::EVEN);
        let order = [
            Value::win_in(1),
            Value::win_in(9),
            Value::Win(None),
            Value::estimate(1.0),
            Value::estimate(0.6),
            Value::Draw,
            half,
            Value::estimate(0.0),
            Value::Loss(None),
            Value::loss_in(8),
            Value::loss_in(2),
        ];
        assert!(order.windows(2).all(|pair| pair[0] > pair[1]));
    }
}
