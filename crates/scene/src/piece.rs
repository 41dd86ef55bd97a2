use std::fmt;

pub use rules::quarto::Attribute;
pub use rules::sequence::{Card, NoSuchCard};
use rules::{Phrase, Seat, Side, Sign};

use crate::Spot;

/// Something that lies on a table; skins are keyed by its [`Piece::name`] or by the data itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// One of Quarto's sixteen figures.
    Figure(Figure),
    /// A cube of Quixo; `None` when its blank side is up.
    Cube(Option<Mark>),
    /// A chip of Sequence.
    Chip(Token),
    /// A stone of Four.
    Stone(Token),
    /// A card of Sequence; `None` when it lies face down.
    Card(Option<Card>),
    /// A piece or card that only one game has: the text `piece_…` of its message file, drawn by its own art.
    OfGame(Phrase),
}

impl Piece {
    /// What is touched to take this piece from the stock or this card from a hand; none where pieces are touched by their
    /// square.
    pub const fn spot(self) -> Option<Spot> {
        match self {
            Piece::Figure(figure) => Some(Spot::Stock(figure)),
            Piece::Card(Some(card)) => Some(Spot::Card(card)),
            Piece::OfGame(phrase) => Some(Spot::Piece(phrase)),
            Piece::Card(None) | Piece::Cube(_) | Piece::Chip(_) | Piece::Stone(_) => None,
        }
    }

    /// A stable name for skins and tests, by what is seen: `figure-7`, `cube`, `cube-x`, `cube-x-3`, `chip-2`, `stone-1`,
    /// `card-cat`; for a piece that only one game has, the game and the piece.
    ///
    /// ```
    /// use rules::Seat;
    /// use scene::{Card, Piece, Token};
    ///
    /// assert_eq!(Piece::Stone(Token::of(Seat::ONE)).name(), "stone-1");
    /// assert_eq!(Piece::Card(Some(Card::Cat)).name(), "card-cat");
    /// assert_eq!(Piece::Card(None).name(), "card");
    /// ```
    pub fn name(self) -> String {
        match self {
            Piece::Figure(figure) => format!("figure-{figure}"),
            Piece::Cube(None) => "cube".to_owned(),
            Piece::Cube(Some(Mark { sign, dot: None, .. })) => format!("cube-{}", symbol(sign)),
            Piece::Cube(Some(Mark { sign, dot: Some(dot), .. })) => format!("cube-{}-{}", symbol(sign), dot.seat),
            Piece::Chip(token) => format!("chip-{}", token.sign),
            Piece::Stone(token) => format!("stone-{}", token.sign),
            Piece::Card(Some(card)) => format!("card-{card}"),
            Piece::Card(None) => "card".to_owned(),
            Piece::OfGame(Phrase { game, key }) => format!("{game}-{key}"),
        }
    }
}

fn symbol(sign: Sign) -> char {
    if sign.index() == 0 { 'x' } else { 'o' }
}

/// A chip or a stone: whose it is, and what it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// Whose it is; in games with such pieces every seat is a side.
    pub seat: Seat,
    /// The colour in which it is shown.
    pub sign: Sign,
}

impl Token {
    /// A seat's piece in its usual colour.
    pub const fn of(seat: Seat) -> Token {
        Token { seat, sign: Sign::from_index(seat.index()) }
    }

    /// The side whose it is.
    pub const fn side(self) -> Side {
        Side::from_index(self.seat.index())
    }
}

/// The symbol on a cube of Quixo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// Whose symbol it is.
    pub side: Side,
    /// The symbol that is shown: the first is x, the second o.
    pub sign: Sign,
    /// In the team game, whom the dot points to.
    pub dot: Option<Dot>,
}

impl Mark {
    /// A side's usual symbol, with a dot in the team game.
    pub fn of(side: Side, dot: Option<Seat>) -> Mark {
        Mark { side, sign: Sign::usual(side), dot: dot.map(Dot::of) }
    }
}

/// The dot beside the symbol of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dot {
    /// The seat it points to.
    pub seat: Seat,
    /// The edge of the board at which that seat is shown.
    pub edge: Edge,
}

impl Dot {
    /// A dot as it is seen from seat 1.
    pub const fn of(seat: Seat) -> Dot {
        Dot { seat, edge: Edge::ALL[seat.index()] }
    }
}

/// An edge of the board, as the person looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Edge {
    Near,
    Left,
    Far,
    Right,
}

impl Edge {
    /// All four, clockwise from the nearest: four players sit so in turn order.
    pub const ALL: [Edge; 4] = [Edge::Near, Edge::Left, Edge::Far, Edge::Right];
}

/// One of Quarto's sixteen figures, numbered as its hex digit (QA2).
///
/// ```
/// use scene::{Attribute, Figure, Quality};
///
/// let figure = Figure::new(0x9).unwrap();
/// assert_eq!(figure.to_string(), "9");
/// assert_eq!(figure.qualities(), [Quality::Dark, Quality::Short, Quality::Round, Quality::Hollow]);
/// assert_eq!(figure.quality(Attribute::Top), Quality::Hollow);
/// assert_eq!(Figure::new(16), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Figure(u8);

impl Figure {
    /// The figure with this number; `None` unless it is from 0 to 15.
    pub const fn new(number: u8) -> Option<Figure> {
        if number < 16 { Some(Figure(number)) } else { None }
    }

    /// All sixteen, by number.
    pub fn all() -> impl Iterator<Item = Figure> {
        (0..16).map(Figure)
    }

    /// From 0 to 15: bit 3 dark, bit 2 tall, bit 1 square, bit 0 hollow.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What this figure is in respect of one attribute.
    pub const fn quality(self, attribute: Attribute) -> Quality {
        let (bit, set, unset) = match attribute {
            Attribute::Colour => (8, Quality::Dark, Quality::Light),
            Attribute::Height => (4, Quality::Tall, Quality::Short),
            Attribute::Shape => (2, Quality::Square, Quality::Round),
            Attribute::Top => (1, Quality::Hollow, Quality::Solid),
        };
        if self.0 & bit != 0 { set } else { unset }
    }

    /// Its four qualities in the order of [`Attribute::ALL`].
    pub fn qualities(self) -> [Quality; 4] {
        Attribute::ALL.map(|attribute| self.quality(attribute))
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

/// One value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Quality {
    Dark,
    Light,
    Tall,
    Short,
    Square,
    Round,
    Hollow,
    Solid,
}

impl Quality {
    /// All eight, each attribute's two together.
    pub const ALL: [Quality; 8] = [
        Quality::Dark,
        Quality::Light,
        Quality::Tall,
        Quality::Short,
        Quality::Square,
        Quality::Round,
        Quality::Hollow,
        Quality::Solid,
    ];

    /// What it is a value of.
    pub const fn attribute(self) -> Attribute {
        match self {
            Quality::Dark | Quality::Light => Attribute::Colour,
            Quality::Tall | Quality::Short => Attribute::Height,
            Quality::Square | Quality::Round => Attribute::Shape,
            Quality::Hollow | Quality::Solid => Attribute::Top,
        }
    }
}
