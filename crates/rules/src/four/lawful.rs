//! Which actions are legal, and why the others are not.

use super::cells::{Cells, columns};
use super::figure::reach;
use super::{Action, Four, MAX_SIZE, MOST_STONES, Phase, Shape, surrounded};
use crate::{ActionList, Reason, Square};

impl Four {
    #[inline]
    pub(super) fn lawful_actions(&self, into: &mut ActionList<Action>) {
        if self.phase == Phase::Opening {
            self.opening_placements(into);
            return;
        }
        if self.may_place() {
            self.empty_cells(|at| into.push(Action::Place { at, capture: None }));
        }
        if !self.must_place() {
            self.movements(into);
        }
        if self.has_moved() {
            into.push(Action::End);
        } else if into.is_empty() {
            into.push(Action::Pass);
        }
    }

    /// Whether a placement is open to the seat to act in the main game (FO6).
    #[inline]
    fn may_place(&self) -> bool {
        let seat = self.seat.index();
        !self.has_moved() && self.on_board[seat] < MOST_STONES && self.reserves[seat] > 0
    }

    #[inline]
    fn empty_cells(&self, mut found: impl FnMut(Square)) {
        let all = (1u32 << self.size()) - 1;
        for row in 0..self.size() {
            for column in columns(all & !(self.stones[0].row(row) | self.stones[1].row(row))) {
                found(Square::new(column, row));
            }
        }
    }

    /// Placements of the opening, which name their capture exactly where there is a choice (FO5).
    #[inline]
    fn opening_placements(&self, into: &mut ActionList<Action>) {
        let choices = self.cells_with_a_choice();
        self.empty_cells(|at| {
            if !choices.contains(at) {
                into.push(Action::Place { at, capture: None });
                return;
            }
            self.captured_by_placement(at, |stone| into.push(Action::Place { at, capture: Some(stone) }));
        });
    }

    #[inline]
    fn captured_by_placement(&self, at: Square, found: impl FnMut(Square)) {
        let mover = self.seat.index();
        let mut own = self.stones[mover];
        own.insert(at);
        surrounded(&own, &self.stones[1 - mover], at, self.size(), found);
    }

    /// The empty cells where a stone would complete the figures around two enemy stones or more.
    ///
    /// Looking outwards from each enemy stone is much cheaper than trying every empty cell.
    #[inline]
    fn cells_with_a_choice(&self) -> Cells {
        let (own, size) = (&self.stones[self.seat.index()], self.size());
        let (mut once, mut twice) = (Cells::default(), Cells::default());
        for centre in self.stones[1 - self.seat.index()].squares(size) {
            for shape in [Shape::Orthogonal, Shape::Diagonal] {
                for distance in 1..=reach(centre, shape, size) {
                    let Some(missing) = only_gap(own, centre, shape, distance, size) else { continue };
                    if once.contains(missing) {
                        twice.insert(missing);
                    }
                    once.insert(missing);
                }
            }
        }
        twice
    }

    /// Every slide of a stone of the seat to act (FO7).
    #[inline]
    fn movements(&self, into: &mut ActionList<Action>) {
        let occupied = Occupied::of(self);
        for from in self.stones[self.seat.index()].squares(self.size()) {
            // Both lines in one word make one loop, which the processor foresees better than four short ones.
            let mut left = occupied.reach(from);
            while left != 0 {
                into.push(movement(from, left.trailing_zeros()));
                left &= left - 1;
            }
        }
    }

    /// The action at the place that `choose` picks, in the order of [`Four::lawful_actions`], without listing all.
    #[inline]
    pub(super) fn pick_action(
        &self,
        list: &mut ActionList<Action>,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        if self.phase == Phase::Opening {
            list.clear();
            self.opening_placements(list);
            return list.get(choose(list.len())).copied();
        }
        let [one, two] = self.on_board.map(usize::from);
        let empty = usize::from(self.size()).pow(2) - one - two;
        let placements = if self.may_place() { empty } else { 0 };
        // A seat that moves has at most twenty stones; what each can reach is kept until one is chosen.
        let mut reaches = [(Square::new(0, 0), 0u64); MOST_STONES as usize];
        let (mut stones, mut movements) = (0, 0);
        if !self.must_place() {
            let occupied = Occupied::of(self);
            for (from, place) in self.stones[self.seat.index()].squares(self.size()).zip(&mut reaches) {
                *place = (from, occupied.reach(from));
                movements += place.1.count_ones() as usize;
                stones += 1;
            }
        }
        let rest = usize::from(self.has_moved() || placements + movements == 0);
        let mut n = choose(placements + movements + rest);
        if n < placements {
            return self.nth_empty(n).map(|at| Action::Place { at, capture: None });
        }
        n -= placements;
        for &(from, reach) in &reaches[..stones] {
            let count = reach.count_ones() as usize;
            if n < count {
                let left = (0..n).fold(reach, |left, _| left & left.wrapping_sub(1));
                return Some(movement(from, left.trailing_zeros()));
            }
            n -= count;
        }
        Some(if self.has_moved() { Action::End } else { Action::Pass })
    }

