//! The board as one seat sees it: own stones, the others, and what slides where.

use rules::Seat;
use rules::four::Four;

use super::figures::{Cell, has};

/// Both seats' stones by rows, and what is occupied by rows and by columns.
#[derive(Clone)]
pub(super) struct Field {
    pub(super) size: u8,
    pub(super) own: [u32; 19],
    pub(super) foe: [u32; 19],
    rows: [u32; 19],
    columns: [u32; 19],
}

impl Field {
    pub(super) fn new(position: &Four, seat: Seat) -> Field {
        let (own, foe) = (*position.rows(seat), *position.rows(seat.next(2)));
        let rows = std::array::from_fn(|row| own[row] | foe[row]);
        Field { size: position.size(), own, foe, rows, columns: *position.columns() }
    }

    /// The same board from the other seat's side.
    pub(super) fn swapped(&self) -> Field {
        Field { own: self.foe, foe: self.own, ..*self }
    }

    #[inline]
    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        !has(&self.rows, cell)
    }

    pub(super) fn own_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        cells(&self.own, self.size)
    }

    pub(super) fn foe_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        cells(&self.foe, self.size)
    }

    /// The cells of its row and of its column that a stone can slide to, or from which it can be slid to.
    #[inline]
    pub(super) fn slides(&self, cell: Cell) -> (u32, u32) {
        let (row, column) = (cell >> 5, cell & 31);
        (
            reachable(self.rows[usize::from(row)], u32::from(column), self.size),
            reachable(self.columns[usize::from(column)], u32::from(row), self.size),
        )
    }

    /// The empty cells that some own stone can slide to.
    pub(super) fn reached(&self) -> [u32; 19] {
        let mut reached = [0; 19];
        let size = usize::from(self.size);
        // Along columns all stones of a row slide at once, upwards and then downwards.
        let mut sliding = 0;
        for (row, cells) in reached[..size].iter_mut().enumerate() {
            *cells = sliding & !self.rows[row];
            sliding = *cells | self.own[row];
        }
        sliding = 0;
        for row in (0..size).rev() {
            sliding &= !self.rows[row];
            reached[row] |= sliding;
            sliding |= self.own[row];
            for column in bits(self.own[row]) {
                reached[row] |= reachable(self.rows[row], column as u32, self.size);
            }
        }
        reached
    }

    /// The own stones that can slide to an empty cell at once.
    #[inline]
    pub(super) fn neighbours(&self, target: Cell) -> ([Cell; 4], usize) {
        let (row, column) = (u32::from(target >> 5), u32::from(target & 31));
        let mut found = [0; 4];
        let mut count = 0;
        let mut keep = |cell: Cell| {
            if has(&self.own, cell) {
                found[count] = cell;
                count += 1;
            }
        };
        let (line, pile) = (self.rows[row as usize], self.columns[column as usize]);
        let (left, right) = (line & ((1 << column) - 1), line >> column >> 1);
        let (down, up) = (pile & ((1 << row) - 1), pile >> row >> 1);
        if left != 0 {
            keep((row << 5 | (31 - left.leading_zeros())) as Cell);
        }
        if right != 0 {
            keep((row << 5 | (column + 1 + right.trailing_zeros())) as Cell);
        }
        if down != 0 {
            keep(((31 - down.leading_zeros()) << 5 | column) as Cell);
        }
        if up != 0 {
            keep(((row + 1 + up.trailing_zeros()) << 5 | column) as Cell);
        }
        (found, count)
    }

    /// Where a stone can turn to reach a cell in two slides.
    #[inline]
    pub(super) fn turning_points(&self, stone: Cell, target: Cell) -> impl Iterator<Item = Cell> + use<'_> {
        let turns = [stone & !31 | target & 31, target & !31 | stone & 31];
        turns.into_iter().filter(move |&turn| {
            turn != stone && turn != target && self.is_empty(turn) && self.sees(stone, turn) && self.sees(turn, target)
        })
    }

    /// Whether two cells of a line have nothing between them; the second must be empty.
    #[inline]
    fn sees(&self, from: Cell, to: Cell) -> bool {
        let (across, along) = self.slides(from);
        if from >> 5 == to >> 5 { across >> (to & 31) & 1 != 0 } else { along >> (to >> 5) & 1 != 0 }
    }

    /// Slides an own stone, capturing nothing.
    #[inline]
    pub(super) fn shift(&mut self, from: Cell, to: Cell) {
        self.flip(from);
        self.flip(to);
    }

    #[inline]
    fn flip(&mut self, cell: Cell) {
        let (row, column) = (usize::from(cell >> 5), usize::from(cell & 31));
        self.own[row] ^= 1 << column;
        self.rows[row] ^= 1 << column;
        self.columns[column] ^= 1 << row;
    }
}

fn cells(rows: &[u32; 19], size: u8) -> impl Iterator<Item = Cell> + use<> {
    let rows = *rows;
    (0..usize::from(size)).flat_map(move |row| bits(rows[row]).map(move |column| (row << 5 | column) as Cell))
}

#[inline]
pub(super) fn bits(word: u32) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(bit)
    })
}

#[inline]
fn reachable(occupied: u32, place: u32, size: u8) -> u32 {
    let below = occupied & ((1 << place) - 1);
    let above = occupied >> place >> 1;
    let low = 32 - below.leading_zeros();
    let high = (place + 1 + above.trailing_zeros()).min(u32::from(size));
    ((1u32 << high) - (1 << low)) & !(1 << place)
}
