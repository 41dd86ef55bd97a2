//! Hands, piles and the stock, in fixed space.

use super::Card;
use crate::Seat;

/// A hand holds this many cards between turns (SQ3).
pub const HAND: usize = 3;

/// The cards of one seat in alphabetical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Hand {
    /// What lies beyond `count` is always [`FILLER`], so that equal hands are equal values.
    cards: [Card; HAND],
    count: u8,
}

const FILLER: Card = Card::Bear;

impl Hand {
    pub(super) const EMPTY: Hand = Hand { cards: [FILLER; HAND], count: 0 };

    /// A hand of hidden cards.
    pub(super) const fn unknown(count: u8) -> Hand {
        Hand { cards: [FILLER; HAND], count }
    }

    #[inline]
    pub(super) fn cards(&self) -> &[Card] {
        &self.cards[..self.count as usize]
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Adds a card in its place; a full hand stays as it is.
    #[inline]
    pub(super) fn insert(&mut self, card: Card) {
        let mut at = self.len();
        if at == HAND {
            return;
        }
        while at > 0 && self.cards[at - 1] > card {
            self.cards[at] = self.cards[at - 1];
            at -= 1;
        }
        self.cards[at] = card;
        self.count += 1;
    }

    /// Takes one copy of a card out; a hand without it stays as it is.
    #[inline]
    pub(super) fn remove(&mut self, card: Card) {
        let Some(at) = self.cards().iter().position(|&other| other == card) else { return };
        let last = self.len() - 1;
        self.cards.copy_within(at + 1..=last, at);
        self.cards[last] = FILLER;
        self.count -= 1;
    }
}

/// The face-up discards of all seats: those of seat 1, then those of seat 2 and so on, each in the order played.
///
/// Forty-two places are enough for any distribution, since the deck has no more cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Discards {
    cards: [Card; 42],
    ends: [u8; 4],
}

impl Discards {
    pub(super) const EMPTY: Discards = Discards { cards: [FILLER; 42], ends: [0; 4] };

    #[inline]
    pub(super) fn of(&self, seat: Seat) -> &[Card] {
        let index = seat.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.cards[start as usize..self.ends[index] as usize]
    }

    #[inline]
    pub(super) fn all(&self) -> &[Card] {
        &self.cards[..self.ends[3] as usize]
    }

    /// Puts a card on top of a seat's pile.
    #[inline]
    pub(super) fn push(&mut self, seat: Seat, card: Card) {
        let (at, end) = (self.ends[seat.index()] as usize, self.ends[3] as usize);
        if end == self.cards.len() {
            return;
        }
        self.cards.copy_within(at..end, at + 1);
        self.cards[at] = card;
        for end in &mut self.ends[seat.index()..] {
            *end += 1;
        }
    }
}

/// Cards face down: how many of each there are, in no order, so that no future card can leak (SQ13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stock {
    copies: [u8; Card::COUNT],
    size: u8,
}

impl Stock {
    /// The whole deck (SQ1).
    pub(super) const DECK: Stock = Stock { copies: [Card::COPIES; Card::COUNT], size: 42 };

    #[inline]
    pub(super) fn copies(&self, card: Card) -> u8 {
        self.copies[card.index()]
    }

    #[inline]
    pub(super) fn size(&self) -> u8 {
        self.size
    }

    #[inline]
    pub(super) fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        Card::ALL.into_iter().filter(|&card| self.copies(card) > 0)
    }

    #[inline]
    pub(super) fn add(&mut self, card: Card) {
        self.copies[card.index()] += 1;
        self.size += 1;
    }

    /// Takes a copy out; `false` if there is none.
    #[inline]
    pub(super) fn take(&mut self, card: Card) -> bool {
        let copies = &mut self.copies[card.index()];
        if *copies == 0 {
            return false;
        }
        *copies -= 1;
        self.size -= 1;
        true
    }
}
