//! A server's table: a session, and the connection that keeps it up to date.

use std::time::Duration;

use game::MatchError;
use locale::Language;
use protocol::{ChatLine, Claim, Command, ServerMessage};
use session::{FollowError, OfferKind, RematchPolicy, RemoteSession, Reply, SessionView};

use super::link::{Link, LinkEvent};

/// A table whose match has begun.
pub(crate) struct RemoteTable {
    session: RemoteSession,
    next: Next,
    link: Link,
    me: String,
    language: Language,
    /// How many lines of the chat were shown.
    chat_told: usize,
    /// Seats for which the notice that the game can be claimed was shown.
    absent: Vec<rules::Seat>,
    connected: bool,
    notices: Vec<String>,
}

/// The same table followed anew, or the next one, until it can be shown.
enum Next {
    None,
    /// The server was asked for it.
    Awaited,
    /// Its events are coming in.
    Building(Box<RemoteSession>),
}

impl RemoteTable {
    /// Goes on with a table whose match has begun.
    pub(super) fn new(session: RemoteSession, link: Link, me: String, language: Language) -> RemoteTable {
        RemoteTable {
            session,
            next: Next::None,
            link,
            me,
            language,
            chat_told: 0,
            absent: Vec::new(),
            connected: true,
            notices: Vec::new(),
        }
    }

