//! The game that is solved, for programs that work with its tables and exercises and need not know which game it is.

pub use crate::bots::quixo::exercise::{Aim, Exercise};
pub use crate::bots::quixo::{QuixoBot as SolvedBot, Tables};
use rules::GameId;
pub use rules::quixo::Quixo as Solved;

/// The game; solved with its options at their defaults.
pub const GAME: GameId = GameId::Quixo;
