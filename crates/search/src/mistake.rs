use crate::Value;

/// What an action gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// Proved: a win was there, now it is a draw.
    WinToDraw,
    /// Proved: a win was there, now it is lost.
    WinToLoss,
    /// Proved: a draw was there, now it is lost.
    DrawToLoss,
    /// A proved win was there; what was played instead may still win, but is not proved to.
    MissedWin,
    /// Proved to lose, where something looked playable.
    Loses,
    /// By estimates alone: much worse than the best.
    Doubtful,
}

/// An estimate from here on counts as a win that the search had no time to prove.
const SURELY_WINNING: f32 = 0.85;

impl Mistake {
    /// The word for programs: `win_to_draw` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Mistake::WinToDraw => "win_to_draw",
            Mistake::WinToLoss => "win_to_loss",
            Mistake::DrawToLoss => "draw_to_loss",
            Mistake::MissedWin => "missed_win",
            Mistake::Loses => "loses",
            Mistake::Doubtful => "doubtful",
        }
    }

    /// The mark that annotated games use: `??`, `?` or `?!`.
    pub fn mark(self) -> &'static str {
        match self {
            Mistake::WinToLoss | Mistake::DrawToLoss => "??",
            Mistake::WinToDraw | Mistake::MissedWin | Mistake::Loses => "?",
            Mistake::Doubtful => "?!",
        }
    }

    /// What playing an action worth `played` gave away where `best` was to be had; `None` if nothing to speak of.
    ///
    /// Proved values are compared exactly, however long the win takes; estimates only count when they differ much. A win
    /// at once that was not taken is missed however good the rest looks; a longer one only where an estimate does not
    /// already expect to win.
    ///
    /// ```
    /// use search::{Mistake, Value};
    ///
    /// assert_eq!(Mistake::between(Value::Draw, Value::loss_in(4)), Some(Mistake::DrawToLoss));
    /// assert_eq!(Mistake::between(Value::win_in(3), Value::win_in(9)), None);
    /// ```
    pub fn between(best: Value, played: Value) -> Option<Mistake> {
        match (best, played) {
            (Value::Win(_), Value::Draw) => Some(Mistake::WinToDraw),
            (Value::Win(_), Value::Loss(_)) => Some(Mistake::WinToLoss),
            (Value::Draw, Value::Loss(_)) => Some(Mistake::DrawToLoss),
            (best, played) if best.is_exact() && played.is_exact() => None,
            (Value::Win(Some(1)), _) => Some(Mistake::MissedWin),
            (Value::Win(_), played) if played.score() < SURELY_WINNING => Some(Mistake::MissedWin),
            (best, Value::Loss(_)) if best.score() > 0.4 => Some(Mistake::Loses),
            (best, played) if best.score() - played.score() > 0.25 => Some(Mistake::Doubtful),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_loses_value_is_a_mistake() {
        assert_eq!(Mistake::between(Value::Draw, Value::Draw), None);
        assert_eq!(Mistake::between(Value::loss_in(2), Value::loss_in(1)), None);
        assert_eq!(Mistake::between(Value::Win(None), Value::win_in(7)), None);
        assert_eq!(Mistake::between(Value::Win(None), Value::Loss(None)), Some(Mistake::WinToLoss));
        assert_eq!(Mistake::between(Value::estimate(0.6), Value::estimate(0.5)), None);
        assert_eq!(Mistake::between(Value::estimate(0.8), Value::estimate(0.4)), Some(Mistake::Doubtful));
        assert_eq!(Mistake::between(Value::estimate(0.6), Value::loss_in(4)), Some(Mistake::Loses));
        assert_eq!(Mistake::between(Value::win_in(5), Value::estimate(0.5)), Some(Mistake::MissedWin));
        assert_eq!(Mistake::between(Value::win_in(5), Value::estimate(0.8)), Some(Mistake::MissedWin));
        assert_eq!(Mistake::between(Value::win_in(5), Value::estimate(0.95)), None);
        assert_eq!(Mistake::between(Value::win_in(1), Value::estimate(0.99)), Some(Mistake::MissedWin));
        assert_eq!(Mistake::between(Value::win_in(1), Value::win_in(3)), None);
    }
}
