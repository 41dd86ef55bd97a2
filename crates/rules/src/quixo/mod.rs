//! Quixo: push a row of cubes until five of your own stand in line.
//!
//! ```
//! use rules::{Outcome, Position, Side, Turn, quixo::Quixo};
//!
//! let mut game = Quixo::parse(&Default::default(), "...../xxxx./...../oooo./..... 1")?;
//! game.play("e5e4".parse()?).unwrap_err(); // e4 is no end of e5's row or column
//! game.play("e4a4".parse()?)?;
//! assert_eq!(game.turn(), Turn::Over(Outcome::Win(Side::ONE)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod bits;
mod description;
mod options;
mod pushes;
mod setup;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;

pub use action::Action;
pub use options::{Players, QuixoOptions};
pub use setup::QuixoSetup;

use crate::{ActionList, BadPosition, Outcome, PerfectInformation, Position, Reason, Seat, Side, Square, Turn, Viewer};

/// The board is this many cubes wide and high.
pub const SIZE: u8 = 5;

/// What shows on top of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cube {
    /// No symbol.
    Blank,
    /// A side's symbol, x for side 1 and o for side 2; in the team game the dot points to `owner`.
    Marked {
        /// Whose symbol it is.
        side: Side,
        /// The seat that may take it; with two players the side's only seat.
        owner: Seat,
    },
}

/// A position of Quixo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quixo {
    /// The cubes of side 1 in the lower half and those of side 2 in the upper, bit 5·row + column of each.
    both: u64,
    /// Among the marked cubes, those whose dot points to the side's second seat.
    second: u32,
    seat: Seat,
    /// Passes in a row (QX7).
    passes: u8,
    players: Players,
    outcome: Option<Outcome>,
}

impl Quixo {
    /// What shows on a square of the board.
    pub fn cube(&self, square: Square) -> Cube {
        let bit = bits::bit(square);
        let Some(side) = (0..2).find(|&side| self.marks_of(side) & bit != 0) else {
            return Cube::Blank;
        };
        let owner = side + if self.second & bit != 0 { 2 } else { 0 };
        Cube::Marked { side: Side::from_index(side), owner: Seat::from_index(owner) }
    }

    /// The cubes of a side as bits 5·row + column, for programs that compute on them.
    pub fn marks(&self, side: Side) -> u32 {
        self.marks_of(side.index())
    }

    #[inline]
    fn marks_of(&self, side: usize) -> u32 {
        (self.both >> (32 * side)) as u32
    }

    /// The seat to act, or the one that would be next if the game were not over.
    pub fn next_seat(&self) -> Seat {
        self.seat
    }

    /// How many seats have passed in a row (QX7).
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The lines of five that stand on the board, with the side they belong to.
    pub fn lines(&self) -> impl Iterator<Item = (Side, [Square; 5])> + '_ {
        bits::LINES.iter().filter_map(|&line| {
            let side = (0..2).find(|&side| self.marks_of(side) & line == line)?;
            Some((Side::from_index(side), bits::squares(line)))
        })
    }

    #[inline]
    fn side_index(&self) -> usize {
        self.seat.index() & 1
    }

    /// The border cubes the seat to act may take (QX2, QX6).
    #[inline]
    fn takeable(&self) -> u32 {
        self.takeable_by(self.seat)
    }

    #[inline]
    fn takeable_by(&self, seat: Seat) -> u32 {
        let blank = !(self.marks_of(0) | self.marks_of(1));
        let mut own = self.marks_of(seat.index() & 1);
        if self.players == Players::Four {
            own &= if seat.index() < 2 { !self.second } else { self.second };
        }
        (blank | own) & bits::BORDER
    }

    /// Judges the lines after `mover`'s side has pushed (QX5).
    fn judge(&self, mover: usize) -> Option<Outcome> {
        let winner = [1 - mover, mover].into_iter().find(|&side| bits::has_line(self.marks_of(side)))?;
        Some(Outcome::Win(Side::from_index(winner)))
    }

    #[inline]
    fn push(&mut self, from: Square, to: Square, dot: Option<Seat>) {
        let mover = self.side_index();
        let slide = bits::Slide::of(from, to);
        let entered = slide.entry();
        self.both = slide.apply(self.both) | entered << (32 * mover);
        if self.players == Players::Four {
            let second = slide.apply(self.second.into());
            let points_to_second = dot.is_some_and(|seat| seat.index() >= 2);
            self.second = (second | if points_to_second { entered } else { 0 }) as u32;
        }
        self.passes = 0;
        self.outcome = if bits::has_line_of_either(self.both) { self.judge(mover) } else { None };
    }

    /// The index of the side to act where it is a team.
    #[inline]
    fn team(&self) -> Option<usize> {
        match self.players {
            Players::Two => None,
            Players::Four => Some(self.side_index()),
        }
    }
}

