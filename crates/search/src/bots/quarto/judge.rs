//! What each legal action of a position is worth, as far as it can be proved.

use rules::quarto::{Action, Call, Quarto, SIZE};
use rules::{ActionList, Position, Seat, Square, Turn};

use super::packed::Board;
use super::solver::{LOST_AT_ONCE, Run, Solver, Stopped, to_child, to_parent};
use super::table::Bounds;
use crate::Value;

/// An action with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Candidate<const WORDS: usize> {
    pub(super) action: Action,
    pub(super) prospect: Prospect<WORDS>,
    /// How the other seat stands on a glance: the share of its replies that do not lose at once.
    pub(super) freedom: f32,
}

/// How an action goes on.
#[derive(Clone, Debug)]
pub(super) enum Prospect<const WORDS: usize> {
    /// It is decided, or nothing can go wrong any more.
    Settled(Value),
    /// A piece is placed, and one of these is given.
    Place {
        /// The board after it.
        board: Board<WORDS>,
        /// The safe gifts, the most promising first.
        gifts: Vec<u8>,
        /// The score of the seat that places, as of a node.
        bounds: Bounds,
    },
    /// A safe piece is given.
    Give {
        /// The board.
        board: Board<WORDS>,
        /// The piece.
        piece: u8,
        /// The score of the seat that gets the piece.
        bounds: Bounds,
    },
}

impl<const WORDS: usize> Candidate<WORDS> {
    /// What is known of the score of the seat to act, as if placements were counted from here.
    pub(super) fn bounds(&self) -> Bounds {
        match self.prospect {
            Prospect::Settled(Value::Win(_)) => Bounds { low: 8, high: 8 },
            Prospect::Settled(Value::Loss(_)) => Bounds { low: LOST_AT_ONCE, high: LOST_AT_ONCE },
            Prospect::Settled(_) => Bounds { low: 0, high: 0 },
            Prospect::Place { bounds, .. } => bounds,
            Prospect::Give { bounds, .. } => Bounds { low: -bounds.high, high: -bounds.low },
        }
    }

    /// Whether the seat to act is known not to lose by it.
    pub(super) fn holds(&self) -> bool {
        self.bounds().low >= 0
    }

    /// Whether it is known to win.
    pub(super) fn wins(&self) -> bool {
        self.bounds().low > 0
    }

    /// Whether it is known to lose.
    pub(super) fn loses(&self) -> bool {
        self.bounds().high < 0
    }
}

/// Looks at one position.
pub(super) struct Judge<'s, const WORDS: usize> {
    solver: &'s mut Solver<WORDS>,
    position: Quarto,
    pub(super) candidates: Vec<Candidate<WORDS>>,
}

impl<'s, const WORDS: usize> Judge<'s, WORDS> {
    /// Lists the legal actions and settles what needs no search.
    pub(super) fn new(solver: &'s mut Solver<WORDS>, position: &Quarto) -> Self {
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        let mut judge = Judge { solver, position: *position, candidates: Vec::new() };
        judge.candidates = actions.iter().map(|&action| judge.candidate(action)).collect();
        judge
    }

    /// One more action for the call, where rows are called by hand.
    fn call_takes(&self) -> u32 {
        u32::from(self.position.options().call != Call::Auto)
    }

    fn candidate(&self, action: Action) -> Candidate<WORDS> {
        let row_waits = self.position.callable().next().is_some();
        let settled = |value| Candidate { action, prospect: Prospect::Settled(value), freedom: 1.0 };
        match action {
            Action::Call => settled(Value::win_in(1)),
            // The other seat calls the row that was not called.
            Action::Pass if row_waits && self.position.turn() == Turn::Seat(Seat::ONE) => settled(Value::loss_in(2)),
            Action::Pass => settled(Value::Draw),
            Action::Give(_) if row_waits => settled(Value::loss_in(2)),
            Action::Give(piece) => self.gift(piece.bits(), action),
            // An open row can still be called after placing.
            Action::Place(_) if row_waits && self.position.options().call == Call::Open => settled(Value::win_in(2)),
            Action::Place(square) => self.placement(square, action),
        }
    }

    fn gift(&self, piece: u8, action: Action) -> Candidate<WORDS> {
        let geometry = &self.solver.geometry;
        let (board, renumbering) = Board::of(&self.position, geometry);
        let piece = renumbering.inner(piece);
        if board.safe(geometry) & 1 << piece == 0 {
            let value = Value::loss_in(2 + self.call_takes());
            return Candidate { action, prospect: Prospect::Settled(value), freedom: 1.0 };
        }
        let prospect = Prospect::Give { board, piece, bounds: Bounds::OPEN };
        Candidate { action, prospect, freedom: self.freedom(&board, piece) }
    }

    fn placement(&self, square: Square, action: Action) -> Candidate<WORDS> {
        let geometry = &self.solver.geometry;
        let (board, renumbering) = Board::of(&self.position, geometry);
        let hand = renumbering.inner(self.position.hand().map_or(0, |piece| piece.bits()));
        let settled = |value| Candidate { action, prospect: Prospect::Settled(value), freedom: 1.0 };
        let mut after = self.position;
        after.play_unchecked(action);
        let makes_row = match self.position.options().call {
            Call::Auto => after.winning().next().is_some(),
            Call::Lapse | Call::Open => after.callable().next().is_some(),
        };
        if makes_row {
            return settled(Value::win_in(1 + self.call_takes()));
        }
        let next = board.with(geometry, square.index(SIZE), hand);
        if next.left == 0 {
            return settled(Value::Draw);
        }
        let safe = geometry.kinds(next.left & next.safe(geometry));
        let mut gifts: Vec<u8> = (0..16).filter(|piece| safe & 1 << piece != 0).collect();
        gifts.sort_by_key(|&piece| self.solver.replies(&next, piece));
        let Some(&first) = gifts.first() else { return settled(Value::loss_in(3 + self.call_takes())) };
        let freedom = self.freedom(&next, first);
        Candidate { action, prospect: Prospect::Place { board: next, gifts, bounds: Bounds::OPEN }, freedom }
    }

