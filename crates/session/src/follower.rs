use std::fmt;
use std::time::Duration;

use game::{Consent, Entry, Match, MatchSettings, Player, Sitter};
use protocol::{Around, Claimed, Clocks, Event, Offer, Say, SeatInfo, Sitting, TableInfo, Tell};
use rules::{Seat, Viewer};
use search::Level;

use crate::OfferKind;

/// What a client knows of the table it watches, kept up to date by the server's messages.
///
/// In a game with hidden hands the match is one that this viewer cannot tell from the true one ([`Match::seen_by`]);
/// when it is over it becomes the true one.
///
/// ```
/// use protocol::{Event, SeatInfo, Sitting, TableInfo, Tell};
/// use session::Follower;
///
/// let bot = || SeatInfo { who: Some(Sitting::Bot(1)), rating: None };
/// let table = TableInfo {
///     id: "t".into(), game: "quixo".into(), clock: "none".into(), access: "link".into(), rated: false, confer: false,
///     maker: "p".into(), state: "playing".into(), seats: vec![bot(), bot()], you: 0, seq: 2,
/// };
/// let mut follower = Follower::new(table, "me")?;
/// follower.hear(&Tell::Event { seq: 1, at: 0, what: Event::Began })?;
/// follower.hear(&Tell::Event { seq: 2, at: 0, what: Event::Did { entry: "a3e3".into(), spent: None } })?;
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
    pub offer: Option<(Offer, Vec<u8>)>,
    /// Claims that wait for others to agree: who claims, who is away, and what.
    pub claims: Vec<(u8, u8, Claimed)>,
    /// What was said: the event's number, seat, name and words.
    pub chat: Vec<(u32, u8, String, Say)>,
    /// Result and cause, once it is over.
    pub ended: Option<(String, String)>,
    /// The table of the next game.
    pub again: Option<String>,
    /// The clocks as last told.
    pub clocks: Option<Clocks>,
    /// Who is there, as last told.
    pub around: Around,
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
            around: Around::default(),
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
        seat_from_wire(self.table.you)
    }

    /// What is proposed and the seats that agree, the proposing one first.
    pub fn open_offer(&self) -> Option<(OfferKind, Vec<Seat>)> {
        let (offer, agreed) = self.offer.as_ref()?;
        Some(((*offer).into(), agreed.iter().filter_map(|&seat| seat_from_wire(seat)).collect()))
    }

    /// What each seat had left when the clocks were last reported, and the seat whose time passes.
    pub fn reported_clocks(&self) -> Option<(Vec<Duration>, Option<Seat>)> {
        let clocks = self.clocks.as_ref()?;
        let left = clocks.left.iter().map(|&left| Duration::from_millis(left)).collect();
        Some((left, seat_from_wire(clocks.running)))
    }

    /// Takes in a message; whether it changed anything. Events that came before are skipped.
    pub fn hear(&mut self, tell: &Tell) -> Result<bool, FollowError> {
        match tell {
            Tell::Event { seq, what, .. } => {
                if *seq <= self.seq {
                    return Ok(false);
                }
                if *seq != self.seq + 1 {
                    return Err(FollowError::Gap { expected: self.seq + 1, got: *seq });
                }
                self.happen(*seq, what)?;
                self.seq = *seq;
            }
            Tell::Clocks(clocks) => self.clocks = Some(clocks.clone()),
            Tell::Around(around) => self.around = around.clone(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn happen(&mut self, seq: u32, what: &Event) -> Result<(), FollowError> {
        match what {
            Event::Sat { seat, who, rating } => {
                if matches!(who, Sitting::Person(person) if person.id == self.me) {
                    self.table.you = *seat;
                }
                *self.seat_mut(*seat)? = SeatInfo { who: Some(who.clone()), rating: *rating };
            }
            Event::Stood { seat } => {
                if self.table.you == *seat {
                    self.table.you = 0;
                }
                *self.seat_mut(*seat)? = SeatInfo { who: None, rating: None };
            }
            Event::Began => {
                self.game = Some(Match::seen_by(self.settings()?, self.viewer()).map_err(impossible)?);
                "playing".clone_into(&mut self.table.state);
            }
            Event::Did { entry, spent } => self.did(entry, *spent)?,
            Event::TookBack { to } => {
                let game = self.game()?;
                game.rewind(*to as usize, Consent::All, Duration::ZERO).map_err(impossible)?;
                self.offer = None;
            }
            Event::Proposed { what, seat } => match &mut self.offer {
                Some((open, agreed)) if open == what => agreed.push(*seat),
                _ => self.offer = Some((*what, vec![*seat])),
            },
            Event::Declined { .. } => self.offer = None,
            Event::Said { seat, name, what } => self.chat.push((seq, *seat, name.clone(), what.clone())),
            Event::Ended { result, cause, log } => self.end(result, cause, log)?,
            Event::Again { table } => self.again = Some(table.clone()),
            Event::Claimed { seat, away, what } => self.claims.push((*seat, *away, *what)),
            Event::Elsewhere => {}
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
    fn end(&mut self, result: &str, cause: &str, log: &[String]) -> Result<(), FollowError> {
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
        self.ended = Some((result.to_owned(), cause.to_owned()));
        self.offer = None;
        self.claims.clear();
        "over".clone_into(&mut self.table.state);
        Ok(())
    }

    fn game(&mut self) -> Result<&mut Match, FollowError> {
        self.game.as_mut().ok_or_else(|| FollowError::Impossible("something happened before the game began".to_owned()))
    }

    fn seat_mut(&mut self, seat: u8) -> Result<&mut SeatInfo, FollowError> {
        let index = usize::from(seat).wrapping_sub(1);
        self.table.seats.get_mut(index).ok_or_else(|| FollowError::Impossible(format!("there is no seat {seat}")))
    }

    /// What is settled before the match.
    fn settings(&self) -> Result<MatchSettings, FollowError> {
        let mut setup = MatchSettings::new(self.table.game.parse().map_err(impossible)?);
        setup.clock = self.table.clock.parse().map_err(impossible)?;
        if setup.sitters.len() != self.table.seats.len() {
            return Err(FollowError::Impossible("the game has another number of seats".to_owned()));
        }
        for (sitter, seat) in setup.sitters.iter_mut().zip(&self.table.seats) {
            *sitter = match &seat.who {
                Some(Sitting::Person(person)) => Sitter::new(Player::Person, &person.name),
                Some(Sitting::Bot(level)) => Sitter::new(Level::new(*level).map_or(Player::Person, Player::Bot), ""),
                None => Sitter::default(),
            };
        }
        Ok(setup)
    }
}

/// A seat as the protocol numbers it: from 1, with 0 for none.
fn seat_from_wire(number: u8) -> Option<Seat> {
    number.to_string().parse().ok()
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

fn impossible(problem: impl fmt::Display) -> FollowError {
    FollowError::Impossible(problem.to_string())
}
