//! Exact values by alpha-beta on the packed state.
//!
//! A node is a board with a *safe* piece in hand, one that completes nothing; what completes a row is never searched,
//! for it just wins. A move is a placement and a gift. If every placement leaves only pieces that complete a row, the
//! node is lost without a child being visited.
//!
//! # Scores
//!
//! A node's score for the seat that places: 0 is a draw; a win in n placements (n is odd, from 3) is (17 − n) / 2, from
//! 7 down to 1; a loss in n placements (n is even, from 2) is (n − 18) / 2, from −8 up to −1. So four bits hold a
//! score, and a window of two neighbouring scores asks exactly one question: can it be won, can it be won in seven?

use super::book::Opening;
use super::key::Keys;
use super::packed::{Board, Class, Geometry};
use super::table::{Bounds, Table};
use crate::Meter;

/// The score of a node without a safe gift: lost in two placements.
pub(super) const LOST_AT_ONCE: i8 = -8;
/// The score of a node whose mover can leave the other seat lost at once.
pub(super) const WON_SOONEST: i8 = 7;

/// With fewer empty squares than this a node is cheaper to search than to look up, and its children than to order well.
const REMEMBER_FROM: u32 = 6;
/// The most children a node has before that: four gifts for each of five squares.
const FEW: usize = 20;
/// The most children any node has.
const MANY: usize = 240;

/// The search was stopped before it could answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// A search under way: its limits, and how far it has come through the first placements.
pub(super) struct Run<'a, 'b> {
    pub(super) meter: &'a mut Meter<'b>,
    /// Called now and then with the share of the tree that is done, from 0 to 1, and the nodes so far.
    pub(super) watch: Option<&'a mut dyn FnMut(f64, u64)>,
    /// For the first placements, the share of the tree before the present child, and the child's share.
    done: f64,
    share: f64,
}

impl<'a, 'b> Run<'a, 'b> {
    pub(super) fn new(meter: &'a mut Meter<'b>) -> Self {
        Run { meter, watch: None, done: 0.0, share: 1.0 }
    }

    /// The same run with a callback for progress.
    pub(super) fn watched(meter: &'a mut Meter<'b>, watch: &'a mut dyn FnMut(f64, u64)) -> Self {
        Run { meter, watch: Some(watch), done: 0.0, share: 1.0 }
    }
}

/// Progress is reported only while more squares than this are empty.
const WATCH_FROM: u32 = 12;

/// A solver for one class of options, with its table.
pub(super) struct Solver<const WORDS: usize> {
    pub(super) geometry: Geometry<WORDS>,
    keys: Keys,
    pub(super) table: Table,
    /// What is known of openings, if it is to be used.
    pub(super) opening: Option<Opening>,
}

/// What a child's score is to its parent.
#[inline]
pub(super) fn to_parent(score: i8) -> i8 {
    if score < 0 { -score - 1 } else { -score }
}

/// What a bound of the parent's score is to its child.
#[inline]
pub(super) fn to_child(bound: i8) -> i8 {
    if bound > 0 { -bound - 1 } else { -bound }
}

impl<const WORDS: usize> Solver<WORDS> {
    pub(super) fn new(class: Class, bytes: usize) -> Self {
        Solver { geometry: Geometry::new(class), keys: Keys::new(class), table: Table::new(bytes), opening: None }
    }

    /// The score of a board with a safe piece in hand.
    ///
    /// A result not above `alpha` says only that the score is no more than that; one not below `beta`, no less.
    pub(super) fn score(
        &mut self,
        board: &Board<WORDS>,
        hand: u8,
        alpha: i8,
        beta: i8,
        run: &mut Run<'_, '_>,
    ) -> Result<i8, Stopped> {
        debug_assert!(alpha < beta && board.left & 1 << hand != 0);
        let empty = board.empty();
        match empty {
            0 | 1 => return Ok(0),
            2 => return Ok(if alpha >= 0 { 0 } else { self.two_squares_left(board, hand) }),
            3 => return Ok(self.three_squares_left(board, hand, beta)),
            _ => {}
        }
        if run.meter.tick() {
            return Err(Stopped);
        }
        if empty < REMEMBER_FROM {
            return self.search::<FEW>(board, hand, alpha, beta, run);
        }
        let key = self.keys.canonical(board, hand);
        let mut known = self.known(key, empty);
        if known.low >= beta || known.low == known.high {
            return Ok(known.low);
        }
        if known.high <= alpha {
            return Ok(known.high);
        }
        let before = run.meter.nodes();
        let (low, high) = (alpha.max(known.low - 1), beta.min(known.high + 1));
        let best = self.search::<MANY>(board, hand, low, high, run)?;
        if best > low {
            known.low = known.low.max(best);
        }
        if best < high {
            known.high = known.high.min(best);
        }
        self.table.put(key, known, run.meter.nodes() - before);
        Ok(best)
    }

