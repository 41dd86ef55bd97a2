//! The protocol's types as the description of the API has them, so that a generated client can play. The crate `protocol` knows
//! nothing of descriptions; the test below compares the two by the examples of docs/protocol.md.
#![allow(dead_code, reason = "they are described, never made")]

use serde::Deserialize;
use utoipa::ToSchema;

/// A person, or a program that plays under its own name.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Person {
    /// The id of the person.
    id: String,
    /// The name, which may be empty.
    name: String,
    kind: PersonKind,
}

/// What kind of person.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PersonKind {
    Guest,
    Account,
    Bot,
}

/// Who sits on a seat.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Occupant {
    Person {
        id: String,
        name: String,
        kind: PersonKind,
    },
    Bot {
        #[schema(minimum = 1, maximum = 8)]
        level: u8,
    },
}

/// A seat of a table.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SeatInfo {
    /// Who sits there; a free seat has none.
    occupant: Option<Occupant>,
    /// At rated tables, the person's rating in this game when they sat down.
    rating: Option<u32>,
}

/// Who may come to a table.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Access {
    Open,
    Link,
    Private,
}

/// Who begins, where the players do not choose their seats.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FirstPlayer {
    Lot,
    Loser,
}

/// How far a table is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableState {
    Waiting,
    Playing,
    Over,
}

/// A table's settings and its present state.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TableInfo {
    /// The id of the table, as in its address.
    id: String,
    /// The game with its options.
    game: String,
    /// The clock, as in a record.
    clock: String,
    access: Access,
    /// Whether ratings change.
    rated: bool,
    /// Whether team members may talk alone.
    confer: bool,
    /// Who begins, where the players do not choose their seats.
    first: Option<FirstPlayer>,
    /// Whether the seats of this game are drawn by lot.
    drawn: bool,
    /// The symbol or colour of each side, where it was chosen.
    signs: Option<String>,
    /// The id of the person who made it.
    maker: String,
    state: TableState,
    seats: Vec<SeatInfo>,
    /// Your own seat; a spectator has none.
    #[schema(minimum = 1, maximum = 4)]
    you: Option<u8>,
    /// The number of the last event.
    seq: u32,
}

/// A table in the lobby.
#[derive(Deserialize, ToSchema)]
pub(crate) struct LobbyTable {
    id: String,
    /// The game with its options.
    game: String,
    /// The clock, as in a record.
    clock: String,
    rated: bool,
    /// The names on the seats; `null` where a seat is free.
    seats: Vec<Option<String>>,
}

/// A request of the protocol.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// Yours, different for every request at a table; the same request sent again is performed once.
    #[schema(min_length = 1, max_length = 40)]
    id: String,
    command: Command,
}

/// What a client can request of a table.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Command {
    /// Sit down, on this seat or on any free one.
    Sit {
        #[schema(minimum = 1, maximum = 4)]
        seat: Option<u8>,
    },
    /// Stand up again, before the game begins.
    Stand {},
    /// The maker seats a bot on a free seat, or without a level takes it away.
    Bot {
        #[schema(minimum = 1, maximum = 4)]
        seat: u8,
        #[schema(minimum = 1, maximum = 8)]
        level: Option<u8>,
    },
    /// Begin, once all seats are taken.
    Start {},
    /// Act in the game.
    Act {
        /// The action's text.
        action: String,
        /// How many entries your log of the match has.
        at: u32,
    },
    /// Resign.
    Resign {},
    /// Offer something that every side must agree to.
    Propose { offer: Offer },
    /// Agree to an offer.
    Agree { offer: Offer },
    /// Decline an offer, or withdraw it.
    Decline { offer: Offer },
    /// Claim the game because a seat is away for too long.
    Claim {
        #[schema(minimum = 1, maximum = 4)]
        seat: u8,
        claim: Claim,
    },
    /// Say something.
    Say { line: ChatLine },
    /// Check that the server is there.
    Ping {},
}

/// What all sides can agree to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Offer {
    Draw,
    Takeback,
    Rematch,
}

/// What can be claimed when a seat is away.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Claim {
    Win,
    Draw,
}

/// A line of chat.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ChatLine {
    /// Words for everyone at the table.
    Text {
        #[schema(min_length = 1, max_length = 300)]
        text: String,
    },
    /// A phrase, shown to each reader in their own language.
    Phrase { phrase: Phrase },
    /// Words for the own team, at tables where that was agreed.
    Team {
        #[schema(min_length = 1, max_length = 300)]
        text: String,
    },
}

/// The phrases that need no typing.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phrase {
    Hello,
    GoodLuck,
    WellPlayed,
    Thanks,
    Oops,
    OneMoment,
    Again,
    Bye,
}

/// Your challenges whose tables still wait.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Challenges {
    /// Those to you that you have not declined, the latest first.
    received: Vec<Challenge>,
    /// Those by you, the latest first.
    sent: Vec<Challenge>,
}

