use std::fmt;
use std::str::FromStr;

use crate::{Square, UnreadableAction};

/// What a seat can do in Four.
///
/// ```
/// use rules::{Square, four::Action};
///
/// let action: Action = "d4xe5".parse()?;
/// assert_eq!(action, Action::Place { at: Square::new(3, 3), capture: Some(Square::new(4, 4)) });
/// assert_eq!("d4-d9".parse::<Action>()?.to_string(), "d4-d9");
/// # Ok::<(), rules::UnreadableAction>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Put a stone from the reserve on an empty cell: `d4` (FO5, FO6).
    Place {
        /// Where the stone goes.
        at: Square,
        /// In the opening, where more than one stone could be captured, the one that is: `d4xe5`.
        capture: Option<Square>,
    },
    /// Slide a stone along its row or column: `d4-d9` (FO7).
    Move {
        /// Where the stone stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// Stop moving and let the other seat play (FO7).
    End,
    /// Nothing else can be done (FO10).
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Place { at, capture: None } => write!(f, "{at}"),
            Action::Place { at, capture: Some(stone) } => write!(f, "{at}x{stone}"),
            Action::Move { from, to } => write!(f, "{from}-{to}"),
            Action::End => f.write_str("end"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = UnreadableAction;

    fn from_str(text: &str) -> Result<Action, UnreadableAction> {
        let unreadable =
            || UnreadableAction::new(text, "a placement such as d4 or d4xe5, a movement such as d4-d9, end or pass");
        let square = |text: &str| text.parse::<Square>().map_err(|_| unreadable());
        match text {
            "end" => return Ok(Action::End),
            "pass" => return Ok(Action::Pass),
            _ => {}
        }
        if let Some((from, to)) = text.split_once('-') {
            return Ok(Action::Move { from: square(from)?, to: square(to)? });
        }
        // An x at the very start is a column of some larger board, not the sign of a capture.
        let sign = text.char_indices().skip(1).find(|(_, letter)| *letter == 'x');
        match sign.and_then(|(index, _)| text.split_at_checked(index)) {
            Some((at, captured)) => {
                let captured = captured.strip_prefix('x').unwrap_or(captured);
                Ok(Action::Place { at: square(at)?, capture: Some(square(captured)?) })
            }
            None => Ok(Action::Place { at: square(text)?, capture: None }),
        }
    }
}

impl Action {
    /// The square a stone comes to stand on.
    #[inline]
    pub fn destination(self) -> Option<Square> {
        match self {
            Action::Place { at, .. } => Some(at),
            Action::Move { to, .. } => Some(to),
            Action::End | Action::Pass => None,
        }
    }
}
