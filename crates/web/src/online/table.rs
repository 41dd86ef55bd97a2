//! A table of a server: the session that follows it, and what can be asked of it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use game::{Game, GameId};
use protocol::{Command, Person, Refusal, ServerMessage, TableInfo};
use rules::Seat;
use session::{Follower, Received, RemoteSession};
use ui::prelude::*;
use wasm_bindgen::prelude::*;

use super::browser;
use super::connection::{Connection, ConnectionState};
use super::http::HttpError;
use crate::chunks;
use crate::match_view::{MatchView, Scope, Source, now};
use crate::settings::Settings;
use crate::views::spawn;

/// A table that is being watched; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct OnlineTable {
    /// The table's name in addresses.
    pub id: StoredValue<String>,
    /// Who this person is to the server.
    pub me: RwSignal<Person>,
    /// How the connection is.
    pub connection_state: RwSignal<ConnectionState>,
    /// What is known of the table; nothing before the server has described it. A match in it stays.
    pub session: RwSignal<Option<RemoteSession>>,
    /// The match, once it has begun.
    pub match_view: RwSignal<Option<MatchView>>,
    /// Why the last command was refused.
    pub error: RwSignal<Option<HttpError>>,
    following: StoredValue<Following>,
    connection: StoredValue<Option<Connection>>,
    owner: StoredValue<Option<Owner>>,
    settings: Settings,
}

/// Which session the server's messages go to.
#[derive(Debug)]
enum Following {
    /// None: the table is to be described first.
    FromStart,
    /// None yet: the code of the game is on its way, and messages wait for it.
    Loading(Vec<ServerMessage>),
    /// One that is not shown before it knows all that has happened.
    CatchingUp(Box<RemoteSession>),
    /// The one that is shown.
    Shown,
}

impl OnlineTable {
    /// Comes to a table and stays until the page is left.
    pub fn open(id: String, settings: Settings) -> OnlineTable {
        let table = OnlineTable {
            id: StoredValue::new(id.clone()),
            me: RwSignal::new(Person::default()),
            connection_state: RwSignal::new(ConnectionState::Opening),
            session: RwSignal::new(None),
            match_view: RwSignal::new(None),
            error: RwSignal::new(None),
            following: StoredValue::new(Following::FromStart),
            connection: StoredValue::new(None),
            owner: StoredValue::new(Owner::current()),
            settings,
        };
        let connection = Connection::open(
            id,
            table.connection_state,
            move || table.events_received(),
            move |message| table.receive(message),
        );
        table.connection.set_value(Some(connection.clone()));
        keep_alive(connection);
        table
    }

    /// Sends a command; a refusal is shown.
    pub fn ask(self, what: Command) {
        self.ask_then(what, |_| {});
    }

    /// Sends a command, and goes on when it is answered.
    pub fn ask_then(self, what: Command, then: impl FnOnce(bool) + 'static) {
        self.error.set(None);
        let answered = move |answer: Result<(), HttpError>| {
            let done = answer.is_ok();
            if let Err(error) = answer {
                self.error.set(Some(error));
            }
            then(done);
        };
        self.connection.with_value(|connection| {
            if let Some(connection) = connection {
                connection.ask(what, answered);
            }
        });
    }

    /// Sends what the session says is to be sent, if it says so.
    pub fn command(self, choose: impl FnOnce(&RemoteSession) -> Option<Command>) {
        if let Some(command) = self.session.with_untracked(|session| session.as_ref().and_then(choose)) {
            self.ask(command);
        }
    }

    /// Follows the table from its start, as another person or because something was missed.
    pub fn start_over(self) {
        self.following.set_value(Following::FromStart);
        self.connection.with_value(|connection| {
            if let Some(connection) = connection {
                connection.reopen();
            }
        });
    }

    /// The own seat.
    pub fn seat(&self) -> Option<Seat> {
        self.known(Follower::seat)
    }

    /// Something of what is known, or what it is by default.
    pub fn known<T: Default>(&self, read: impl FnOnce(&Follower) -> T) -> T {
        self.session.with(|session| session.as_ref().map(|session| read(session.follower())).unwrap_or_default())
    }

    /// How long a seat's player has been away, in seconds.
    pub fn away(&self, seat: Seat) -> u32 {
        let away = self.session.with(|session| session.as_ref().map(|session| session.away(seat, now())));
        away.map_or(0, |away| u32::try_from(away.as_secs()).unwrap_or(u32::MAX))
    }

    /// The number of the last event that need not be sent again.
    fn events_received(self) -> u32 {
        self.following.with_value(|following| match following {
            Following::FromStart | Following::Loading(_) => 0,
            Following::CatchingUp(session) => session.follower().seq,
            Following::Shown => untrack(|| self.known(|it| it.seq)),
        })
    }

    fn receive(self, message: ServerMessage) {
        match message {
            ServerMessage::Welcome { you, .. } => self.me.set(you),
            ServerMessage::Table(info)
                if self.following.with_value(|following| matches!(following, Following::FromStart)) =>
            {
                if let Some(game) = missing_game(&info) {
                    self.following.set_value(Following::Loading(vec![ServerMessage::Table(info)]));
                    self.load_game(game);
                    return;
                }
                match RemoteSession::new(info, &self.me.with_untracked(|me| me.id.clone())) {
                    Ok(session) => self.catch_up(Box::new(session)),
                    Err(_) => self.connection_state.set(ConnectionState::Refused(Refusal::Unknown)),
                }
            }
            message => self.take_in(&message),
        }
    }

