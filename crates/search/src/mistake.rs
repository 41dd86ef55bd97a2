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
    /// A proved win was there; what was played is not proved to be anything, but far from winning.
    MissedWin,
    /// Proved to lose, where something looked playable.
    Loses,
    /// By estimates alone: much worse than the best.
    Doubtful,
}

impl Mistake {
    /// What playing an action worth `played` gave away where `best` was to be had; `None` if nothing to speak of.
    ///
    /// Proved values are compared exactly, however long the win takes; estimates only count when they differ much.
    ///
    /// ```
    /// use search::{Mistake, Value};
    ///
    /// assert_eq!(Mistake::between(Value::Draw, Value::Loss(4)), Some(Mistake::DrawToLoss));
    /// assert_eq!(Mistake::between(Value::Win(3), Value::Win(9)), None);
    /// ```
    pub fn between(best: Value, played: Value) -> Option<Mistake> {
        match (best, played) {
            (Value::Win(_) | Value::SureWin, Value::Draw) => Some(Mistake::WinToDraw),
            (Value::Win(_) | Value::SureWin, Value::Loss(_) | Value::SureLoss) => Some(Mistake::WinToLoss),
            (Value::Draw, Value::Loss(_) | Value::SureLoss) => Some(Mistake::DrawToLoss),
            (best, played) if best.is_exact() && played.is_exact() => None,
            (Value::Win(_) | Value::SureWin, played) if played.score() < 0.6 => Some(Mistake::MissedWin),
            (best, Value::Loss(_) | Value::SureLoss) if best.score() > 0.4 => Some(Mistake::Loses),
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
        assert_eq!(Mistake::between(Value::Loss(2), Value::Loss(1)), None);
        assert_eq!(Mistake::between(Value::SureWin, Value::Win(7)), None);
        assert_eq!(Mistake::between(Value::SureWin, Value::SureLoss), Some(Mistake::WinToLoss));
        assert_eq!(Mistake::between(Value::Estimate(0.6), Value::Estimate(0.5)), None);
        assert_eq!(Mistake::between(Value::Estimate(0.8), Value::Estimate(0.4)), Some(Mistake::Doubtful));
        assert_eq!(Mistake::between(Value::Estimate(0.6), Value::Loss(4)), Some(Mistake::Loses));
        assert_eq!(Mistake::between(Value::Win(5), Value::Estimate(0.5)), Some(Mistake::MissedWin));
    }
}
