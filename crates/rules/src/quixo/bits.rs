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
pub(super) const fn twice(bits: u32) -> u64 {
    bits as u64 | (bits as u64) << 32
}

/// Whether some line lies wholly in either half of `marks`, one half for each side.
#[inline]
pub(super) fn has_line_of_either(marks: u64) -> bool {
    // Shifted by a line's step and joined, five marks leave a bit at the line's first square. Only the lower 25 bits of a
    // half are used, so what is shifted across the middle never reaches a first square.
    let five = |step: u32| {
        let pairs = marks & marks >> step;
        pairs & pairs >> (2 * step) & marks >> (4 * step)
    };
    let [up, down] = DIAGONALS.map(|diagonal| 1 << diagonal.trailing_zeros());
    five(1) & twice(COLUMN) | five(5) & twice(ROW) | five(6) & twice(up) | five(4) & twice(down) != 0
}

/// What one push does to the cubes: those of a segment, but the one that is taken, move by a step.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    /// The cubes that stay, in both halves of a word.
    staying: u64,
    /// The cubes that move, in both halves.
    moving: u64,
    /// Where the taken cube enters, in the lower half.
    entry: u64,
    /// How far they rotate to the left; to the right is the rest of the way round.
    rotation: u8,
}

/// The slide of each square in each of the four ways, by [`Slide::of`]. A table, because computing one has branches that
/// the processor cannot foresee.
static SLIDES: [Slide; 128] = {
    let mut slides = [Slide { staying: u64::MAX, moving: 0, entry: 0, rotation: 0 }; 128];
    let mut n = 0;
    while n < PUSHES.len() {
        let (from, to) = PUSHES[n];
        slides[Slide::place(from, to)] = Slide::new(from, to);
        n += 1;
    }
    slides
};

impl Slide {
    /// The slide from a gap to an entry at an end of its row or column; some slide for any other pair.
    #[inline]
    pub(super) fn of(gap: Square, entry: Square) -> &'static Slide {
        &SLIDES[Slide::place(gap, entry) & 127]
    }

    #[inline]
    const fn place(gap: Square, entry: Square) -> usize {
        let (a, b) = (gap.index(SIZE), entry.index(SIZE));
        4 * a + 2 * (gap.row == entry.row) as usize + (a < b) as usize
    }

    const fn new(gap: Square, entry: Square) -> Slide {
        let (a, b) = (gap.index(SIZE), entry.index(SIZE));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let between = (u32::MAX >> (31 - high)) & (u32::MAX << low);
        let (segment, step) = if gap.row == entry.row { (between, 1) } else { (between & COLUMN << gap.column, SIZE) };
        let rotation = if a < b { 64 - step } else { step };
        Slide { staying: !twice(segment), moving: twice(segment & !bit(gap)), entry: bit(entry) as u64, rotation }
    }

    /// Where the taken cube enters, in the lower half of a word.
    #[inline]
    pub(super) fn entry(&self) -> u64 {
        self.entry
    }

    /// Shifts the cubes in both halves of a word; the entry is left empty.
    #[inline]
    pub(super) fn apply(&self, cubes: u64) -> u64 {
        // Nothing that moves leaves its segment, so a rotation serves as a shift either way.
        cubes & self.staying | (cubes & self.moving).rotate_left(self.rotation.into())
    }
}
