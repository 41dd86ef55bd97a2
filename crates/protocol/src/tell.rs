use serde::{Deserialize, Serialize};

use crate::{Code, Offer};

/// What a server sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tell {
    /// The answer to `hello`.
    Welcome {
        /// The version spoken from now on.
        version: u32,
        /// Who the client is.
        you: Person,
    },
    /// The table being watched, before its events.
    Table(TableInfo),
    /// Something happened at the table.
    Event {
        /// Its number, from 1 without gaps.
        seq: u32,
        /// When, in milliseconds since 1970.
        at: u64,
        /// What.
        what: Event,
    },
    /// What was asked is done and durable.
    Ack {
        /// The id of the ask.
        id: String,
        /// The number of the last event at the table.
        seq: u32,
        /// The table, where one was created or found.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        table: String,
    },
    /// What was asked, or sent, is refused.
    No {
        /// The id of the ask; empty if there was none to read.
        id: String,
        /// Why.
        code: Code,
        /// What the reason needs to be told, such as the action.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        args: Vec<String>,
    },
    /// The clocks as they stand.
    Clocks(Clocks),
    /// Who is there. Not numbered: only the latest counts.
    Around(Around),
    /// The open tables. Only the latest counts.
    Lobby(Vec<LobbyTable>),
    /// The server closes the connection.
    Bye {
        /// Why: `stopping` means come back in a moment.
        code: Code,
    },
}

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Somebody sat down.
    Sat {
        /// The seat, from 1.
        seat: u8,
        /// Who.
        who: Sitting,
        /// At a rated table, the person's rating in this game when they sat down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<u32>,
    },
    /// Somebody stood up.
    Stood {
        /// The seat, from 1.
        seat: u8,
    },
    /// The game began.
    Began,
    /// An entry of the match's log, as `game::Event` writes it and as these eyes may know it.
    Did {
        /// An action, or a word of the table such as `resign:2`.
        entry: String,
        /// How long the seat to act took, in milliseconds, if a clock ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<u32>,
    },
    /// The log was cut back to this many entries.
    TookBack {
        /// How many entries are left.
        to: u32,
    },
    /// A proposal was made or agreed to.
    Proposed {
        /// What.
        what: Offer,
        /// By whom, from 1.
        seat: u8,
    },
    /// A proposal is off the table.
    Declined {
        /// What.
        what: Offer,
        /// By whom, from 1.
        seat: u8,
    },
    /// Somebody claimed that a seat is away; the others are asked too.
    Claimed {
        /// Who claimed, from 1.
        seat: u8,
        /// Who is away, from 1.
        away: u8,
        /// What is claimed.
        what: crate::Claimed,
    },
    /// Somebody said something.
    Said {
        /// The speaker's seat, from 1; 0 for a spectator.
        seat: u8,
        /// The speaker's name.
        name: String,
        /// What was said.
        what: crate::Say,
    },
    /// The match is over.
    Ended {
        /// `none`, `draw`, `p1win` and so on, as in a record.
        result: String,
        /// Why, as in a record.
        cause: String,
        /// In a game with hidden hands, every entry of the log as it truly was.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        log: Vec<String>,
    },
    /// The table for the next game is this one; everybody has a seat there.
    Again {
        /// The new table.
        table: String,
    },
    /// Something that is not for these eyes.
    Elsewhere,
}

/// Somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Which person.
    pub id: String,
    /// The name, which may be empty.
    pub name: String,
    /// `guest`, `account` or `bot`.
    pub kind: String,
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sitting {
    /// Somebody.
    Person(Person),
    /// The program at a level.
    Bot(u8),
}

/// A seat of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatInfo {
    /// Who sits there; nobody yet without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Sitting>,
    /// The person's rating in this game when they sat down, at rated tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
}

/// What does not change at a table, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableInfo {
    /// The table's name in addresses.
    pub id: String,
    /// The game with its options.
    pub game: String,
    /// The clock, as in a record.
    pub clock: String,
    /// `open`, `link` or `private`.
    pub access: String,
    /// Whether ratings change.
    pub rated: bool,
    /// Whether team members may talk alone.
    pub confer: bool,
    /// Who made it.
    pub maker: String,
    /// `waiting`, `playing` or `over`.
    pub state: String,
    /// The seats as they are now.
    pub seats: Vec<SeatInfo>,
    /// Your seat, from 1; 0 for a spectator.
    pub you: u8,
    /// The number of the last event.
    pub seq: u32,
}

/// The clocks at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// What each seat has left, in milliseconds.
    pub left: Vec<u64>,
    /// The seat whose time passes, from 1; 0 for none.
    pub running: u8,
}

/// Who is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// For each seat, how many seconds its person has been away; 0 for who is there, and for bots.
    pub away: Vec<u32>,
    /// How many watch without a seat.
    pub watching: u32,
    /// After how many seconds away the others may claim the game; 0 where they may not, as a turn has days.
    #[serde(default)]
    pub grace: u32,
}

/// A table in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LobbyTable {
    /// The table's name in addresses.
    pub id: String,
    /// The game with its options.
    pub game: String,
    /// The clock, as in a record.
    pub clock: String,
    /// Whether ratings change.
    pub rated: bool,
    /// The names on the seats; empty where nobody sits.
    pub seats: Vec<String>,
    /// How many seats are free.
    pub free: u8,
}
