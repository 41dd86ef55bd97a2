//! Everything that thinks: counting, solving, choosing.
//!
//! A game is played by its [`Brain`], which sees a view and never the hidden part of a position.
//! Time is handed in through [`Limits`], so the same code runs natively, in a browser's worker and on a simulated clock.

pub mod bots;
mod level;
mod limits;
mod mistake;
mod perft;
mod playout;
mod random;
mod thought;

pub use level::{Level, NoSuchLevel};
pub use limits::{Limits, Meter};
pub use mistake::Mistake;
pub use perft::{perft, perft_until};
pub use playout::{random_game, weighted};
pub use random::Random;
pub use thought::{Brain, Scored, Situation, Thinking, Thought, Value};
