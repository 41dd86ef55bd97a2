//! Every push as an action, by the square it takes from, so that listing the legal ones is copying.

use super::{Action, bits};
use crate::{Seat, Square};

/// The pushes of one side.
pub(super) struct Pushes {
    actions: [[Action; 6]; 25],
    counts: [u8; 25],
}

/// The two-player game has no dots.
pub(super) static ALONE: Pushes = Pushes::with_dots(&[None]);

/// In the team game each push comes once for each member of the side.
pub(super) static IN_TEAMS: [Pushes; 2] =
    [Pushes::with_dots(&[Some(Seat::ONE), Some(Seat::THREE)]), Pushes::with_dots(&[Some(Seat::TWO), Some(Seat::FOUR)])];

impl Pushes {
    const fn with_dots(dots: &[Option<Seat>]) -> Pushes {
        let nothing = Action::Push { from: Square::new(0, 0), to: Square::new(0, 0), dot: None };
        let mut pushes = Pushes { actions: [[nothing; 6]; 25], counts: [0; 25] };
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
        pushes
    }

    /// The pushes that take the cube of a square, given by its number.
    #[inline]
    pub(super) fn from(&self, square: u32) -> &[Action] {
        let square = square as usize;
        &self.actions[square][..self.counts[square] as usize]
    }
}
