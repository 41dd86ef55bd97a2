//! Sets of cells, one word per row.

use super::MAX_SIZE;
use crate::Square;

/// A set of cells: bit `column` of word `row`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Cells([u32; MAX_SIZE as usize]);

impl Cells {
    #[inline]
    pub(super) fn row(&self, row: u8) -> u32 {
        self.0[row as usize]
    }

    #[inline]
    pub(super) fn rows(&self) -> &[u32; MAX_SIZE as usize] {
        &self.0
    }

    #[inline]
    pub(super) fn contains(&self, square: Square) -> bool {
        self.0[square.row as usize] >> square.column & 1 != 0
    }

    #[inline]
    pub(super) fn insert(&mut self, square: Square) {
        self.0[square.row as usize] |= 1 << square.column;
    }

    #[inline]
    pub(super) fn remove(&mut self, square: Square) {
        self.0[square.row as usize] &= !(1 << square.column);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    pub(super) fn count(&self) -> u8 {
        self.0.iter().map(|row| row.count_ones() as u8).sum()
    }

    /// Calls `found` for the cells from `a1` to the right, rank by rank upwards.
    #[inline]
    pub(super) fn each(&self, size: u8, mut found: impl FnMut(Square)) {
        let reciprocal = (1 << 16) / u32::from(size) + 1;
        let mut first = 0;
        // As many rows as fit into one word, because the processor foresees few long loops better than many short ones.
        for rows in self.0[..size as usize].chunks(64 / size as usize) {
            let mut left = rows.iter().rev().fold(0, |word, &row| word << size | u64::from(row));
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let row = (bit * reciprocal) >> 16;
                found(Square::new((bit - row * u32::from(size)) as u8, first + row as u8));
            }
            first += rows.len() as u8;
        }
    }
}

/// The set bits of one row, from the left.
#[inline]
pub(super) fn columns(word: u32) -> impl Iterator<Item = u8> {
    let mut left = word;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let column = left.trailing_zeros() as u8;
        left &= left - 1;
        Some(column)
    })
}
