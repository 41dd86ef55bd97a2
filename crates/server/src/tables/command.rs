use std::time::Duration;

use rules::Seat;

use super::event::{Claim, ProposalKind};
use super::{Event, Person, Sitting, Speech};

/// What a table is to decide about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command<'a> {
    /// Time has passed: a flag may have fallen.
    Tick,
    /// A person asks for something.
    Request(&'a Person, &'a Request),
    /// An operator ends the game without a result.
    Abandon,
    /// A bot acts in the position it was asked about.
    BotAct { seat: Seat, action: &'a str, at: usize },
}

/// What a person can ask of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// A seat; any free one without a choice.
    Sit(Option<Seat>),
    Stand,
    /// A bot on a free seat; none takes it away.
    SeatBot {
        seat: Seat,
        level: Option<u8>,
    },
    Start,
    /// An action in the position after `at` entries of the match's log.
    Act {
        action: String,
        at: u32,
    },
    Resign,
    Propose(ProposalKind),
    Agree(ProposalKind),
    Decline(ProposalKind),
    Claim {
        away: Seat,
        what: Claim,
    },
    Say(Speech),
}

impl Request {
    /// Whether an event is what comes of this request.
    pub(super) fn leads_to(&self, event: &Event) -> bool {
        match (self, event) {
            (Request::Sit(wanted), Event::Sat { seat, who: Sitting::Person(_), .. }) => {
                wanted.is_none_or(|wanted| wanted == *seat)
            }
            (Request::SeatBot { seat, level: Some(level) }, Event::Sat { seat: taken, who: Sitting::Bot(sat), .. }) => {
                (seat, level) == (taken, sat)
            }
            (Request::SeatBot { seat, level: None }, Event::Stood { seat: left }) => seat == left,
            (Request::Stand, Event::Stood { .. }) | (Request::Start, Event::Began) => true,
            (Request::Act { action, .. }, Event::Played { entry: game::Event::Action(played), .. }) => {
                **played == **action
            }
            (Request::Resign, Event::Played { entry, .. }) => matches!(entry, game::Event::Out(..)),
            (Request::Propose(what) | Request::Agree(what), Event::Proposed { what: proposed, .. }) => what == proposed,
            (Request::Decline(what), Event::Declined { what: declined, .. }) => what == declined,
            (Request::Claim { away, what }, Event::Claimed { away: claimed, what: kind, .. }) => {
                (away, what) == (claimed, kind)
            }
            (Request::Say(speech), Event::Said { what, .. }) => speech.became(what),
            _ => false,
        }
    }

    /// Whether a person wants to play once more with the same people.
    pub(crate) fn is_about_rematch(&self) -> bool {
        matches!(self, Request::Propose(ProposalKind::Rematch) | Request::Agree(ProposalKind::Rematch))
    }
}

/// What a decision needs from outside the table.
pub(crate) struct DecisionContext<'a> {
    /// The time since the process began, for the clocks.
    pub(crate) now: Duration,
    /// Milliseconds since 1970, for the log.
    pub(crate) at: i64,
    /// A number below the given one.
    pub(crate) random: &'a mut (dyn FnMut(u32) -> u32 + Send),
    /// How long a person has been away; zero for one who is connected.
    pub(crate) absence: &'a (dyn Fn(&str) -> Duration + Sync),
    /// The round trip to the client.
    pub(crate) lag: Duration,
    /// How long a person must be away before others may claim the game.
    pub(crate) grace: Duration,
    /// At a rated table, the ratings of those who may sit down, in its game.
    pub(crate) ratings: Vec<(String, u32)>,
}

impl<'a> DecisionContext<'a> {
    /// A context without network delay and ratings, in which any absence is long enough for a claim.
    pub(crate) fn new(
        now: Duration,
        at: i64,
        random: &'a mut (dyn FnMut(u32) -> u32 + Send),
        absence: &'a (dyn Fn(&str) -> Duration + Sync),
    ) -> DecisionContext<'a> {
        DecisionContext { now, at, random, absence, lag: Duration::ZERO, grace: Duration::ZERO, ratings: Vec::new() }
    }

    pub(super) fn rating_of(&self, person: &str) -> Option<u32> {
        self.ratings.iter().find(|(other, _)| other == person).map(|(_, rating)| *rating)
    }
}

/// What a command leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    /// What happens, in order; empty if nothing does.
    pub(crate) events: Vec<Event>,
    /// When the next flag falls once the events are applied: the store indexes running games by it.
    pub(crate) flag_falls_at: Option<Duration>,
}
