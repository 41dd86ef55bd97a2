//! The messages between a client and a server, version 2: JSON over a WebSocket, or over HTTP where those are blocked.
//!
//! A client sends a [`Request`] and gets exactly one [`ServerMessage::Acknowledged`] or [`ServerMessage::Refused`] for it;
//! an acknowledgement is sent only after the result is durable. Everything that happens at a table is an [`Event`] with a
//! sequence number, the same number for every client, in the form that this client may know. A client that reconnects
//! names the last number it has.
//!
//! `docs/protocol.md` is the whole specification; a test reads every example in it.
//!
//! ```
//! use protocol::{Command, Request};
//!
//! let request = Request { id: "k1".into(), command: Command::Act { action: "a3e3".into(), at: 4 } };
//! let text = r#"{"id":"k1","command":{"type":"act","action":"a3e3","at":4}}"#;
//! assert_eq!(protocol::write(&request), text);
//! assert_eq!(protocol::read::<Request>(text)?, request);
//! # Ok::<(), protocol::Unreadable>(())
//! ```

mod declare;
mod event;
pub mod json;
mod message;
mod people;
mod refusal;
mod request;
mod table;
mod words;

pub use declare::Compact;
pub use event::{EndCause, Event, GameResult};
pub use json::Json;
pub use message::{Clocks, LobbyTable, Presence, ServerMessage};
pub use people::{Challenge, Challenges, Occupant, Person, PersonKind};
pub use refusal::Refusal;
pub use request::{ChatLine, Claim, Command, Offer, Phrase, Request};
pub use table::{Access, FirstPlayer, SeatInfo, TableInfo, TableSpec, TableState};

use serde::{Serialize, de::DeserializeOwned};

/// The version of these messages. A server speaks this one and the one before.
pub const VERSION: u32 = 2;

/// The oldest version that a server speaks; version 1 was never released.
pub const OLDEST_VERSION: u32 = if VERSION - 1 > 2 { VERSION - 1 } else { 2 };

/// The version in which a server speaks with a client that asks for one; `None` if the client is too old.
///
/// While a cluster is upgraded, a client may meet an older server than the one it was loaded from: it is told the
/// server's version, and goes on in that one.
///
/// ```
/// use protocol::{OLDEST_VERSION, VERSION, common_version};
///
/// assert_eq!(common_version(VERSION), Some(VERSION));
/// assert_eq!(common_version(VERSION + 1), Some(VERSION));
/// assert_eq!(common_version(OLDEST_VERSION - 1), None);
/// ```
pub fn common_version(requested: u32) -> Option<u32> {
    (requested >= OLDEST_VERSION).then_some(if requested < VERSION { requested } else { VERSION })
}

/// The longest message that a server reads, in bytes.
pub const LONGEST_MESSAGE: usize = 4096;

/// The longest chat line, in characters.
pub const LONGEST_LINE: usize = 300;

/// The longest name of a person, in characters.
pub const LONGEST_NAME: usize = 24;

/// The longest id of a request, in bytes.
pub const LONGEST_ID: usize = 40;

/// A message as text.
pub fn write<M: Serialize>(message: &M) -> String {
    // Only maps with keys that are no texts could fail, and there are none.
    serde_json::to_string(message).unwrap_or_default()
}

/// A message from a text.
pub fn read<M: DeserializeOwned>(text: &str) -> Result<M, Unreadable> {
    serde_json::from_str(text).map_err(|error| Unreadable(error.to_string()))
}

/// A message from a text, without serde: for the browser.
pub fn read_compact<M: Compact>(text: &str) -> Option<M> {
    M::read(&Json::read(text)?)
}

/// A message as text, without serde: for the browser.
pub fn write_compact<M: Compact>(message: &M) -> String {
    let mut text = String::new();
    message.write(&mut text);
    text
}

/// A text that is no message of this protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read the message: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}
