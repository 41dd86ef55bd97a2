use rules::Seat;

use crate::Occupant;
use crate::declare::{object, words};
use crate::words::optional_seat;

object! {
    /// What a new table should be.
    #[serde(deny_unknown_fields)]
    pub struct TableSpec {
        /// The game with its options: `quixo(players=4)`.
        pub game: String,
        /// The clock as in a record: `none`, `turn=60`, `fischer=300+5`; days per turn are `turn=259200`.
        #[serde(default = "no_clock")]
        pub clock: String,
        /// Who may come.
        #[serde(default)]
        pub access: Access,
        /// Whether ratings change: only for two people with accounts.
        #[serde(default)]
        pub rated: bool,
        /// Whether team members may talk with each other alone.
        #[serde(default)]
        pub confer: bool,
        /// The seat of the maker; without it the maker takes none.
        #[serde(default, with = "optional_seat", skip_serializing_if = "Option::is_none")]
        pub seat: Option<Seat>,
        /// Who begins; without it the players choose their seats, and in a rematch everyone moves on by one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub first: Option<FirstPlayer>,
        /// The symbol or colour of each side, as in a record: `nought cross`; without it the usual ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub signs: Option<String>,
        /// Levels of the bots on the seats, `null` where a person is to sit; may be shorter than the table.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub bots: Vec<Option<u8>>,
    }
}

fn no_clock() -> String {
    "none".to_owned()
}

impl TableSpec {
    /// A table for people with the link: no clock, not rated, no bots, and no seat for its maker.
    pub fn new(game: impl Into<String>) -> TableSpec {
        TableSpec {
            game: game.into(),
            clock: no_clock(),
            access: Access::Link,
            rated: false,
            confer: false,
            seat: None,
            first: None,
            signs: None,
            bots: Vec::new(),
        }
    }
}

words! {
    /// Who begins, where the players do not choose: the first seat begins, so this is about who sits there.
    pub enum FirstPlayer {
        /// The seats are drawn once all are taken, and again for a rematch.
        Lot = "lot",
        /// The loser of the game before; in the first game by lot, after a draw everyone moves on by one.
        Loser = "loser",
    }
}

words! {
    /// Who may come to a table.
    #[derive(Default)]
    pub enum Access {
        /// Anyone: it is listed in the lobby.
        Open = "open",
        /// Anyone with the link.
        #[default]
        Link = "link",
        /// The players with the link; no spectators.
        Private = "private",
    }
}

words! {
    /// How far a table is.
    #[derive(Default)]
    pub enum TableState {
        /// The game has not begun.
        #[default]
        Waiting = "waiting",
        /// The game is being played.
        Playing = "playing",
        /// The game has ended.
        Over = "over",
    }
}

object! {
    /// A table's settings and its present state.
    pub struct TableInfo {
        /// The id of the table, as in its address.
        pub id: String,
        /// The game with its options.
        pub game: String,
        /// The clock, as in a record.
        pub clock: String,
        /// Who may come.
        pub access: Access,
        /// Whether ratings change.
        pub rated: bool,
        /// Whether team members may talk alone.
        pub confer: bool,
        /// Who begins, where the players do not choose their seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub first: Option<FirstPlayer>,
        /// Whether the seats of this game are drawn by lot.
        #[serde(default)]
        pub drawn: bool,
        /// The symbol or colour of each side, where it was chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub signs: Option<String>,
        /// The id of the person who made it.
        pub maker: String,
        /// How far it is.
        pub state: TableState,
        /// The seats as they are now.
        pub seats: Vec<SeatInfo>,
        /// The client's own seat; a spectator has none.
        #[serde(default, with = "optional_seat", skip_serializing_if = "Option::is_none")]
        pub you: Option<Seat>,
        /// The number of the last event.
        pub seq: u32,
    }
}

object! {
    /// A seat of a table.
    #[derive(Default)]
    pub struct SeatInfo {
        /// Who sits there; a free seat has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub occupant: Option<Occupant>,
        /// At rated tables, the person's rating in this game when they sat down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub rating: Option<u32>,
    }
}
