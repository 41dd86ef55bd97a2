//! What `examples/train_quixo.rs` needs to make the network file again.

pub use super::net::{BadNet, HIDDEN, LINES, PATTERNS, Weights, patterns};

use super::board::{has_line, turned};
use super::node::{Duel, Node};

/// Whether a position of two players is one that the network is asked about: nobody has a line and the side to act
/// cannot make one.
pub fn is_quiet(own: u32, other: u32) -> bool {
    !has_line(own) && !has_line(other) && !Duel { own, other }.can_win()
}

/// The position under one of the eight symmetries of the board.
pub fn turn(own: u32, other: u32, symmetry: usize) -> (u32, u32) {
    (turned(own, symmetry), turned(other, symmetry))
}

/// The least of the eight symmetric forms of a position, to tell positions apart.
pub fn canonical(own: u32, other: u32) -> (u32, u32) {
    (0..8).map(|symmetry| turn(own, other, symmetry)).min().unwrap_or((own, other))
}
