//! The board of nine by nine, on which most games are played: small enough that what is asked of it again and again can
//! be looked up, and the whole board is one number.

use super::board::Counted;
use super::cells::Cells;
use super::figure::reach;
use super::{Shape, Size};
use crate::Square;

const WIDTH: u8 = Size::Nine.width();
const CELLS: usize = 81;
/// No cell is the centre of more figures.
const MOST_FIGURES: usize = 8;

/// A set of cells as bits 9·row + column.
#[inline]
pub(super) fn flat(cells: &Cells) -> u128 {
    let rows = cells.rows();
    let low = rows[..7].iter().rev().fold(0, |word, &row| word << WIDTH | u64::from(row));
    let high = u64::from(rows[7]) | u64::from(rows[8]) << WIDTH;
    u128::from(low) | u128::from(high) << 63
}

#[inline]
pub(super) fn square(bit: u32) -> Square {
    SQUARES[bit as usize & 127]
}

#[inline]
const fn bit(square: Square) -> usize {
    9 * square.row as usize + square.column as usize
}

static SQUARES: [Square; 128] = {
    let mut squares = [Square::new(0, 0); 128];
    let mut n = 0;
    while n < CELLS {
        squares[n] = Square::new((n % 9) as u8, (n / 9) as u8);
        n += 1;
    }
    squares
};

/// The figures of the board by their centres, and those that have a cell as a corner.
struct Figures {
    /// The corners of each figure around each centre; the rest are empty.
    around: [[u128; MOST_FIGURES]; CELLS],
    /// The centres of the figures that have this cell as a corner.
    centres: [u128; CELLS],
    /// For a corner and a centre, which of the figures around the centre it is.
    which: [[u8; CELLS]; CELLS],
}

static FIGURES: Figures = {
    let mut figures = Figures { around: [[0; MOST_FIGURES]; CELLS], centres: [0; CELLS], which: [[0; CELLS]; CELLS] };
    let mut centre = 0;
    while centre < CELLS {
        let mut count = 0;
        let mut shape = 0;
        while shape < 2 {
            let shape_is = if shape == 0 { Shape::Orthogonal } else { Shape::Diagonal };
            let at = Square::new((centre % 9) as u8, (centre / 9) as u8);
            let mut distance = 1;
            while distance <= reach(at, shape_is, WIDTH) {
                let corners = corners(at, shape_is, distance);
                figures.around[centre][count] = corners;
                let mut corner = 0;
                while corner < CELLS {
                    if corners >> corner & 1 == 1 {
                        figures.centres[corner] |= 1 << centre;
                        figures.which[corner][centre] = count as u8;
                    }
                    corner += 1;
                }
                count += 1;
                distance += 1;
            }
            shape += 1;
        }
        centre += 1;
    }
    figures
};

/// The corners of a figure that captures, as a set.
const fn corners(centre: Square, shape: Shape, distance: u8) -> u128 {
    let directions = shape.directions();
    let (mut set, mut n) = (0, 0);
    while n < directions.len() {
        let column = centre.column as i8 + directions[n].0 * distance as i8;
        let row = centre.row as i8 + directions[n].1 * distance as i8;
        if 0 <= column && column < WIDTH as i8 && 0 <= row && row < WIDTH as i8 {
            set |= 1 << bit(Square::new(column as u8, row as u8));
        }
        n += 1;
    }
    set
}

/// The enemy stones that the stone on `at` surrounds together with other own stones (FO4).
#[inline]
pub(super) fn surrounded(own: &Cells, enemy: &Cells, at: Square) -> u128 {
    let (place, own) = (bit(at).min(CELLS - 1), flat(own));
    let mut left = flat(enemy) & FIGURES.centres[place];
    let mut found = 0;
    while left != 0 {
        let centre = left.trailing_zeros() as usize;
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        let corners = FIGURES.around[centre.min(CELLS - 1)]
            [usize::from(FIGURES.which[place][centre.min(CELLS - 1)]) % MOST_FIGURES];
        if own & corners == corners {
            found |= lowest;
        }
    }
    found
}

/// The empty cells where an own stone would complete the figures around two enemy stones or more.
#[inline]
pub(super) fn cells_with_a_choice(own: &Cells, enemy: &Cells) -> Cells {
    let (own, enemy) = (flat(own), flat(enemy));
    let (mut once, mut twice, mut left) = (0, 0, enemy);
    while left != 0 {
        let centre = left.trailing_zeros() as usize;
        left &= left - 1;
        for corners in &FIGURES.around[centre.min(CELLS - 1)] {
            let missing = corners & !own;
            if missing != 0 && missing & (missing - 1) == 0 {
                twice |= once & missing;
                once |= missing;
            }
        }
    }
    let mut cells = Cells::default();
    let mut left = twice & !enemy;
    while left != 0 {
        cells.insert(square(left.trailing_zeros()));
        left &= left - 1;
    }
    cells
}

/// Bits for each cell of a row in [`Movements`].
const FIELD: u32 = 7;
/// One in each field.
const ONES: u64 = {
    let (mut ones, mut n) = (0, 0);
    while n < WIDTH as u32 {
        ones |= 1 << (FIELD * n);
        n += 1;
    }
    ones
};

/// For each set of cells of a row, those cells' fields filled with ones.
static FILLED: [u64; 512] = {
    let mut filled = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut n = 0;
        while n < WIDTH as u32 {
            if set >> n & 1 == 1 {
                filled[set] |= 127 << (FIELD * n);
            }
            n += 1;
        }
        set += 1;
    }
    filled
};