    /// What is known of a node without a search.
    pub(super) fn recall(&self, board: &Board<WORDS>, hand: u8) -> Bounds {
        let empty = board.empty();
        if empty >= REMEMBER_FROM { self.known(self.keys.canonical(board, hand), empty) } else { Bounds::OPEN }
    }

    /// What is remembered of a node, or known from the book.
    #[inline]
    fn known(&self, key: u64, empty: u32) -> Bounds {
        let known = self.table.get(key).unwrap_or(Bounds::OPEN);
        match &self.opening {
            Some(opening) if opening.covers(empty) => opening.bounds(key).and(known),
            _ => known,
        }
    }

    fn search<const MOST: usize>(
        &mut self,
        board: &Board<WORDS>,
        hand: u8,
        mut alpha: i8,
        beta: i8,
        run: &mut Run<'_, '_>,
    ) -> Result<i8, Stopped> {
        let mut order = [0u32; MOST];
        let count = self.children(board, hand, &mut order);
        if MOST == MANY && count > 0 && order[0] < 1 << 8 {
            return Ok(WON_SOONEST);
        }
        let watched = run.watch.is_some() && board.empty() >= WATCH_FROM;
        let (done, share) = (run.done, run.share);
        let mut best = LOST_AT_ONCE;
        for (number, child) in order[..count].iter().enumerate() {
            if watched {
                run.share = share / count as f64;
                run.done = done + run.share * number as f64;
                if let Some(watch) = &mut run.watch {
                    watch(run.done, run.meter.nodes());
                }
            }
            let (square, piece) = (*child as usize >> 4 & 15, *child as u8 & 15);
            let next = board.with(&self.geometry, square, hand);
            let score = to_parent(self.score(&next, piece, to_child(beta), to_child(alpha), run)?);
            if score > best {
                best = score;
                if best >= beta {
                    break;
                }
                alpha = alpha.max(best);
            }
        }
        (run.done, run.share) = (done, share);
        Ok(best)
    }

    /// Fills in the placements and gifts that do not lose at once, the most promising first: its rank, then the square
    /// and the piece. With many squares left, a rank of 0 wins at once.
    #[inline]
    fn children<const MOST: usize>(&self, board: &Board<WORDS>, hand: u8, order: &mut [u32; MOST]) -> usize {
        let mut count = 0;
        let mut squares = !board.taken;
        while squares != 0 {
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            let next = board.with(&self.geometry, square as usize, hand);
            let safe = next.left & next.safe(&self.geometry);
            let mut gifts = self.geometry.kinds(safe);
            while gifts != 0 {
                let piece = gifts.trailing_zeros();
                gifts &= gifts - 1;
                let rank = if MOST == MANY {
                    match self.replies(&next, piece as u8) {
                        0 => {
                            order[0] = square << 4 | piece;
                            return 1;
                        }
                        // Few safe replies, and lines that promise little: measured to halve the tree.
                        replies => 3 * replies + next.promise() + 1,
                    }
                } else {
                    safe.count_ones()
                };
                order[count] = rank << 8 | square << 4 | piece;
                count += 1;
            }
        }
        order[..count].sort_unstable();
        count
    }

    /// How many safe gifts the seat that places will have, over all its placements.
    #[inline]
    pub(super) fn replies(&self, board: &Board<WORDS>, hand: u8) -> u32 {
        let mut squares = !board.taken;
        // Four sets are counted at a time: without a machine instruction for it, counting is dear.
        let (mut replies, mut sets) = (0, 0u64);
        while squares != 0 {
            let square = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let next = board.with(&self.geometry, square, hand);
            if sets >> 48 != 0 {
                replies += sets.count_ones();
                sets = 0;
            }
            sets = sets << 16 | u64::from(next.left & next.safe(&self.geometry));
        }
        replies + sets.count_ones()
    }

    /// Two squares and two pieces: a draw if one placement leaves the other piece nothing to complete.
    #[inline]
    fn two_squares_left(&self, board: &Board<WORDS>, hand: u8) -> i8 {
        let mut squares = !board.taken;
        while squares != 0 {
            let square = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let next = board.with(&self.geometry, square, hand);
            if next.left & next.safe(&self.geometry) != 0 {
                return 0;
            }
        }
        LOST_AT_ONCE
    }

    /// With three squares left the seat that places cannot lose once it has a safe gift: two squares win nothing.
    #[inline]
    fn three_squares_left(&self, board: &Board<WORDS>, hand: u8, beta: i8) -> i8 {
        let mut best = LOST_AT_ONCE;
        let mut squares = !board.taken;
        while squares != 0 {
            let square = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let next = board.with(&self.geometry, square, hand);
            let mut gifts = next.left & next.safe(&self.geometry);
            if gifts == 0 {
                continue;
            }
            best = 0;
            if beta <= 0 {
                return best;
            }
            while gifts != 0 {
                let piece = gifts.trailing_zeros() as u8;
                gifts &= gifts - 1;
                if self.two_squares_left(&next, piece) != 0 {
                    return WON_SOONEST;
                }
            }
        }
        best
    }
}
