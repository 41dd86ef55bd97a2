use std::fmt;
use std::str::FromStr;

use super::Piece;
use crate::{Square, UnreadableAction};

/// What a seat does in Quarto (QA3, QA7–QA10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Give a piece to the other seat: `7`.
    Give(Piece),
    /// Put the piece in hand on a square: `b2`.
    Place(Square),
    /// Announce a row and win: `!`.
    Call,
    /// Announce none when the board is full: `pass`.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Give(piece) => write!(f, "{piece}"),
            Action::Place(square) => write!(f, "{square}"),
            Action::Call => f.write_str("!"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = UnreadableAction;

    fn from_str(text: &str) -> Result<Action, UnreadableAction> {
        match text {
            "!" => return Ok(Action::Call),
            "pass" => return Ok(Action::Pass),
            _ => {}
        }
        let give = text.parse().map(Action::Give);
        give.or_else(|_| text.parse().map(Action::Place))
            .map_err(|_| UnreadableAction::new(text, "a piece from 0 to f, a square such as b2, ! or pass"))
    }
}
