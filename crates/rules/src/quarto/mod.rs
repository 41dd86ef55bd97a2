//! Quarto: give the other a piece, and be the one who completes four alike.
//!
//! ```
//! use rules::{Outcome, Position, Side, Turn, quarto::Quarto};
//!
//! let mut game = Quarto::parse(&Default::default(), "..../..../..../123. 5 1 c1")?;
//! game.play("c1".parse()?).unwrap_err(); // taken
//! game.play("d1".parse()?)?;
//! assert_eq!(game.turn(), Turn::Over(Outcome::Win(Side::ONE)));
//! assert_eq!(game.rows().next().map(|row| row.attributes.to_string()).as_deref(), Some("colour"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod bits;
mod description;
mod options;
mod piece;
mod setup;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;

pub use action::Action;
pub use options::{Call, QuartoOptions, Squares};
pub use piece::{Attribute, Attributes, Piece, Pieces};
pub use setup::QuartoSetup;

use crate::{ActionList, BadPosition, Outcome, PerfectInformation, Position, Reason, Seat, Side, Square, Turn, Viewer};

/// The board is this many squares wide and high.
pub const SIZE: u8 = 4;

/// A position of Quarto.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quarto {
    /// The pieces, a nibble for each square; 0 where there is none.
    board: u64,
    /// All four bits of every square that carries a piece.
    taken: u64,
    /// The pieces neither on the board nor in hand.
    stock: u16,
    empty: u16,
    hand: Option<Piece>,
    /// The number of the square placed on last.
    last: Option<u8>,
    seat: Seat,
    /// With calls, whether the seat to act may call a row now.
    row_to_call: bool,
    outcome: Option<Outcome>,
    options: QuartoOptions,
}

/// Four pieces in a line or block that have something in common (QA4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Where they stand.
    pub squares: [Square; 4],
    /// What they have in common, among the attributes that count (QA5); at least one.
    pub attributes: Attributes,
}

impl Quarto {
    /// The piece on a square of the board.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_at(bits::index(square))
    }

    /// The piece that is to be placed.
    pub fn hand(&self) -> Option<Piece> {
        self.hand
    }

    /// The square placed on last.
    pub fn last(&self) -> Option<Square> {
        self.last.map(|index| Square::from_index(index.into(), SIZE))
    }

    /// The pieces neither on the board nor in hand.
    pub fn stock(&self) -> Pieces {
        Pieces(self.stock)
    }

    /// The board as 16 nibbles, nibble 4·row + column, for programs that compute on it; 0 also where there is no piece.
    pub fn nibbles(&self) -> u64 {
        self.board
    }

    /// The empty squares as bits 4·row + column, for programs that compute on them.
    pub fn empty(&self) -> u16 {
        self.empty
    }

    /// The rows that stand on the board, lapsed ones too.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        bits::lines(self.options.squares).iter().filter_map(|&line| {
            let attributes = self.common(line);
            let squares = line.map(|index| Square::from_index(index.into(), SIZE));
            (!attributes.is_empty()).then_some(Row { squares, attributes })
        })
    }

    /// The rows that the seat to act may call now (QA7, QA8); none with `call=auto` or when the game is over.
    pub fn callable(&self) -> impl Iterator<Item = Row> + '_ {
        let called = self.options.call != Call::Auto && self.outcome.is_none();
        self.counting().filter(move |_| called)
    }

    /// The rows by which the game was won; none while it goes on or when it was drawn.
    pub fn winning(&self) -> impl Iterator<Item = Row> + '_ {
        let won = matches!(self.outcome, Some(Outcome::Win(_)));
        self.counting().filter(move |_| won)
    }

    /// The rows that have not lapsed.
    fn counting(&self) -> impl Iterator<Item = Row> + '_ {
        let last = self.last();
        let lapses = self.options.call == Call::Lapse;
        self.rows().filter(move |row| !lapses || last.is_some_and(|last| row.squares.contains(&last)))
    }

    fn piece_at(&self, index: usize) -> Option<Piece> {
        let taken = self.empty & 1 << index == 0;
        taken.then(|| Piece::of_bits((self.board >> (4 * index)) as u8))
    }

    /// What four squares have in common among the attributes that count; nothing if one is empty.
    fn common(&self, line: [u8; 4]) -> Attributes {
        let (mut set, mut clear) = (15, 15);
        for index in line {
            let Some(piece) = self.piece_at(index.into()) else { return Attributes::from_bits(0) };
            set &= piece.bits();
            clear &= !piece.bits();
        }
        Attributes::from_bits((set | clear) & self.options.attributes().bits())
    }

    fn is_full(&self) -> bool {
        self.empty == 0
    }

    #[inline]
    fn give(&mut self, piece: Piece) {
        self.stock &= !(1 << piece.bits());
        self.hand = Some(piece);
        self.seat = self.seat.next(2);
    }

    #[inline]
    fn place(&mut self, square: Square) {
        let Some(piece) = self.hand.take() else { return };
        let index = bits::index(square);
        self.board |= u64::from(piece.bits()) << (4 * index);
        self.taken |= 15 << (4 * index);
        self.empty &= !(1 << index);
        self.last = Some(index as u8);
        // A line through the new piece can have in common only what it shares with that piece.
        let alike = !(self.board ^ (bits::EVERY * u64::from(piece.bits())));
        let agree = alike & self.taken & (bits::EVERY * u64::from(self.options.attributes().bits()));
        let made = bits::completes(agree, index, self.options.squares);
        match self.options.call {
            Call::Auto if made => self.outcome = Some(Outcome::Win(self.side(self.seat))),
            Call::Auto if self.is_full() => self.outcome = Some(Outcome::Draw),
            Call::Auto => {}
            Call::Lapse => self.row_to_call = made,
            Call::Open => self.row_to_call |= made,
        }
    }

    /// The placer of the 16th piece passes first, then the other seat (QA10).
    fn pass(&mut self) {
        if self.seat == Seat::ONE {
            self.seat = Seat::TWO;
        } else {
            self.outcome = Some(Outcome::Draw);
        }
    }
}

