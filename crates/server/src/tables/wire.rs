//! The border to the protocol: requests as they come in, and events as each viewer may know them.

use game::Cause;
use protocol::{ChatLine, Clocks, EndCause, Event as Told, Phrase, SeatInfo, ServerMessage, TableInfo};
use rules::{Seat, Viewer};

use super::event::{Claim, ProposalKind};
use super::table::{Recorded, Table};
use super::{Access, Event, FirstPlayer, Person, PersonKind, Request, Sitting, Speech, Stage};

impl Table {
    /// The first `most` events after number `seen`, as a viewer may know them.
    pub(crate) fn events_since(&self, seen: u32, viewer: Viewer, most: usize) -> Vec<ServerMessage> {
        let later = self.log.iter().enumerate().skip(seen as usize).take(most);
        later.map(|(index, recorded)| self.event_message(index as u32 + 1, recorded, viewer)).collect()
    }

    /// The same without the chat of some people.
    pub(crate) fn events_without(
        &self,
        blocked: &[String],
        seen: u32,
        viewer: Viewer,
        most: usize,
    ) -> Vec<ServerMessage> {
        let mut events = self.events_since(seen, viewer, most);
        for (message, recorded) in events.iter_mut().zip(self.log.iter().skip(seen as usize)) {
            if let ServerMessage::Event { event: event @ Told::Said { .. }, .. } = message
                && recorded.entry.by.as_ref().is_some_and(|by| blocked.contains(by))
            {
                *event = Told::Redacted;
            }
        }
        events
    }

    /// What a client is sent before the events.
    pub(crate) fn info(&self, viewer: Viewer) -> TableInfo {
        let seats = self.seats.iter().zip(&self.ratings);
        TableInfo {
            id: self.id.clone(),
            game: self.spec.game.to_string(),
            clock: self.spec.clock.to_string(),
            access: self.spec.access.to_wire(),
            rated: self.spec.rated,
            confer: self.spec.confer,
            first: self.spec.first.map(FirstPlayer::to_wire),
            drawn: self.spec.draws_seats(),
            signs: self.spec.signs_text(),
            maker: self.maker.clone(),
            state: self.stage().to_wire(),
            seats: seats
                .map(|(who, rating)| SeatInfo { occupant: who.clone().map(Into::into), rating: *rating })
                .collect(),
            you: if let Viewer::Seat(seat) = viewer { Some(seat) } else { None },
            seq: self.seq(),
        }
    }

    /// The clocks as they stand; none where no time is counted.
    pub(crate) fn clocks(&self, now: std::time::Duration) -> Option<Clocks> {
        let play = self.play.as_ref()?;
        let clock = play.clock();
        let seats = Seat::all(self.seats.len() as u8);
        let left: Option<Vec<u64>> = seats.map(|seat| Some(clock.left(seat, now)?.as_millis() as u64)).collect();
        let running = clock.running_for().filter(|_| play.ending().is_none());
        Some(Clocks { left: left?, running })
    }

