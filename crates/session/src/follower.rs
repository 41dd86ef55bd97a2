use std::fmt;
use std::time::Duration;

use game::{Conferring, Consent, Entry, Match, MatchSettings, Player, Sitter};
use protocol::{
    ChatLine, Claim, Clocks, EndCause, Event, GameResult, Occupant, Offer, Presence, SeatInfo, ServerMessage,
    TableInfo, TableState,
};
use rules::{Seat, Signs, Viewer};
use search::Level;

use crate::{FirstPlayer, OfferKind};

/// What a client knows of the table it watches, kept up to date by the server's messages.
///
/// In a game with hidden hands the match is one that this viewer cannot tell from the true one ([`Match::seen_by`]);
/// when it is over it becomes the true one.
///
/// ```
/// use protocol::{Access, Event, Occupant, SeatInfo, ServerMessage, TableInfo, TableState};
/// use session::Follower;
///
/// let bot = || SeatInfo { occupant: Some(Occupant::Bot { level: 1 }), rating: None };
/// let table = TableInfo {
///     id: "t".into(), game: "quixo".into(), clock: "none".into(), access: Access::Link, rated: false, confer: false,
///     first: None, drawn: false, signs: None, maker: "p".into(), state: TableState::Playing, seats: vec![bot(), bot()], you: None, seq: 2,
/// };
/// let mut follower = Follower::new(table, "me")?;
/// follower.receive(&ServerMessage::Event { seq: 1, at: 0, event: Event::Began })?;
/// let event = Event::Entry { entry: "a3e3".into(), spent: None };
/// follower.receive(&ServerMessage::Event { seq: 2, at: 0, event })?;
/// assert_eq!(follower.game.unwrap().position().to_string(), "...../...../....x/...../..... 2");
/// # Ok::<(), session::FollowError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    /// The table as it was when it was first told; its seats and state are kept up to date.
    pub table: TableInfo,
    /// Who follows.
    me: String,
    /// The match, once it has begun.
    pub game: Option<Match>,
    /// The number of the last event.
    pub seq: u32,
    /// What is proposed, and which seats agree, the proposing one first.
    pub offer: Option<(Offer, Vec<Seat>)>,
    /// Claims that wait for others to agree: who claims, who is away, and what.
    pub claims: Vec<(Seat, Seat, Claim)>,
    /// The chat: the event's number, the speaker's seat (a spectator has none) and name, and the line.
    pub chat: Vec<(u32, Option<Seat>, String, ChatLine)>,
    /// Result and cause, once it is over.
    pub ended: Option<(GameResult, EndCause)>,
    /// The table of the next game.
    pub again: Option<String>,
    /// The clocks as last told.
    pub clocks: Option<Clocks>,
    /// Who is present, as last reported.
    pub presence: Presence,
}

/// Why a client cannot follow a table any more: it should watch the table anew, from event 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowError {
    /// An event is missing.
    Gap {
        /// The number that should have come.
        expected: u32,
        /// The number that came.
        got: u32,
    },
    /// What was told cannot be: the two ends are of different versions.
    Impossible(String),
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FollowError::Gap { expected, got } => write!(f, "event {expected} should have come, but {got} did"),
            FollowError::Impossible(problem) => write!(f, "what was told cannot be: {problem}"),
        }
    }
}

impl std::error::Error for FollowError {}

impl Follower {
    /// Begins with a table as it is told first, before any event.
    pub fn new(table: TableInfo, me: &str) -> Result<Follower, FollowError> {
        let follower = Follower {
            table,
            me: me.to_owned(),
            game: None,
            seq: 0,
            offer: None,
            claims: Vec::new(),
            chat: Vec::new(),
            ended: None,
            again: None,
            clocks: None,
            presence: Presence::default(),
        };
        // What cannot be begun later had better be said now.
        follower.settings()?;
        Ok(follower)
    }

