use std::fmt::Debug;

use crate::{BadPosition, Field, Position, Seat, Square};

/// A game whose positions can be set up by hand.
#[diagnostic::on_unimplemented(
    message = "positions of the game `{Self}` cannot be set up by hand",
    note = "write `impl Editable for …` and its `Setup` in crates/rules/src/<game>/setup.rs, as CONTRIBUTING.md says"
)]
pub trait Editable: Position {
    /// A board of this game that can be edited freely.
    type Setup: Setup<Position = Self>;
}

/// A board that is edited freely and becomes a position, or says why it cannot.
///
/// A position text refuses much that a hand puts on a board for a moment, so a setup is no position. What follows from
/// the board (whose turn it is, which cards were played, how many stones are left) follows every edit.
///
/// ```
/// use rules::quixo::{Cube, Quixo, QuixoSetup};
/// use rules::{Position, Seat, Setup, Side};
///
/// let mut setup = QuixoSetup::of(&Quixo::start(&Default::default()));
/// let x = Cube::Marked { side: Side::ONE, owner: Seat::ONE };
/// setup.put("c3".parse()?, Some(x));
/// assert!(setup.position().is_err(), "seat 1 has moved, so seat 2 is to act");
/// setup.set(0, rules::SetupValue::Seat(Seat::TWO));
/// assert_eq!(setup.position()?.to_string(), "...../...../..x../...../..... 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Setup: Clone + Eq + Debug + Send + Sync + 'static {
    /// What the board becomes.
    type Position: Position;
    /// What can stand on a square or lie beside the board.
    type Piece: Copy + Eq + Debug;

    /// Begins with a position.
    fn of(position: &Self::Position) -> Self;

    /// The options of the game.
    fn options(&self) -> <Self::Position as Position>::Options;

    /// What can be put on squares.
    fn pieces(&self) -> Vec<Self::Piece>;

    /// What stands on a square.
    fn piece(&self, square: Square) -> Option<Self::Piece>;

    /// Whether all there is of a piece is in its place already.
    fn is_used(&self, _piece: Self::Piece) -> bool {
        false
    }

    /// Puts a piece on a square, or clears it; a square that nothing can be put on stays as it is.
    fn put(&mut self, square: Square, piece: Option<Self::Piece>);

    /// Takes everything off the board.
    fn clear(&mut self);

    /// What can be set beside the board.
    fn fields(&self) -> Vec<SetupField<Self::Piece>>;

    /// Sets one of [`Setup::fields`], given by its place there; a value of another kind changes nothing.
    fn set(&mut self, field: usize, value: SetupValue<Self::Piece>);

    /// What this board can mean, the likeliest first: the board as it is, then with another seat to act, another
    /// square placed last, another card played last.
    fn readings(&self) -> Vec<Result<Self::Position, BadPosition>>;

    /// The position, or why there is none.
    fn position(&self) -> Result<Self::Position, BadPosition> {
        let mut readings = self.readings();
        match readings.iter().position(Result::is_ok) {
            Some(at) => readings.swap_remove(at),
            None => readings.swap_remove(0),
        }
    }
}

/// Something that can be set beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupField<P> {
    /// What it is about.
    pub field: Field,
    /// Whose it is; `None` if it is the table's.
    pub seat: Option<Seat>,
    /// What it is set to, and what it could be.
    pub entry: SetupEntry<P>,
}

impl<P: Copy> SetupField<P> {
    /// What it is set to.
    pub fn value(&self) -> SetupValue<P> {
        match self.entry {
            SetupEntry::Seat { value, .. } => SetupValue::Seat(value),
            SetupEntry::Number { value, .. } => SetupValue::Number(value),
            SetupEntry::Piece { value, .. } => SetupValue::Piece(value),
        }
    }
}

/// The value of a field with all it could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupEntry<P> {
    /// One of the seats, from 1 to `seats`.
    Seat {
        /// The one that is set.
        value: Seat,
        /// How many there are.
        seats: u8,
    },
    /// A number from 0 to `most`.
    Number {
        /// What is set.
        value: u8,
        /// The most it can be.
        most: u8,
    },
    /// A piece or none.
    Piece {
        /// What is set.
        value: Option<P>,
        /// What it could be.
        choices: Vec<P>,
    },
}

/// What a field is to be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named after what it sets
pub enum SetupValue<P> {
    Seat(Seat),
    Number(u8),
    Piece(Option<P>),
}