impl Position for Quarto {
    const ID: &'static str = "quarto";
    type Options = QuartoOptions;
    type Action = Action;
    type View = Self;

    fn start(options: &QuartoOptions) -> Self {
        Quarto {
            board: 0,
            taken: 0,
            stock: u16::MAX,
            empty: u16::MAX,
            hand: None,
            last: None,
            seat: Seat::ONE,
            row_to_call: false,
            outcome: None,
            options: *options,
        }
    }

    fn parse(options: &QuartoOptions, text: &str) -> Result<Self, BadPosition> {
        text::parse(options, text)
    }

    fn options(&self) -> QuartoOptions {
        self.options
    }

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::Seat(self.seat),
        }
    }

    #[inline]
    fn actions(&self, into: &mut ActionList<Action>) {
        into.clear();
        if self.outcome.is_some() {
            return;
        }
        if self.row_to_call {
            into.push(Action::Call);
        }
        if self.hand.is_some() {
            let mut left = self.empty;
            while left != 0 {
                into.push(Action::Place(Square::from_index(left.trailing_zeros() as usize, SIZE)));
                left &= left - 1;
            }
        } else if self.is_full() {
            into.push(Action::Pass);
        } else {
            let mut left = self.stock;
            while left != 0 {
                into.push(Action::Give(Piece::of_bits(left.trailing_zeros() as u8)));
                left &= left - 1;
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) {
        match action {
            Action::Give(piece) => self.give(piece),
            Action::Place(square) => self.place(square),
            Action::Call => self.outcome = Some(Outcome::Win(self.side(self.seat))),
            Action::Pass => self.pass(),
        }
    }

    fn view(&self, _viewer: Viewer) -> Self {
        *self
    }

    fn refusal(&self, action: Action) -> Reason {
        if self.outcome.is_some() {
            return Reason::GameOver;
        }
        match action {
            Action::Call => Reason::NoRowToCall,
            Action::Pass => Reason::NoPassNow,
            Action::Give(_) if self.hand.is_some() => Reason::PlaceFirst,
            Action::Give(_) => Reason::PieceUsed,
            Action::Place(square) if square.column >= SIZE || square.row >= SIZE => Reason::OffBoard,
            Action::Place(square) if self.piece(square).is_some() => Reason::SquareTaken,
            Action::Place(_) => Reason::GiveFirst,
        }
    }
}

impl PerfectInformation for Quarto {}

/// The seat that places the piece with this number, counted from 1 (QA3): seat 2 the first, then in turn.
fn placer(number: u32) -> Seat {
    if number % 2 == 1 { Seat::TWO } else { Seat::ONE }
}

/// The winner of a game that the last placement or a call has decided.
fn win(seat: Seat) -> Option<Outcome> {
    Some(Outcome::Win(Side::from_index(seat.index())))
}