    /// The viewer whose view the server sends.
    pub fn viewer(&self) -> Viewer {
        self.seat().map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// The own seat.
    pub fn seat(&self) -> Option<Seat> {
        self.table.you
    }

    /// What is proposed and the seats that agree, the proposing one first.
    pub fn open_offer(&self) -> Option<(OfferKind, Vec<Seat>)> {
        let (offer, agreed) = self.offer.as_ref()?;
        Some(((*offer).into(), agreed.clone()))
    }

    /// What each seat had left when the clocks were last reported, and the seat whose time passes.
    pub fn reported_clocks(&self) -> Option<(Vec<Duration>, Option<Seat>)> {
        let clocks = self.clocks.as_ref()?;
        let left = clocks.left.iter().map(|&left| Duration::from_millis(left)).collect();
        Some((left, clocks.running))
    }

    /// Takes in a message; whether it changed anything. Events that came before are skipped.
    pub fn receive(&mut self, message: &ServerMessage) -> Result<bool, FollowError> {
        match message {
            ServerMessage::Event { seq, event, .. } => {
                if *seq <= self.seq {
                    return Ok(false);
                }
                if *seq != self.seq + 1 {
                    return Err(FollowError::Gap { expected: self.seq + 1, got: *seq });
                }
                self.happen(*seq, event)?;
                self.seq = *seq;
            }
            ServerMessage::Clocks(clocks) => self.clocks = Some(clocks.clone()),
            ServerMessage::Presence(presence) => self.presence = presence.clone(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn happen(&mut self, seq: u32, event: &Event) -> Result<(), FollowError> {
        match event {
            Event::Sat { seat, occupant, rating } => {
                if matches!(occupant, Occupant::Person(person) if person.id == self.me) {
                    self.table.you = Some(*seat);
                }
                *self.seat_mut(*seat)? = SeatInfo { occupant: Some(occupant.clone()), rating: *rating };
            }
            Event::Stood { seat } => {
                if self.table.you == Some(*seat) {
                    self.table.you = None;
                }
                *self.seat_mut(*seat)? = SeatInfo::default();
            }
            Event::Began => {
                self.game = Some(Match::seen_by(self.settings()?, self.viewer()).map_err(impossible)?);
                self.table.state = TableState::Playing;
            }
            Event::Entry { entry, spent } => self.did(entry, *spent)?,
            Event::TookBack { to } => {
                let game = self.game()?;
                game.rewind(*to as usize, Consent::All, Duration::ZERO).map_err(impossible)?;
                self.offer = None;
            }
            Event::Proposed { offer, seat } => match &mut self.offer {
                Some((open, agreed)) if open == offer => agreed.push(*seat),
                _ => self.offer = Some((*offer, vec![*seat])),
            },
            Event::Declined { .. } => self.offer = None,
            Event::Said { seat, name, line } => self.chat.push((seq, *seat, name.clone(), line.clone())),
            Event::Ended { result, cause, log } => self.end(*result, *cause, log)?,
            Event::Rematch { table } => self.again = Some(table.clone()),
            Event::Claimed { seat, away, claim } => self.claims.push((*seat, *away, *claim)),
            // A newer server's event is counted and otherwise ignored.
            Event::Redacted | Event::Unknown => {}
        }
        Ok(())
    }

    fn did(&mut self, entry: &str, spent: Option<u32>) -> Result<(), FollowError> {
        self.claims.clear();
        let mut entry = Entry::new(entry.into());
        entry.spent = spent.map(|spent| Duration::from_millis(spent.into()));
        if !matches!(entry.event, game::Event::Action(_)) {
            self.offer = None;
        }
        self.game()?.replay(entry).map_err(impossible)
    }

    /// The match is over; what was hidden is known from now on.
    fn end(&mut self, result: GameResult, cause: EndCause, log: &[String]) -> Result<(), FollowError> {
        if !log.is_empty() {
            let mut whole = Match::new(self.settings()?).map_err(impossible)?;
            let spent = self.game()?.log().iter().map(|entry| entry.spent);
            for (text, spent) in log.iter().zip(spent.collect::<Vec<_>>()) {
                let mut entry = Entry::new(text.as_str().into());
                entry.spent = spent;
                whole.replay(entry).map_err(impossible)?;
            }
            self.game = Some(whole);
        }
        self.ended = Some((result, cause));
        self.offer = None;
        self.claims.clear();
        self.table.state = TableState::Over;
        Ok(())
    }

    fn game(&mut self) -> Result<&mut Match, FollowError> {
        self.game.as_mut().ok_or_else(|| FollowError::Impossible("something happened before the game began".to_owned()))
    }

    fn seat_mut(&mut self, seat: Seat) -> Result<&mut SeatInfo, FollowError> {
        self.table
            .seats
            .get_mut(seat.index())
            .ok_or_else(|| FollowError::Impossible(format!("there is no seat {seat}")))
    }

    /// What is settled before the match.
    fn settings(&self) -> Result<MatchSettings, FollowError> {
        let mut setup = MatchSettings::new(self.table.game.parse().map_err(impossible)?);
        setup.clock = self.table.clock.parse().map_err(impossible)?;
        if setup.sitters.len() != self.table.seats.len() {
            return Err(FollowError::Impossible("the game has another number of seats".to_owned()));
        }
        for (sitter, seat) in setup.sitters.iter_mut().zip(&self.table.seats) {
            *sitter = match &seat.occupant {
                Some(Occupant::Person(person)) => Sitter::new(Player::Person, &person.name),
                Some(Occupant::Bot { level }) => {
                    Sitter::new(Level::new(*level).map_or(Player::Person, Player::Bot), "")
                }
                None => Sitter::default(),
            };
        }
        if let Some(signs) = &self.table.signs {
            setup.choose_signs(Signs::read(setup.game.id(), setup.game.sides(), signs).map_err(impossible)?);
        }
        setup.agree_conferring(if self.table.confer { Conferring::Allowed } else { Conferring::Forbidden });
        // How the first player of this match was found: where the loser begins, the first match is drawn.
        let first = if self.table.drawn { FirstPlayer::Lot } else { FirstPlayer::of_table(&self.table) };
        first.note(&mut setup);
        Ok(setup)
    }
}

impl From<protocol::FirstPlayer> for FirstPlayer {
    fn from(first: protocol::FirstPlayer) -> FirstPlayer {
        match first {
            protocol::FirstPlayer::Lot => FirstPlayer::Lot,
            protocol::FirstPlayer::Loser => FirstPlayer::Loser,
        }
    }
}

impl From<Offer> for OfferKind {
    fn from(offer: Offer) -> OfferKind {
        match offer {
            Offer::Draw => OfferKind::Draw,
            Offer::Takeback => OfferKind::Takeback,
            Offer::Rematch => OfferKind::Rematch,
        }
    }
}

impl From<OfferKind> for Offer {
    fn from(kind: OfferKind) -> Offer {
        match kind {
            OfferKind::Draw => Offer::Draw,
            OfferKind::Takeback => Offer::Takeback,
            OfferKind::Rematch => Offer::Rematch,
        }
    }
}

/// The cause of an ending as the protocol names it.
pub fn end_cause(cause: game::Cause) -> EndCause {
    match cause {
        game::Cause::Rules => EndCause::Rules,
        game::Cause::Resignation => EndCause::Resignation,
        game::Cause::Time => EndCause::Time,
        game::Cause::Departure => EndCause::Departure,
        game::Cause::Agreement => EndCause::Agreement,
        game::Cause::Repetition => EndCause::Repetition,
        game::Cause::Abandonment => EndCause::Abandonment,
    }
}

fn impossible(problem: impl fmt::Display) -> FollowError {
    // A page follows from the start again, whatever it was; the sentences would be a fiftieth of what it loads.
    let problem = if cfg!(target_family = "wasm") { String::new() } else { problem.to_string() };
    FollowError::Impossible(problem)
}
