use rules::Seat;

use crate::declare::{object, tagged};
use crate::words::{known_or_unknown, optional_seat};
use crate::{Event, Person, Refusal, TableInfo};

tagged! {
    /// What a server sends.
    pub enum ServerMessage by "type" {
        /// The answer to `hello`.
        Welcome {
            /// The version that both sides speak from now on.
            version: u32,
            /// Who the client is.
            you: Person,
        } = "welcome",
        /// The table being watched, before its events.
        Table(TableInfo) = "table",
        /// Something happened at the table.
        Event {
            /// Its number, from 1 without gaps.
            seq: u32,
            /// When, in milliseconds since 1970.
            at: u64,
            /// What happened.
            #[serde(deserialize_with = "known_or_unknown")]
            event: Event,
        } = "event",
        /// A request is performed and durable.
        Acknowledged {
            /// The id of the request.
            id: String,
            /// The number of the last event at the table.
            seq: u32,
            /// The id of the table, where one was made, found or watched.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            table: Option<String>,
        } = "acknowledged",
        /// A request, or a text that is none, is refused.
        Refused {
            /// The id of the request; none if there was none to read.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            id: Option<String>,
            /// Why.
            #[serde(deserialize_with = "known_or_unknown")]
            reason: Refusal,
        } = "refused",
        /// The clocks at the moment of sending.
        Clocks(Clocks) = "clocks",
        /// Who is present. Not numbered: only the latest counts.
        Presence(Presence) = "presence",
        /// The open tables. Only the latest counts.
        Lobby {
            /// All of them.
            tables: Vec<LobbyTable>,
        } = "lobby",
        /// The server closes the connection.
        Closing {
            /// Why: `stopping` means come back in a moment.
            #[serde(deserialize_with = "known_or_unknown")]
            reason: Refusal,
        } = "closing",
    }
    else
    /// A message of a kind that this program does not know: the server is newer. Never sent.
    Unknown
}

object! {
    /// The clocks at a moment.
    pub struct Clocks {
        /// The time that each seat has left, in milliseconds.
        pub left: Vec<u64>,
        /// The seat whose time runs, if one does.
        #[serde(default, with = "optional_seat", skip_serializing_if = "Option::is_none")]
        pub running: Option<Seat>,
    }
}

object! {
    /// Who is present.
    #[derive(Default)]
    pub struct Presence {
        /// For each seat, for how many seconds its person has been away; `null` for a person who is present and for a bot.
        pub away: Vec<Option<u32>>,
        /// How many clients watch without a seat.
        pub watching: u32,
        /// After how many seconds of absence the game may be claimed; none where it may not, because a turn has days.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub claim_after: Option<u32>,
    }
}

object! {
    /// A table in the lobby.
    pub struct LobbyTable {
        /// The id of the table, as in its address.
        pub id: String,
        /// The game with its options.
        pub game: String,
        /// The clock, as in a record.
        pub clock: String,
        /// Whether ratings change.
        pub rated: bool,
        /// The names on the seats; `null` where a seat is free.
        pub seats: Vec<Option<String>>,
    }
}

impl LobbyTable {
    /// How many seats are free.
    pub fn free(&self) -> usize {
        self.seats.iter().filter(|name| name.is_none()).count()
    }
}