    fn event_message(&self, seq: u32, recorded: &Recorded, viewer: Viewer) -> ServerMessage {
        let event = match &recorded.entry.event {
            Event::Sat { seat, who, rating } => {
                Told::Sat { seat: *seat, occupant: who.clone().into(), rating: *rating }
            }
            Event::Stood { seat } => Told::Stood { seat: *seat },
            Event::Began => Told::Began,
            Event::Played { entry, spent, .. } => Told::Entry {
                entry: recorded.seen_by(viewer).map_or_else(|| entry.to_string(), str::to_owned),
                spent: *spent,
            },
            Event::TookBack { to } => Told::TookBack { to: *to },
            Event::Proposed { what, seat } => Told::Proposed { offer: (*what).into(), seat: *seat },
            Event::Declined { what, seat } => Told::Declined { offer: (*what).into(), seat: *seat },
            Event::Claimed { seat, away, what } => Told::Claimed { seat: *seat, away: *away, claim: (*what).into() },
            Event::Said { seat, what: Speech::Team(_), .. } if !self.is_team_of(*seat, viewer) => Told::Redacted,
            // It has expired.
            Event::Said { what: Speech::Text(text), .. } if text.is_empty() => Told::Redacted,
            // The chat of friends at their table is not for those who find the game later.
            Event::Said { .. }
                if viewer == Viewer::Spectator && self.stage() == Stage::Over && self.spec.access != Access::Open =>
            {
                Told::Redacted
            }
            Event::Said { seat, name, what } => {
                Told::Said { seat: *seat, name: name.clone(), line: what.clone().into() }
            }
            Event::Ended { result, cause } => {
                Told::Ended { result: (*result).into(), cause: end_cause(*cause), log: self.revealed_log() }
            }
            Event::RematchMade { table } => Told::Rematch { table: table.clone() },
        };
        ServerMessage::Event { seq, at: recorded.entry.at.max(0) as u64, event }
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
    /// What a command asks of a table; none for commands that are about no table.
    pub(crate) fn from_wire(command: &protocol::Command) -> Option<Request> {
        use protocol::Command as Wire;
        Some(match command {
            Wire::Sit { seat } => Request::Sit(*seat),
            Wire::Stand {} => Request::Stand,
            Wire::Bot { seat, level } => Request::SeatBot { seat: *seat, level: *level },
            Wire::Start {} => Request::Start,
            Wire::Act { action, at } => Request::Act { action: action.clone(), at: *at },
            Wire::Resign {} => Request::Resign,
            Wire::Propose { offer } => Request::Propose((*offer).into()),
            Wire::Agree { offer } => Request::Agree((*offer).into()),
            Wire::Decline { offer } => Request::Decline((*offer).into()),
            Wire::Claim { seat, claim } => Request::Claim { away: *seat, what: (*claim).into() },
            Wire::Say { line } => Request::Say(line.clone().into()),
            Wire::Hello { .. }
            | Wire::Watch { .. }
            | Wire::Lobby {}
            | Wire::Create(_)
            | Wire::Pair(_)
            | Wire::Ping {} => {
                return None;
            }
        })
    }
}

impl Stage {
    /// As the protocol writes it.
    fn to_wire(self) -> protocol::TableState {
        match self {
            Stage::Waiting => protocol::TableState::Waiting,
            Stage::Playing => protocol::TableState::Playing,
            Stage::Over => protocol::TableState::Over,
        }
    }
}

impl From<PersonKind> for protocol::PersonKind {
    fn from(kind: PersonKind) -> protocol::PersonKind {
        match kind {
            PersonKind::Guest => protocol::PersonKind::Guest,
            PersonKind::Account => protocol::PersonKind::Account,
            PersonKind::Bot => protocol::PersonKind::Bot,
        }
    }
}

impl From<&protocol::Person> for Person {
    fn from(person: &protocol::Person) -> Person {
        let kind = match person.kind {
            protocol::PersonKind::Guest => PersonKind::Guest,
            protocol::PersonKind::Account => PersonKind::Account,
            protocol::PersonKind::Bot => PersonKind::Bot,
        };
        Person { id: person.id.clone(), name: person.name.clone(), kind }
    }
}

impl From<Person> for protocol::Person {
    fn from(person: Person) -> protocol::Person {
        protocol::Person { id: person.id, name: person.name, kind: person.kind.into() }
    }
}

impl From<Sitting> for protocol::Occupant {
    fn from(sitting: Sitting) -> protocol::Occupant {
        match sitting {
            Sitting::Person(person) => protocol::Occupant::Person(person.into()),
            Sitting::Bot(level) => protocol::Occupant::Bot { level },
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

impl From<protocol::Claim> for Claim {
    fn from(claim: protocol::Claim) -> Claim {
        match claim {
            protocol::Claim::Win => Claim::Win,
            protocol::Claim::Draw => Claim::Draw,
        }
    }
}

impl From<Claim> for protocol::Claim {
    fn from(claim: Claim) -> protocol::Claim {
        match claim {
            Claim::Win => protocol::Claim::Win,
            Claim::Draw => protocol::Claim::Draw,
        }
    }
}

impl From<ChatLine> for Speech {
    fn from(line: ChatLine) -> Speech {
        match line {
            ChatLine::Text { text } => Speech::Text(text),
            ChatLine::Phrase { phrase } => Speech::Phrase(phrase.word().to_owned()),
            ChatLine::Team { text } => Speech::Team(text),
        }
    }
}

impl From<Speech> for ChatLine {
    fn from(speech: Speech) -> ChatLine {
        match speech {
            Speech::Text(text) => ChatLine::Text { text },
            // A log may hold a phrase that is no longer offered; its key is better than nothing.
            Speech::Phrase(key) => match Phrase::ALL.iter().copied().find(|phrase| phrase.word() == key) {
                Some(phrase) => ChatLine::Phrase { phrase },
                None => ChatLine::Text { text: key },
            },
            Speech::Team(text) => ChatLine::Team { text },
        }
    }
}

fn end_cause(cause: Cause) -> EndCause {
    match cause {
        Cause::Rules => EndCause::Rules,
        Cause::Resignation => EndCause::Resignation,
        Cause::Time => EndCause::Time,
        Cause::Departure => EndCause::Departure,
        Cause::Agreement => EndCause::Agreement,
        Cause::Repetition => EndCause::Repetition,
        Cause::Abandonment => EndCause::Abandonment,
    }
}
