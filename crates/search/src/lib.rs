//! Counting, solving and choosing: perft, random play, and a bot for each game.
//!
//! A game is played by its [`Bot`], which sees a view and never the hidden part of a position.
//! Time is handed in through [`Limits`], so the same code runs natively, in a browser's worker and on a simulated clock.

mod bot;
pub mod bots;
mod checksum;
mod knowledge;
mod level;
mod limits;
mod mistake;
mod perft;
mod playout;
mod random;
mod review;
mod search_result;
pub mod solved;
mod value;

pub use bot::{Bot, HasBot, Situation};
pub use checksum::checksum;
pub use knowledge::Knowledge;
pub use level::{Level, NoSuchLevel};
pub use limits::{Limits, Meter, Observer, Progress};
pub use mistake::Mistake;
pub use perft::{perft, perft_until};
pub use playout::{random_game, weighted};
pub use random::Random;
pub use review::{Judgement, Review, Step, review};
pub use search_result::{Scored, SearchResult};
pub use value::{Score, Value};
