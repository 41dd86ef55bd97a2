use game::Cause;
use rules::{Outcome, Seat};
use serde::{Deserialize, Serialize};

use super::log_format;

/// An entry of a table's log, with full knowledge: what is stored, and what everything else follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogEntry {
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The person whose request led to it; none for a flag that fell or a bot that moved.
    pub(crate) by: Option<String>,
    /// The id of that request, so that the same request is not carried out twice.
    pub(crate) request: Option<String>,
    /// What happened.
    pub(crate) event: Event,
}

/// Something that happened at a table.
///
/// The serde names are those of the stored format, version 1; see [`super::log_format`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// A person or bot took a seat.
    Sat {
        #[serde(with = "log_format::seat")]
        seat: Seat,
        who: Sitting,
        /// At a rated table, the person's rating in this game at that moment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<u32>,
    },
    /// A seat became free again, before the game.
    Stood {
        #[serde(with = "log_format::seat")]
        seat: Seat,
    },
    /// The game began.
    Began,
    /// The match's log grew by an entry.
    #[serde(rename = "did")]
    Played {
        #[serde(with = "log_format::match_event")]
        entry: game::Event,
        /// How long the seat to act took, in milliseconds, if a clock ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<u32>,
        /// What of the time until then was given back for a slow network, in milliseconds. It is logged, so that every
        /// node knows what is left of the seat's allowance.
        #[serde(skip)]
        forgiven: u32,
    },
    /// The match's log was cut back to this many entries.
    TookBack { to: u32 },
    /// A proposal was made or agreed to.
    Proposed {
        what: ProposalKind,
        #[serde(with = "log_format::seat")]
        seat: Seat,
    },
    /// A proposal was declined or withdrawn.
    Declined {
        what: ProposalKind,
        #[serde(with = "log_format::seat")]
        seat: Seat,
    },
    /// A seat claimed the game because another is away.
    Claimed {
        #[serde(with = "log_format::seat")]
        seat: Seat,
        #[serde(with = "log_format::seat")]
        away: Seat,
        what: Claim,
    },
    /// A person said something.
    Said {
        /// None for a spectator.
        #[serde(with = "log_format::optional_seat")]
        seat: Option<Seat>,
        name: String,
        what: Speech,
    },
    /// The match is over.
    Ended {
        #[serde(with = "log_format::outcome")]
        result: Option<Outcome>,
        #[serde(with = "log_format::cause")]
        cause: Cause,
    },
    /// The table for the next game was made.
    #[serde(rename = "again")]
    RematchMade { table: String },
}

/// A person, as the log names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: PersonKind,
}

/// How a person is known to the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PersonKind {
    #[default]
    #[serde(alias = "")]
    Guest,
    Account,
    Bot,
}

/// What takes a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sitting {
    Person(Person),
    /// The program at a level.
    Bot(u8),
}

/// What all sides can agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProposalKind {
    Draw,
    Takeback,
    Rematch,
}

/// What can be claimed when a seat is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Claim {
    Win,
    Draw,
}

/// What a person says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Speech {
    Text(String),
    Phrase(String),
    /// To the own team alone.
    Team(String),
}

impl Event {
    /// Whether the clock is set by this event.
    pub(crate) fn sets_clock(&self) -> bool {
        matches!(self, Event::Began | Event::Played { .. } | Event::TookBack { .. })
    }
}

impl Sitting {
    /// The person, unless it is a bot.
    pub(crate) fn person(&self) -> Option<&Person> {
        match self {
            Sitting::Person(person) => Some(person),
            Sitting::Bot(_) => None,
        }
    }
}

impl LogEntry {
    /// Removes what was said and by whom; whether anything was. The number of the entry stays taken.
    pub(crate) fn remove_chat(&mut self) -> bool {
        let Event::Said { name, what, .. } = &mut self.event else { return false };
        name.clear();
        *what = Speech::Text(String::new());
        self.by = None;
        true
    }

    /// Removes a person's name and rating; whether they were there.
    pub(crate) fn forget(&mut self, person: &str) -> bool {
        match &mut self.event {
            Event::Sat { who: Sitting::Person(sitting), rating, .. } if sitting.id == person => {
                sitting.name.clear();
                *rating = None;
            }
            Event::Said { name, .. } if self.by.as_deref() == Some(person) => name.clear(),
            _ => return false,
        }
        true
    }
}
