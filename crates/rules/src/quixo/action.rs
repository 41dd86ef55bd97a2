use std::fmt;
use std::str::FromStr;

use crate::{Seat, Square, UnreadableAction};

/// A turn of Quixo (QX3, QX6, QX7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Take a cube and push it back in: `a3e3`, in the team game `a3e3:1`.
    Push {
        /// The square the cube is taken from.
        from: Square,
        /// The square where it enters.
        to: Square,
        /// In the team game, the seat the dot points to.
        dot: Option<Seat>,
    },
    /// No cube can be taken.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Push { from, to, dot: None } => write!(f, "{from}{to}"),
            Action::Push { from, to, dot: Some(seat) } => write!(f, "{from}{to}:{seat}"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = UnreadableAction;

    fn from_str(text: &str) -> Result<Action, UnreadableAction> {
        let unreadable = || UnreadableAction::new(text, "a push such as a3e3, with four players a3e3:1, or pass");
        if text == "pass" {
            return Ok(Action::Pass);
        }
        let (squares, dot) = match text.split_once(':') {
            Some((squares, seat)) => (squares, Some(seat.parse().map_err(|_| unreadable())?)),
            None => (text, None),
        };
        let (from, to) = squares.split_at_checked(2).ok_or_else(unreadable)?;
        let from = from.parse().map_err(|_| unreadable())?;
        let to = to.parse().map_err(|_| unreadable())?;
        Ok(Action::Push { from, to, dot })
    }
}
