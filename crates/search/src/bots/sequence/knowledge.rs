//! What one seat knows, laid out for quick judgement of its actions.

use rules::sequence::{Action, Card, Sequence, SequenceView};
use rules::{Position, Seat};

use super::board::{CORNERS, Pictures, all_chips, bits, completions, lines_at, square};
use super::weights::Weights;

/// The score of an action that wins at once; nothing else comes near.
pub(super) const WINS: f32 = 1000.0;

/// A seat's own knowledge: the board, its hand, and how often it has not seen each card.
pub(super) struct Knowledge<'a> {
    pictures: &'a Pictures,
    weights: &'a Weights,
    me: usize,
    seats: usize,
    chips: [u64; 4],
    open: u64,
    hand: [Card; 3],
    held: usize,
    unseen: [u8; Card::COUNT],
    hidden: f32,
    /// The squares that complete a line, for each seat.
    threats: [u64; 4],
    /// All squares, or none for a seat whose threats are overlooked.
    noticed: [u64; 4],
    may_place: bool,
    may_swap: bool,
}

impl<'a> Knowledge<'a> {
    /// What the viewer of a view knows when it is to act.
    pub(super) fn of_view(view: &SequenceView, pictures: &'a Pictures, weights: &'a Weights) -> Knowledge<'a> {
        let me = view.seat();
        let chips = [Seat::ONE, Seat::TWO, Seat::THREE, Seat::FOUR].map(|seat| view.chips(seat));
        let unseen = Card::ALL.map(|card| view.unseen(card));
        let may = (view.chips_left(me) > 0, view.swaps() < rules::sequence::MOST_SWAPS);
        let hand = view.hand(me).unwrap_or_default();
        Knowledge::new(pictures, weights, (me, view.seats()), chips, view.open_squares(), hand, unseen, may)
    }

    /// What another seat knows in a view of the game if it holds these cards; `None` if it cannot hold them.
    pub(super) fn of_hand(
        view: &SequenceView,
        seat: Seat,
        hand: &[Card],
        pictures: &'a Pictures,
        weights: &'a Weights,
    ) -> Option<Knowledge<'a>> {
        let mut unseen = Card::ALL.map(|card| view.unseen(card));
        for card in hand {
            unseen[card.index()] = unseen[card.index()].checked_sub(1)?;
        }
        for other in Seat::all(view.seats()).filter(|&other| other != seat) {
            view.hand(other).unwrap_or_default().iter().for_each(|card| unseen[card.index()] += 1);
        }
        let chips = [Seat::ONE, Seat::TWO, Seat::THREE, Seat::FOUR].map(|seat| view.chips(seat));
        let may = (view.chips_left(seat) > 0, view.swaps() < rules::sequence::MOST_SWAPS);
        Some(Knowledge::new(pictures, weights, (seat, view.seats()), chips, view.open_squares(), hand, unseen, may))
    }

    /// What the seat to act knows of a full position.
    #[inline]
    pub(super) fn of_position(position: &Sequence, pictures: &'a Pictures, weights: &'a Weights) -> Knowledge<'a> {
        let me = position.seat();
        let mut unseen = Card::ALL.map(|card| position.stock(card));
        for seat in Seat::all(position.seats()).filter(|&seat| seat != me) {
            position.hand(seat).iter().for_each(|card| unseen[card.index()] += 1);
        }
        let (chips, open) = (all_chips(position), position.open_squares());
        let may = (position.chips_left(me) > 0, position.swaps() < rules::sequence::MOST_SWAPS);
        Knowledge::new(pictures, weights, (me, position.seats()), chips, open, position.hand(me), unseen, may)
    }

    #[inline]
    #[allow(clippy::too_many_arguments)] // the one place where all that is known comes together
    fn new(
        pictures: &'a Pictures,
        weights: &'a Weights,
        (me, seats): (Seat, u8),
        chips: [u64; 4],
        open: u64,
        cards: &[Card],
        unseen: [u8; Card::COUNT],
        (may_place, may_swap): (bool, bool),
    ) -> Knowledge<'a> {
        let mut hand = [Card::Bear; 3];
        hand[..cards.len()].copy_from_slice(cards);
        let hidden = unseen.iter().map(|&copies| f32::from(copies)).sum::<f32>().max(1.0);
        let threats = chips.map(|chips| completions(chips) & open);
        Knowledge {
            pictures,
            weights,
            me: me.index(),
            seats: seats.into(),
            chips,
            open,
            hand,
            held: cards.len(),
            unseen,
            hidden,
            threats,
            noticed: [!0; 4],
            may_place,
            may_swap,
        }
    }

    fn hand(&self) -> &[Card] {
        &self.hand[..self.held]
    }

    /// Shows every legal action with its score to `look`.
    #[inline]
    pub(super) fn judge(&self, mut look: impl FnMut(Action, f32)) {
        let mut any = false;
        for (n, &card) in self.hand().iter().enumerate() {
            if n > 0 && self.hand[n - 1] == card {
                continue;
            }
            let targets = self.targets(card);
            for at in bits(targets) {
                let score = if card == Card::Dragon { self.removal(at) } else { self.placement(card, at) };
                look(Action::Play { card, square: square(at) }, score);
            }
            let dead = card.is_animal() && self.pictures.homes(card) & self.open == 0;
            if dead && self.may_swap {
                look(Action::Swap(card), self.weights.swap);
            }
            any |= targets != 0 || (dead && self.may_swap);
        }
        if !any {
            look(Action::Pass, 0.0);
        }
    }

    /// The best action.
    #[inline]
    pub(super) fn best(&self) -> Action {
        let (mut best, mut top) = (Action::Pass, f32::NEG_INFINITY);
        self.judge(|action, score| {
            if score > top {
                (best, top) = (action, score);
            }
        });
        best
    }

    /// The same seat when it does not notice lines of three that wait to be completed: its own, or the others'.
    pub(super) fn overlooking(mut self, own: bool, others: bool) -> Knowledge<'a> {
        for seat in 0..self.seats {
            let overlooked = if seat == self.me { own } else { others };
            if overlooked {
                self.noticed[seat] = 0;
                self.threats[seat] = 0;
            }
        }
        self
    }

    /// The squares where a seat with these chips would complete a line, if that is noticed.
    #[inline]
    fn completions(&self, seat: usize, chips: u64) -> u64 {
        completions(chips) & self.noticed[seat]
    }

    fn targets(&self, card: Card) -> u64 {
        match card {
            Card::Dragon => {
                (0..self.seats).filter(|&seat| seat != self.me).map(|seat| self.chips[seat]).fold(0, |a, b| a | b)
            }
            _ if !self.may_place => 0,
            Card::Unicorn => self.open,
            _ => self.pictures.homes(card) & self.open,
        }
    }

    fn placement(&self, card: Card, at: u32) -> f32 {
        let bit = 1 << at;
        if self.threats[self.me] & bit != 0 {
            return WINS;
        }
        let open = self.open & !bit;
        let mine = self.completions(self.me, self.chips[self.me] | bit) & open;
        let survive: f32 = self.opponents().map(|seat| 1.0 - self.completes(self.threats[seat] & open)).product();
        let prospect = self.prospect(mine, card);
        let cost = if card == Card::Unicorn { self.weights.unicorn } else { 0.0 };
        self.value(survive, prospect) + self.weights.shape * self.shape(card, at) - cost
    }

    fn removal(&self, at: u32) -> f32 {
        let bit = 1 << at;
        let open = self.open | bit;
        let survive: f32 = self
            .opponents()
            .map(|seat| {
                // Only the owner loses lines; the others may gain the square.
                let threats = self.completions(seat, self.chips[seat] & !bit) & open;
                1.0 - self.completes(threats)
            })
            .product();
        let mine = self.completions(self.me, self.chips[self.me]) & open;
        let prospect = self.prospect(mine, Card::Dragon);
        self.value(survive, prospect) + self.weights.shape * self.broken(at) - self.weights.dragon
    }

    fn opponents(&self) -> impl Iterator<Item = usize> {
        let me = self.me;
        (0..self.seats).filter(move |&seat| seat != me)
    }

    fn value(&self, survive: f32, prospect: f32) -> f32 {
        survive * (1.0 + self.weights.prospect * prospect)
    }

    /// The chance that a hidden hand holds one of so many copies.
    fn holds(&self, copies: f32) -> f32 {
        let without = (1.0 - copies / self.hidden).max(0.0);
        1.0 - without * without * without
    }

    /// The copies, not seen by this seat, that can be played on one of these squares.
    fn copies_for(&self, squares: u64) -> f32 {
        if squares == 0 {
            return 0.0;
        }
        let mut counted = 0u32;
        let animals: f32 = bits(squares)
            .map(|at| {
                let card = self.pictures.card(at);
                let fresh = counted & 1 << card.index() == 0;
                counted |= 1 << card.index();
                if fresh { f32::from(self.unseen[card.index()]) } else { 0.0 }
            })
            .sum();
        animals + f32::from(self.unseen[Card::Unicorn.index()])
    }

    /// The chance that an opponent with these threats completes one in its next turn.
    fn completes(&self, threats: u64) -> f32 {
        self.holds(self.copies_for(threats))
    }

    /// What own threats promise: the chance to complete one next turn, and less for later.
    fn prospect(&self, threats: u64, played: Card) -> f32 {
        if threats == 0 {
            return 0.0;
        }
        let mut rest = self.hand;
        if let Some(at) = self.hand().iter().position(|&card| card == played) {
            rest[at] = rest[self.held - 1];
        }
        let rest = &rest[..self.held - 1];
        let unicorn = rest.contains(&Card::Unicorn);
        let stoppers = f32::from(self.unseen[Card::Unicorn.index()] + self.unseen[Card::Dragon.index()]);
        let mut stopped = 1.0;
        let mut ready = false;
        for at in bits(threats) {
            let card = self.pictures.card(at);
            if unicorn || rest.contains(&card) {
                let stop = self.holds(stoppers + f32::from(self.unseen[card.index()]));
                stopped *= 1.0 - (1.0 - stop).powi(self.seats as i32 - 1);
                ready = true;
            }
        }
        let later = self.weights.later * (self.copies_for(threats) / self.hidden).min(0.5);
        if ready { 1.0 - stopped + stopped * later } else { later }
    }

    /// What a chip gains on a square besides threats: own lines grow, others' lines end.
    fn shape(&self, card: Card, at: u32) -> f32 {
        let bit = 1 << at;
        let own = self.chips[self.me] | CORNERS;
        let others = self.opponents().fold(0, |chips, seat| chips | self.chips[seat]);
        let mut total = 0.0;
        for line in lines_at(at) {
            if line & others == 0 {
                let chips = (line & own).count_ones() as usize;
                total += self.weights.grow[chips.min(2)] * self.chances(line & self.open & !bit, card);
            } else if line & self.chips[self.me] == 0 {
                for seat in self.opponents() {
                    let theirs = line & self.chips[seat];
                    if theirs != 0 && line & others == theirs {
                        total += self.weights.stop[(line & (theirs | CORNERS)).count_ones() as usize & 3];
                    }
                }
            }
        }
        total
    }

    /// How likely the empty squares of a line can still be filled by this seat.
    fn chances(&self, empty: u64, played: Card) -> f32 {
        bits(empty)
            .map(|at| {
                let card = self.pictures.card(at);
                let copies = self.hand().iter().filter(|&&other| other == card).count();
                let held = copies > usize::from(card == played);
                if held {
                    self.weights.in_hand
                } else if self.unseen[card.index()] == 0 {
                    self.weights.gone
                } else {
                    1.0
                }
            })
            .product()
    }

    /// What the removal of a chip breaks: its owner's lines.
    fn broken(&self, at: u32) -> f32 {
        let bit = 1u64 << at;
        let Some(owner) = self.opponents().find(|&seat| self.chips[seat] & bit != 0) else { return 0.0 };
        let others = (0..self.seats).filter(|&seat| seat != owner).fold(0, |chips, seat| chips | self.chips[seat]);
        lines_at(at)
            .filter(|line| line & others == 0)
            .map(|line| self.weights.stop[(line & (self.chips[owner] | CORNERS)).count_ones() as usize & 3])
            .sum()
    }
}
