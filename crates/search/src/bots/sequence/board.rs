//! The board as the player sees it: lines by square, squares that complete a line, pictures by square.

use rules::sequence::{Card, LINES, Sequence, SequenceView, squares};
use rules::{Seat, Square};

/// The four corners, everyone's chips (SQ9), as bits 8·row + column.
pub(super) const CORNERS: u64 = 1 | 1 << 6 | 1 << 40 | 1 << 46;

/// The lines through each square; unused places are 0 and come last.
const LINES_AT: [[u64; 16]; 48] = {
    let mut at = [[0; 16]; 48];
    let mut square = 0;
    while square < 48 {
        let (mut line, mut count) = (0, 0);
        while line < LINES.len() {
            if LINES[line] >> square & 1 != 0 {
                at[square][count] = LINES[line];
                count += 1;
            }
            line += 1;
        }
        square += 1;
    }
    at
};

/// The lines through a square.
#[inline]
pub(super) fn lines_at(square: u32) -> impl Iterator<Item = u64> {
    LINES_AT[square as usize % 48].iter().copied().take_while(|&line| line != 0)
}

/// The squares where one more chip makes four in a line; `chips` are those of one seat, without corners.
#[inline]
pub(super) fn completions(chips: u64) -> u64 {
    let m = chips | CORNERS;
    let mut found = 0;
    for step in [1, 7, 8, 9] {
        let (a, b, c) = (m >> step, m >> (2 * step), m >> (3 * step));
        let (x, y, z) = (m << step, m << (2 * step), m << (3 * step));
        found |= (a & b & (c | x)) | (x & y & (z | a));
    }
    found
}

/// Which card each square shows and which squares each card has; the same all through a game.
#[derive(Clone)]
pub(super) struct Pictures {
    cards: [Card; 48],
    homes: [u64; Card::COUNT],
}

impl Pictures {
    pub(super) fn of(view: &SequenceView) -> Pictures {
        let mut pictures = Pictures { cards: [Card::Unicorn; 48], homes: [0; Card::COUNT] };
        for card in Card::animals() {
            pictures.homes[card.index()] = view.homes(card);
            for square in squares(view.homes(card)) {
                pictures.cards[number(square) as usize] = card;
            }
        }
        pictures
    }

    /// The card a square shows; the Unicorn where it shows none.
    #[inline]
    pub(super) fn card(&self, square: u32) -> Card {
        self.cards[square as usize % 48]
    }

    #[inline]
    pub(super) fn homes(&self, card: Card) -> u64 {
        self.homes[card.index()]
    }
}

/// The number of a square's bit.
pub(super) fn number(square: Square) -> u32 {
    u32::from(square.row) * 8 + u32::from(square.column)
}

/// The square of a bit's number.
#[inline]
pub(super) fn square(number: u32) -> Square {
    Square::new((number % 8) as u8, (number / 8) as u8)
}

/// The numbers of the bits that are set.
#[inline]
pub(super) fn bits(mut left: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some(next)
    })
}

/// The chips of every seat.
#[inline]
pub(super) fn all_chips(position: &Sequence) -> [u64; 4] {
    [Seat::ONE, Seat::TWO, Seat::THREE, Seat::FOUR].map(|seat| position.chips(seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_are_the_squares_that_make_a_line() {
        let mut random = crate::Random::new(5);
        for _ in 0..5_000 {
            let chips = (0..3 + random.below(12))
                .fold(0u64, |chips, _| chips | 1 << number(Square::new(random.below(7) as u8, random.below(6) as u8)))
                & !CORNERS;
            let lined = |chips: u64| LINES.iter().any(|line| line & !(chips | CORNERS) == 0);
            if lined(chips) {
                continue;
            }
            for row in 0..6 {
                for column in 0..7 {
                    let bit = 1 << number(Square::new(column, row));
                    if (chips | CORNERS) & bit == 0 {
                        assert_eq!(completions(chips) & bit != 0, lined(chips | bit));
                    }
                }
            }
        }
    }

    #[test]
    fn every_line_is_found_at_its_four_squares() {
        let total: usize = (0..48).map(|square| lines_at(square).count()).sum();
        assert_eq!(total, 4 * LINES.len());
    }
}
