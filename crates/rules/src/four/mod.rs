//! Four: stand on the four corners of a square and take what is in its middle.
//!
//! ```
//! use rules::{Position, Seat, Turn, four::Four};
//!
//! let mut game = Four::start(&"size=9".parse()?);
//! for action in ["d5", "e5", "f5", "a1", "e4", "b1", "e6"] {
//!     game.play(action.parse()?)?;
//! }
//! assert_eq!(game.points(Seat::ONE), 1); // e6 closed the orthogonal square around e5
//! assert_eq!(game.turn(), Turn::Seat(Seat::TWO));
//! assert_eq!(game.to_string(), "9/9/9/4x4/3x1x3/4x4/9/9/oo7 2 opening 1,0 26,27 0 0 - -");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod board;
mod cells;
mod description;
mod figure;
mod lawful;
mod nine;
mod options;
mod setup;
#[cfg(test)]
mod setup_tests;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;
#[cfg(test)]
mod text_tests;

pub use action::Action;
pub use figure::{Figure, Shape};
pub use options::{Bonus, FourOptions, Size};
pub use setup::FourSetup;

use crate::{ActionList, BadPosition, Outcome, PerfectInformation, Position, Reason, Seat, Side, Square, Turn, Viewer};
use board::Board;
use cells::Cells;

/// The widest board there is.
pub const MAX_SIZE: u8 = 19;
/// The opening lasts until both seats have this many stones on the board; with fewer a seat must place (FO5, FO6).
pub const FEWEST_STONES: u8 = 10;
/// With this many stones on the board a seat must not place (FO6).
pub const MOST_STONES: u8 = 20;
/// The movements a turn starts with (FO8), the first main turn perhaps excepted (FO11).
pub const MOVEMENTS: u8 = 4;
/// So many turns in a row without placement or capture end the game (FO10).
pub const QUIET_TURNS: u8 = 60;
/// With `bonus=three` captures by so many movements add movements (FO12).
const BONUS_MOVEMENTS: u8 = 3;

/// The part of the game a position belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Stones are placed and none moves (FO5).
    Opening,
    /// A turn is one placement or some movements (FO6).
    Main {
        /// The movements the seat to act may still make in this turn (FO8).
        movements: u8,
    },
}

/// A position of Four.
///
/// The seat that would have been next in turn begins the main game, whichever seat was skipped in the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Four {
    stones: Board,
    /// How many stones each seat has on the board.
    on_board: [u8; 2],
    points: [u8; 2],
    reserves: [u8; 2],
    seat: Seat,
    phase: Phase,
    /// Turns in a row without placement or capture, the current one not counted (FO10).
    quiet: u8,
    passes: u8,
    /// Whether this turn has had a movement, as 0 or 1; with `bonus=three` how many, 3 for three and more (FO12).
    moved: u8,
    /// Whether this turn has had a capture.
    hit: bool,
    options: FourOptions,
    outcome: Option<Outcome>,
}

impl Four {
    /// The number of cells in a row of the board.
    #[inline]
    pub fn size(&self) -> u8 {
        self.options.size().width()
    }

    /// Whose stone stands on a square; `None` if it is empty or not on the board.
    #[inline]
    pub fn stone(&self, square: Square) -> Option<Seat> {
        if !self.has(square) {
            return None;
        }
        (0..2).find(|&seat| self.stones.of(seat).contains(square)).map(Seat::from_index)
    }

    /// A seat's stones, a word per row from the bottom with bit 0 for column `a`, for programs that compute on them.
    #[inline]
    pub fn rows(&self, seat: Seat) -> &[u32; MAX_SIZE as usize] {
        self.stones.of(seat.index()).rows()
    }

    /// The stones of both seats, a word per column from `a` with bit 0 for the lowest row.
    #[inline]
    pub fn columns(&self) -> &[u32; MAX_SIZE as usize] {
        self.stones.columns().rows()
    }

    /// Whether some placement must name its capture, because it would close the squares around two stones (FO5).
    #[inline]
    pub fn has_choice_of_capture(&self) -> bool {
        self.phase == Phase::Opening && !self.cells_with_a_choice().is_empty()
    }

