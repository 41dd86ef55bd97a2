//! How a level plays: how far it looks, how steady its judgement is, and which lines it overlooks.

use super::board::missing;
use super::node::Node;
use crate::Level;

/// What makes one level play worse than another, as people do: by looking less far, judging less well and
/// overlooking lines, above all diagonals and those that a push completes from the side.
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
    pub(super) fn of(level: Level, seed: u64) -> Style {
        let (depth, unsteady, overlooks) = match level.number() {
            1 => (1, 4000, 120),
            2 => (1, 3000, 70),
            3 => (1, 2400, 30),
            4 => (2, 2000, 12),
            5 => (2, 1200, 0),
            6 => (3, 600, 0),
            7 => (5, 200, 0),
            _ => return Style { seed, ..Style::BEST },
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
