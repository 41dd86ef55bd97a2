//! How the eight levels differ: shorter plans, overlooked captures, no look at replies.

use super::greedy::Attention;
use super::turns::Effort;
use crate::Level;

/// The way a level plays.
pub(super) enum Manner {
    /// Goes for the nearest capture it notices.
    Greedy(Attention),
    /// Plans whole turns.
    Planned {
        /// How hard it looks, round by round.
        rounds: &'static [Effort],
        /// How many turns in a hundred it plays the second to fourth best it sees.
        slips: u32,
    },
}

/// One quick look that weighs the reply.
pub(super) const QUICK: Effort =
    Effort { width: 2, plans: 8, polished: 0, weighed: 2, reply: 1, placements: 2, tried: 0, ahead: 0 };

/// The rounds of the strongest level: the first is quick, the fifth lists all there is to see, and the others look further
/// ahead at the best of it.
pub(super) const ROUNDS: &[Effort] = &[
    Effort { width: 3, plans: 10, polished: 1, weighed: 4, reply: 1, placements: 2, tried: 0, ahead: 0 },
    Effort { width: 6, plans: 20, polished: 3, weighed: 12, reply: 2, placements: 3, tried: 0, ahead: 0 },
    Effort { width: 16, plans: 40, polished: 8, weighed: 40, reply: 3, placements: 4, tried: 0, ahead: 0 },
    Effort { width: 40, plans: 80, polished: 24, weighed: 120, reply: 4, placements: 6, tried: 0, ahead: 0 },
    Effort { width: 100, plans: 160, polished: 60, weighed: 400, reply: 6, placements: 12, tried: 0, ahead: 0 },
    Effort { width: 2, plans: 8, weighed: 16, ..ahead(1) },
    Effort { weighed: 12, ..ahead(2) },
    ahead(3),
    ahead(4),
    ahead(5),
    ahead(6),
    ahead(7),
    ahead(8),
];

/// So many whole turns ahead, each of a few.
const fn ahead(turns: u8) -> Effort {
    Effort { width: 3, plans: 10, polished: 1, weighed: 10, reply: 2, placements: 12, tried: 6, ahead: turns }
}

/// Sees chains of captures, but not what the opponent makes of the position they leave.
const NO_REPLY: &[Effort] =
    &[Effort { width: 1, plans: 6, polished: 0, weighed: 1, reply: 0, placements: 1, tried: 0, ahead: 0 }];
const NO_REPLY_WIDER: &[Effort] =
    &[Effort { width: 4, plans: 16, polished: 1, weighed: 1, reply: 0, placements: 1, tried: 0, ahead: 0 }];

pub(super) fn manner(level: Level) -> Manner {
    match level.number() {
        1 => Manner::Greedy(Attention { movements: 1, overlooked: 50 }),
        2 => Manner::Greedy(Attention { movements: 2, overlooked: 35 }),
        3 => Manner::Greedy(Attention { movements: 3, overlooked: 10 }),
        4 => Manner::Planned { rounds: NO_REPLY, slips: 42 },
        5 => Manner::Planned { rounds: NO_REPLY_WIDER, slips: 8 },
        6 => Manner::Planned { rounds: &ROUNDS[..1], slips: 8 },
        7 => Manner::Planned { rounds: &ROUNDS[..2], slips: 0 },
        _ => Manner::Planned { rounds: ROUNDS, slips: 0 },
    }
}
