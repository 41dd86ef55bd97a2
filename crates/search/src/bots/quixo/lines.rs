//! The twelve lines of the board and the patterns they show.

use super::board::turned;

/// Lines of five.
pub(super) const LINES: usize = 12;
/// Patterns of a line.
pub(super) const PATTERNS: usize = 243;
/// Of all lines; the number of a row is that of its line times `PATTERNS`, plus its pattern.
pub(super) const ROWS: usize = LINES * PATTERNS;

/// The pattern of each line: rows from the bottom, columns from the left, the two long diagonals.
///
/// A digit of a pattern in base 3 is 0 for a blank cube, 1 for one of `own`, 2 for one of `other`.
#[inline]
pub(super) fn patterns(own: u32, other: u32) -> [u8; LINES] {
    let mut result = [0; LINES];
    let mut crossing = 0u64;
    for row in 0..5 {
        let pattern = THREES[(own >> (5 * row) & 31) as usize] + 2 * THREES[(other >> (5 * row) & 31) as usize];
        result[row] = pattern;
        crossing += CROSSING[row][usize::from(pattern)];
    }
    result[5..].copy_from_slice(&crossing.to_le_bytes()[..7]);
    result
}

/// The sum of 3ⁿ over the set bits n.
static THREES: [u8; 32] = {
    let mut threes = [0; 32];
    let mut set = 1;
    while set < 32 {
        let low = set & (set - 1);
        threes[set] = threes[low] + 3u8.pow(set.trailing_zeros());
        set += 1;
    }
    threes
};

/// What a pattern of each row adds to the patterns of the five columns and two diagonals, a byte for each.
static CROSSING: [[u64; 256]; 5] = {
    let mut crossing = [[0; 256]; 5];
    let mut row = 0;
    while row < 5 {
        let mut pattern = 0;
        while pattern < PATTERNS {
            let mut left = pattern as u64;
            let mut column = 0;
            while column < 5 {
                let digit = left % 3 * 3u64.pow(row as u32);
                left /= 3;
                crossing[row][pattern] |= digit << (8 * column);
                if column == row {
                    crossing[row][pattern] |= digit << 40;
                }
                if column == 4 - row {
                    crossing[row][pattern] |= digit << 48;
                }
                column += 1;
            }
            pattern += 1;
        }
        row += 1;
    }
    crossing
};

/// For each symmetry and each row of a first layer, the row of the turned board.
pub(super) fn turned_rows() -> Vec<Vec<u16>> {
    let squares = line_squares();
    let source = |turn: usize, line: usize, pattern: usize| {
        let image = squares[line].map(|square| turned(1 << square, turn).trailing_zeros() as u8);
        let mut reversed = image;
        reversed.reverse();
        let (place, is_reversed) = (0..LINES)
            .find_map(|place| match squares[place] {
                line if line == image => Some((place, false)),
                line if line == reversed => Some((place, true)),
                _ => None,
            })
            .unwrap_or((line, false));
        let digits: [usize; 5] = std::array::from_fn(|digit| pattern / 3usize.pow(digit as u32) % 3);
        let weight = |digit: usize| 3usize.pow(if is_reversed { 4 - digit } else { digit } as u32);
        let shown: usize = (0..5).map(|digit| digits[digit] * weight(digit)).sum();
        (place * PATTERNS + shown) as u16
    };
    let all = |turn: usize| (0..ROWS).map(|row| source(turn, row / PATTERNS, row % PATTERNS)).collect();
    (0..8).map(all).collect()
}

/// The squares of each line in the order of its pattern's digits.
fn line_squares() -> [[u8; 5]; LINES] {
    std::array::from_fn(|line| {
        std::array::from_fn(|digit| {
            (match line {
                0..5 => 5 * line + digit,
                5..10 => 5 * digit + line - 5,
                10 => 6 * digit,
                _ => 4 * digit + 4,
            }) as u8
        })
    })
}