/// A table that one person offers to another.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Challenge {
    /// The table: sit down there to accept.
    table: String,
    /// The game with its options.
    game: String,
    /// The clock.
    clock: String,
    /// Whether ratings change.
    rated: bool,
    /// The id of the other person.
    person: String,
    /// Their name.
    name: String,
    /// When, in milliseconds since 1970.
    at: u64,
    /// Whether it was declined.
    declined: bool,
}

/// An action that gave something away.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Mistake {
    /// The number of the entry in the match's log, from 0.
    entry: u32,
    /// The seat that acted.
    #[schema(minimum = 1, maximum = 4)]
    seat: u8,
    /// What it played.
    action: String,
    /// How much it gave away.
    mistake: String,
    /// What would have been better, and how it goes on.
    better: Vec<String>,
}

/// Why something was refused.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Problem {
    /// The refusal of the protocol; docs/protocol.md lists the codes with their statuses.
    code: String,
    /// A sentence in the language of `Accept-Language`.
    text: String,
    /// With `not_your_turn`: the seat to act.
    #[schema(minimum = 1, maximum = 4)]
    to_act: Option<u8>,
    /// With `unreadable_action` and `illegal_action`.
    action: Option<String>,
    /// With `unreadable`, `illegal_action`, `bad_table` and `busy`: why, in English.
    problem: Option<String>,
    /// With `not_away`: how many seconds to wait.
    wait: Option<u32>,
    /// With `version`.
    oldest: Option<u32>,
    /// With `version`.
    newest: Option<u32>,
}

#[cfg(test)]
mod tests {
    use protocol::{Refusal, ServerMessage};
    use serde_json::Value;

    use super::*;

    /// The JSON examples of docs/protocol.md.
    fn examples() -> impl Iterator<Item = Value> {
        let blocks = include_str!("../../../../docs/protocol.md").split("```json\n").skip(1);
        let lines = blocks.flat_map(|rest| rest.split("```").next().unwrap_or_default().lines());
        lines.filter_map(|line| serde_json::from_str(line).ok())
    }

    fn described<T: ToSchema>() -> String {
        serde_json::to_string(&T::schema()).unwrap()
    }

    #[test]
    fn what_the_document_shows_the_description_allows() {
        let elsewhere = ["hello", "watch", "lobby", "create", "pair"];
        let mut seen = 0;
        for example in examples() {
            let command = &example["command"];
            if command["type"].as_str().is_some_and(|kind| !elsewhere.contains(&kind)) {
                serde_json::from_value::<Request>(example.clone())
                    .unwrap_or_else(|problem| panic!("{problem}: {example}"));
                let text = described::<Command>();
                let named = command.as_object().unwrap().keys().all(|key| text.contains(&format!("\"{key}\"")));
                assert!(named, "{command} has a field that the description lacks");
                seen += 1;
            }
            if example["type"] == "table" {
                serde_json::from_value::<TableInfo>(example.clone()).unwrap();
                let text = described::<TableInfo>();
                for key in example.as_object().unwrap().keys().filter(|key| *key != "type") {
                    assert!(text.contains(&format!("\"{key}\"")), "{key}");
                }
                seen += 1;
            }
            if example["type"] == "lobby" {
                serde_json::from_value::<Vec<LobbyTable>>(example["tables"].clone()).unwrap();
                seen += 1;
            }
        }
        assert!(seen >= 15, "{seen}");
    }

    /// Of two types with one name the description holds the last, and says something else about the first.
    #[test]
    fn every_described_type_has_a_name_of_its_own() {
        let mut names = std::collections::BTreeSet::new();
        for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/api")).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            for rest in text.split("ToSchema)]\n").skip(1) {
                let line = rest.lines().find(|line| !line.starts_with('#')).unwrap();
                let name =
                    line.split([' ', '(', '{']).skip_while(|word| !["struct", "enum"].contains(word)).nth(1).unwrap();
                assert!(names.insert(name.to_owned()), "{name} is there twice");
            }
        }
        assert!(names.len() > 40, "{names:?}");
    }

    #[test]
    fn every_field_of_a_refusal_is_described() {
        let text = described::<Problem>();
        let refusals = [
            Refusal::NotYourTurn { to_act: Some(rules::Seat::ONE) },
            Refusal::IllegalAction { action: String::new(), problem: String::new() },
            Refusal::NotAway { wait: Some(1) },
            Refusal::Version { oldest: 1, newest: 2 },
        ];
        for refusal in refusals {
            let value: Value =
                serde_json::from_str(&protocol::write(&ServerMessage::Refused { id: None, reason: refusal })).unwrap();
            for key in value["reason"].as_object().unwrap().keys() {
                assert!(text.contains(&format!("\"{key}\"")), "{key}");
            }
        }
    }
}
