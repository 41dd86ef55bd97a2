use std::fmt;
use std::str::FromStr;

/// A player at the table (G1), numbered from 1 in turn order.
///
/// ```
/// use rules::Seat;
///
/// assert_eq!(Seat::TWO.to_string(), "2");
/// assert_eq!(Seat::TWO.index(), 1);
/// assert_eq!(Seat::TWO.next(2), Seat::ONE);
/// assert_eq!("3".parse(), Ok(Seat::THREE));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat that begins.
    pub const ONE: Seat = Seat(0);
    /// The second seat in turn order.
    pub const TWO: Seat = Seat(1);
    /// The third seat in turn order.
    pub const THREE: Seat = Seat(2);
    /// The fourth seat in turn order.
    pub const FOUR: Seat = Seat(3);

    /// The seat at a zero-based index, for arrays with an entry per seat.
    ///
    /// # Panics
    /// If `index` is 4 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Seat {
        assert!(index < 4, "there are four seats at most");
        Seat(index as u8)
    }

    /// The zero-based index of this seat.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number people use, from 1.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The seat after this one at a table of `seats`.
    #[inline]
    pub const fn next(self, seats: u8) -> Seat {
        Seat(if self.0 + 1 == seats { 0 } else { self.0 + 1 })
    }

    /// All seats of a table in turn order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..seats).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}

impl FromStr for Seat {
    type Err = NoSuchSeat;

    fn from_str(text: &str) -> Result<Seat, NoSuchSeat> {
        match text {
            "1" => Ok(Seat::ONE),
            "2" => Ok(Seat::TWO),
            "3" => Ok(Seat::THREE),
            "4" => Ok(Seat::FOUR),
            _ => Err(NoSuchSeat),
        }
    }
}

/// A text that names no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchSeat;

impl fmt::Display for NoSuchSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a seat is a number from 1 to 4")
    }
}

impl std::error::Error for NoSuchSeat {}

/// Who wins together (G1): one seat, or a team. Numbered from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

impl Side {
    /// The side of the seat that begins.
    pub const ONE: Side = Side(0);
    /// The side of the second seat.
    pub const TWO: Side = Side(1);

    /// The side at a zero-based index.
    ///
    /// # Panics
    /// If `index` is 4 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Side {
        assert!(index < 4, "there are four sides at most");
        Side(index as u8)
    }

    /// The zero-based index of this side.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number people use, from 1.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "side {}", self.number())
    }
}

/// Who acts now (G2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// This seat has at least one legal action.
    Seat(Seat),
    /// A card is to be drawn or a tile to be laid.
    Chance,
    /// No seat: the game has ended.
    Over(Outcome),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side won.
    Win(Side),
    /// No side won.
    Draw,
}

/// The person for whom a position is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player, who sees the own hand.
    Seat(Seat),
    /// A spectator, who sees no hand until the game is over.
    Spectator,
}