    /// A seat's points: the stones it has captured, and for seat 2 its head start (FO11).
    #[inline]
    pub fn points(&self, seat: Seat) -> u8 {
        self.points[seat.index()]
    }

    /// How many stones a seat has captured.
    pub fn captures(&self, seat: Seat) -> u8 {
        let lead = if seat == Seat::TWO { self.options.lead() } else { 0 };
        self.points(seat).saturating_sub(lead)
    }

    /// How many stones a seat can still place.
    #[inline]
    pub fn reserve(&self, seat: Seat) -> u8 {
        self.reserves[seat.index()]
    }

    /// How many stones a seat has on the board.
    #[inline]
    pub fn stones_on_board(&self, seat: Seat) -> u8 {
        self.on_board[seat.index()]
    }

    /// Opening, or how many movements are left in this turn.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The movements that this turn started with (FO8); as far as the position tells, also for the first turn of the main
    /// game, which may have fewer (FO11).
    pub fn allowance(&self) -> u8 {
        let first = self.options.first();
        let is_first = text::may_be_first_turn(self) && (self.has_moved() || self.movements_left() == first);
        if is_first { first } else { MOVEMENTS }
    }

    /// The movements the seat to act may still make; none in the opening.
    #[inline]
    pub fn movements_left(&self) -> u8 {
        match self.phase {
            Phase::Opening => 0,
            Phase::Main { movements } => movements,
        }
    }

    /// Turns in a row that have had neither a placement nor a capture (FO10).
    pub fn quiet_turns(&self) -> u8 {
        self.quiet
    }

    /// How many seats have passed in a row (FO10).
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Whether the turn has had a movement, so that it may be ended and nothing may be placed.
    #[inline]
    pub fn has_moved(&self) -> bool {
        self.moved > 0
    }

    /// With `bonus=three` how many movements the turn has had, 3 for three and more; else 1 after any (FO12).
    #[inline]
    pub fn moved(&self) -> u8 {
        self.moved
    }

    /// Whether the turn has had a capture.
    pub fn has_captured(&self) -> bool {
        self.hit
    }

