//! What the others' play gave away about their hands.

use rules::Seat;
use rules::Turn;
use rules::sequence::{Card, Sequence, SequenceView};

use super::board::{Pictures, bits, completions};
use crate::Random;

/// For each seat, the cards with which it would have won in its last turn: it kept none of them, so that at most the
/// one card drawn since can be among them.
#[derive(Clone, Debug, Default)]
pub(super) struct Belief {
    absent: [u32; 4],
}

impl Belief {
    /// What the viewer can conclude from its earlier views of the same game.
    pub(super) fn of(view: &SequenceView, earlier: &[SequenceView], pictures: &Pictures) -> Belief {
        let mut belief = Belief::default();
        for seat in Seat::all(view.seats()).filter(|&seat| view.hand(seat).is_none()) {
            let Some(last) = last_turn(seat, view, earlier) else { continue };
            let threats = completions(last.chips(seat)) & last.open_squares();
            if threats != 0 {
                let cards = bits(threats).fold(0, |cards, at| cards | 1 << pictures.card(at).index());
                belief.absent[seat.index()] = cards | 1 << Card::Unicorn.index();
            }
        }
        belief
    }

    /// Whether to take a guess; a random choice, in proportion to how likely the guess is.
    pub(super) fn accepts(&self, guess: &Sequence, random: &mut Random) -> bool {
        Seat::all(4).all(|seat| {
            let absent = self.absent[seat.index()];
            if absent == 0 {
                return true;
            }
            match guess.hand(seat).iter().filter(|card| absent & 1 << card.index() != 0).count() {
                0 => true,
                // One of the three cards is new, and it must be this one.
                1 => random.below(3) == 0,
                _ => false,
            }
        })
    }
}

/// The latest earlier view in which `seat` was to act, if it has had a whole turn since.
fn last_turn<'a>(seat: Seat, view: &SequenceView, earlier: &'a [SequenceView]) -> Option<&'a SequenceView> {
    let last = earlier.iter().rev().find(|other| other.turn() == Turn::Seat(seat))?;
    // It must be the same game, seen by the same eyes, and the seat must have played since.
    (last.viewer() == view.viewer() && last.options() == view.options()).then_some(last)
}
