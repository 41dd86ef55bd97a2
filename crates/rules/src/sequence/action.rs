use std::fmt;
use std::str::FromStr;

use super::Card;
use crate::{Square, UnreadableAction};

/// What a seat or chance does in Sequence.
///
/// ```
/// use rules::sequence::{Action, Card};
///
/// assert_eq!("swap:cat".parse(), Ok(Action::Swap(Card::Cat)));
/// assert_eq!("unicorn@d3".parse::<Action>()?.to_string(), "unicorn@d3");
/// # Ok::<(), rules::UnreadableAction>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Chance lays the picture of the next square (SQ14): `tile:cat`.
    Tile(Card),
    /// Chance gives a card to the seat that is to draw (SQ13): `draw:cat`.
    Draw(Card),
    /// Play a card at a square: an animal or the Unicorn puts a chip there, the Dragon removes one (SQ4–SQ6): `cat@a2`.
    Play {
        /// The card that is discarded.
        card: Card,
        /// Where the chip is put or removed.
        square: Square,
    },
    /// Discard a dead card and draw another (SQ7): `swap:cat`.
    Swap(Card),
    /// Nothing can be played or swapped (SQ12): `pass`.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Tile(card) => write!(f, "tile:{card}"),
            Action::Draw(card) => write!(f, "draw:{card}"),
            Action::Play { card, square } => write!(f, "{card}@{square}"),
            Action::Swap(card) => write!(f, "swap:{card}"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = UnreadableAction;

    fn from_str(text: &str) -> Result<Action, UnreadableAction> {
        let unreadable =
            || UnreadableAction::new(text, "a play such as cat@a2, swap:cat, pass, or by chance draw:cat or tile:cat");
        let card = |name: &str| name.parse::<Card>().map_err(|_| unreadable());
        if text == "pass" {
            return Ok(Action::Pass);
        }
        if let Some((name, square)) = text.split_once('@') {
            return Ok(Action::Play { card: card(name)?, square: square.parse().map_err(|_| unreadable())? });
        }
        match text.split_once(':') {
            Some(("tile", name)) => Ok(Action::Tile(card(name)?)),
            Some(("draw", name)) => Ok(Action::Draw(card(name)?)),
            Some(("swap", name)) => Ok(Action::Swap(card(name)?)),
            _ => Err(unreadable()),
        }
    }
}
