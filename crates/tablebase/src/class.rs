//! How positions are sorted: by the number of cubes of each side, and by who is to move.
//!
//! A pair of classes holds the positions in which one side has `few` cubes and the other `many`, no fewer. The set of the
//! side with few is the *key*: only its canonical form is kept, and a row of the table belongs to it. The place within
//! the row is the rank of the other side's cubes among the squares the key leaves free. So a push leads from all
//! positions of one row to positions of one other row, which is what makes solving fast.

use search::Value;

use crate::ranks::binomial;

/// The positions with so many cubes of each side, with either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    /// Cubes of the side whose set is the key.
    pub few: u32,
    /// Cubes of the other side, at least as many.
    pub many: u32,
}

/// Which side of a pair is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// The side whose set is the key.
    Few,
    /// The other.
    Many,
}

impl Mover {
    /// Both.
    pub(crate) const BOTH: [Mover; 2] = [Mover::Few, Mover::Many];

    /// The side that moves next.
    pub(crate) fn next(self) -> Mover {
        match self {
            Mover::Few => Mover::Many,
            Mover::Many => Mover::Few,
        }
    }
}

impl Pair {
    /// The pairs with `total` cubes on a board of so many squares.
    pub(crate) fn of_layer(total: u32) -> impl Iterator<Item = Pair> {
        (0..=total / 2).map(move |few| Pair { few, many: total - few })
    }

    /// Whether both sides have as many cubes, so that either's set may be the key.
    ///
    /// Kept is the table in which the side to move is not the one with the key.
    pub(crate) fn is_even(self) -> bool {
        self.few == self.many
    }

    /// Who may be to move in the tables of this pair that are kept.
    pub fn movers(self) -> &'static [Mover] {
        if self.is_even() { &[Mover::Many] } else { &Mover::BOTH }
    }

    /// Where taking a blank leads; `None` where the key of that table would not be the image of this one.
    pub(crate) fn after_blank(self, mover: Mover) -> Option<(Pair, Mover)> {
        match mover {
            Mover::Few if self.is_even() => None,
            Mover::Few => Some((Pair { few: self.few + 1, ..self }, Mover::Many)),
            Mover::Many => Some((Pair { many: self.many + 1, ..self }, Mover::Few)),
        }
    }

    /// Positions in a row, on a board of so many squares.
    pub(crate) fn row_states(self, cells: u32) -> usize {
        binomial(cells - self.few, self.many) as usize
    }

    /// Words of 32 positions in a row.
    pub(crate) fn row_words(self, cells: u32) -> usize {
        self.row_states(cells).div_ceil(32)
    }

    /// Positions in one of the pair's tables, all symmetric forms counted.
    pub(crate) fn positions(self, cells: u32) -> u64 {
        binomial(cells, self.few) * binomial(cells - self.few, self.many)
    }
}

/// What is known of a pair's positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// By row, a word for each 32 positions: won in the low half, lost in the high half.
    pub(crate) words: Vec<u64>,
    /// By row, a byte for each position (and those that fill the last word), if depths are wanted: the plies to the end,
    /// 0 for a draw.
    pub(crate) depths: Vec<u8>,
}

/// No game takes longer with best play, or a byte would not do.
pub(crate) const MOST_PLIES: u32 = 255;

impl Table {
    /// The value of the position in a place: the row's first word, and the rank within the row.
    pub fn value(&self, first_word: usize, rank: u32) -> Value {
        let plies = self.depths.get(first_word * 32 + rank as usize).map(|&plies| u32::from(plies));
        let word = self.words[first_word + rank as usize / 32] >> (rank % 32);
        match (word & 1, word >> 32 & 1) {
            (1, _) => Value::Win(plies),
            (_, 1) => Value::Loss(plies),
            _ => Value::Draw,
        }
    }
}
