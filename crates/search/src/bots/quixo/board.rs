//! The board as two sets of 25 bits (bit 5·row + column), and pushes as masks.
//!
//! The rules crate plays any action on any position; here only what a search does millions of times a second is done,
//! and tests prove both equal.

use rules::Square;
use rules::quixo::SIZE;

/// The cubes on the border.
pub(super) const BORDER: u32 = 0b11111_10001_10001_10001_11111;
/// All cubes.
pub(super) const BOARD: u32 = (1 << 25) - 1;

const ROW: u32 = 0b11111;
const COLUMN: u32 = 0b00001_00001_00001_00001_00001;
const DIAGONALS: [u32; 2] = [0b10000_01000_00100_00010_00001, 0b00001_00010_00100_01000_10000];

/// A push as masks: what stays, what shifts, and by how much.
#[derive(Clone, Copy)]
pub(super) struct Push {
    /// The cube that is taken.
    pub(super) gap: u32,
    /// Where it enters.
    pub(super) entry: u32,
    /// The next cube towards the entry, where taking that one instead is a push too: if both are alike the pushes lead
    /// to the same. Otherwise empty.
    pub(super) next: u32,
    still: u32,
    moving: u32,
    /// Bits to turn left; a shift to the right is a turn of almost 32, and no moving bit is ever turned around.
    turn: u32,
    from: u8,
    to: u8,
}

impl Push {
    /// Shifts one set of cubes; the entry is left empty.
    #[inline]
    pub(super) const fn shift(&self, cubes: u32) -> u32 {
        cubes & self.still | (cubes & self.moving).rotate_left(self.turn)
    }

    pub(super) fn from(&self) -> Square {
        Square::from_index(self.from as usize, SIZE)
    }

    pub(super) fn to(&self) -> Square {
        Square::from_index(self.to as usize, SIZE)
    }
}

/// Every border square with every entry, in the order of the rules.
pub(super) static PUSHES: [Push; 44] = {
    let mut pushes = [Push { gap: 0, entry: 0, next: 0, still: 0, moving: 0, turn: 0, from: 0, to: 0 }; 44];
    let mut count = 0;
    let mut from = 0;
    while from < 25 {
        let (row, column) = (from / 5, from % 5);
        let ends = [5 * row + 4, 5 * row, 20 + column, column];
        let mut end = 0;
        while end < 4 {
            if BORDER & (1 << from) != 0 && ends[end] != from {
                pushes[count] = push(from, ends[end], if end < 2 { 1 } else { 5 });
                count += 1;
            }
            end += 1;
        }
        from += 1;
    }
    assert!(count == 44);
    pushes
};

const fn push(from: u32, to: u32, step: u32) -> Push {
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    let mut segment = 0;
    let mut at = low;
    while at <= high {
        segment |= 1 << at;
        at += step;
    }
    let next = if to > from { from + step } else { from - step };
    Push {
        gap: 1 << from,
        entry: 1 << to,
        next: BORDER & 1 << next & !(1 << to),
        still: BOARD & !segment,
        moving: segment & !(1 << from),
        turn: if to > from { 32 - step } else { step },
        from: from as u8,
        to: to as u8,
    }
}

/// The pushes that go through a square's row or column: only they can change what stands there.
pub(super) static THROUGH: [([u8; 16], u8); 25] = {
    let mut through = [([0; 16], 0); 25];
    let mut square = 0;
    while square < 25 {
        let mut n = 0;
        let mut count = 0;
        while n < 44 {
            if PUSHES[n].still & (1 << square) == 0 {
                through[square].0[count] = n as u8;
                count += 1;
            }
            n += 1;
        }
        through[square].1 = count as u8;
        square += 1;
    }
    through
};

/// Whether some line of five lies wholly in `marks`.
#[inline]
pub(super) fn has_line(marks: u32) -> bool {
    let rows = marks & marks >> 1 & marks >> 2 & marks >> 3 & marks >> 4 & COLUMN;
    let columns = marks & marks >> 5 & marks >> 10 & marks >> 15 & marks >> 20 & ROW;
    let [up, down] = DIAGONALS;
    rows | columns != 0 || marks & up == up || marks & down == down
}

/// The squares that are all a line of five still lacks in `marks`, which hold no line yet.
#[inline]
pub(super) fn missing(marks: u32) -> u32 {
    let mut squares = 0;
    let rows = four_of_five(marks, 1) & COLUMN;
    let columns = four_of_five(marks, 5) & ROW;
    if rows | columns != 0 {
        squares |= spread(rows, ROW) | spread(columns, COLUMN);
    }
    for diagonal in DIAGONALS {
        if (marks & diagonal).count_ones() == 4 {
            squares |= diagonal;
        }
    }
    squares & !marks
}

/// A bit at the first square of every run of five, `step` apart, with at least four in `marks`.
#[inline]
fn four_of_five(marks: u32, step: u32) -> u32 {
    let [a, b, c, d, e] = [marks, marks >> step, marks >> (2 * step), marks >> (3 * step), marks >> (4 * step)];
    let (ab, de) = (a & b, d & e);
    ab & de | c & (ab & (d | e) | de & (a | b))
}

#[inline]
fn spread(firsts: u32, line: u32) -> u32 {
    // The firsts lie a line's width apart, so the products do not overlap.
    firsts.wrapping_mul(line)
}

/// Where each square goes under each of the eight symmetries of the board; 0 is the identity.
static TURNED: [[u8; 25]; 8] = {
    let mut turned = [[0; 25]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 25 {
            let (mut row, mut column) = (square / 5, square % 5);
            if symmetry & 1 != 0 {
                column = 4 - column;
            }
            if symmetry & 2 != 0 {
                row = 4 - row;
            }
            turned[symmetry][square] = if symmetry & 4 != 0 { column * 5 + row } else { row * 5 + column } as u8;
            square += 1;
        }
        symmetry += 1;
    }
    turned
};

/// A set of cubes under a symmetry.
pub(super) fn turned(cubes: u32, symmetry: usize) -> u32 {
    let mut left = cubes;
    let mut result = 0;
    while left != 0 {
        result |= 1 << TURNED[symmetry][left.trailing_zeros() as usize];
        left &= left - 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn lines() -> Vec<u32> {
        let mut lines: Vec<u32> = (0..5).flat_map(|n| [ROW << (5 * n), COLUMN << n]).collect();
        lines.extend(DIAGONALS);
        lines
    }

    #[test]
    fn missing_squares_are_those_that_complete_a_line() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let marks = (random.next_u64() | random.next_u64()) as u32 & BOARD;
            assert_eq!(has_line(marks), lines().into_iter().any(|line| line & !marks == 0));
            if !has_line(marks) {
                let plain = (0..25).filter(|&n| marks >> n & 1 == 0 && has_line(marks | 1 << n));
                assert_eq!(missing(marks), plain.fold(0, |squares, n| squares | 1 << n), "{marks:025b}");
            }
        }
    }

    #[test]
    fn symmetries_are_distinct_and_keep_lines() {
        for symmetry in 0..8 {
            for line in lines() {
                assert!(lines().contains(&turned(line, symmetry)));
            }
        }
        let corner_pair = 0b11;
        let mut images: Vec<u32> = (0..8).map(|symmetry| turned(corner_pair | 1 << 7, symmetry)).collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
