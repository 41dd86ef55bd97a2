//! A match in progress: seats, record, undo, offers, clocks, and the catalogue of games.
//!
//! Nothing here asks which game is played: [`AnyPosition`] speaks for all of them, and [`Game`] lists them.
//! Time and random numbers are handed in, so a match can be tested on a simulated clock and replayed exactly.

mod agreed;
mod any_position;
mod any_setup;
mod bot;
mod catalogue;
mod clock;
mod event;
mod progress;
mod record;
mod settings;
mod sitter;

pub use agreed::Conferring;
pub use any_position::{AnyPosition, Refused};
pub use any_setup::AnySetup;
pub use bot::{AnyBot, ErasedBot};
pub use catalogue::{BadGame, Game, Listed, figure_scene, install, showcase};
pub use clock::{BadClock, Clock, ClockRule};
pub use event::{
    Cause, Comment, Departure, Ending, Entry, Event, UnknownWord, Variation, result_from_word, result_word,
};
pub use progress::{Answer, BadSettings, Consent, Draft, Match, MatchError, Proposal, ProposalKind};
pub use record::{
    Excess, GrowingRecord, Growth, Record, RecordError, RecordProblem, Replay, ReplayError, entries_text,
};
pub use rules::GameId;
pub use settings::{BadDate, Date, MatchSettings};
pub use sitter::{BadSitter, Player, Sitter};
