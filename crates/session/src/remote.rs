use std::time::Duration;

use game::Match;
use protocol::{Command, Event, ServerMessage, TableInfo};
use rules::Seat;

use crate::{
    Clocks, FollowError, Follower, History, OfferKind, OpenOffer, Pending, Premove, RematchPolicy, Reply, SessionView,
    Standing, UndoPolicy,
};

/// A table of a server, as one client sees it.
///
/// The server's messages go in through [`RemoteSession::receive`]; what is to be sent comes out as [`Command`], and the shell
/// sends it, again after a reconnect if it was not acknowledged.
#[derive(Clone, Debug)]
pub struct RemoteSession {
    follower: Follower,
    /// Once the match has begun.
    history: Option<History>,
    /// The own seat, if there is one.
    people: Vec<Seat>,
    /// Events up to this number happened before this client came.
    old: u32,
    sent: Option<Pending>,
    /// The action to send when the turn comes.
    premove: Option<String>,
    declined: bool,
    left: Vec<Duration>,
    running: Option<Seat>,
    clocks_at: Duration,
    presence_at: Duration,
}

/// What a message of the server means for the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Nothing that is shown has changed.
    Unchanged,
    /// An event from before this client came: nothing is shown until the last of them is here.
    History,
    /// Something to show.
    Update,
}

impl RemoteSession {
    /// Begins with a table as the server describes it first, before any event.
    pub fn new(table: TableInfo, me: &str) -> Result<RemoteSession, FollowError> {
        let old = table.seq;
        let follower = Follower::new(table, me)?;
        Ok(RemoteSession {
            people: follower.seat().into_iter().collect(),
            follower,
            history: None,
            old,
            sent: None,
            premove: None,
            declined: false,
            left: Vec::new(),
            running: None,
            clocks_at: Duration::ZERO,
            presence_at: Duration::ZERO,
        })
    }

    /// What is known of the table.
    pub fn follower(&self) -> &Follower {
        &self.follower
    }

    /// The match, once it has begun.
    pub fn game(&self) -> Option<&Match> {
        self.follower.game.as_ref()
    }

    /// Whether the match has not begun.
    pub fn is_waiting(&self) -> bool {
        self.follower.game.is_none() && self.follower.ended.is_none()
    }

    /// How many seats are free.
    pub fn free_seats(&self) -> usize {
        self.follower.table.seats.iter().filter(|seat| seat.occupant.is_none()).count()
    }

    /// Whether everything is known that happened before this client came.
    pub fn is_current(&self) -> bool {
        self.follower.seq >= self.old
    }

