use serde::{Deserialize, Serialize};

/// What a client sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Chosen by the client, different for everything it asks at a table. The same ask sent again, because its
    /// acknowledgement got lost, is acknowledged again and done once.
    pub id: String,
    /// What is asked.
    #[serde(rename = "do")]
    pub what: Do,
}

/// What can be asked. All but the first five are about the table being watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Do {
    /// The first message of a connection; answered by `welcome` instead of an acknowledgement.
    Hello {
        /// The version the client speaks.
        version: u32,
    },
    /// To be told what happens at a table, from now on and since event number `seen`, which is 0 for everything.
    Watch {
        /// The table.
        table: String,
        /// The last event number the client has.
        #[serde(default)]
        seen: u32,
    },
    /// To be told the open tables, now and when they change.
    Lobby,
    /// A new table; the acknowledgement names it, and it is watched from then on.
    Create(Wish),
    /// A seat at any open table of this kind, or a new one; the acknowledgement names it, and it is watched.
    Pair(Wish),
    /// To sit down: on this seat, or with 0 on any free one.
    Sit {
        /// The seat, from 1.
        #[serde(default)]
        seat: u8,
    },
    /// To stand up again, before the game begins.
    Stand,
    /// The maker of the table puts a bot on a free seat; level 0 takes it away.
    Bot {
        /// The seat, from 1.
        seat: u8,
        /// From 1 to 8.
        level: u8,
    },
    /// To begin, once all seats are taken.
    Start,
    /// To act in the game.
    Act {
        /// The action's text.
        action: String,
        /// How many entries the client's log of the match has; if the server has another number, the action was
        /// meant for another position and is refused as stale.
        at: u32,
    },
    /// To give up.
    Resign,
    /// To propose something all must agree to; the same proposal from another side is an agreement.
    Propose(Offer),
    /// To agree to what is proposed.
    Agree(Offer),
    /// To decline what is proposed, or withdraw it.
    Decline(Offer),
    /// Somebody is away for too long: to win or draw without them. With more than two sides all who are there must ask.
    Claim {
        /// The seat that is away, from 1.
        seat: u8,
        /// What is claimed.
        what: Claimed,
    },
    /// To say something.
    Say(Say),
    /// To hear that the other end is there; acknowledged with the server's time.
    Ping,
}

/// What all sides can agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// To call the match a draw.
    Draw,
    /// To take back everything since the proposing seat last acted.
    Takeback,
    /// To play once more with the seats moved on by one, after the match.
    Rematch,
}

/// What can be claimed when somebody is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claimed {
    /// That the seat is out.
    Win,
    /// That the match is a draw.
    Draw,
}

/// Something said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// Words, to everybody.
    Text(String),
    /// One of [`crate::PHRASES`], to everybody.
    Phrase(String),
    /// Words to the own team, where that was agreed.
    Team(String),
}

/// What a new table should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// The game with its options: `quixo(players=4)`.
    pub game: String,
    /// The clock as in a record: `none`, `turn=60`, `fischer=300+5`; days per turn are `turn=259200`.
    #[serde(default = "none")]
    pub clock: String,
    /// Who may come: `open` (shown in the lobby), `link` (whoever has the address), `private` (and no spectators).
    #[serde(default = "link")]
    pub access: String,
    /// Whether ratings change: only for two people with accounts.
    #[serde(default)]
    pub rated: bool,
    /// Whether team members may talk with each other alone.
    #[serde(default)]
    pub confer: bool,
    /// The seat of the maker, from 1; 0 sits nowhere.
    #[serde(default)]
    pub seat: u8,
    /// Levels of the bots on the seats, 0 where a person is to sit; may be shorter than the table.
    #[serde(default)]
    pub bots: Vec<u8>,
}

fn none() -> String {
    "none".to_owned()
}

fn link() -> String {
    "link".to_owned()
}