    /// Hands a message to the session, and shows what has changed.
    fn take_in(self, message: &ServerMessage) {
        let following = self.following.try_update_value(|following| std::mem::replace(following, Following::Shown));
        match following {
            Some(Following::CatchingUp(mut session)) => match session.receive(message, now()) {
                Ok(_) => self.catch_up(session),
                Err(_) => self.start_over(),
            },
            Some(Following::Shown) => {
                let shown = self.shown_length();
                let received =
                    self.session.try_update_untracked(|session| Some(session.as_mut()?.receive(message, now())));
                match received.flatten() {
                    Some(Ok(Received::Update)) => self.show(shown),
                    Some(Err(_)) => self.start_over(),
                    _ => {}
                }
            }
            Some(Following::FromStart) => self.following.set_value(Following::FromStart),
            Some(Following::Loading(mut received)) => {
                received.push(message.clone());
                self.following.set_value(Following::Loading(received));
            }
            None => {}
        }
    }

    /// Fetches the code of the game, until it is there or the page is left, and then takes in the messages that came meanwhile.
    fn load_game(self, game: GameId) {
        spawn(async move {
            let loaded = chunks::load_game(game).await.is_ok();
            let is_waiting = |following: &mut Following| matches!(following, Following::Loading(_));
            if !self.following.try_update_value(|it| is_waiting(it)).unwrap_or_default() {
                return;
            }
            if !loaded {
                set_timeout(move || self.load_game(game), chunks::AGAIN);
                return;
            }
            let received =
                self.following.try_update_value(|following| std::mem::replace(following, Following::FromStart));
            if let Some(Following::Loading(received)) = received {
                received.into_iter().for_each(|message| self.receive(message));
            }
        });
    }

    /// Shows a new session as soon as it knows all that has happened.
    fn catch_up(self, session: Box<RemoteSession>) {
        if session.is_current() {
            self.following.set_value(Following::Shown);
            let shown = self.shown_length();
            self.session.try_update_untracked(|it| *it = Some(*session));
            self.show(shown);
        } else {
            self.following.set_value(Following::CatchingUp(session));
        }
    }

    /// How long the log of the match is as it is shown.
    fn shown_length(self) -> usize {
        let length = |session: &RemoteSession| session.game().map(|game| game.log().len());
        self.session.with_untracked(|session| session.as_ref().and_then(length)).unwrap_or_default()
    }

    /// Shows what happened since the log had this length.
    fn show(self, length: usize) {
        self.session.update(|_| {});
        if let Some(match_view) = self.match_view.get_untracked() {
            match_view.changed_since(length);
            self.play_premove(match_view);
        } else if self.session.with_untracked(|session| session.as_ref().is_some_and(|it| it.game().is_some())) {
            let match_view = match self.owner.get_value() {
                Some(owner) => owner.with(|| self.new_match_view()),
                None => self.new_match_view(),
            };
            self.match_view.set(Some(match_view));
        }
    }

    /// Plays what was chosen before the turn, if it is legal by now.
    fn play_premove(self, match_view: MatchView) {
        let due = self.session.try_update_untracked(|session| session.as_mut()?.take_premove()).flatten();
        let Some(action) = due else { return };
        if match_view.game_untracked(|game| game.legal().contains(&action)) {
            self.act(match_view, &action);
        } else {
            let language = self.settings.language.get_untracked();
            match_view.notice.set(Some(language.online_premove_illegal().to_owned()));
            self.session.update(|_| {});
        }
    }

    fn new_match_view(self) -> MatchView {
        let match_view = MatchView::new(self.id.get_value(), Scope::Page, Source::Remote(self.session), self.settings);
        match_view.on_choice(Callback::new(move |action: String| self.act(match_view, &action)));
        match_view.ask_before();
        match_view
    }

    /// Sends an action; until the server answers nothing else can be chosen.
    fn act(self, match_view: MatchView, action: &str) {
        let Some(what) = self.session.try_update(|it| it.as_mut().map(|it| it.act(action))).flatten() else { return };
        self.ask_then(what, move |done| {
            // An action that was played is shown when its event comes.
            if !done {
                self.session.update(|session| {
                    if let Some(session) = session {
                        session.action_refused();
                    }
                });
                match_view.settle();
            }
        });
    }
}

/// The game of a table, if its code has not been fetched yet.
fn missing_game(info: &TableInfo) -> Option<GameId> {
    let game = info.game.parse::<Game>().ok()?.id();
    (!game::install::is_done(game)).then_some(game)
}

/// Keeps a connection open until the page is left.
fn keep_alive(connection: Connection) {
    let ticking = {
        let connection = connection.clone();
        set_interval_with_handle(move || connection.tick(), Duration::from_secs(1)).ok()
    };
    let changed = {
        let connection = connection.clone();
        Closure::<dyn FnMut(bool)>::new(move |there| connection.network(there))
    };
    let unwatch = browser::watch_network(&changed);
    let end = Rc::new(Cell::new(Some((connection, changed, unwatch))));
    let end = StoredValue::new(end);
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
        end.with_value(|end| {
            if let Some((connection, changed, unwatch)) = end.take() {
                let _ = unwatch.call0(&JsValue::NULL);
                connection.close();
                drop(changed);
            }
        });
    });
}