    /// Everything a shell shows of the match, once it has begun.
    pub fn view(&self) -> Option<SessionView<'_>> {
        let (game, history) = (self.follower.game.as_ref()?, self.history.as_ref()?);
        let seat = self.follower.seat();
        let over = game.ending().is_some();
        Some(SessionView {
            game,
            history,
            viewer: self.follower.viewer(),
            reader: seat,
            people: &self.people,
            curtain: None,
            pending: self.sent,
            offer: self.offer(),
            declined: self.declined,
            undo: if seat.is_some() && !over { UndoPolicy::Offer } else { UndoPolicy::Nothing },
            rematch: match &self.follower.again {
                Some(table) => RematchPolicy::Table(table),
                None if over && seat.is_some() => RematchPolicy::Offer,
                None => RematchPolicy::Unavailable,
            },
            hint: None,
            // Until the server reports the clocks, they show what the match begins with.
            clocks: if self.left.is_empty() {
                Clocks::Local(game.clock())
            } else {
                Clocks::Reported { left: &self.left, running: self.running, at: self.clocks_at }
            },
            premove: match &self.premove {
                _ if seat.is_none() || over => Premove::Unavailable,
                Some(action) => Premove::Chosen(action),
                None => Premove::Open,
            },
        })
    }

    /// Takes in a message of the server. After an error the table must be watched anew, from event 0.
    pub fn receive(&mut self, message: &ServerMessage, now: Duration) -> Result<Received, FollowError> {
        if let ServerMessage::Table(info) = message {
            // After a reconnect only what this client has not seen comes again.
            self.old = info.seq;
            return Ok(Received::Unchanged);
        }
        let own_offer = self.offer().is_some_and(|offer| offer.standing == Standing::Agreed);
        if !self.follower.receive(message)? {
            return Ok(Received::Unchanged);
        }
        match message {
            ServerMessage::Clocks(_) => {
                (self.left, self.running) = self.follower.reported_clocks().unwrap_or_default();
                self.clocks_at = now;
            }
            ServerMessage::Presence(_) => self.presence_at = now,
            ServerMessage::Event { event, .. } => {
                self.people = self.follower.seat().into_iter().collect();
                self.declined = match event {
                    Event::Declined { seat, .. } => own_offer && Some(*seat) != self.follower.table.you,
                    Event::Said { .. } => self.declined,
                    _ => false,
                };
                self.keep_up(event);
            }
            _ => {}
        }
        Ok(if self.is_current() { Received::Update } else { Received::History })
    }

    /// Plays an action; until the server answers, nothing else can be chosen.
    pub fn act(&mut self, action: &str) -> Command {
        self.sent = Some(Pending::Sent);
        let at = self.game().map_or(0, |game| game.log().len());
        Command::Act { action: action.to_owned(), at: u32::try_from(at).unwrap_or(u32::MAX) }
    }

    /// Chooses an action before the player's turn; `None` cancels what was chosen.
    pub fn set_premove(&mut self, action: Option<String>) {
        self.premove = action;
    }

    /// Once it is the player's turn, what was chosen before it. It may be illegal by now.
    pub fn take_premove(&mut self) -> Option<String> {
        let is_due = self.view().is_some_and(|view| view.may_act());
        if is_due { self.premove.take() } else { None }
    }

    /// The server has refused the action that was sent.
    pub fn action_refused(&mut self) {
        self.sent = None;
    }

    /// Offers something to the others; the same again withdraws it.
    pub fn offer_or_withdraw(&self, kind: OfferKind) -> Command {
        match self.offer() {
            Some(open) if open.kind == kind && open.standing == Standing::Agreed => {
                Command::Decline { offer: kind.into() }
            }
            _ => Command::Propose { offer: kind.into() },
        }
    }

    /// Answers the offer on the table, or withdraws one's own; nothing if there is none.
    pub fn reply(&self, reply: Reply) -> Option<Command> {
        let kind = self.offer()?.kind.into();
        Some(if reply == Reply::Accept { Command::Agree { offer: kind } } else { Command::Decline { offer: kind } })
    }

    /// How long the player of a seat has been away; zero for a player who is there.
    pub fn away(&self, seat: Seat, now: Duration) -> Duration {
        match self.follower.presence.away.get(seat.index()) {
            None | Some(None) => Duration::ZERO,
            // The first second away counts before it has passed.
            Some(&Some(seconds)) => Duration::from_secs(seconds.max(1).into()) + now.saturating_sub(self.presence_at),
        }
    }

    fn offer(&self) -> Option<OpenOffer> {
        let (kind, agreed) = self.follower.open_offer()?;
        let by = *agreed.first()?;
        let standing = match self.follower.seat() {
            None => Standing::Watching,
            Some(seat) if agreed.contains(&seat) => Standing::Agreed,
            Some(seat) => Standing::Asked(seat),
        };
        Some(OpenOffer { kind, by, standing })
    }

    fn keep_up(&mut self, event: &Event) {
        let Some(game) = &self.follower.game else { return };
        // What was chosen for this match does not fit one that has gone back or is over.
        if matches!(event, Event::TookBack { .. }) || game.ending().is_some() {
            self.premove = None;
        }
        match (&mut self.history, event) {
            // When it is over, what was hidden is known: the match is another one.
            (Some(history), Event::Ended { log, .. }) if !log.is_empty() => *history = History::new(game),
            (Some(history), _) if history.len() == game.log().len() => return,
            (Some(history), _) => history.keep_up(game),
            (history, _) => *history = Some(History::new(game)),
        }
        // Whatever happened to the match, an action that was sent is done or has come too late.
        self.sent = None;
    }
}