    /// The squares that a placement or movement of the seat to act closes; the stones in their centres are captured.
    ///
    /// In the opening a placement that names its capture closes just the square around that stone, and one that
    /// would have to name it shows all there is to choose from.
    ///
    /// ```
    /// use rules::{Position, four::{FourOptions, Four}};
    ///
    /// let options: FourOptions = "size=9".parse()?;
    /// let game = Four::parse(&options, "9/9/4x4/3xo4/4xo3/3x5/9/9/oo7 1 opening 0,0 26,26 0 0 - -")?;
    /// let figures = game.captures_by("f6".parse()?);
    /// assert_eq!(figures.len(), 1);
    /// assert_eq!(figures[0].centre().to_string(), "e6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn captures_by(&self, action: Action) -> Vec<Figure> {
        let mover = self.seat.index();
        let mut figures = Vec::new();
        let (mut own, to) = (*self.stones.of(mover), action.destination());
        let Some(to) = to.filter(|&square| self.has(square)) else { return figures };
        if let Action::Move { from, .. } = action
            && self.has(from)
        {
            own.remove(from);
        }
        own.insert(to);
        let size = self.size();
        surrounded(&own, self.stones.of(1 - mover), to, size, |centre| {
            let wanted = !matches!(action, Action::Place { capture: Some(named), .. } if named != centre);
            figures.extend(Figure::with_corner(centre, to, size).filter(|_| wanted));
        });
        figures
    }

    #[inline]
    fn has(&self, square: Square) -> bool {
        square.column < self.size() && square.row < self.size()
    }

    /// Takes the stones that the seat's stone on `at` surrounds, or just one of them, and says how many.
    #[inline]
    fn capture(&mut self, at: Square, only: Option<Square>) -> u8 {
        let mover = self.seat.index();
        if self.options.size() == Size::Nine && only.is_none() {
            return self.capture_on_nine(at);
        }
        // All zero, which takes few instructions to write.
        let mut centres = [Square::new(0, 0); MOST_STONES as usize];
        let mut taken = 0;
        surrounded(self.stones.of(mover), self.stones.of(1 - mover), at, self.size(), |centre| {
            if only.is_none_or(|named| named == centre)
                && let Some(place) = centres.get_mut(taken)
            {
                *place = centre;
                taken += 1;
            }
        });
        for &centre in &centres[..taken] {
            self.stones.remove(1 - mover, centre);
        }
        self.on_board[1 - mover] -= taken as u8;
        self.points[mover] += taken as u8;
        taken as u8
    }

    /// The same on the board of nine by nine.
    #[inline]
    fn capture_on_nine(&mut self, at: Square) -> u8 {
        let mover = self.seat.index();
        let mut left = nine::surrounded(self.stones.of(mover), self.stones.of(1 - mover), at);
        let mut taken = 0;
        while left != 0 {
            self.stones.remove(1 - mover, nine::square(left.trailing_zeros()));
            left &= left - 1;
            taken += 1;
        }
        self.on_board[1 - mover] -= taken;
        self.points[mover] += taken;
        taken
    }

    #[inline]
    fn place(&mut self, at: Square, capture: Option<Square>) {
        let mover = self.seat.index();
        self.stones.insert(mover, at);
        self.on_board[mover] += 1;
        self.reserves[mover] = self.reserves[mover].saturating_sub(1);
        self.capture(at, capture);
        self.quiet = 0;
        self.passes = 0;
        match self.phase {
            Phase::Opening => self.next_in_opening(),
            Phase::Main { .. } => self.hand_over(),
        }
    }

    /// The other seat places next, unless it has its ten; when both have them the main game begins (FO5).
    fn next_in_opening(&mut self) {
        let other = self.seat.next(2);
        let complete = |seat: Seat| self.on_board[seat.index()] >= FEWEST_STONES;
        if !complete(other) {
            self.seat = other;
        } else if complete(self.seat) {
            self.hand_over();
            self.phase = Phase::Main { movements: self.options.first() };
        }
    }

    #[inline]
    fn slide(&mut self, from: Square, to: Square) {
        let mover = self.seat.index();
        self.stones.remove(mover, from);
        self.stones.insert(mover, to);
        let taken = self.capture(to, None);
        self.passes = 0;
        let (made, bonus) = match self.options.bonus() {
            Bonus::Chain => (1, taken),
            Bonus::Three if self.moved < BONUS_MOVEMENTS => (self.moved + 1, taken),
            Bonus::Three => (BONUS_MOVEMENTS, 0),
        };
        self.moved = made;
        self.hit |= taken > 0;
        match self.movements_left().saturating_sub(1) {
            0 => self.end_turn(),
            left => self.phase = Phase::Main { movements: left + bonus },
        }
    }

    /// Ends a turn of movements, or one that was passed.
    #[inline]
    fn end_turn(&mut self) {
        self.quiet = if self.hit { 0 } else { self.quiet + 1 };
        self.hand_over();
    }

    #[inline]
    fn hand_over(&mut self) {
        self.seat = self.seat.next(2);
        self.phase = Phase::Main { movements: MOVEMENTS };
        self.moved = 0;
        self.hit = false;
    }

    /// Whether the seat to act has too few stones on the board to do anything but place.
    #[inline]
    fn must_place(&self) -> bool {
        self.phase == Phase::Opening || self.on_board[self.seat.index()] < FEWEST_STONES
    }

    /// Whether the game is over, and for whom (FO10). The position alone tells, so a parsed one agrees with a played one.
    #[inline]
    fn judge(&self) -> Option<Outcome> {
        let target = self.options.target();
        let reached = target > 0 && (self.points[0] >= target || self.points[1] >= target);
        let cannot_place = self.must_place() && self.reserves[self.seat.index()] == 0;
        if !(reached || cannot_place || self.quiet >= QUIET_TURNS || self.passes >= 2) {
            return None;
        }
        Some(match self.points[0].cmp(&self.points[1]) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::ONE),
            std::cmp::Ordering::Less => Outcome::Win(Side::TWO),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }
}