    /// The share of a seat's placements and gifts that do not lose at once.
    fn freedom(&self, board: &Board<WORDS>, hand: u8) -> f32 {
        let all = board.empty() * (board.left.count_ones() - 1);
        if all == 0 { 1.0 } else { self.solver.replies(board, hand) as f32 / all as f32 }
    }

    /// Asks the solver about a candidate: is its score more than `alpha`, is it at least `beta`?
    pub(super) fn ask(&mut self, index: usize, alpha: i8, beta: i8, run: &mut Run<'_, '_>) -> Result<(), Stopped> {
        let known = self.candidates[index].bounds();
        if known.low >= beta || known.high <= alpha || known.low == known.high {
            return Ok(());
        }
        match &mut self.candidates[index].prospect {
            Prospect::Settled(_) => {}
            Prospect::Give { board, piece, bounds } => {
                let score = self.solver.score(board, *piece, -beta, -alpha, run)?;
                narrow(bounds, score, -beta, -alpha);
            }
            Prospect::Place { board, gifts, bounds } => {
                let (mut best, mut floor) = (LOST_AT_ONCE, alpha);
                for &piece in gifts.iter() {
                    let score = self.solver.score(board, piece, to_child(beta), to_child(floor), run)?;
                    best = best.max(to_parent(score));
                    if best >= beta {
                        break;
                    }
                    floor = floor.max(best);
                }
                narrow(bounds, best, alpha, beta);
            }
        }
        Ok(())
    }

    /// What the seat that places a safe piece can reach, from the book or the table, before any search.
    pub(super) fn recall(&self) -> Bounds {
        let (board, renumbering) = Board::of(&self.position, &self.solver.geometry);
        let hand = self.position.hand().map(|piece| renumbering.inner(piece.bits()));
        match hand {
            Some(hand) if board.safe(&self.solver.geometry) & 1 << hand != 0 => self.solver.recall(&board, hand),
            _ => Bounds::OPEN,
        }
    }

    /// Notes that no placement can be worth more than this.
    pub(super) fn cap(&mut self, most: i8) {
        for candidate in &mut self.candidates {
            if let Prospect::Place { bounds, .. } = &mut candidate.prospect {
                bounds.high = bounds.high.min(most);
            }
        }
    }

    /// A candidate's value as far as it is known.
    pub(super) fn value(&self, candidate: &Candidate<WORDS>) -> Value {
        let call = self.call_takes() as i32;
        let actions = |count: i32| (count + call) as u32;
        let Bounds { low, high } = candidate.bounds();
        let (low, high) = (i32::from(low), i32::from(high));
        match candidate.prospect {
            Prospect::Settled(value) => value,
            Prospect::Place { .. } if low > 0 => Value::win_in(actions(33 - 4 * low)),
            Prospect::Place { .. } if high < 0 => Value::loss_in(actions(35 + 4 * high)),
            Prospect::Give { .. } if low > 0 => Value::win_in(actions(36 - 4 * low)),
            Prospect::Give { .. } if high < 0 => Value::loss_in(actions(34 + 4 * high)),
            _ if low == high => Value::Draw,
            // The less freedom the other seat has, the better; never so good as to look proved.
            _ => Value::estimate(0.65 - 0.3 * candidate.freedom),
        }
    }

    /// The share of the other seat's replies that lose, for a candidate that draws: how easily a person errs.
    ///
    /// Gifts that lose at once always count; those that lose later count if they can be solved with what `run` allows.
    pub(super) fn snares(&mut self, index: usize, run: &mut Run<'_, '_>) -> f32 {
        match self.candidates[index].prospect.clone() {
            Prospect::Settled(_) => 0.0,
            Prospect::Give { board, piece, .. } => self.snares_at(&board, piece, run),
            Prospect::Place { board, gifts, .. } => {
                let mut most = 0.0f32;
                for piece in gifts {
                    // Only gifts that keep the draw are going to be given.
                    if self.solver.score(&board, piece, 0, 1, run).is_ok_and(|score| score <= 0) {
                        most = most.max(self.snares_at(&board, piece, run));
                    }
                }
                most
            }
        }
    }

    fn snares_at(&mut self, board: &Board<WORDS>, hand: u8, run: &mut Run<'_, '_>) -> f32 {
        let (mut all, mut losing) = (0.0f32, 0.0f32);
        for square in (0..16).filter(|square| board.taken & 1 << square == 0) {
            let next = board.with(&self.solver.geometry, square, hand);
            let safe = next.safe(&self.solver.geometry);
            for piece in (0..16u8).filter(|piece| next.left & 1 << piece != 0) {
                all += 1.0;
                let lost = safe & 1 << piece == 0
                    || next.empty() <= SNARES_UP_TO
                        && self.solver.score(&next, piece, 0, 1, run).is_ok_and(|score| score > 0);
                losing += f32::from(u8::from(lost));
            }
        }
        if all > 0.0 { losing / all } else { 0.0 }
    }
}

/// With more empty squares than this, snares that lie deeper than the next gift are not looked for.
const SNARES_UP_TO: u32 = 9;

/// Takes over what a search with a window has found.
fn narrow(bounds: &mut Bounds, score: i8, alpha: i8, beta: i8) {
    if score > alpha {
        bounds.low = bounds.low.max(score);
    }
    if score < beta {
        bounds.high = bounds.high.min(score);
    }
}
