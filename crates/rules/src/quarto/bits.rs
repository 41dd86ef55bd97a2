//! The board as 16 nibbles in a `u64`, nibble 4·row + column: the attribute bits of the piece on each square.

use super::{SIZE, Squares};
use crate::Square;

/// A nibble in every square.
pub(super) const EVERY: u64 = 0x1111_1111_1111_1111;

/// Rows, columns, long diagonals, then the nine 2×2 blocks (QA4), as square numbers.
const LINES: [[u8; 4]; 19] = {
    let mut lines = [[0; 4]; 19];
    let mut n = 0;
    while n < 4 {
        let m = n as u8;
        lines[n] = [4 * m, 4 * m + 1, 4 * m + 2, 4 * m + 3];
        lines[4 + n] = [m, m + 4, m + 8, m + 12];
        n += 1;
    }
    lines[8] = [0, 5, 10, 15];
    lines[9] = [3, 6, 9, 12];
    let mut block = 0;
    while block < 9 {
        let low = (block / 3 * 4 + block % 3) as u8;
        lines[10 + block] = [low, low + 1, low + 4, low + 5];
        block += 1;
    }
    lines
};

/// The lines that make rows.
pub(super) fn lines(squares: Squares) -> &'static [[u8; 4]] {
    match squares {
        Squares::No => &LINES[..10],
        Squares::Yes => &LINES,
    }
}

/// Where the lines through a square leave their mark once four neighbours have been combined: at the line's lowest nibble.
struct Marks {
    row: u64,
    column: u64,
    up: u64,
    down: u64,
    blocks: u64,
}

const MARKS: [Marks; 16] = {
    const NONE: Marks = Marks { row: 0, column: 0, up: 0, down: 0, blocks: 0 };
    let mut marks = [NONE; 16];
    let mut square = 0;
    while square < 16 {
        let (row, column) = (square / 4, square % 4);
        marks[square].row = 15 << (16 * row);
        marks[square].column = 15 << (4 * column);
        marks[square].up = if row == column { 15 } else { 0 };
        marks[square].down = if row + column == 3 { 15 << 12 } else { 0 };
        let mut line = 10;
        while line < 19 {
            let block = LINES[line];
            let mut corner = 0;
            while corner < 4 {
                if block[corner] as usize == square {
                    marks[square].blocks |= 15 << (4 * block[0]);
                }
                corner += 1;
            }
            line += 1;
        }
        square += 1;
    }
    marks
};

/// Whether some line through the square carries a common bit in all four nibbles of `agree`.
#[inline]
pub(super) fn completes(agree: u64, square: usize, squares: Squares) -> bool {
    let marks = &MARKS[square & 15];
    let beside = agree & agree >> 4;
    let above = agree & agree >> 16;
    let up = agree & agree >> 20;
    let down = agree & agree >> 12;
    let lines = beside & beside >> 8 & marks.row
        | above & above >> 32 & marks.column
        | up & up >> 40 & marks.up
        | down & down >> 24 & marks.down;
    let blocks = if squares == Squares::Yes { beside & beside >> 16 & marks.blocks } else { 0 };
    lines | blocks != 0
}

/// The square's number, for squares on the board.
#[inline]
pub(super) const fn index(square: Square) -> usize {
    square.index(SIZE) & 15
}
