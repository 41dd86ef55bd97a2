use std::fmt;

use search::Value;

use crate::Measure;

/// What an action is worth to the seat that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worth {
    /// A win, draw or loss with its length.
    Result(Value),
    /// Captures; see [`Measure::Captures`].
    Captures(i32),
}

impl Worth {
    /// Reads a number of a set: captures, or the plies to a win, 0 for a draw, minus the plies to a loss.
    pub fn read(measure: Measure, number: &str) -> Option<Worth> {
        let number: i32 = number.parse().ok()?;
        Some(match (measure, number) {
            (Measure::Captures, _) => Worth::Captures(number),
            (Measure::Result, 0) => Worth::Result(Value::Draw),
            (Measure::Result, 1..) => Worth::Result(Value::win_in(number.unsigned_abs())),
            (Measure::Result, _) => Worth::Result(Value::loss_in(number.unsigned_abs())),
        })
    }

    /// Whether an action of this worth is as good as the best of its ply, lengths of wins and losses aside.
    pub(crate) fn is_like(self, best: Worth) -> bool {
        match (self, best) {
            (Worth::Result(value), Worth::Result(best)) => {
                std::mem::discriminant(&value) == std::mem::discriminant(&best)
            }
            _ => self == best,
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match *self {
            Worth::Captures(number) => i64::from(number),
            Worth::Result(Value::Win(plies)) => i64::from(plies.unwrap_or(0)),
            Worth::Result(Value::Loss(plies)) => -i64::from(plies.unwrap_or(0)),
            Worth::Result(Value::Draw | Value::Estimate(_)) => 0,
        };
        number.fmt(f)
    }
}
