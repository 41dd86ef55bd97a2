//! What one device knows of one match, and what it may do with it.
//!
//! A session has no input and no output: actions, messages of a server, search results and the time go in; a
//! [`SessionView`] and what the shell must do next come out. The terminal and the browser draw the same view, so a rule
//! such as who looks at the board, how a bot answers a draw offer or who begins a rematch is written once, here.
//!
//! - [`LocalSession`]: people and bots on this device.
//! - [`RemoteSession`]: a table of a server, followed by a [`Follower`]; bots and load generators use the follower alone.
//! - [`SessionView`]: viewer, curtain, prompt, plates, offers, move list. It holds typed messages; [`words`] has the
//!   sentences that both shells say about them.
//!
//! ```
//! use std::time::Duration;
//! use game::{Match, MatchSettings};
//! use session::{LocalSession, Pace, Prompt, Subject};
//!
//! let now = Duration::ZERO;
//! let mut settings = MatchSettings::new("quixo".parse()?);
//! settings.sitters[1] = "bot:1".parse()?;
//! let mut session = LocalSession::new(Match::new(settings)?, Pace::NONE, 7, now);
//! assert!(matches!(session.view().prompt(&[]), Prompt::Act { by: Subject::Reader, .. }));
//! session.act("a3e3", now)?;
//! // The bot is to act: the shell is asked to search.
//! assert!(session.view().pending.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod first_player;
mod follower;
mod history;
mod local;
pub mod puzzle_words;
mod remote;
mod view;
pub mod words;

pub use first_player::FirstPlayer;
pub use follower::{FollowError, Follower, end_cause};
pub use history::History;
pub use local::{Effect, LocalSession, Pace, Purpose, Question, SearchAnswer};
pub use remote::{Received, RemoteSession};
pub use view::{
    Clocks, Hint, Move, OfferKind, OpenOffer, Over, Pending, Plate, Premove, Prompt, RematchPolicy, Reply, SessionView,
    Standing, Subject, Told, UndoPolicy, What,
};
