//! The board as bits, and which square shows which animal.
//!
//! A square is bit 8·row + column. The eighth column is never used, so that a shifted board cannot wrap from the end
//! of one rank to the beginning of the next.

use super::{Card, HEIGHT, WIDTH};
use crate::Square;

const STRIDE: u8 = 8;

/// The four corners, which count as everyone's chip (SQ9).
pub(super) const CORNERS: u64 =
    bit(Square::new(0, 0)) | bit(Square::new(6, 0)) | bit(Square::new(0, 5)) | bit(Square::new(6, 5));

/// The 38 squares that show an animal.
pub(super) const PICTURES: u64 = 0x7f7f_7f7f_7f7f & !CORNERS;

/// The 69 rows of four neighbouring squares in a row, a column or a diagonal (SQ10), as bits 8·row + column.
pub const LINES: [u64; 69] = {
    let mut lines = [0; 69];
    let steps = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let (mut count, mut direction) = (0, 0);
    while direction < 4 {
        let (right, up): (i32, i32) = steps[direction];
        let mut index = 0;
        while index < 42 {
            let (column, row) = (index % 7, index / 7);
            let (last_column, last_row) = (column + 3 * right, row + 3 * up);
            if last_column >= 0 && last_column < 7 && last_row < 6 {
                let mut n = 0;
                while n < 4 {
                    lines[count] |= 1 << (8 * (row + n * up) + column + n * right);
                    n += 1;
                }
                count += 1;
            }
            index += 1;
        }
        direction += 1;
    }
    assert!(count == 69);
    lines
};

/// Whether a square lies on the board.
#[inline]
pub(super) const fn on_board(square: Square) -> bool {
    square.column < WIDTH && square.row < HEIGHT
}

/// The number of a square's bit.
#[inline]
pub(super) const fn index(square: Square) -> u8 {
    STRIDE * square.row + square.column
}

/// A square's bit.
#[inline]
pub(super) const fn bit(square: Square) -> u64 {
    1 << (index(square) & 63)
}

/// The square of a bit's number.
#[inline]
pub(super) const fn square(index: u32) -> Square {
    Square::new(index as u8 % STRIDE, index as u8 / STRIDE)
}

/// The squares of some bits, from `a1` to the right, rank by rank upwards.
pub fn squares(bits: u64) -> impl Iterator<Item = Square> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| square(left.trailing_zeros()))?;
        left &= left - 1;
        Some(next)
    })
}

/// Whether four chips stand in a line; the corners must already be among them.
#[inline]
pub(super) const fn has_line(chips: u64) -> bool {
    const fn four(chips: u64, step: u32) -> u64 {
        let pairs = chips & chips >> step;
        pairs & pairs >> (2 * step)
    }
    four(chips, 1) | four(chips, 8) | four(chips, 9) | four(chips, 7) != 0
}

/// The squares in the order in which a shuffled layout is laid (SQ14).
const LAYING_ORDER: [u8; 38] = {
    let mut order = [0; 38];
    let (mut count, mut index) = (0, 0);
    while index < 48 {
        if PICTURES >> index & 1 != 0 {
            order[count] = index as u8;
            count += 1;
        }
        index += 1;
    }
    order
};

/// Stands for the home of a card that has none (yet); its bit is not on the board.
const NOWHERE: u8 = 63;

/// Which square shows which animal, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Layout {
    pictures: [Option<Card>; 48],
    homes: [[u8; 2]; Card::COUNT],
    laid: u8,
}

impl Layout {
    /// No picture laid yet.
    pub(super) const EMPTY: Layout = Layout { pictures: [None; 48], homes: [[NOWHERE; 2]; Card::COUNT], laid: 0 };

    /// The standard layout (SQ2).
    pub(super) const STANDARD: Layout = {
        use Card::*;
        let order = [
            Fox, Giraffe, Cow, Kangaroo, Whale, // rank 1
            Cat, Camel, Penguin, Bear, Elephant, Frog, Crocodile, // rank 2
            Turtle, Gorilla, Hippo, Lion, Owl, Dog, Tiger, // rank 3
            Crocodile, Frog, Owl, Penguin, Hippo, Gorilla, Cat, // rank 4
            Tiger, Dog, Lion, Bear, Elephant, Camel, Turtle, // rank 5
            Cow, Kangaroo, Whale, Fox, Giraffe, // rank 6
        ];
        let mut layout = Layout::EMPTY;
        let mut n = 0;
        while n < order.len() {
            layout.lay(order[n]);
            n += 1;
        }
        layout
    };

    /// Whether every square has its picture.
    #[inline]
    pub(super) const fn is_complete(&self) -> bool {
        self.laid == 38
    }

    /// Whether an animal may come to the next square: each half holds it once.
    pub(super) fn may_lay(&self, card: Card) -> bool {
        !self.is_complete() && card.is_animal() && self.homes[card.index()][self.half()] == NOWHERE
    }

    /// Puts an animal on the next square.
    pub(super) const fn lay(&mut self, card: Card) {
        if self.is_complete() {
            return;
        }
        let index = LAYING_ORDER[self.laid as usize];
        self.pictures[index as usize] = Some(card);
        self.homes[card.index()][self.half()] = index;
        self.laid += 1;
    }

    const fn half(&self) -> usize {
        (self.laid >= 19) as usize
    }

    /// The animal a square shows; `None` for corners, for squares not laid yet and off the board.
    #[inline]
    pub(super) fn picture(&self, square: Square) -> Option<Card> {
        if !on_board(square) {
            return None;
        }
        self.pictures[index(square) as usize]
    }

    /// The squares that show a card.
    #[inline]
    pub(super) const fn homes(&self, card: Card) -> u64 {
        let [one, other] = self.homes[card.index()];
        (1 << one | 1 << other) & PICTURES
    }

    /// The complete layout with every picture moved; `moved` must map the squares of each half onto a half.
    pub(super) fn transform(&self, moved: impl Fn(Square) -> Square) -> Layout {
        let mut pictures = [None; 48];
        for square in squares(PICTURES) {
            pictures[index(moved(square)) as usize] = self.picture(square);
        }
        let mut layout = Layout::EMPTY;
        squares(PICTURES).filter_map(|square| pictures[index(square) as usize]).for_each(|card| layout.lay(card));
        layout
    }
}
