use std::fmt;
use std::str::FromStr;

use rules::{GameId, Phrase, Seat, Square};

use crate::{Card, Figure, Piece};

/// Something that can be touched.
///
/// Its text is stable and unique within a scene, so that it can name an element of a page or a test.
///
/// ```
/// use rules::Square;
/// use scene::{Button, Card, Spot};
///
/// assert_eq!(Spot::Square(Square::new(1, 2)).to_string(), "b3");
/// assert_eq!(Spot::Card(Card::Cat).to_string(), "card:cat");
/// assert_eq!("button:call".parse(), Ok(Spot::Button(Button::Call)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// A square of the board: `b3`.
    Square(Square),
    /// A figure in the stock: `stock:7`.
    Stock(Figure),
    /// A card of the own hand: `card:cat`. Two equal cards are one spot, for it makes no difference which is played.
    Card(Card),
    /// A piece of the stock or a card of the own hand that only one game has: `piece:quixo:key`. The game's description
    /// lists its key, so that its name can be read.
    Piece(Phrase),
    /// A button: `button:call`.
    Button(Button),
}

/// Something that is done by pressing, because there is no piece to touch for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Button {
    /// Quarto: call a row. Shown whenever calls are made by hand; a client must not light it up when it is legal
    /// ([`Spot::is_quiet`]), for noticing the row is the player's part.
    Call,
    /// Do nothing, where the rules force it or allow it: `button:pass`.
    Pass,
    /// Four: end the turn after a movement: `button:end`.
    End,
    /// Sequence: exchange the dead card just touched: `button:swap`.
    Swap,
    /// Quixo for four: let the dot point to this seat: `button:dot:3`.
    Dot(Seat),
    /// A button that only one game has: the text `button_…` of its message file. Its description lists it, so that its
    /// name can be read: `button:quixo:key`.
    OfGame(Phrase),
}

impl Spot {
    /// Whether a client keeps to itself that this spot may be touched now.
    pub const fn is_quiet(self) -> bool {
        matches!(self, Spot::Button(Button::Call))
    }

    /// The piece or card, if it is one that lies beside the board.
    pub const fn piece(self) -> Option<Piece> {
        match self {
            Spot::Stock(figure) => Some(Piece::Figure(figure)),
            Spot::Card(card) => Some(Piece::Card(Some(card))),
            Spot::Piece(phrase) => Some(Piece::OfGame(phrase)),
            Spot::Square(_) | Spot::Button(_) => None,
        }
    }

    /// The square, if it is one.
    pub const fn square(self) -> Option<Square> {
        if let Spot::Square(square) = self { Some(square) } else { None }
    }
}

impl From<Square> for Spot {
    fn from(square: Square) -> Spot {
        Spot::Square(square)
    }
}

impl From<Button> for Spot {
    fn from(button: Button) -> Spot {
        Spot::Button(button)
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Square(square) => write!(f, "{square}"),
            Spot::Stock(figure) => write!(f, "stock:{figure}"),
            Spot::Card(card) => write!(f, "card:{card}"),
            Spot::Piece(Phrase { game, key }) => write!(f, "piece:{game}:{key}"),
            Spot::Button(Button::Call) => f.write_str("button:call"),
            Spot::Button(Button::Pass) => f.write_str("button:pass"),
            Spot::Button(Button::End) => f.write_str("button:end"),
            Spot::Button(Button::Swap) => f.write_str("button:swap"),
            Spot::Button(Button::Dot(seat)) => write!(f, "button:dot:{seat}"),
            Spot::Button(Button::OfGame(Phrase { game, key })) => write!(f, "button:{game}:{key}"),
        }
    }
}

impl FromStr for Spot {
    type Err = NoSuchSpot;

    fn from_str(text: &str) -> Result<Spot, NoSuchSpot> {
        let Some((kind, rest)) = text.split_once(':') else {
            return text.parse().map(Spot::Square).map_err(|_| NoSuchSpot);
        };
        match (kind, rest) {
            ("stock", digit) => Figure::all().find(|figure| figure.to_string() == digit).map(Spot::Stock),
            ("card", name) => name.parse().ok().map(Spot::Card),
            ("piece", name) => {
                let own = name.split_once(':').and_then(|(game, key)| listed(game, key, GameId::pieces));
                own.map(Spot::Piece)
            }
            ("button", "call") => Some(Spot::Button(Button::Call)),
            ("button", "pass") => Some(Spot::Button(Button::Pass)),
            ("button", "end") => Some(Spot::Button(Button::End)),
            ("button", "swap") => Some(Spot::Button(Button::Swap)),
            ("button", name) => match name.split_once(':') {
                Some(("dot", seat)) => seat.parse().ok().map(|seat| Spot::Button(Button::Dot(seat))),
                Some((game, key)) => {
                    listed(game, key, GameId::buttons).map(|phrase| Spot::Button(Button::OfGame(phrase)))
                }
                None => None,
            },
            _ => None,
        }
        .ok_or(NoSuchSpot)
    }
}

/// A key of a game's description.
fn listed(game: &str, key: &str, keys: fn(GameId) -> &'static [&'static str]) -> Option<Phrase> {
    let game: GameId = game.parse().ok()?;
    let key = keys(game).iter().find(|known| **known == key)?;
    Some(Phrase { game, key })
}

/// A text that names no spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchSpot;

impl fmt::Display for NoSuchSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a spot is a square such as b3, stock:7, card:cat or a button such as button:pass")
    }
}

impl std::error::Error for NoSuchSpot {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let buttons = [Button::Call, Button::Pass, Button::End, Button::Swap, Button::Dot(Seat::THREE)];
        let spots = Figure::all()
            .map(Spot::Stock)
            .chain(Card::ALL.map(Spot::Card))
            .chain(buttons.map(Spot::Button))
            .chain([Spot::Square(Square::new(18, 18))]);
        for spot in spots {
            assert_eq!(spot.to_string().parse(), Ok(spot));
            assert!(spot.piece().is_none_or(|piece| piece.spot() == Some(spot)), "{spot}");
        }
        for bad in [
            "",
            "b",
            "stock:g",
            "stock:10",
            "card:",
            "button:",
            "button:dot:5",
            "button:quixo:no",
            "piece:quixo:no",
            "x:1",
        ] {
            assert!(bad.parse::<Spot>().is_err(), "{bad:?}");
        }
    }
}
