//! The border to the protocol: requests as they come in, and events as each viewer may know them.

use protocol::{Clocks, Code, Do, Event as Told, SeatInfo, TableInfo, Tell};
use rules::{Seat, Viewer};

use super::event::{Claim, ProposalKind};
use super::spec::numbered;
use super::table::{Recorded, Table};
use super::{Event, Person, PersonKind, Refusal, Request, Sitting, Speech};

impl Table {
    /// The events after number `seen`, as a viewer may know them.
    pub(crate) fn events_since(&self, seen: u32, viewer: Viewer) -> Vec<Tell> {
        let later = self.log.iter().enumerate().skip(seen as usize);
        later.map(|(index, recorded)| self.told(index as u32 + 1, recorded, viewer)).collect()
    }

    /// What a client is sent before the events.
    pub(crate) fn info(&self, viewer: Viewer) -> TableInfo {
        let seats = self.seats.iter().zip(&self.ratings);
        TableInfo {
            id: self.id.clone(),
            game: self.spec.game.to_string(),
            clock: self.spec.clock.to_string(),
            access: self.spec.access.word().to_owned(),
            rated: self.spec.rated,
            confer: self.spec.confer,
            maker: self.maker.clone(),
            state: self.stage().word().to_owned(),
            seats: seats.map(|(who, rating)| SeatInfo { who: who.clone().map(Into::into), rating: *rating }).collect(),
            you: if let Viewer::Seat(seat) = viewer { seat.number() } else { 0 },
            seq: self.seq(),
        }
    }

    /// The clocks as they stand; none where no time is counted.
    pub(crate) fn clocks(&self, now: std::time::Duration) -> Option<Clocks> {
        let play = self.play.as_ref()?;
        let clock = play.clock();
        let seats = Seat::all(self.seats.len() as u8);
        let left: Option<Vec<u64>> = seats.map(|seat| Some(clock.left(seat, now)?.as_millis() as u64)).collect();
        let running = clock.running_for().filter(|_| play.ending().is_none()).map_or(0, Seat::number);
        Some(Clocks { left: left?, running })
    }

    fn told(&self, seq: u32, recorded: &Recorded, viewer: Viewer) -> Tell {
        let what = match &recorded.entry.event {
            Event::Sat { seat, who, rating } => {
                Told::Sat { seat: seat.number(), who: who.clone().into(), rating: *rating }
            }
            Event::Stood { seat } => Told::Stood { seat: seat.number() },
            Event::Began => Told::Began,
            Event::Played { entry, spent, .. } => Told::Did {
                entry: recorded.seen_by(viewer).map_or_else(|| entry.to_string(), str::to_owned),
                spent: *spent,
            },
            Event::TookBack { to } => Told::TookBack { to: *to },
            Event::Proposed { what, seat } => Told::Proposed { what: (*what).into(), seat: seat.number() },
            Event::Declined { what, seat } => Told::Declined { what: (*what).into(), seat: seat.number() },
            Event::Claimed { seat, away, what } => {
                Told::Claimed { seat: seat.number(), away: away.number(), what: (*what).into() }
            }
            Event::Said { seat, what: Speech::Team(_), .. } if !self.is_team_of(*seat, viewer) => Told::Elsewhere,
            Event::Said { seat, name, what } => {
                Told::Said { seat: seat.map_or(0, Seat::number), name: name.clone(), what: what.clone().into() }
            }
            Event::Ended { result, cause } => {
                Told::Ended { result: game::result_word(*result), cause: cause.to_string(), log: self.revealed_log() }
            }
            Event::RematchMade { table } => Told::Again { table: table.clone() },
        };
        Tell::Event { seq, at: recorded.entry.at.max(0) as u64, what }
    }

    /// Once a game with hidden hands is over, every entry as it truly was.
    fn revealed_log(&self) -> Vec<String> {
        match &self.play {
            Some(play) if self.hides => play.log().iter().map(|entry| entry.event.to_string()).collect(),
            _ => Vec::new(),
        }
    }

    fn is_team_of(&self, speaker: Option<Seat>, viewer: Viewer) -> bool {
        let (Viewer::Seat(viewer), Some(speaker)) = (viewer, speaker) else { return false };
        let start = self.spec.game.start();
        start.side(speaker) == start.side(viewer)
    }
}

