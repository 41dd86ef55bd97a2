//! Where the positions of a row go: for a push, the row it leads to and how the free squares are mapped.

use crate::class::{Mover, Pair};
use crate::geometry::{Geometry, MOST_CELLS, Size};
use crate::keys::Keys;
use crate::ranks::{PARTS, Ranks, sets};

/// What solving needs of a board: its geometry, keys and ranks.
#[derive(Debug)]
pub struct Board {
    /// Squares, pushes, lines.
    pub geometry: Geometry,
    /// The rows' keys.
    pub(crate) keys: Keys,
    /// By number of cubes.
    pub(crate) ranks: Vec<Ranks>,
}

impl Board {
    /// The board of a size.
    pub fn new(size: Size) -> Board {
        let geometry = Geometry::new(size);
        let keys = Keys::new(&geometry);
        let ranks = (0..=geometry.cells).map(Ranks::new).collect();
        Board { geometry, keys, ranks }
    }

    /// The squares of the board.
    pub fn cells(&self) -> u32 {
        self.geometry.cells
    }

    /// Rows of a pair's tables.
    pub(crate) fn rows(&self, pair: Pair) -> usize {
        self.keys.list(pair.few).len()
    }

    /// The sets that number the positions of a row, over the free squares.
    pub(crate) fn row_sets(&self, pair: Pair) -> Vec<u32> {
        sets(self.cells() - pair.few, pair.many)
    }

    /// The table and place of a position: its pair, who of it is to move, the row's first word and the rank.
    pub fn place(&self, own: u32, other: u32) -> (Pair, Mover, usize, u32) {
        let (a, b) = (own.count_ones(), other.count_ones());
        let (key, rest, mover) = if a < b { (own, other, Mover::Few) } else { (other, own, Mover::Many) };
        let pair = Pair { few: a.min(b), many: a.max(b) };
        let (row, turn) = self.keys.find(key);
        let free = Free::new(&self.geometry, self.keys.list(pair.few)[row as usize]);
        let rank = self.ranks[pair.many as usize].of(free.compressed(self.geometry.turned(rest, turn)));
        (pair, mover, row as usize * pair.row_words(self.cells()), rank)
    }
}

/// The squares a key leaves free, numbered from the lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    key: u32,
    cells: [u8; MOST_CELLS],
    count: u32,
}

impl Free {
    /// The squares free of a key.
    pub(crate) fn new(geometry: &Geometry, key: u32) -> Free {
        let mut cells = [0; MOST_CELLS];
        let mut count = 0;
        for cell in (0..geometry.cells).filter(|cell| key >> cell & 1 == 0) {
            cells[count as usize] = cell as u8;
            count += 1;
        }
        Free { key, cells, count }
    }

    /// The number of a free square.
    #[inline]
    pub(crate) fn number(&self, cell: u32) -> u32 {
        cell - (self.key & ((1 << cell) - 1)).count_ones()
    }

    /// A set of free squares, by their numbers.
    pub(crate) fn compressed(&self, set: u32) -> u32 {
        let mut left = set;
        let mut result = 0;
        while left != 0 {
            result |= 1 << self.number(left.trailing_zeros());
            left &= left - 1;
        }
        result
    }

    /// A set given by numbers of free squares, on the board.
    pub(crate) fn expanded(&self, set: u32) -> u32 {
        let mut left = set;
        let mut result = 0;
        while left != 0 {
            result |= 1 << self.cells[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        result
    }
}

/// What a push does to all positions of a row.
pub(crate) struct Lane {
    /// The row it leads to.
    pub(crate) row: usize,
    /// The number of the square that is taken, as a set; empty if the key holds it.
    pub(crate) gap: u32,
    /// Added to a position's set before it is mapped: the cube that is taken, if it becomes part of the set.
    add: u32,
    /// What becomes of each free square, as a set.
    images: [u32; MOST_CELLS],
    /// The same for all subsets of three parts of the free squares; empty where rows are too short to pay for it.
    tables: Vec<u32>,
}

const STARTS: [usize; 3] = [0, 1 << PARTS[0], (1 << PARTS[0]) + (1 << PARTS[1])];

impl Lane {
    /// The lane of a push from a row with this key.
    pub(crate) fn new(board: &Board, key: u32, push: usize, mover: Mover, row_states: usize) -> Lane {
        let geometry = &board.geometry;
        let gap_cell = u32::from(geometry.pushes[push].gap);
        let taken = 1 << gap_cell;
        let next = geometry.pushed(if mover == Mover::Few { key | taken } else { key }, push);
        let (row, turn) = board.keys.find(next);
        let after = Free::new(geometry, geometry.turned(next, turn));
        let free = Free::new(geometry, key);
        let mut images = [0; MOST_CELLS];
        for (image, &from) in images.iter_mut().zip(&free.cells[..free.count as usize]) {
            let cell = geometry.pushes[push].moved[usize::from(from)];
            let cell = u32::from(geometry.turns[turn][usize::from(cell)]);
            if after.key >> cell & 1 == 0 {
                *image = 1 << after.number(cell);
            }
        }
        let gap = if key & taken == 0 { 1 << free.number(gap_cell) } else { 0 };
        let add = if mover == Mover::Many { gap } else { 0 };
        let tables = if row_states >= 4 << PARTS[0] { tables(&images) } else { Vec::new() };
        Lane { row: row as usize, gap, add, images, tables }
    }

    /// The lane to a row of one position, from such a row.
    pub(crate) fn full(row: usize) -> Lane {
        const SAME: [u32; MOST_CELLS] = {
            let mut same = [0; MOST_CELLS];
            let mut square = 0;
            while square < MOST_CELLS {
                same[square] = 1 << square;
                square += 1;
            }
            same
        };
        Lane { row, gap: 0, add: 0, images: SAME, tables: Vec::new() }
    }

    /// Where a set of the row goes.
    #[inline]
    pub(crate) fn image(&self, set: u32) -> u32 {
        let set = set | self.add;
        if !self.tables.is_empty() {
            let part = |part: usize, shift: u32| {
                self.tables[STARTS[part] + ((set >> shift) as usize & ((1 << PARTS[part]) - 1))]
            };
            return part(0, 0) | part(1, PARTS[0]) | part(2, PARTS[0] + PARTS[1]);
        }
        let mut left = set;
        let mut result = 0;
        while left != 0 {
            result |= self.images[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        result
    }
}

fn tables(images: &[u32; MOST_CELLS]) -> Vec<u32> {
    let mut tables = vec![0; STARTS[2] + (1 << PARTS[2])];
    let mut first = 0;
    for (part, start) in STARTS.into_iter().enumerate() {
        for set in 1..1usize << PARTS[part] {
            let bit = first + set.trailing_zeros() as usize;
            tables[start + set] = tables[start + (set & (set - 1))] | images.get(bit).copied().unwrap_or(0);
        }
        first += PARTS[part] as usize;
    }
    tables
}
