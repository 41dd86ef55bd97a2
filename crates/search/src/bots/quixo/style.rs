//! How a level plays: how far it looks, how steady its judgement is, and which lines it overlooks.

use super::board::missing;
use super::node::Node;
use crate::Level;
use rules::quixo::Players;

/// What makes one level play worse than another, as people do: by looking less far, judging less well and
/// overlooking now and then that a line can be completed at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// How many actions ahead it looks at most.
    pub(super) depth: u32,
    /// The points by which its judgement of a position may be off.
    unsteady: i32,
    /// Of 256 chances to win at once, how many it overlooks.
    overlooks: u32,
    /// Makes another game of the same level another one.
    seed: u64,
}

impl Style {
    /// As well as the program can.
    pub(super) const BEST: Style = Style { depth: u32::MAX, unsteady: 0, overlooks: 0, seed: 0 };

    /// The style of a level.
    ///
    /// The numbers are calibrated by `examples/match_quixo.rs`. Games of teams are hardly ever drawn, so that a small
    /// difference in skill shows more there and the levels lie closer together.
    pub(super) fn of(level: Level, players: Players, seed: u64) -> Style {
        let (depth, unsteady, overlooks) = match (players, level.number()) {
            (_, 8..) => return Style { seed, ..Style::BEST },
            (Players::Two, ..=1) => (1, 3600, 90),
            (Players::Two, 2) => (1, 1800, 32),
            (Players::Two, 3) => (1, 1000, 12),
            (Players::Two, 4) => (2, 3600, 10),
            (Players::Two, 5) => (2, 800, 2),
            (Players::Two, 6) => (3, 700, 0),
            (Players::Two, 7) => (5, 300, 0),
            (Players::Four, ..=1) => (1, 4200, 110),
            (Players::Four, 2) => (1, 1400, 30),
            (Players::Four, 3) => (2, 4000, 12),
            (Players::Four, 4) => (2, 1100, 2),
            (Players::Four, 5) => (3, 3000, 0),
            (Players::Four, 6) => (4, 1500, 0),
            (Players::Four, 7) => (6, 500, 0),
        };
        Style { depth, unsteady, overlooks, seed }
    }

    /// Whether it plays as well as the program can.
    pub(super) fn is_best(&self) -> bool {
        self.sees_all() && self.unsteady == 0 && self.depth == u32::MAX
    }

    /// Whether it overlooks nothing.
    #[inline]
    pub(super) fn sees_all(&self) -> bool {
        self.overlooks == 0
    }

    /// Whether it sees that the seat to act can win at once.
    #[inline]
    pub(super) fn sees_win<N: Node>(&self, node: &N) -> bool {
        if self.sees_all() {
            return node.can_win();
        }
        let mut lacking = missing(node.own());
        while lacking != 0 {
            let square = lacking.trailing_zeros();
            let seen = (self.chance(node, u64::from(square)) & 255) as u32 >= self.overlooks;
            if seen && node.wins_through(square as usize) {
                return true;
            }
            lacking &= lacking - 1;
        }
        false
    }

    /// By how many points the judgement of this position is off.
    #[inline]
    pub(super) fn mood<N: Node>(&self, node: &N) -> i32 {
        if self.unsteady == 0 {
            return 0;
        }
        let chance = self.chance(node, 99);
        // The sum of two throws: small errors are more likely than large ones.
        let spread = ((chance & 0xffff) as i32 + (chance >> 16 & 0xffff) as i32) - 0xffff;
        (i64::from(spread) * i64::from(self.unsteady) / 0xffff) as i32
    }

    /// Bits that depend on the game's seed, the position and `what` only.
    fn chance<N: Node>(&self, node: &N, what: u64) -> u64 {
        crate::Random::new(self.seed ^ node.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ what << 56).next_u64()
    }
}