/// Calls `found` for every enemy stone in the centre of a figure of `own` stones that has `at` as a corner (FO4).
///
/// A centre and one corner determine the figure, so no stone is found twice.
#[inline]
fn surrounded(own: &Cells, enemy: &Cells, at: Square, size: u8, mut found: impl FnMut(Square)) {
    let mut look = |centre: Square| {
        let closed = Figure::with_corner(centre, at, size)
            .is_some_and(|figure| figure.corners().all(|corner| own.contains(corner)));
        if closed {
            found(centre);
        }
    };
    let mut in_row = enemy.row(at.row);
    while in_row != 0 {
        let column = in_row.trailing_zeros() as u8;
        in_row &= in_row - 1;
        // The corner across the centre; a centre on a side needs none beyond it (FO3).
        let across = (2 * column).wrapping_sub(at.column);
        let is_corner = if across < size { own.contains(Square::new(across, at.row)) } else { on_side(column, size) };
        if is_corner {
            look(Square::new(column, at.row));
        }
    }
    for row in 0..size {
        for column in cells::columns(possible_centres(own, enemy, at, row, size)) {
            let across = (2 * row).wrapping_sub(at.row);
            let is_corner =
                if across < size { own.contains(Square::new(at.column, across)) } else { on_side(row, size) };
            if is_corner {
                look(Square::new(column, row));
            }
        }
    }
}

#[inline]
fn on_side(column: u8, size: u8) -> bool {
    column == 0 || column == size - 1
}

/// The enemy stones of another row that a figure with the corner `at` may have in its centre, seen from two corners at
/// once. This rules out nearly all, so that nearly never a figure is looked at in vain.
#[inline]
fn possible_centres(own: &Cells, enemy: &Cells, at: Square, row: u8, size: u8) -> u32 {
    let (corner, distance) = (1u32 << at.column, row.abs_diff(at.row));
    let (first, last) = (1, 1 << (size - 1));
    let (stones, level) = (own.row(row), own.row(at.row));
    let straight = corner & (stones << distance | first) & (stones >> distance | last);
    let diagonal = corner << distance & (level >> distance | last) | corner >> distance & (level << distance | first);
    enemy.row(row) & (straight | diagonal)
}

impl Position for Four {
    const ID: &'static str = "four";
    type Options = FourOptions;
    type Action = Action;
    type View = Self;

    fn start(options: &FourOptions) -> Self {
        Four {
            stones: Board::default(),
            on_board: [0; 2],
            points: [0, options.lead()],
            reserves: [options.reserve(); 2],
            seat: Seat::ONE,
            phase: Phase::Opening,
            quiet: 0,
            passes: 0,
            moved: 0,
            hit: false,
            options: *options,
            outcome: None,
        }
    }

    fn parse(options: &FourOptions, text: &str) -> Result<Self, BadPosition> {
        text::parse(options, text)
    }

    fn options(&self) -> FourOptions {
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

    fn as_turn_of(&self, seat: Seat) -> Option<Self> {
        let mut position = Four { seat, passes: 0, moved: 0, hit: false, ..*self };
        let is_complete = self.on_board.get(seat.index()).is_none_or(|&stones| stones >= FEWEST_STONES);
        position.phase = match self.phase {
            // The first movements come when the last stone of the opening is placed, and it may capture.
            Phase::Opening if is_complete => return None,
            Phase::Opening => Phase::Opening,
            Phase::Main { .. } => Phase::Main { movements: MOVEMENTS },
        };
        (self.outcome.is_none() && seat.number() <= self.seats() && position.judge().is_none()).then_some(position)
    }

    #[inline]
    fn actions(&self, into: &mut ActionList<Action>) {
        into.clear();
        if self.outcome.is_none() {
            self.lawful_actions(into);
        }
    }

    #[inline]
    fn pick(&self, list: &mut ActionList<Action>, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        if self.outcome.is_some() { None } else { self.pick_action(list, choose) }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) {
        match action {
            Action::Place { at, capture } => self.place(at, capture),
            Action::Move { from, to } => self.slide(from, to),
            Action::End => self.end_turn(),
            Action::Pass => {
                self.passes += 1;
                self.end_turn();
            }
        }
        self.outcome = self.judge();
    }

    fn view(&self, _viewer: Viewer) -> Self {
        *self
    }

    fn refusal(&self, action: Action) -> Reason {
        self.reason_against(action)
    }
}

impl PerfectInformation for Four {}