impl Position for Quixo {
    const ID: &'static str = "quixo";
    type Options = QuixoOptions;
    type Action = Action;
    type View = Self;

    fn start(options: &QuixoOptions) -> Self {
        Quixo { both: 0, second: 0, seat: Seat::ONE, passes: 0, players: options.players, outcome: None }
    }

    fn parse(options: &QuixoOptions, text: &str) -> Result<Self, BadPosition> {
        text::parse(options.players, text)
    }

    fn options(&self) -> QuixoOptions {
        QuixoOptions { players: self.players }
    }

    #[inline]
    fn seats(&self) -> u8 {
        self.players.count()
    }

    fn side(&self, seat: Seat) -> Side {
        Side::from_index(seat.index() & 1)
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::Seat(self.seat),
        }
    }

    fn as_turn_of(&self, seat: Seat) -> Option<Self> {
        (self.outcome.is_none() && seat.number() <= self.seats()).then_some(Quixo { seat, passes: 0, ..*self })
    }

    #[inline]
    fn actions(&self, into: &mut ActionList<Action>) {
        into.clear();
        if self.outcome.is_some() {
            return;
        }
        let (mut left, team) = (self.takeable(), self.team());
        while left != 0 {
            into.extend_from_slice(pushes::from(left.trailing_zeros(), team));
            left &= left - 1;
        }
        if into.is_empty() {
            into.push(Action::Pass);
        }
    }

    #[inline]
    fn pick(&self, _: &mut ActionList<Action>, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        match self.takeable() {
            0 => Some(choose(1)).map(|_| Action::Pass),
            takeable => pushes::pick(takeable, self.team(), choose),
        }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) {
        match action {
            Action::Push { from, to, dot } => self.push(from, to, dot),
            Action::Pass => {
                self.passes += 1;
                if self.passes == 4 {
                    self.outcome = Some(Outcome::Draw);
                }
            }
        }
        self.seat = self.seat.next(self.seats());
    }

    fn view(&self, _viewer: Viewer) -> Self {
        *self
    }

    fn refusal(&self, action: Action) -> Reason {
        if self.outcome.is_some() {
            return Reason::GameOver;
        }
        let Action::Push { from, to, dot } = action else { return Reason::NoPassNow };
        if from.column >= SIZE || from.row >= SIZE || to.column >= SIZE || to.row >= SIZE {
            return Reason::OffBoard;
        }
        if bits::bit(from) & bits::BORDER == 0 {
            return Reason::NotOnBorder;
        }
        if bits::bit(from) & self.takeable() == 0 {
            let own = self.marks_of(self.side_index()) & bits::bit(from) != 0;
            return if own { Reason::PartnersCube } else { Reason::OpponentsCube };
        }
        if !bits::PUSHES.contains(&(from, to)) {
            return Reason::WrongEntry;
        }
        match (self.players, dot) {
            (Players::Two, Some(_)) => Reason::DotNotUsed,
            (Players::Four, None) => Reason::DotMissing,
            (Players::Four, Some(seat)) if self.side(seat) != self.side(self.seat) => Reason::DotOnOpponent,
            _ => Reason::NotPossibleNow,
        }
    }
}

impl PerfectInformation for Quixo {}
