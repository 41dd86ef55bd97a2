//! The messages between a client and the server, versioned: JSON over a WebSocket, or over HTTP where those are blocked.
//!
//! A client sends an [`Ask`] and gets exactly one [`Tell::Ack`] or [`Tell::No`] for it; an acknowledgement comes only
//! after what was asked is durable. Everything that happens at a table is an [`Event`] with a sequence number, the same
//! number for everybody, told to each viewer as those eyes may know it. Who reconnects names the last number seen.
//!
//! Types are few and plain, because they become part of the browser app. `docs/protocol.md` tells the whole story.
//!
//! ```
//! use protocol::{Ask, Do};
//!
//! let ask = Ask { id: "k1".into(), what: Do::Act { action: "a3e3".into(), at: 4 } };
//! let text = r#"{"id":"k1","do":{"act":{"action":"a3e3","at":4}}}"#;
//! assert_eq!(protocol::write(&ask), text);
//! assert_eq!(protocol::read::<Ask>(text)?, ask);
//! # Ok::<(), protocol::Unreadable>(())
//! ```

mod ask;
mod code;
mod tell;
mod words;

pub use ask::{Ask, Claimed, Do, Offer, Say, Wish};
pub use code::Code;
pub use tell::{Around, Clocks, Event, LobbyTable, Person, SeatInfo, Sitting, TableInfo, Tell};

pub use words::{phrase, sentence};

use serde::{Serialize, de::DeserializeOwned};

/// The version of these messages. A server speaks this one and the one before.
pub const VERSION: u32 = 1;

/// The oldest version a server speaks.
pub const OLDEST_VERSION: u32 = if VERSION > 1 { VERSION - 1 } else { 1 };

/// The version in which a server speaks with a client that asks for one; none if the client is too old.
///
/// While a cluster is upgraded, a client may meet an older server than the one it was loaded from: it is told the
/// server's version, and goes on in that one, or comes back later.
///
/// ```
/// use protocol::{OLDEST_VERSION, VERSION, common_version};
///
/// assert_eq!(common_version(VERSION), Some(VERSION));
/// assert_eq!(common_version(VERSION + 1), Some(VERSION));
/// assert_eq!(common_version(OLDEST_VERSION - 1), None);
/// ```
pub fn common_version(asked: u32) -> Option<u32> {
    (asked >= OLDEST_VERSION).then_some(if asked < VERSION { asked } else { VERSION })
}

/// The longest message a server reads, in bytes.
pub const LONGEST_MESSAGE: usize = 4096;

/// The longest chat line, in characters.
pub const LONGEST_LINE: usize = 300;

/// The longest name of a person, in characters.
pub const LONGEST_NAME: usize = 24;

/// The longest id of an ask, in bytes.
pub const LONGEST_ID: usize = 40;

/// The phrases that need no typing and are shown in each reader's own language, by the key they travel under.
pub const PHRASES: [&str; 8] = ["hello", "good_luck", "well_played", "thanks", "oops", "one_moment", "again", "bye"];

/// A message as text.
pub fn write<M: Serialize>(message: &M) -> String {
    // Only maps with keys that are no texts could fail, and there are none.
    serde_json::to_string(message).unwrap_or_default()
}

/// A message from a text.
pub fn read<M: DeserializeOwned>(text: &str) -> Result<M, Unreadable> {
    serde_json::from_str(text).map_err(|error| Unreadable(error.to_string()))
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