    pub(crate) fn view(&self) -> SessionView<'_> {
        self.session.view().expect("a table is shown once its match has begun")
    }

    /// Takes in one message of the server, so that the shell can tell each: a move that was taken back and played again
    /// leaves no trace in the log. Returns whether there is something to show.
    pub(crate) fn poll(&mut self, now: Duration) -> bool {
        let event = self.link.next_event();
        let mut changed = event.is_some();
        if let Some(event) = event {
            self.receive(event, now);
        }
        self.note_chat();
        changed |= self.note_absence(now);
        changed
    }

    /// Notices besides the match: chat, the connection, refusals.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    fn receive(&mut self, event: LinkEvent, now: Duration) {
        let language = self.language;
        match event {
            LinkEvent::Open if !self.connected => {
                self.connected = true;
                self.notices.push(language.join_reconnected().to_owned());
            }
            LinkEvent::Open => {}
            LinkEvent::Disconnected if self.connected => {
                self.connected = false;
                self.notices.push(language.online_broken().to_owned());
            }
            LinkEvent::Disconnected => {}
            // Another player's request to begin arrived first.
            LinkEvent::Refused { command: Some(Command::Start {}), .. } => {}
            LinkEvent::Refused { command, reason } => {
                if matches!(command, Some(Command::Act { .. })) {
                    self.session.action_refused();
                }
                self.notices.push(reason.sentence(language));
            }
            LinkEvent::Message(tell) => {
                if self.follow(&tell, now).is_err() {
                    self.watch_anew(&self.session.follower().table.id.clone());
                }
            }
        }
    }

    fn follow(&mut self, tell: &ServerMessage, now: Duration) -> Result<(), FollowError> {
        match (&mut self.next, tell) {
            (Next::Awaited, ServerMessage::Table(info)) => {
                self.next = Next::Building(Box::new(RemoteSession::new(info.clone(), &self.me)?));
            }
            (Next::Building(next), _) => {
                next.receive(tell, now)?;
                if next.view().is_some() && next.is_current() {
                    let same = next.follower().table.id == self.session.follower().table.id;
                    self.chat_told = if same { self.chat_told } else { 0 };
                    self.session = (**next).clone();
                    self.next = Next::None;
                }
            }
            (Next::Awaited, _) => {
                self.session.receive(tell, now)?;
            }
            (Next::None, _) => {
                self.session.receive(tell, now)?;
                // Every player has a seat at the next table, and the client follows there.
                if let (RematchPolicy::Table(table), Some(_)) = (self.view().rematch, self.view().reader) {
                    let table = table.to_owned();
                    self.watch_anew(&table);
                }
            }
        }
        Ok(())
    }

    /// What is known now stays on the screen until the other can be shown.
    fn watch_anew(&mut self, table: &str) {
        self.next = Next::Awaited;
        self.link.watch(table);
    }

    fn note_chat(&mut self) {
        let chat = &self.session.follower().chat;
        for (_, _, name, said) in chat.iter().skip(self.chat_told) {
            let name = if name.is_empty() { self.language.online_guest() } else { name };
            let text = match said {
                ChatLine::Text { text } => text.clone(),
                ChatLine::Phrase { phrase } => phrase.text(self.language).to_owned(),
                ChatLine::Team { text } => format!("({}) {text}", self.language.online_team()),
            };
            self.notices.push(format!("{name}: {text}"));
        }
        self.chat_told = chat.len();
    }

    /// Says once when a player has been away for so long that the match can be claimed.
    fn note_absence(&mut self, now: Duration) -> bool {
        let view = self.view();
        let claim_after = self.session.follower().presence.claim_after;
        let grace = Duration::from_secs(claim_after.unwrap_or_default().into());
        let may_claim = view.game.ending().is_none() && view.reader.is_some() && claim_after.is_some();
        let plates = view.plates(now).into_iter().map(|plate| plate.seat);
        let absent: Vec<_> = plates.filter(|&seat| may_claim && self.session.away(seat, now) > grace).collect();
        let names = session::words::names(self.language, view.game.settings(), view.reader);
        let fresh = absent.iter().filter(|seat| !self.absent.contains(seat));
        let told: Vec<String> = fresh.map(|&seat| self.language.join_may_claim(names.seat(seat))).collect();
        let changed = !told.is_empty();
        self.notices.extend(told);
        self.absent = absent;
        changed
    }

    /// Sends a legal action, or returns why it is illegal.
    pub(crate) fn act(&mut self, action: &str) -> Result<(), MatchError> {
        let view = self.view();
        if let Some(ending) = view.game.ending() {
            return Err(MatchError::Over(ending));
        }
        let seat = view.reader.unwrap_or(rules::Seat::ONE);
        if !view.may_act() {
            return Err(MatchError::NotYourTurn { seat, to_act: view.game.to_act() });
        }
        view.game.position().boxed().play(action)?;
        let what = self.session.act(action);
        self.link.send(what);
        Ok(())
    }

    pub(crate) fn resign(&mut self) -> Result<(), MatchError> {
        self.check_seated()?;
        self.link.send(Command::Resign {});
        Ok(())
    }

    /// Makes an offer, or withdraws this player's own.
    pub(crate) fn offer(&mut self, kind: OfferKind) -> Result<(), MatchError> {
        self.check_seated()?;
        self.link.send(self.session.offer_or_withdraw(kind));
        Ok(())
    }

    pub(crate) fn reply(&mut self, reply: Reply) -> Result<(), MatchError> {
        let what = self.session.reply(reply).ok_or(MatchError::NothingProposed)?;
        self.link.send(what);
        Ok(())
    }

    /// Sends a chat line to the table.
    pub(crate) fn say(&self, text: &str) {
        self.link.send(Command::Say { line: ChatLine::Text { text: text.to_owned() } });
    }

    /// Claims the match against the players who are away.
    pub(crate) fn claim(&self, claim: Claim) {
        // If no player is away, the claim goes against another seat, and the server's refusal explains why.
        let others = self.view().plates(Duration::ZERO).into_iter().map(|plate| plate.seat);
        let other = others.into_iter().find(|seat| Some(*seat) != self.view().reader);
        let seats = if self.absent.is_empty() { other.into_iter().collect() } else { self.absent.clone() };
        for seat in seats {
            self.link.send(Command::Claim { seat, claim });
        }
    }

    fn check_seated(&self) -> Result<(), MatchError> {
        let to_act = self.view().game.to_act();
        self.view().reader.map(drop).ok_or(MatchError::NotYourTurn { seat: rules::Seat::ONE, to_act })
    }
}
