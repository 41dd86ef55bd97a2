//! Full positions that agree with what a seat sees.

use super::{Action, Card, Sequence, SequenceView, cards::Hand};
use crate::{HiddenInformation, Position, Seat, Turn};

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
        let freedom = |seat: Seat| {
            let fits = |card: &&Card| position.targets(seat, **card) == 0;
            if position.has_passed(seat) { Card::ALL.iter().filter(fits).count() } else { usize::MAX }
        };
        // For four seats at most: in a browser `sort` would be several kilobytes.
        for end in 1..order.len() {
            let mut at = end;
            while at > 0 && freedom(order[at]) < freedom(order[at - 1]) {
                order.swap(at, at - 1);
                at -= 1;
            }
        }
        for &mut seat in order.iter_mut().filter(|seat| view.is_hidden(**seat)) {
            let passed = position.has_passed(seat);
            let size = position.hands[seat.index()].len();
            position.hands[seat.index()] = Hand::EMPTY;
            for _ in 0..size {
                // A seat that is away was passed over, whatever it holds, but a text does not tell who is.
                let fitting = position.draw_guess(seat, passed, random);
                let Some(card) = fitting.or_else(|| position.draw_guess(seat, false, random)) else { break };
                position.stock.take(card);
                position.hands[seat.index()].insert(card);
            }
        }
        position
    }
}

/// The first guess there is, with the cards moved between unseen places so that `next` can be played if anything
/// that agrees with the view allows it.
pub(super) fn disguise(view: &SequenceView, next: Option<Action>) -> Sequence {
    let mut position = Sequence::guess(view, &mut |_| 0);
    let actor = position.seat();
    let unseen_actor = position.turn() == Turn::Seat(actor) && view.is_hidden(actor);
    match next {
        Some(Action::Draw(card)) if position.stock(card) == 0 => {
            let holder = hidden(view).find(|&seat| position.hand(seat).contains(&card));
            let other = Card::ALL.into_iter().find(|&other| position.stock(other) > 0);
            if let (Some(holder), Some(other)) = (holder, other) {
                position.exchange(holder, card, other, view);
            }
        }
        Some(Action::Play { card, .. } | Action::Swap(card)) if unseen_actor => {
            if let Some(&given) = position.hand(actor).first().filter(|_| !position.hand(actor).contains(&card)) {
                position.exchange(actor, given, card, view);
            }
        }
        Some(Action::Pass) if unseen_actor => {
            for card in position.hand(actor).to_vec().into_iter().filter(|&card| view.seen().is_usable(actor, card)) {
                let useless = Card::ALL.into_iter().filter(|&other| !view.seen().is_usable(actor, other));
                // `any` stops at the first card that could be had.
                let _ = useless.into_iter().any(|other| position.exchange(actor, card, other, view));
            }
        }
        _ => {}
    }
    position
}

fn hidden(view: &SequenceView) -> impl Iterator<Item = Seat> + '_ {
    Seat::all(view.seats()).filter(|&seat| view.is_hidden(seat))
}

impl Sequence {
    /// Whether the seat to act could do anything with a card.
    fn is_usable(&self, seat: Seat, card: Card) -> bool {
        self.targets(seat, card) != 0 || self.may_swap(card)
    }

    /// Gives a hidden hand another card for one of its own, out of the pile or of another hidden hand.
    fn exchange(&mut self, seat: Seat, given: Card, taken: Card, view: &SequenceView) -> bool {
        if self.stock.take(taken) {
            self.stock.add(given);
        } else {
            let other = hidden(view).find(|&other| other != seat && self.hand(other).contains(&taken));
            let Some(other) = other else { return false };
            self.hands[other.index()].remove(taken);
            self.hands[other.index()].insert(given);
        }
        self.hands[seat.index()].remove(given);
        self.hands[seat.index()].insert(taken);
        true
    }

    /// Whether the present row of passes includes the latest turn of a seat, with the hand it has now.
    pub(super) fn has_passed(&self, seat: Seat) -> bool {
        let seats = usize::from(self.seats());
        let turns_ago = (self.seat.index() + seats - seat.index() + seats - 1) % seats + 1;
        let exchanged = seat == self.seat && self.swaps > 0;
        // A seat that is away did not pass: it was passed over, whatever it holds.
        turns_ago <= usize::from(self.passes) && !exchanged && !self.away.has(seat)
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
