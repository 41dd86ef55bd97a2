//! Every push as an action, by the square it takes from, so that listing the legal ones is copying and finding one of
//! them is looking it up.

use std::hint::select_unpredictable;

use super::{Action, bits};
use crate::{Seat, Square};

/// The pushes from each square; as many as [`COUNTS`] says, times the seats that the dot may point to.
type Pushes<const MOST: usize> = [[Action; MOST]; 25];

/// The two-player game has no dots.
static ALONE: Pushes<3> = pushes(&[None]);

/// In the team game each push comes once for each member of the side.
static IN_TEAMS: [Pushes<6>; 2] =
    [pushes(&[Some(Seat::ONE), Some(Seat::THREE)]), pushes(&[Some(Seat::TWO), Some(Seat::FOUR)])];

/// How many pushes take from each square, dots aside.
static COUNTS: [u8; 25] = counts();

/// For each half of the border and each choice of its squares: how many pushes take from them, and which.
static HALVES: [[Choice; 256]; 2] = [choices([0, 1, 2, 3, 4, 5, 9, 10]), choices([14, 15, 19, 20, 21, 22, 23, 24])];

/// The pushes that take from some squares of half of the border, in order: 22 at most. There is room for more because a
/// power of two bytes is found without a multiplication.
#[derive(Clone, Copy)]
struct Choice {
    count: u8,
    /// Each as 3·square + number, which is its place in [`ALONE`].
    places: [u8; 31],
}

const fn counts() -> [u8; 25] {
    let mut counts = [0; 25];
    let mut n = 0;
    while n < bits::PUSHES.len() {
        counts[bits::PUSHES[n].0.index(super::SIZE)] += 1;
        n += 1;
    }
    counts
}

const fn pushes<const MOST: usize>(dots: &[Option<Seat>]) -> Pushes<MOST> {
    let nothing = Action::Push { from: Square::new(0, 0), to: Square::new(0, 0), dot: None };
    let (mut pushes, mut counts) = ([[nothing; MOST]; 25], [0; 25]);
    let mut n = 0;
    while n < bits::PUSHES.len() {
        let (from, to) = bits::PUSHES[n];
        let square = from.index(super::SIZE);
        let mut d = 0;
        while d < dots.len() {
            pushes[square][counts[square]] = Action::Push { from, to, dot: dots[d] };
            counts[square] += 1;
            d += 1;
        }
        n += 1;
    }
    pushes
}

const fn choices(squares: [u8; 8]) -> [Choice; 256] {
    let counts = counts();
    let mut choices = [Choice { count: 0, places: [0; 31] }; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let choice = &mut choices[chosen];
        let mut n = 0;
        while n < squares.len() {
            let mut number = 0;
            while chosen >> n & 1 == 1 && number < counts[squares[n] as usize] {
                choice.places[choice.count as usize] = 3 * squares[n] + number;
                choice.count += 1;
                number += 1;
            }
            n += 1;
        }
        chosen += 1;
    }
    choices
}

/// The pushes that take the cube of a square, given by its number; in teams those of a side, given by its index.
#[inline]
pub(super) fn from(square: u32, team: Option<usize>) -> &'static [Action] {
    let square = square as usize;
    let count = usize::from(COUNTS[square]);
    match team {
        None => &ALONE[square][..count],
        Some(side) => &IN_TEAMS[side][square][..2 * count],
    }
}

/// The push at the place that `choose` picks among those from some border squares; `None` if there is none.
#[inline]
pub(super) fn pick(takeable: u32, team: Option<usize>, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
    let [first, last] = &HALVES;
    let first = &first[(takeable & 63 | takeable >> 3 & 192) as usize];
    let last = &last[(takeable >> 14 & 3 | takeable >> 17 & 252) as usize];
    let middle = usize::from(first.count);
    let total = middle + usize::from(last.count);
    if total == 0 {
        return None;
    }
    // Which half it is cannot be foreseen, so it is selected without a branch.
    let place = |n: usize| {
        let (half, begin) = select_unpredictable(n < middle, (first, 0), (last, middle));
        half.places.get(n.wrapping_sub(begin)).copied().map(usize::from)
    };
    match team {
        None => ALONE.as_flattened().get(place(choose(total))?).copied(),
        Some(side) => {
            let n = choose(2 * total);
            IN_TEAMS[side].as_flattened().get(2 * place(n / 2)? + n % 2).copied()
        }
    }
}