    /// The empty cell at a place, counted from `a1` to the right, rank by rank upwards.
    #[inline]
    fn nth_empty(&self, mut n: usize) -> Option<Square> {
        let all = (1u32 << self.size()) - 1;
        for row in 0..self.size() {
            let empty = all & !(self.stones[0].row(row) | self.stones[1].row(row));
            let count = empty.count_ones() as usize;
            if n < count {
                return columns(empty).nth(n).map(|column| Square::new(column, row));
            }
            n -= count;
        }
        None
    }

    /// Whether a seat could do nothing but pass if it were to begin a turn now.
    pub(super) fn could_only_pass(&self, seat: crate::Seat) -> bool {
        let asked = Four { seat, moved: 0, ..*self };
        let mut movements = ActionList::new();
        asked.movements(&mut movements);
        movements.is_empty() && !asked.may_place() && !asked.must_place()
    }

    pub(super) fn reason_against(&self, action: Action) -> Reason {
        if self.outcome.is_some() {
            return Reason::GameOver;
        }
        match action {
            Action::Place { at, capture } => self.reason_against_placement(at, capture),
            Action::Move { from, to } => self.reason_against_movement(from, to),
            Action::End => Reason::NothingToEnd,
            Action::Pass => Reason::NoPassNow,
        }
    }

    fn reason_against_placement(&self, at: Square, capture: Option<Square>) -> Reason {
        let seat = self.seat.index();
        if !self.has(at) || capture.is_some_and(|stone| !self.has(stone)) {
            Reason::OffBoard
        } else if self.has_moved() {
            Reason::PlacementAfterMovement
        } else if self.on_board[seat] >= MOST_STONES {
            Reason::TooManyStones
        } else if self.reserves[seat] == 0 {
            Reason::ReserveEmpty
        } else if !self.is_empty(at) {
            Reason::SquareTaken
        } else if capture.is_some() {
            Reason::WrongCapture
        } else {
            Reason::CaptureChoiceMissing
        }
    }

    fn reason_against_movement(&self, from: Square, to: Square) -> Reason {
        if !self.has(from) || !self.has(to) {
            Reason::OffBoard
        } else if self.phase == Phase::Opening {
            Reason::NoMovementInOpening
        } else if self.must_place() {
            Reason::MustPlace
        } else if self.is_empty(from) {
            Reason::SquareEmpty
        } else if self.stone(from) != Some(self.seat) {
            Reason::OpponentsStone
        } else if from == to || (from.column != to.column && from.row != to.row) {
            Reason::NotStraight
        } else if !self.is_empty(to) {
            Reason::SquareTaken
        } else {
            Reason::PathBlocked
        }
    }
}

/// Which cells carry stones, by rows and by columns.
struct Occupied {
    rows: [u32; MAX_SIZE as usize],
    columns: [u32; MAX_SIZE as usize],
    size: u8,
}

impl Occupied {
    #[inline]
    fn of(position: &Four) -> Occupied {
        let size = position.size();
        let mut occupied = Occupied { rows: [0; MAX_SIZE as usize], columns: [0; MAX_SIZE as usize], size };
        for row in 0..size {
            let stones = position.stones[0].row(row) | position.stones[1].row(row);
            occupied.rows[row as usize] = stones;
            for column in columns(stones) {
                occupied.columns[column as usize] |= 1 << row;
            }
        }
        occupied
    }

    /// Where a stone can slide: its row in the lower half of the word, its column in the upper.
    #[inline]
    fn reach(&self, from: Square) -> u64 {
        let across = reachable(self.rows[from.row as usize], from.column, self.size);
        let along = reachable(self.columns[from.column as usize], from.row, self.size);
        u64::from(across) | u64::from(along) << 32
    }
}

/// The movement to a place of [`Occupied::reach`].
#[inline]
fn movement(from: Square, place: u32) -> Action {
    let place = place as u8;
    let to = if place < 32 { Square::new(place, from.row) } else { Square::new(from.column, place - 32) };
    Action::Move { from, to }
}

/// The corner of a figure that carries no own stone, if exactly one does not; an enemy may stand there.
#[inline]
fn only_gap(own: &Cells, centre: Square, shape: Shape, distance: u8, size: u8) -> Option<Square> {
    let mut gaps = super::Figure::new(centre, shape, distance, size)?.corners().filter(|&corner| !own.contains(corner));
    let gap = gaps.next()?;
    gaps.next().is_none().then_some(gap)
}

/// The places of a line that a stone at `place` can slide to.
#[inline]
fn reachable(occupied: u32, place: u8, size: u8) -> u32 {
    let below = occupied & ((1 << place) - 1);
    let above = occupied >> place >> 1;
    let low = 32 - below.leading_zeros();
    let high = (u32::from(place) + 1 + above.trailing_zeros()).min(u32::from(size));
    ((1u32 << high) - (1 << low)) & !(1 << place)
}
