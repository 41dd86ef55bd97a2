//! The stones of both seats, and how far a stone slides among them.

use super::cells::Cells;
use crate::Square;

/// The stones of both seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Board {
    stones: [Cells; 2],
    /// The occupied cells mirrored at the diagonal, kept up with every stone so that slides along columns need no search.
    columns: Cells,
}

impl Board {
    /// The stones of a seat, given by its index.
    #[inline]
    pub(super) fn of(&self, seat: usize) -> &Cells {
        &self.stones[seat]
    }

    /// The occupied cells mirrored at the diagonal.
    #[inline]
    pub(super) fn columns(&self) -> &Cells {
        &self.columns
    }

    /// How many stones each seat has.
    pub(super) fn counts(&self) -> [u8; 2] {
        self.stones.map(|cells| cells.count())
    }

    #[inline]
    pub(super) fn is_empty(&self, square: Square) -> bool {
        !self.stones[0].contains(square) && !self.stones[1].contains(square)
    }

    #[inline]
    pub(super) fn insert(&mut self, seat: usize, square: Square) {
        self.stones[seat].insert(square);
        self.columns.insert(mirrored(square));
    }

    #[inline]
    pub(super) fn remove(&mut self, seat: usize, square: Square) {
        self.stones[seat].remove(square);
        self.columns.remove(mirrored(square));
    }

    /// The occupied cells of a row.
    #[inline]
    pub(super) fn row(&self, row: u8) -> u32 {
        self.stones[0].row(row) | self.stones[1].row(row)
    }

    /// Where the stone on a square can slide (FO7).
    #[inline]
    pub(super) fn reach(&self, from: Square, size: u8) -> Reach {
        self.reach_between(from, stops(size))
    }

    /// The movements that a seat's stones have.
    #[inline]
    pub(super) fn movements(&self, seat: usize, size: u8) -> Movements {
        let mut movements = Movements { stones: [Square::new(0, 0); 32], ends: [u16::MAX; 32], count: 0 };
        let (mut stones, stops) = (0, stops(size));
        self.stones[seat].each(size, |from| {
            movements.count += self.reach_between(from, stops).count() as u16;
            movements.stones[stones & 31] = from;
            movements.ends[stones & 31] = movements.count;
            stones += 1;
        });
        movements
    }

    #[inline]
    fn reach_between(&self, from: Square, stops: u32) -> Reach {
        let across = 2 * self.row(from.row) + stops;
        let along = 2 * self.columns.row(from.column) + stops;
        let [left, right] = free_around(across, from.column);
        let [below, above] = free_around(along, from.row);
        Reach { left, right, below, above }
    }
}

/// The movements of a seat, counted but not listed.
pub(super) trait Counted {
    /// How many there are.
    fn count(&self) -> usize;

    /// The stone that makes the nth of them, and which of its own movements that is.
    fn nth(&self, n: usize) -> (Square, u32);
}

/// How many movements the stones of a seat have; a seat that moves has at most [`super::MOST_STONES`], which is below 32.
pub(super) struct Movements {
    stones: [Square; 32],
    /// For each stone, how many movements it and the stones before it have.
    ends: [u16; 32],
    count: u16,
}

impl Counted for Movements {
    #[inline]
    fn count(&self) -> usize {
        self.count.into()
    }

    #[inline]
    fn nth(&self, n: usize) -> (Square, u32) {
        // Counting all is faster than stopping at a place that cannot be foreseen.
        let n = n as u16;
        let before = self.ends.iter().filter(|&&end| end <= n).count();
        let begin = if before == 0 { 0 } else { self.ends[before - 1] };
        (self.stones[before & 31], u32::from(n - begin))
    }
}

/// The ones on both sides of a line that has moved up by one place; they stop a stone, so that no search can fail.
#[inline]
fn stops(size: u8) -> u32 {
    1 | 2 << size
}

/// How many free cells lie on each side of a stone (FO7).
#[derive(Clone, Copy)]
pub(super) struct Reach {
    left: u32,
    right: u32,
    below: u32,
    above: u32,
}

impl Reach {
    /// How many cells the stone can slide to.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.left + self.right + self.below + self.above
    }

    /// One of those cells: first come those of the row from the left, then those of the column upwards.
    #[inline]
    pub(super) fn nth(&self, from: Square, n: u32) -> Square {
        let across = self.left + self.right;
        if n < across {
            Square::new(nth_beside(from.column, self.left, n), from.row)
        } else {
            Square::new(from.column, nth_beside(from.row, self.below, n - across))
        }
    }
}

/// How many places are free below and above the stone at `place` of a line that was moved up by one.
#[inline]
fn free_around(line: u32, place: u8) -> [u32; 2] {
    let below = line.wrapping_shl(31 - u32::from(place)) | 1;
    let above = line >> place >> 2;
    [below.leading_zeros(), above.trailing_zeros()]
}

/// The place of the nth free cell beside a stone that has so many below it.
#[inline]
fn nth_beside(place: u8, below: u32, n: u32) -> u8 {
    (u32::from(place) - below + n + u32::from(n >= below)) as u8
}

#[inline]
fn mirrored(square: Square) -> Square {
    Square::new(square.row, square.column)
}
