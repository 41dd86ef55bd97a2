//! One 64-bit number for all positions that are the same game: lossless, so that a table never mixes two.
//!
//! The board is seen from the piece in hand (an attribute counts as set where a piece differs from the hand), which
//! takes out the flips; sorting the attributes' lanes takes out their exchange; the board's own symmetries are taken
//! out by choosing, among those that give the set of taken squares its smallest number, the one with the smallest key.
//! With four attributes no piece equals the hand, so a taken square has a bit in some lane and the taken squares need
//! not be stored. With fewer, they take the place of a lane that is not used.

use std::sync::OnceLock;

use rules::quarto::Squares;

use super::packed::{Board, Class, in_every_lane};

/// Finds keys for one class.
pub(super) struct Keys {
    class: Class,
    /// For each set of taken squares, the board symmetries that give it its smallest number, a bit for each.
    smallest: &'static [u32; 1 << 16],
}

impl Keys {
    pub(super) fn new(class: Class) -> Keys {
        Keys { class, smallest: smallest(class.squares) }
    }

    /// The key that is the same for all symmetries.
    #[inline]
    pub(super) fn canonical<const WORDS: usize>(&self, board: &Board<WORDS>, hand: u8) -> u64 {
        let lanes = self.lanes(board, hand);
        let mut symmetries = self.smallest[board.taken as usize];
        let mut key = u64::MAX;
        while symmetries != 0 {
            let symmetry = symmetries.trailing_zeros();
            symmetries &= symmetries - 1;
            key = key.min(sorted(turned(lanes, symmetry, self.class.squares), self.class.attributes));
        }
        key
    }

    /// The lanes that matter: those of the attributes in use, highest first, then if there is room the taken squares.
    #[inline]
    fn lanes<const WORDS: usize>(&self, board: &Board<WORDS>, hand: u8) -> u64 {
        let planes = board.relative_to(hand);
        match self.class.attributes {
            4 => planes,
            used => planes & !(u64::MAX >> (16 * used)) | u64::from(board.taken),
        }
    }
}

/// Sorts the lanes of the attributes in use, which are the highest.
#[inline]
fn sorted(lanes: u64, used: u8) -> u64 {
    let (a, b, c, d) = (lanes >> 48, lanes >> 32 & 0xffff, lanes >> 16 & 0xffff, lanes & 0xffff);
    let order = |x: u64, y: u64| (x.min(y), x.max(y));
    match used {
        4 => {
            let ((a, b), (c, d)) = (order(a, b), order(c, d));
            let ((a, c), (b, d)) = (order(a, c), order(b, d));
            let (b, c) = order(b, c);
            a << 48 | b << 32 | c << 16 | d
        }
        3 => {
            let (a, b) = order(a, b);
            let (b, c) = order(b, c);
            let (a, b) = order(a, b);
            a << 48 | b << 32 | c << 16 | d
        }
        2 => {
            let (a, b) = order(a, b);
            a << 48 | b << 32 | c << 16 | d
        }
        _ => lanes,
    }
}

/// Exchanges the bits under `mask` with those `distance` higher, in all lanes at once.
#[inline]
fn exchange(lanes: u64, distance: u32, mask: u16) -> u64 {
    let differ = (lanes ^ lanes >> distance) & in_every_lane(mask);
    lanes ^ differ ^ differ << distance
}

/// The squares of every lane under one of the board's symmetries, numbered by their bits.
#[inline]
fn turned(mut lanes: u64, symmetry: u32, squares: Squares) -> u64 {
    match squares {
        Squares::No => {
            if symmetry & 1 != 0 {
                // Exchange 0 with 1 and 2 with 3, columns and rows alike.
                lanes = exchange(exchange(lanes, 1, 0x5555), 4, 0x0f0f);
            }
            if symmetry & 2 != 0 {
                lanes = exchange(exchange(lanes, 3, 0x1111), 12, 0x000f);
            }
            if symmetry & 4 != 0 {
                lanes = exchange(exchange(lanes, 1, 0x2222), 4, 0x00f0);
            }
        }
        Squares::Yes => {
            if symmetry & 1 != 0 {
                lanes = exchange(exchange(lanes, 3, 0x1111), 1, 0x2222);
            }
        }
    }
    let (mirror, transpose) = match squares {
        Squares::No => (8, 16),
        Squares::Yes => (2, 4),
    };
    if symmetry & mirror != 0 {
        lanes = exchange(exchange(lanes, 12, 0x000f), 4, 0x00f0);
    }
    if symmetry & transpose != 0 {
        lanes = exchange(exchange(lanes, 3, 0x0a0a), 6, 0x00cc);
    }
    lanes
}

/// Computed once for all solvers: it takes longer than a weak bot's whole move.
fn smallest(squares: Squares) -> &'static [u32; 1 << 16] {
    static TABLES: [OnceLock<Box<[u32; 1 << 16]>>; 2] = [const { OnceLock::new() }; 2];
    let (table, count) = match squares {
        Squares::No => (&TABLES[0], 32),
        Squares::Yes => (&TABLES[1], 8),
    };
    table.get_or_init(|| smallest_of(squares, count))
}

fn smallest_of(squares: Squares, count: u32) -> Box<[u32; 1 << 16]> {
    let mut table: Box<[u32; 1 << 16]> = vec![0; 1 << 16].into_boxed_slice().try_into().expect("sized just above");
    // Four neighbouring sets of squares at a time, one in each lane.
    for first in (0..1 << 16).step_by(4) {
        let lanes = first | (first + 1) << 16 | (first + 2) << 32 | (first + 3) << 48;
        let mut least = [u64::MAX; 4];
        for symmetry in 0..count {
            let moved = turned(lanes, symmetry, squares);
            for (lane, least) in least.iter_mut().enumerate() {
                let number = moved >> (16 * lane) & 0xffff;
                let entry = &mut table[first as usize + lane];
                if number < *least {
                    *least = number;
                    *entry = 0;
                }
                if number == *least {
                    *entry |= 1 << symmetry;
                }
            }
        }
    }
    table
}
