//! A match on this device: it is kept here, computer players answer, and what people ask for is done at once.

mod commands;
mod searching;

use std::time::Duration;

use game::Match;
use rules::Seat;
use search::Level;
use session::{Effect, LocalSession, Pace};
use ui::prelude::*;

use crate::browser::store;
use crate::engine::Engine;
use crate::match_view::{MatchView, Scope, Source, now};
use crate::settings::Settings;
use crate::views::spawn;

/// A match with everything around it; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct LocalTable {
    /// The match as it is shown.
    pub match_view: MatchView,
    /// The match, and what this device may do with it.
    pub session: RwSignal<LocalSession>,
    /// What everybody here must agree to, and has not answered yet.
    pub consent: RwSignal<Option<Rewind>>,
    engine: StoredValue<Engine>,
    /// How many events of the match are kept on the device; 0 if all of it is to be kept anew.
    kept: StoredValue<usize>,
    settings: Settings,
}

/// A way along the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewind {
    /// Back.
    Undo,
    /// Forward again.
    Redo,
}

/// What a person can follow: an answer that comes at once would look like no thought at all.
const PACE: Pace = Pace { bot: Duration::from_millis(350), draw: Duration::from_millis(260), search: longest_search };

fn longest_search(level: Level) -> Duration {
    Duration::from_millis([200, 200, 300, 400, 500, 700, 900, 1200][usize::from(level.number() - 1)])
}

impl LocalTable {
    /// Begins a new match, or goes on with one that was kept.
    pub fn new(key: String, game: Match, settings: Settings) -> LocalTable {
        let session = LocalSession::new(game, PACE, seed(), now());
        let play = LocalTable::begin(key, Scope::Page, session, settings);
        play.match_view.ask_before();
        play
    }

    /// Tries something at one seat of a position: nothing is saved, and no bot answers.
    ///
    /// There may be several such boards on a page, so the key is the name of the element around this one.
    pub fn practise(key: String, game: Match, seat: Seat, settings: Settings) -> LocalTable {
        let session = LocalSession::practice(game, seat, PACE, seed(), now());
        LocalTable::begin(key, Scope::Element, session, settings)
    }

    fn begin(key: String, scope: Scope, session: LocalSession, settings: Settings) -> LocalTable {
        let session = RwSignal::new(session);
        let play = LocalTable {
            match_view: MatchView::new(key, scope, Source::Local(session), settings),
            session,
            consent: RwSignal::new(None),
            engine: StoredValue::new(Engine::default()),
            kept: StoredValue::new(0),
            settings,
        };
        play.match_view.on_choice(Callback::new(move |action: String| play.act(&action)));
        on_cleanup(move || play.engine.with_value(Engine::stop));
        play
    }

    /// Plays an action for the person to act.
    pub fn act(self, action: &str) {
        // Only legal actions can be chosen; a flag that has fallen meanwhile is shown by itself.
        let _ = self.update(|session| session.act(action, now()));
    }

    /// Begins what waits for no person: a bot that is to act, a card to be drawn.
    pub fn go_on(self) {
        self.update(|_| {});
    }

    /// Lets clocks, chance and bots go on; call it now and then.
    pub fn poll(self) {
        let length = self.length();
        // The page may be gone by now.
        if self.session.try_update_untracked(|session| session.poll(now())).unwrap_or_default() {
            self.session.update(|_| {});
            self.follow_up(length);
        }
    }

    /// Changes the session, shows what happened and does what the session asks for.
    fn update<T>(self, change: impl FnOnce(&mut LocalSession) -> T) -> T {
        let length = self.length();
        let mut done = None;
        self.session.update(|session| done = Some(change(session)));
        self.follow_up(length);
        done.expect("the change was made")
    }

    fn follow_up(self, length: usize) {
        self.match_view.changed_since(length);
        let effects = self.session.try_update_untracked(LocalSession::take_effects).unwrap_or_default();
        for effect in effects {
            match effect {
                Effect::Save { unchanged } => self.save(unchanged),
                Effect::Search(question) => self.search(question),
                Effect::StopSearch => self.engine.with_value(Engine::stop),
            }
        }
        if let Some(pause) = self.session.with_untracked(|session| session.wake_after(now())) {
            set_timeout(move || self.poll(), pause);
        }
    }

    fn length(self) -> usize {
        self.session.try_with_untracked(|session| session.game().log().len()).unwrap_or_default()
    }

    /// Keeps the match on this device: what is new, or all of it at the beginning, at the end and after an undo.
    fn save(self, unchanged: usize) {
        // What was taken back is in what is kept.
        let kept = self.kept.try_get_value().filter(|kept| *kept <= unchanged).unwrap_or_default();
        let (added, words, length, over) = self.match_view.game_untracked(|game| {
            let (log, over) = (game.log(), game.ending().is_some());
            let added = log.get(kept..).filter(|_| kept > 0 && !over);
            let words = added.map_or_else(|| game.record().to_string(), game::entries_text);
            (added.is_some(), words, log.len(), over)
        });
        let _ = self.kept.try_update_value(|kept| *kept = if over { 0 } else { length });
        let key = self.match_view.name();
        spawn(async move {
            let done = match added {
                true => store::append(&key, kept, &words).await,
                false => store::put(&key, &words, over).await,
            };
            if done.is_err()
                && let Some(game) = self.session.try_with_untracked(|session| session.game().clone())
            {
                crate::pages::table::hand_over(&key, game);
                self.tell(self.settings.language.get_untracked().web_storage_refused());
            }
        });
    }

    fn tell(self, sentence: &str) {
        self.match_view.notice.set(Some(sentence.to_owned()));
    }
}

/// A key for a new match on this device.
pub fn new_key() -> String {
    format!("{:x}{:04x}", js_sys::Date::now() as u64, (js_sys::Math::random() * 65536.0) as u32)
}

/// A number to draw from by chance.
pub fn seed() -> u64 {
    (js_sys::Math::random() * 9e15) as u64
}
