//! The board as 25 bits, bit 5·row + column.

use super::SIZE;
use crate::Square;

/// The cubes on the border.
pub(super) const BORDER: u32 = 0b11111_10001_10001_10001_11111;

const ROW: u32 = 0b11111;
const COLUMN: u32 = 0b00001_00001_00001_00001_00001;
const DIAGONALS: [u32; 2] = [0b10000_01000_00100_00010_00001, 0b00001_00010_00100_01000_10000];

/// The twelve lines of five: rows, columns, long diagonals.
pub(super) const LINES: [u32; 12] = {
    let mut lines = [0; 12];
    let mut n = 0;
    while n < 5 {
        lines[n] = ROW << (5 * n);
        lines[5 + n] = COLUMN << n;
        n += 1;
    }
    lines[10] = DIAGONALS[0];
    lines[11] = DIAGONALS[1];
    lines
};

/// Every border square with every entry (QX3): 44 pairs, by border square from `a1` upwards.
pub(super) const PUSHES: &[(Square, Square); 44] = &{
    let mut pushes = [(Square::new(0, 0), Square::new(0, 0)); 44];
    let mut count = 0;
    let mut index = 0;
    while index < 25 {
        let from = Square::from_index(index, SIZE);
        let ends = [
            Square::new(4, from.row),
            Square::new(0, from.row),
            Square::new(from.column, 4),
            Square::new(from.column, 0),
        ];
        let mut end = 0;
        while end < 4 {
            let to = ends[end];
            let same = to.column == from.column && to.row == from.row;
            if BORDER & (1 << index) != 0 && !same {
                pushes[count] = (from, to);
                count += 1;
            }
            end += 1;
        }
        index += 1;
    }
    assert!(count == 44);
    pushes
};

#[inline]
pub(super) const fn bit(square: Square) -> u32 {
    1 << square.index(SIZE)
}

/// The five squares of a line.
pub(super) fn squares(line: u32) -> [Square; 5] {
    let mut left = line;
    std::array::from_fn(|_| {
        let index = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        Square::from_index(index, SIZE)
    })
}

/// Whether some line lies wholly in `marks`.
#[inline]
pub(super) fn has_line(marks: u32) -> bool {
    // Five neighbours in a row leave a bit in the row's first column; five rows on top of each other a bit in the first.
    let rows = marks & marks >> 1 & marks >> 2 & marks >> 3 & marks >> 4 & COLUMN;
    let columns = marks & marks >> 5 & marks >> 10 & marks >> 15 & marks >> 20 & ROW;
    let [up, down] = DIAGONALS;
    rows | columns != 0 || marks & up == up || marks & down == down
}

/// The same bits in both halves of a word.
const fn twice(bits: u32) -> u64 {
    bits as u64 | (bits as u64) << 32
}

/// Whether some line lies wholly in either half of `marks`, one half for each side.
#[inline]
pub(super) fn has_line_of_either(marks: u64) -> bool {
    // Only the lower 25 bits of a half are used, so what is shifted across the middle meets no mark.
    let pairs = marks & marks >> 1;
    let rows = pairs & pairs >> 2 & marks >> 4 & twice(COLUMN);
    let pairs = marks & marks >> 5;
    let columns = pairs & pairs >> 10 & marks >> 20 & twice(ROW);
    let missing = DIAGONALS.map(|diagonal| !marks & twice(diagonal));
    let diagonals = missing.iter().any(|&missing| missing as u32 == 0 || missing >> 32 == 0);
    rows | columns != 0 || diagonals
}

/// One push: the squares from the gap to the entry, and which way they shift to fill the gap.
pub(super) struct Slide {
    segment: u32,
    gap: u32,
    step: u32,
    towards_start: bool,
}

impl Slide {
    /// The slide from a gap to an entry in the same row or column; `None` for any other pair.
    #[inline]
    pub(super) fn new(gap: Square, entry: Square) -> Option<Slide> {
        let (a, b) = (gap.index(SIZE), entry.index(SIZE));
        let span = |low: usize, high: usize| (u32::MAX >> (31 - high)) & (u32::MAX << low);
        let towards_start = b > a;
        let between = span(a.min(b), a.max(b));
        let (segment, step) = if gap.row == entry.row {
            (between, 1)
        } else if gap.column == entry.column {
            (between & COLUMN << gap.column, 5)
        } else {
            return None;
        };
        Some(Slide { segment, gap: bit(gap), step, towards_start })
    }

    /// Shifts one set of cubes; the entry is left empty.
    #[inline]
    pub(super) fn apply(&self, cubes: u32) -> u32 {
        let moving = cubes & self.segment & !self.gap;
        let moved = if self.towards_start { moving >> self.step } else { moving << self.step };
        cubes & !self.segment | moved
    }

    /// Shifts the cubes of both sides, which come back in the halves of a word.
    #[inline]
    pub(super) fn apply_both(&self, cubes: [u32; 2]) -> u64 {
        let cubes = u64::from(cubes[0]) | u64::from(cubes[1]) << 32;
        let moving = cubes & twice(self.segment & !self.gap);
        let moved = if self.towards_start { moving >> self.step } else { moving << self.step };
        cubes & !twice(self.segment) | moved
    }
}
