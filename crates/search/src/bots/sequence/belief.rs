//! What the others' play gave away about their hands.
//!
//! A seat that did not block, did not complete its three or built here rather than there did not hold the cards for
//! it. For each hidden hand the chance of every hand of three is kept, in proportion to how well a careful player who
//! held it would explain what the seat was seen to do. Which card was drawn when is unknown; every order is equally
//! likely, so a hand is traced back from turn to turn over all three cards that may have come last.

use rules::sequence::{Action, Card, Sequence, SequenceView};
use rules::{HiddenInformation, Seat, Turn};

use super::board::{Pictures, square};
use super::knowledge::Knowledge;
use super::weights::Weights;
use crate::{Meter, Random, Situation};

/// Some players do not play like the careful one: the least chance of any action.
const WHIM: f32 = 0.02;

/// How much worse an action may look and still be taken now and then.
const TEMPER: f32 = 0.003;

/// Kinds of cards, and the number of ordered hands of three of them.
const KINDS: usize = Card::COUNT;
const HANDS: usize = KINDS * KINDS * KINDS;

/// What looking back over one turn of a seat costs.
pub(super) const NODES_PER_TURN: u64 = (KINDS * (KINDS + 1) / 2) as u64;

/// Tries to draw hands that fit together before any deal will do.
const TRIES: u32 = 20;

/// How likely each hidden hand is.
pub(super) struct Belief<'a> {
    view: &'a SequenceView,
    /// For each seat, its possible hands and the sum of the chances up to each.
    hands: [Vec<([Card; 3], f32)>; 4],
}

/// An action that a seat with a hidden hand was seen to take.
pub(super) struct Clue<'a> {
    before: &'a SequenceView,
    action: Action,
    card: Card,
}

impl<'a> Belief<'a> {
    /// What the viewer can conclude from its earlier views of the same game, looking back over so many turns.
    pub(super) fn of(
        situation: &Situation<'a, Sequence>,
        turns: usize,
        pictures: &Pictures,
        meter: &mut Meter<'_>,
    ) -> Belief<'a> {
        let view = situation.view;
        let mut belief = Belief { view, hands: Default::default() };
        // A seat that just passed is constrained further, and a seat that is to draw does not hold three cards.
        let usual = |seat: &Seat| view.hand(*seat).is_none() && view.hand_size(*seat) == 3 && view.passes() == 0;
        for seat in Seat::all(view.seats()).filter(usual) {
            let mut fit = vec![1.0; HANDS];
            for clue in clues(situation, seat, turns).iter().rev() {
                if meter.exhausted() {
                    return belief;
                }
                fit = explain(clue, seat, &fit, pictures, meter);
            }
            belief.hands[seat.index()] = weighed(view, &fit);
        }
        belief
    }

    /// A full position that agrees with the view, in proportion to how likely it is.
    pub(super) fn draw(&self, random: &mut Random) -> Sequence {
        for _ in 0..TRIES {
            let mut drawn = [[Card::Bear; 3]; 4];
            for (hand, hands) in drawn.iter_mut().zip(&self.hands) {
                let Some(&(_, sum)) = hands.last() else { continue };
                let at = random.unit() as f32 * sum;
                let found = hands.partition_point(|&(_, sum)| sum <= at);
                *hand = hands[found.min(hands.len() - 1)].0;
            }
            if let Some(world) = self.view.supposing(&[&drawn[0], &drawn[1], &drawn[2], &drawn[3]]) {
                return world;
            }
            if self.hands.iter().all(Vec::is_empty) {
                break;
            }
        }
        Sequence::guess(self.view, &mut |n| random.below(n))
    }
}

/// What a seat did, latest first, as far back as the views show it.
pub(super) fn clues<'a>(situation: &Situation<'a, Sequence>, seat: Seat, turns: usize) -> Vec<Clue<'a>> {
    let view = situation.view;
    let mut after = view;
    let mut clues = Vec::new();
    for before in situation.earlier.iter().rev() {
        let Turn::Seat(mover) = before.turn() else { continue };
        if before.viewer() != view.viewer() || before.options() != view.options() || clues.len() == turns {
            break;
        }
        if mover == seat {
            match clue(before, after, seat) {
                Some(clue) => clues.push(clue),
                None => break,
            }
        }
        after = before;
    }
    clues
}

