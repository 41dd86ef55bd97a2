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

    pub(super) fn count(&self) -> u8 {
        self.0.iter().map(|row| row.count_ones() as u8).sum()
    }

    /// The cells from `a1` to the right, rank by rank upwards.
    #[inline]
    pub(super) fn squares(&self, size: u8) -> impl Iterator<Item = Square> {
        let rows = &self.0[..size as usize];
        rows.iter().zip(0u8..).flat_map(|(&word, row)| columns(word).map(move |column| Square::new(column, row)))
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
