use std::fmt;

use crate::UnreadableAction;

/// One of the four ways in which pieces differ (QA1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// Dark or light.
    Colour,
    /// Tall or short.
    Height,
    /// Square or round.
    Shape,
    /// Hollow or solid.
    Top,
}

impl Attribute {
    /// All four, in the order in which texts name them.
    pub const ALL: [Attribute; 4] = [Attribute::Colour, Attribute::Height, Attribute::Shape, Attribute::Top];

    /// The word for it in option texts.
    pub const fn name(self) -> &'static str {
        match self {
            Attribute::Colour => "colour",
            Attribute::Height => "height",
            Attribute::Shape => "shape",
            Attribute::Top => "top",
        }
    }

    /// Its bit in a piece (QA2).
    #[inline]
    pub const fn bit(self) -> u8 {
        match self {
            Attribute::Colour => 8,
            Attribute::Height => 4,
            Attribute::Shape => 2,
            Attribute::Top => 1,
        }
    }
}

/// A choice of attributes: those that make a row (QA5), or those that a row has in common.
///
/// ```
/// use rules::quarto::{Attribute, Attributes};
///
/// let some = Attributes::of(&[Attribute::Top, Attribute::Colour]);
/// assert_eq!(some.to_string(), "colour+top");
/// assert!(some.contains(Attribute::Top) && !some.contains(Attribute::Shape));
/// assert_eq!(Attributes::ALL.len(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attributes(u8);

impl Attributes {
    /// All four.
    pub const ALL: Attributes = Attributes(15);

    /// The attributes named; the order does not matter.
    pub fn of(attributes: &[Attribute]) -> Attributes {
        Attributes(attributes.iter().fold(0, |bits, attribute| bits | attribute.bit()))
    }

    /// The attributes whose bits (QA2) are set; bits above the lowest four are ignored.
    #[inline]
    pub const fn from_bits(bits: u8) -> Attributes {
        Attributes(bits & 15)
    }

    /// The attributes as bits of a piece (QA2).
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether an attribute is among them.
    #[inline]
    pub const fn contains(self, attribute: Attribute) -> bool {
        self.0 & attribute.bit() != 0
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, in the order in which texts name them.
    pub fn iter(self) -> impl Iterator<Item = Attribute> {
        Attribute::ALL.into_iter().filter(move |attribute| self.contains(*attribute))
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, attribute) in self.iter().enumerate() {
            let joint = if index > 0 { "+" } else { "" };
            write!(f, "{joint}{}", attribute.name())?;
        }
        Ok(())
    }
}

/// One of the 16 pieces (QA2): a bit for each attribute, written as a hex digit.
///
/// ```
/// use rules::quarto::Piece;
///
/// let piece: Piece = "c".parse()?;
/// assert!(piece.is_dark() && piece.is_tall() && !piece.is_square() && !piece.is_hollow());
/// assert_eq!(Piece::new(12), Some(piece));
/// assert_eq!(piece.to_string(), "c");
/// # Ok::<(), rules::UnreadableAction>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The piece with these attribute bits; `None` above 15.
    #[inline]
    pub const fn new(bits: u8) -> Option<Piece> {
        if bits < 16 { Some(Piece(bits)) } else { None }
    }

    /// The piece of the lowest four bits.
    #[inline]
    pub(super) const fn of_bits(bits: u8) -> Piece {
        Piece(bits & 15)
    }

    /// The attribute bits, from 0 to 15.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// All 16, by their bits.
    pub fn all() -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator {
        (0..16).map(Piece)
    }

    /// Whether the attribute's bit is set: dark, tall, square or hollow.
    #[inline]
    pub const fn has(self, attribute: Attribute) -> bool {
        self.0 & attribute.bit() != 0
    }

    /// Dark, not light.
    pub const fn is_dark(self) -> bool {
        self.has(Attribute::Colour)
    }

    /// Tall, not short.
    pub const fn is_tall(self) -> bool {
        self.has(Attribute::Height)
    }

    /// Square, not round.
    pub const fn is_square(self) -> bool {
        self.has(Attribute::Shape)
    }

    /// Hollow, not solid.
    pub const fn is_hollow(self) -> bool {
        self.has(Attribute::Top)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "piece {:x}", self.0)
    }
}

impl std::str::FromStr for Piece {
    type Err = UnreadableAction;

    fn from_str(text: &str) -> Result<Piece, UnreadableAction> {
        match text.as_bytes() {
            [digit @ b'0'..=b'9'] => Ok(Piece(digit - b'0')),
            [letter @ b'a'..=b'f'] => Ok(Piece(letter - b'a' + 10)),
            _ => Err(UnreadableAction::new(text, "a piece from 0 to f")),
        }
    }
}

/// A set of pieces, such as those that are still to be given.
///
/// ```
/// use rules::{Position, quarto::Quarto};
///
/// let stock = Quarto::start(&Default::default()).stock();
/// assert_eq!(stock.len(), 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces(pub(super) u16);

impl Pieces {
    /// Whether a piece is among them.
    #[inline]
    pub const fn contains(self, piece: Piece) -> bool {
        self.0 & 1 << piece.0 != 0
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, piece 0 the lowest, for programs that compute on it.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Each of them, by their bits.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        Piece::all().filter(move |piece| self.contains(*piece))
    }
}