/// What a seat did from one view to the next; `None` where the pile was renewed in between, or nothing was played.
fn clue<'a>(before: &'a SequenceView, after: &SequenceView, seat: Seat) -> Option<Clue<'a>> {
    let (old, new) = (before.discards(seat), after.discards(seat));
    if new.len() != old.len() + 1 {
        return None;
    }
    let card = *new.last()?;
    let all = |view: &SequenceView| Seat::all(4).fold(0, |chips, seat| chips | view.chips(seat));
    let action = match all(before) ^ all(after) {
        0 => Action::Swap(card),
        changed => Action::Play { card, square: square(changed.trailing_zeros()) },
    };
    Some(Clue { before, action, card })
}

/// How well each hand explains this clue and, by `fit`, all that came before it.
fn explain(clue: &Clue<'_>, seat: Seat, fit: &[f32], pictures: &Pictures, meter: &mut Meter<'_>) -> Vec<f32> {
    // By the two cards that were kept.
    let mut kept = [[0.0; KINDS]; KINDS];
    for (n, &a) in Card::ALL.iter().enumerate() {
        for &b in &Card::ALL[n..] {
            let hand = sorted([a, b, clue.card]);
            meter.tick();
            let fits = habit(clue, seat, hand, pictures) * fit[number(hand)];
            kept[a.index()][b.index()] = fits;
            kept[b.index()][a.index()] = fits;
        }
    }
    let mut explained = vec![0.0; HANDS];
    for [a, b, c] in all_hands() {
        // Each of the three may be the one that was drawn since.
        explained[number([a, b, c])] =
            kept[a.index()][b.index()] + kept[a.index()][c.index()] + kept[b.index()][c.index()];
    }
    explained
}

/// How likely a careful player with this hand takes the action that was seen.
fn habit(clue: &Clue<'_>, seat: Seat, hand: [Card; 3], pictures: &Pictures) -> f32 {
    let Some(knowledge) = Knowledge::of_hand(clue.before, seat, &hand, pictures, &Weights::BEST) else { return 0.0 };
    let (mut top, mut taken) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    knowledge.judge(|action, score| {
        top = top.max(score);
        if action == clue.action {
            taken = score;
        }
    });
    WHIM + (1.0 - WHIM) * ((taken - top) / TEMPER).exp()
}

/// The hands that the unseen cards allow, with the sums of their chances.
fn weighed(view: &SequenceView, fit: &[f32]) -> Vec<([Card; 3], f32)> {
    let mut sum = 0.0;
    let mut hands = Vec::new();
    for hand @ [a, b, c] in all_hands() {
        let copies = |card: Card, taken: u8| f32::from(view.unseen(card).saturating_sub(taken));
        let (second, third) = (u8::from(b == a), u8::from(c == b) + u8::from(c == a));
        // Equal cards can be dealt in either order.
        let orders = [1.0, 2.0, 6.0][usize::from(second + third).min(2)];
        let ways = copies(a, 0) * copies(b, second) * copies(c, third) / orders;
        if ways > 0.0 && fit[number(hand)] > 0.0 {
            sum += ways * fit[number(hand)];
            hands.push((hand, sum));
        }
    }
    hands
}

fn all_hands() -> impl Iterator<Item = [Card; 3]> {
    let cards = |from: usize| (from..KINDS).map(|n| Card::ALL[n]);
    cards(0).flat_map(move |a| cards(a.index()).flat_map(move |b| cards(b.index()).map(move |c| [a, b, c])))
}

fn sorted(mut hand: [Card; 3]) -> [Card; 3] {
    hand.sort_unstable();
    hand
}

fn number([a, b, c]: [Card; 3]) -> usize {
    (a.index() * KINDS + b.index()) * KINDS + c.index()
}