/// For each set of occupied cells of a row, how many cells of it can be slid to from each of its cells.
static ACROSS: [u64; 512] = {
    let mut across = [0; 512];
    let mut set: usize = 0;
    while set < 512 {
        let mut from = 0;
        while from < WIDTH as u32 {
            let (mut free, mut to) = (0, from);
            while to > 0 && set >> (to - 1) & 1 == 0 {
                free += 1;
                to -= 1;
            }
            to = from + 1;
            while to < WIDTH as u32 && set >> to & 1 == 0 {
                free += 1;
                to += 1;
            }
            across[set] |= free << (FIELD * from);
            from += 1;
        }
        set += 1;
    }
    across
};

/// How many movements each stone of a seat has, all stones of a row counted at once.
pub(super) struct Movements {
    /// For each row, a field for each cell: how many movements the stone there has.
    rows: [u64; WIDTH as usize],
    /// How many movements the stones of each row and of those below it have.
    ends: [u16; WIDTH as usize],
}

impl Movements {
    #[inline]
    pub(super) fn of(own: &Cells, other: &Cells) -> Movements {
        let (own, other) = (own.rows(), other.rows());
        let filled = |set: u32| FILLED[set as usize & 511];
        let mut movements = Movements { rows: [0; WIDTH as usize], ends: [0; WIDTH as usize] };
        // Free cells below each cell of the row, then above; no field ever carries over into the next.
        let mut free = 0;
        for row in 0..WIDTH as usize {
            movements.rows[row] = free;
            free = (free + ONES) & !filled(own[row] | other[row]);
        }
        free = 0;
        for row in (0..WIDTH as usize).rev() {
            let occupied = own[row] | other[row];
            let all = movements.rows[row] + free + ACROSS[occupied as usize & 511];
            movements.rows[row] = all & filled(own[row]);
            free = (free + ONES) & !filled(occupied);
        }
        let mut count = 0;
        for (row, end) in movements.rows.iter().zip(&mut movements.ends) {
            // The product has in its last field the sum of all: at most 72, nine stones with eight movements each.
            count += (row.wrapping_mul(ONES) >> (FIELD * 8)) as u16 & 127;
            *end = count;
        }
        movements
    }
}

impl Counted for Movements {
    #[inline]
    fn count(&self) -> usize {
        self.ends[WIDTH as usize - 1].into()
    }

    #[inline]
    fn nth(&self, n: usize) -> (Square, u32) {
        // Counting all is faster than stopping at a place that cannot be foreseen.
        let n = n as u16;
        let row = self.ends.iter().filter(|&&end| end <= n).count().min(WIDTH as usize - 1);
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        let n = u64::from(n - begin);
        // Each field of the product is the sum of the fields up to it.
        let sums = self.rows[row].wrapping_mul(ONES);
        let column = (0..u32::from(WIDTH)).filter(|place| sums >> (FIELD * place) & 127 <= n).count() as u32;
        let before = sums << FIELD >> (FIELD * column) & 127;
        (Square::new(column as u8, row as u8), (n - before) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::four::{Figure, Four};
    use crate::{ActionList, Position, Turn};

    /// Simple numbers that differ from each other.
    fn scrambled(n: u64) -> u64 {
        let mixed = (n ^ 0x5eed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    }

    #[test]
    fn what_is_looked_up_is_what_the_figures_say() {
        for centre in 0..CELLS {
            let at = square(centre as u32);
            let figures: Vec<u128> = Figure::around(at, WIDTH)
                .map(|figure| figure.corners().fold(0, |set, corner| set | 1 << bit(corner)))
                .collect();
            let mut known: Vec<u128> = FIGURES.around[centre].iter().copied().filter(|&set| set != 0).collect();
            assert_eq!(known.len(), figures.len(), "{at}");
            known.retain(|set| !figures.contains(set));
            assert!(known.is_empty(), "{at}");
        }
    }

    #[test]
    fn random_games_find_the_same_captures_choices_and_movements_as_larger_boards_do() {
        let mut list = ActionList::new();
        for game in 0..20 {
            let mut position = Four::start(&"size=9".parse().unwrap());
            for ply in 0..300 {
                let Turn::Seat(seat) = position.turn() else { break };
                let (own, enemy) = (position.stones.of(seat.index()), position.stones.of(1 - seat.index()));
                let movements = Movements::of(own, enemy);
                let counted = position.stones.movements(seat.index(), WIDTH);
                assert_eq!(movements.count(), counted.count(), "{position}");
                for n in 0..counted.count() {
                    assert_eq!(movements.nth(n), counted.nth(n), "{position}");
                }
                let slow = position.cells_with_a_choice_anywhere();
                position.empty_cells(|cell| {
                    let quick = cells_with_a_choice(own, enemy).contains(cell);
                    assert_eq!(quick, slow.contains(cell), "{position}");
                    let (mut with, mut found) = (*own, 0);
                    with.insert(cell);
                    super::super::surrounded(&with, enemy, cell, WIDTH, |centre| found |= 1 << bit(centre));
                    assert_eq!(surrounded(&with, enemy, cell), found, "{position} {cell}");
                });
                position.actions(&mut list);
                position.play_unchecked(list[scrambled(1000 * game + ply) as usize % list.len()]);
            }
        }
    }
}
