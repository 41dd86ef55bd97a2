//! Every push as an action, by the square it takes from, so that listing the legal ones is copying and finding one of
//! them is looking it up.

use std::hint::select_unpredictable;

use super::{Action, bits};
use crate::{Seat, Square};

/// The pushes of one side.
pub(super) struct Pushes {
    actions: [[Action; 6]; 25],
    counts: [u8; 25],
    /// For each part of the border and each choice of its squares: how many pushes take from them, and which.
    parts: [[Choice; 64]; 3],
}

/// The pushes that take from some squares of a part of the border, in order.
#[derive(Clone, Copy)]
struct Choice {
    count: u8,
    /// Each as 6·square + number, which is its place in [`Pushes::actions`].
    places: [u8; 36],
}

/// The squares of the three parts of the border, in order: the first rank, the sides between, the last rank.
const PARTS: [&[u8]; 3] = [&[0, 1, 2, 3, 4], &[5, 9, 10, 14, 15, 19], &[20, 21, 22, 23, 24]];

/// The two-player game has no dots.
pub(super) static ALONE: Pushes = Pushes::with_dots(&[None]);

/// In the team game each push comes once for each member of the side.
pub(super) static IN_TEAMS: [Pushes; 2] =
    [Pushes::with_dots(&[Some(Seat::ONE), Some(Seat::THREE)]), Pushes::with_dots(&[Some(Seat::TWO), Some(Seat::FOUR)])];

impl Pushes {
    const fn with_dots(dots: &[Option<Seat>]) -> Pushes {
        let nothing = Action::Push { from: Square::new(0, 0), to: Square::new(0, 0), dot: None };
        let none = Choice { count: 0, places: [0; 36] };
        let mut pushes = Pushes { actions: [[nothing; 6]; 25], counts: [0; 25], parts: [[none; 64]; 3] };
        let mut n = 0;
        while n < bits::PUSHES.len() {
            let (from, to) = bits::PUSHES[n];
            let square = from.index(super::SIZE);
            let mut d = 0;
            while d < dots.len() {
                pushes.actions[square][pushes.counts[square] as usize] = Action::Push { from, to, dot: dots[d] };
                pushes.counts[square] += 1;
                d += 1;
            }
            n += 1;
        }
        let mut part = 0;
        while part < 3 {
            let mut chosen = 0;
            while chosen < 1 << PARTS[part].len() {
                pushes.parts[part][chosen] = pushes.choice(PARTS[part], chosen);
                chosen += 1;
            }
            part += 1;
        }
        pushes
    }

    const fn choice(&self, squares: &[u8], chosen: usize) -> Choice {
        let mut choice = Choice { count: 0, places: [0; 36] };
        let mut n = 0;
        while n < squares.len() {
            let mut number = 0;
            while chosen >> n & 1 == 1 && number < self.counts[squares[n] as usize] {
                choice.places[choice.count as usize] = 6 * squares[n] + number;
                choice.count += 1;
                number += 1;
            }
            n += 1;
        }
        choice
    }

    /// The pushes that take the cube of a square, given by its number.
    #[inline]
    pub(super) fn from(&self, square: u32) -> &[Action] {
        let square = square as usize;
        &self.actions[square][..self.counts[square] as usize]
    }

    /// The push at the place that `choose` picks among those from some border squares; `None` if there is none.
    #[inline]
    pub(super) fn pick(&self, takeable: u32, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        let sides = takeable >> 5 & 1 | takeable >> 8 & 6 | takeable >> 11 & 24 | takeable >> 14 & 32;
        let [first, between, last] = &self.parts;
        let first = &first[takeable as usize & 31];
        let between = &between[sides as usize & 63];
        let last = &last[(takeable >> 20) as usize & 31];
        let first_end = usize::from(first.count);
        let between_end = first_end + usize::from(between.count);
        let total = between_end + usize::from(last.count);
        if total == 0 {
            return None;
        }
        let n = choose(total);
        // Which part it is cannot be foreseen, so it is selected without a branch.
        let (part, begin) = select_unpredictable(n < first_end, (first, 0), (between, first_end));
        let (part, begin) = select_unpredictable(n < between_end, (part, begin), (last, between_end));
        let place = *part.places.get(n.wrapping_sub(begin))?;
        self.actions.as_flattened().get(usize::from(place)).copied()
    }
}