impl Request {
    /// What a message asks of a table; none for messages that are about no table.
    pub(crate) fn from_wire(message: &Do) -> Result<Option<Request>, Refusal> {
        let seat = |number: u8| numbered(number).ok_or_else(|| Refusal::from(Code::NoSeat));
        Ok(Some(match message {
            Do::Sit { seat: 0 } => Request::Sit(None),
            Do::Sit { seat: number } => Request::Sit(Some(seat(*number)?)),
            Do::Stand => Request::Stand,
            Do::Bot { seat: number, level } => {
                Request::SeatBot { seat: seat(*number)?, level: (*level > 0).then_some(*level) }
            }
            Do::Start => Request::Start,
            Do::Act { action, at } => Request::Act { action: action.clone(), at: *at },
            Do::Resign => Request::Resign,
            Do::Propose(what) => Request::Propose((*what).into()),
            Do::Agree(what) => Request::Agree((*what).into()),
            Do::Decline(what) => Request::Decline((*what).into()),
            Do::Claim { seat: number, what } => Request::Claim { away: seat(*number)?, what: (*what).into() },
            Do::Say(say) => Request::Say(say.clone().into()),
            Do::Hello { .. } | Do::Watch { .. } | Do::Lobby | Do::Create(_) | Do::Pair(_) | Do::Ping => {
                return Ok(None);
            }
        }))
    }
}

impl From<&protocol::Person> for Person {
    fn from(person: &protocol::Person) -> Person {
        let kind = match person.kind.as_str() {
            "account" => PersonKind::Account,
            "bot" => PersonKind::Bot,
            _ => PersonKind::Guest,
        };
        Person { id: person.id.clone(), name: person.name.clone(), kind }
    }
}

impl From<Person> for protocol::Person {
    fn from(person: Person) -> protocol::Person {
        let kind = match person.kind {
            PersonKind::Guest => "guest",
            PersonKind::Account => "account",
            PersonKind::Bot => "bot",
        };
        protocol::Person { id: person.id, name: person.name, kind: kind.to_owned() }
    }
}

impl From<Sitting> for protocol::Sitting {
    fn from(sitting: Sitting) -> protocol::Sitting {
        match sitting {
            Sitting::Person(person) => protocol::Sitting::Person(person.into()),
            Sitting::Bot(level) => protocol::Sitting::Bot(level),
        }
    }
}

impl From<protocol::Offer> for ProposalKind {
    fn from(offer: protocol::Offer) -> ProposalKind {
        match offer {
            protocol::Offer::Draw => ProposalKind::Draw,
            protocol::Offer::Takeback => ProposalKind::Takeback,
            protocol::Offer::Rematch => ProposalKind::Rematch,
        }
    }
}

impl From<ProposalKind> for protocol::Offer {
    fn from(kind: ProposalKind) -> protocol::Offer {
        match kind {
            ProposalKind::Draw => protocol::Offer::Draw,
            ProposalKind::Takeback => protocol::Offer::Takeback,
            ProposalKind::Rematch => protocol::Offer::Rematch,
        }
    }
}

impl From<protocol::Claimed> for Claim {
    fn from(claimed: protocol::Claimed) -> Claim {
        match claimed {
            protocol::Claimed::Win => Claim::Win,
            protocol::Claimed::Draw => Claim::Draw,
        }
    }
}

impl From<Claim> for protocol::Claimed {
    fn from(claim: Claim) -> protocol::Claimed {
        match claim {
            Claim::Win => protocol::Claimed::Win,
            Claim::Draw => protocol::Claimed::Draw,
        }
    }
}

impl From<protocol::Say> for Speech {
    fn from(say: protocol::Say) -> Speech {
        match say {
            protocol::Say::Text(text) => Speech::Text(text),
            protocol::Say::Phrase(key) => Speech::Phrase(key),
            protocol::Say::Team(text) => Speech::Team(text),
        }
    }
}

impl From<Speech> for protocol::Say {
    fn from(speech: Speech) -> protocol::Say {
        match speech {
            Speech::Text(text) => protocol::Say::Text(text),
            Speech::Phrase(key) => protocol::Say::Phrase(key),
            Speech::Team(text) => protocol::Say::Team(text),
        }
    }
}
