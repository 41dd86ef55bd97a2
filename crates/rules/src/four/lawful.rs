//! Which actions are legal, and why the others are not.

use super::board::Counted;
use super::cells::{Cells, columns};
use super::figure::reach;
use super::{Action, Four, MOST_STONES, Phase, Shape, Size, nine, surrounded};
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
    pub(super) fn empty_cells(&self, mut found: impl FnMut(Square)) {
        let all = (1u32 << self.size()) - 1;
        for row in 0..self.size() {
            for column in columns(all & !self.stones.row(row)) {
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
        let mut own = *self.stones.of(mover);
        own.insert(at);
        surrounded(&own, self.stones.of(1 - mover), at, self.size(), found);
    }

    /// The empty cells where a stone would complete the figures around two enemy stones or more.
    #[inline]
    pub(super) fn cells_with_a_choice(&self) -> Cells {
        if self.options.size() == Size::Nine {
            let seat = self.seat.index();
            return nine::cells_with_a_choice(self.stones.of(seat), self.stones.of(1 - seat));
        }
        self.cells_with_a_choice_anywhere()
    }

    /// The same on a board of any size; cells where an enemy stands may be among them.
    ///
    /// Looking outwards from each enemy stone is much cheaper than trying every empty cell.
    #[inline]
    pub(super) fn cells_with_a_choice_anywhere(&self) -> Cells {
        let (own, size) = (self.stones.of(self.seat.index()), self.size());
        let (mut once, mut twice) = (Cells::default(), Cells::default());
        self.stones.of(1 - self.seat.index()).each(size, |centre| {
            for shape in [Shape::Orthogonal, Shape::Diagonal] {
                for distance in 1..=reach(centre, shape, size) {
                    let Some(missing) = only_gap(own, centre, shape, distance, size) else { continue };
                    if once.contains(missing) {
                        twice.insert(missing);
                    }
                    once.insert(missing);
                }
            }
        });
        twice
    }

    /// Every slide of a stone of the seat to act (FO7).
    #[inline]
    fn movements(&self, into: &mut ActionList<Action>) {
        self.stones.of(self.seat.index()).each(self.size(), |from| {
            let reach = self.stones.reach(from, self.size());
            for n in 0..reach.count() {
                into.push(Action::Move { from, to: reach.nth(from, n) });
            }
        });
    }

    /// The action at the place that `choose` picks, in the order of [`Four::lawful_actions`], without listing all.
    #[inline]
    pub(super) fn pick_action(
        &self,
        list: &mut ActionList<Action>,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        if self.phase == Phase::Opening && !self.cells_with_a_choice().is_empty() {
            list.clear();
            self.opening_placements(list);
            return list.get(choose(list.len())).copied();
        }
        match (self.must_place(), self.options.size()) {
            (true, _) => self.pick_among(choose, None::<nine::Movements>),
            (false, Size::Nine) => {
                let seat = self.seat.index();
                let movements = nine::Movements::of(self.stones.of(seat), self.stones.of(1 - seat));
                self.pick_among(choose, Some(movements))
            }
            (false, size) => self.pick_among(choose, Some(self.stones.movements(self.seat.index(), size.width()))),
        }
    }

    /// The same where no placement has to name a capture, and the movements are counted.
    #[inline]
    fn pick_among(&self, choose: impl FnOnce(usize) -> usize, movements: Option<impl Counted>) -> Option<Action> {
        let [one, two] = self.on_board.map(usize::from);
        let empty = usize::from(self.size()).pow(2) - one - two;
        let placements = if self.phase == Phase::Opening || self.may_place() { empty } else { 0 };
        let slides = movements.as_ref().map_or(0, Counted::count);
        let rest = usize::from(self.has_moved() || placements + slides == 0);
        let n = choose(placements + slides + rest);
        if n < placements {
            return self.nth_empty(n).map(|at| Action::Place { at, capture: None });
        }
        let Some(movements) = movements.filter(|_| n < placements + slides) else {
            return Some(if self.has_moved() { Action::End } else { Action::Pass });
        };
        let (from, n) = movements.nth(n - placements);
        Some(Action::Move { from, to: self.stones.reach(from, self.size()).nth(from, n) })
    }

    /// The empty cell at a place, counted from `a1` to the right, rank by rank upwards.
    #[inline]
    fn nth_empty(&self, mut n: usize) -> Option<Square> {
        let all = (1u32 << self.size()) - 1;
        for row in 0..self.size() {
            let empty = all & !self.stones.row(row);
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
        } else if !self.stones.is_empty(at) {
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
        } else if self.stones.is_empty(from) {
            Reason::SquareEmpty
        } else if self.stone(from) != Some(self.seat) {
            Reason::OpponentsStone
        } else if from == to || (from.column != to.column && from.row != to.row) {
            Reason::NotStraight
        } else if !self.stones.is_empty(to) {
            Reason::SquareTaken
        } else {
            Reason::PathBlocked
        }
    }
}

/// The corner of a figure that carries no own stone, if exactly one does not; an enemy may stand there.
#[inline]
fn only_gap(own: &Cells, centre: Square, shape: Shape, distance: u8, size: u8) -> Option<Square> {
    // What lies off the board lies beyond the side the centre stands on, and no stone is missing there.
    let (middle, all) = (1u32 << centre.column, (1u32 << size) - 1);
    let beside = (middle << distance | middle >> distance) & all;
    let (level, aside) = match shape {
        Shape::Orthogonal => (beside, middle),
        Shape::Diagonal => (0, beside),
    };
    let missing = |corners: u32, row: u8| if row < size { u64::from(corners & !own.row(row)) } else { 0 };
    let rows = [centre.row, centre.row + distance, centre.row.wrapping_sub(distance)];
    // Three rows in one word, a field for each.
    let field = u32::from(super::MAX_SIZE);
    let gaps = missing(level, rows[0]) | missing(aside, rows[1]) << field | missing(aside, rows[2]) << (2 * field);
    let place = gaps.trailing_zeros();
    gaps.is_power_of_two().then(|| Square::new((place % field) as u8, rows[(place / field) as usize]))
}
