//! What is lawful in each game.
//!
//! One value of a type that implements [`Position`] is everything a game is: options, board, hands
//! and whose turn it is. Nothing here does input or output, draws random numbers or reads a clock;
//! chance is an action like any other, so a list of actions replays exactly.
//!
//! ```
//! use rules::{Position, Seat, Turn, quixo::Quixo};
//!
//! let mut game = Quixo::start(&"players=2".parse()?);
//! game.play("a3e3".parse()?)?;
//! assert_eq!(game.turn(), Turn::Seat(Seat::TWO));
//! assert_eq!(game.to_string(), "...../...../....x/...../..... 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action_list;
mod bad_position;
mod described;
mod error;
mod find;
mod game_id;
mod options;
mod phrase;
mod position;
mod seat;
mod setup;
mod sign;
mod square;

pub mod four;
pub mod quarto;
pub mod quixo;
pub mod sequence;

pub use action_list::ActionList;
pub use bad_position::{BadPosition, Field};
pub use described::{Described, ExerciseKind, Exercises, Figure, Goal, Lesson, Offered, Preset, Showcase, Shows};
pub use error::{IllegalAction, Reason, UnreadableAction, excerpt, steers};
pub use find::{find, split, split_once};
pub use game_id::{GameId, UnknownGame};
pub use options::{BadOptions, NoOptions, OptionSpec, OptionValues, Options, given_options};
pub use phrase::Phrase;
pub use position::{HiddenInformation, PerfectInformation, Position, Symmetric, game_text};
pub use seat::{Outcome, Seat, Side, Turn, Viewer};
pub use setup::{Editable, Setup, SetupEntry, SetupField, SetupValue};
pub use sign::{BadSigns, Sign, Signs};
pub use square::Square;
