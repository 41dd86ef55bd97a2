//! A table elsewhere: what is known of it, kept up to date, and what can be asked of it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use game::Match;
use leptos::prelude::*;
use protocol::{Command, Event, Person, Refusal, ServerMessage};
use rules::{Seat, Viewer};
use session::Follower;
use wasm_bindgen::prelude::*;

use super::browser;
use super::http::Trouble;
use super::link::{Line, Link};
use crate::settings::Settings;
use crate::sight::{Eyes, Hands, Scope, Sight};

/// A table that is being watched; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Room {
    /// The table's name in addresses.
    pub id: StoredValue<String>,
    /// Who one is there.
    pub me: RwSignal<Person>,
    /// How the line is.
    pub line: RwSignal<Line>,
    /// What is known of the table; nothing before it was first told.
    pub follower: RwSignal<Option<Follower>>,
    /// The match, once it has begun.
    pub sight: RwSignal<Option<Sight>>,
    /// Something to tell: why an ask was refused.
    pub trouble: RwSignal<Option<Trouble>>,
    /// Whether the others have just declined what this person proposed.
    pub declined: RwSignal<bool>,
    /// When the clocks were last told, in milliseconds.
    pub clocks_at: RwSignal<f64>,
    /// When it was last told who is there, in milliseconds.
    pub presence_at: RwSignal<f64>,
    /// Whether an action is on its way.
    busy: RwSignal<bool>,
    /// Up to here events are old news.
    target: StoredValue<u32>,
    link: StoredValue<Option<Link>, LocalStorage>,
    owner: StoredValue<Option<Owner>>,
    settings: Settings,
}

impl Room {
    /// Comes to a table and stays until the page is left.
    pub fn open(id: String, settings: Settings) -> Room {
        let room = Room {
            id: StoredValue::new(id.clone()),
            me: RwSignal::new(Person::default()),
            line: RwSignal::new(Line::Opening),
            follower: RwSignal::new(None),
            sight: RwSignal::new(None),
            trouble: RwSignal::new(None),
            declined: RwSignal::new(false),
            clocks_at: RwSignal::new(0.0),
            presence_at: RwSignal::new(0.0),
            busy: RwSignal::new(false),
            target: StoredValue::new(0),
            link: StoredValue::new_local(None),
            owner: StoredValue::new(Owner::current()),
            settings,
        };
        let seen = move || room.follower.with_untracked(|follower| follower.as_ref().map_or(0, |it| it.seq));
        let link = Link::open(id, room.line, seen, move |tell| room.hear(tell));
        room.link.set_value(Some(link.clone()));
        keep_alive(link);
        room
    }

    /// Asks for something; trouble is told.
    pub fn ask(self, what: Command) {
        self.ask_then(what, |_| {});
    }

    /// Asks for something, and goes on when it is answered.
    pub fn ask_then(self, what: Command, then: impl FnOnce(bool) + 'static) {
        self.trouble.set(None);
        let answered = move |answer: Result<(), Trouble>| {
            let done = answer.is_ok();
            if let Err(trouble) = answer {
                self.trouble.set(Some(trouble));
            }
            then(done);
        };
        self.link.with_value(|link| {
            if let Some(link) = link {
                link.ask(what, answered);
            }
        });
    }

    /// Begins anew, as somebody else or because something was missed.
    pub fn start_over(self) {
        self.follower.set(None);
        self.sight.set(None);
        self.target.set_value(0);
        self.link.with_value(|link| {
            if let Some(link) = link {
                link.reopen();
            }
        });
    }

    /// The own seat.
    pub fn seat(&self) -> Option<Seat> {
        self.follower.with(|follower| follower.as_ref().and_then(Follower::seat))
    }

    /// Something of what is known, or what it is by default.
    pub fn known<T: Default>(&self, read: impl FnOnce(&Follower) -> T) -> T {
        self.follower.with(|follower| follower.as_ref().map(read).unwrap_or_default())
    }

    /// How long a seat's person has been away, in seconds.
    pub fn away(&self, seat: Seat, now: f64) -> u32 {
        let told = self.known(|it| it.presence.away.get(seat.index()).copied().flatten());
        told.map_or(0, |told| told.max(1) + ((now - self.presence_at.get()).max(0.0) / 1000.0) as u32)
    }

    fn hear(self, tell: ServerMessage) {
        match tell {
            ServerMessage::Welcome { you, .. } => self.me.set(you),
            ServerMessage::Table(info) => {
                self.target.set_value(info.seq);
                if self.follower.with_untracked(Option::is_none) {
                    let me = self.me.with_untracked(|me| me.id.clone());
                    match Follower::new(info, &me) {
                        Ok(follower) => self.follower.set(Some(follower)),
                        Err(_) => self.line.set(Line::Refused(Refusal::Unknown)),
                    }
                }
            }
            ServerMessage::Clocks(_) | ServerMessage::Presence(_) => {
                let at = if matches!(tell, ServerMessage::Clocks(_)) { self.clocks_at } else { self.presence_at };
                at.set(js_sys::Date::now());
                self.take_in(&tell, true);
            }
            ServerMessage::Event { seq, ref event, .. } => {
                let live = seq >= self.target.get_value();
                if live {
                    self.note_answer(event);
                }
                if self.take_in(&tell, live) && live {
                    self.show(&tell);
                }
            }
            _ => {}
        }
    }

