//! Full positions that agree with what a seat sees.

use super::{Card, Sequence, SequenceView, cards::Hand};
use crate::{HiddenInformation, Position, Seat};

impl HiddenInformation for Sequence {
    /// Deals the unseen cards to the hidden hands, every way that agrees with the view being equally likely.
    ///
    /// A seat that passed in the present row of passes had nothing to play (SQ12), so it gets nothing it could have
    /// played.
    fn guess(view: &SequenceView, random: &mut dyn FnMut(u32) -> u32) -> Sequence {
        let mut position = *view.seen();
        // What one seat that passed could not play contains what another could not, or the other way round. The most
        // bound hand first makes every consistent deal equally likely.
        let mut order = [Seat::ONE, Seat::TWO, Seat::THREE, Seat::FOUR];
        let order = &mut order[..usize::from(view.seats())];
        order.sort_unstable_by_key(|&seat| {
            let fits = |card: &&Card| position.targets(seat, **card) == 0;
            if position.has_passed(seat) { Card::ALL.iter().filter(fits).count() } else { usize::MAX }
        });
        for &mut seat in order.iter_mut().filter(|seat| view.is_hidden(**seat)) {
            let passed = position.has_passed(seat);
            let size = position.hands[seat.index()].len();
            position.hands[seat.index()] = Hand::EMPTY;
            for _ in 0..size {
                let Some(card) = position.draw_guess(seat, passed, random) else { break };
                position.stock.take(card);
                position.hands[seat.index()].insert(card);
            }
        }
        position
    }
}

impl Sequence {
    /// Whether the present row of passes includes the latest turn of a seat, with the hand it has now.
    pub(super) fn has_passed(&self, seat: Seat) -> bool {
        let seats = usize::from(self.seats());
        let turns_ago = (self.seat.index() + seats - seat.index() + seats - 1) % seats + 1;
        let exchanged = seat == self.seat && self.swaps > 0;
        // A seat that is away did not pass: it was passed over, whatever it holds.
        let away = self.away & 1 << seat.index() != 0;
        turns_ago <= usize::from(self.passes) && !exchanged && !away
    }

    fn draw_guess(&self, seat: Seat, passed: bool, random: &mut dyn FnMut(u32) -> u32) -> Option<Card> {
        let copies = |card: Card| {
            let fits = !passed || self.targets(seat, card) == 0;
            if fits { u32::from(self.stock(card)) } else { 0 }
        };
        let total: u32 = Card::ALL.into_iter().map(copies).sum();
        if total == 0 {
            return None;
        }
        let mut left = random(total);
        Card::ALL.into_iter().find(|&card| {
            let here = copies(card);
            let found = left < here;
            left = left.wrapping_sub(here);
            found
        })
    }
}