    /// A proposal of one's own that others declined is spoken of until something else happens.
    fn note_answer(self, event: &Event) {
        let mine = |seat: Seat| untrack(|| self.seat()) == Some(seat);
        match event {
            Event::Declined { seat, .. } => {
                let proposed = self.follower.with_untracked(|it| it.as_ref().and_then(|it| it.offer.clone()));
                let own = proposed.is_some_and(|(_, agreed)| agreed.into_iter().any(mine));
                self.declined.set(own && !mine(*seat));
            }
            Event::Said { .. } => {}
            _ => self.declined.set(false),
        }
    }

    /// Lets the follower know; whether it could follow.
    fn take_in(self, tell: &ServerMessage, live: bool) -> bool {
        let mut followed = true;
        let hear = |follower: &mut Option<Follower>| {
            if let Some(follower) = follower {
                followed = follower.hear(tell).is_ok();
            }
        };
        if live {
            self.follower.update(hear);
        } else {
            self.follower.update_untracked(hear);
        }
        if !followed {
            self.start_over();
        }
        followed
    }

    /// Shows the match as it is after an event.
    fn show(self, tell: &ServerMessage) {
        let Some(now) = self.follower.with_untracked(|it| it.as_ref().and_then(|it| it.game.clone())) else { return };
        let Some(sight) = self.sight.get_untracked() else {
            let sight = match self.owner.get_value() {
                Some(owner) => owner.with(|| self.new_sight(now)),
                None => self.new_sight(now),
            };
            self.sight.set(Some(sight));
            return;
        };
        let (length, shown) = (now.log().len(), sight.game.with_untracked(|game| game.log().len()));
        match tell {
            ServerMessage::Event { event: Event::Entry { entry, .. }, .. } if length == shown + 1 => {
                self.busy.set(false);
                let action = sight.game.with_untracked(|game| stand_in(game, entry, untrack(|| sight.viewer())));
                let _ = sight.played(&action, |game| {
                    *game = now;
                    Ok(())
                });
            }
            _ if length != shown => {
                self.busy.set(false);
                sight.game.set(now);
                sight.settle();
            }
            // What was hidden is known in the end.
            ServerMessage::Event { event: Event::Ended { .. }, .. } => sight.game.set(now),
            _ => {}
        }
    }

    fn new_sight(self, game: Match) -> Sight {
        let eyes = Signal::derive(move || {
            let hands = if self.busy.get() { Hands::Tied } else { Hands::Free };
            let seat = self.seat();
            Eyes { viewer: seat.map_or(Viewer::Spectator, Viewer::Seat), people: seat.into_iter().collect(), hands }
        });
        let left = Callback::new(move |seat: Seat| {
            let passed = (js_sys::Date::now() - self.clocks_at.get()).max(0.0) as u64;
            self.follower.with(|follower| {
                let clocks = follower.as_ref()?.clocks.as_ref()?;
                let left = *clocks.left.get(seat.index())?;
                let runs = clocks.running == Some(seat);
                Some(Duration::from_millis(if runs { left.saturating_sub(passed) } else { left }))
            })
        });
        let sight = Sight::new(self.id.get_value(), Scope::Page, RwSignal::new(game), eyes, left, self.settings);
        sight.on_choice(Callback::new(move |action: String| self.act(sight, action)));
        sight
    }

    /// Sends an action; until it is there nothing else can be chosen.
    fn act(self, sight: Sight, action: String) {
        let at = sight.game.with_untracked(|game| game.log().len());
        self.busy.set(true);
        self.ask_then(Command::Act { action, at: at as u32 }, move |done| {
            // What was done is shown when it is told, which frees the hands.
            if !done {
                self.busy.set(false);
                sight.settle();
            }
        });
    }
}

/// An action to show in place of one that these eyes may not know: a card that nobody sees looks like any other.
fn stand_in(game: &Match, entry: &str, viewer: Viewer) -> String {
    let position = game.position();
    let looks_so = |(action, _): &(String, u32)| position.seen_action(action, viewer).is_ok_and(|seen| seen == entry);
    let chances = if entry.ends_with('?') { position.chances() } else { Vec::new() };
    chances.into_iter().find(looks_so).map_or_else(|| entry.to_owned(), |(action, _)| action)
}

/// Looks after a line until the page is left.
fn keep_alive(link: Link) {
    let ticking = {
        let link = link.clone();
        set_interval_with_handle(move || link.tick(), Duration::from_secs(1)).ok()
    };
    let changed = {
        let link = link.clone();
        Closure::<dyn FnMut(bool)>::new(move |there| link.network(there))
    };
    let unwatch = browser::watch_network(&changed);
    let end = Rc::new(Cell::new(Some((link, changed, unwatch))));
    let end = StoredValue::new_local(end);
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
        end.with_value(|end| {
            if let Some((link, changed, unwatch)) = end.take() {
                let _ = unwatch.call0(&JsValue::NULL);
                link.close();
                drop(changed);
            }
        });
    });
}
