//! Computer players, and their advice.

use std::time::Duration;

use game::Player;
use leptos::prelude::*;
use search::Level;

use super::Play;
use crate::engine::Engine;
use crate::messages::{Found, Question};
use crate::words;

/// An answer that comes at once would look like no thought at all.
const LEAST_THOUGHT: u32 = 350;
/// How long a hurried player may think, in milliseconds.
const BLINK: u32 = 60;

impl Play {
    /// Asks the engine if a computer player is to act.
    pub(super) fn let_bot_think(self) {
        if let Some(level) = self.level_to_act() {
            self.ask(Some(level), milliseconds(level), move |found| self.bot_answered(found));
        }
    }

    /// Cuts a bot's thinking short: a fresh engine gets a blink of time.
    pub fn hurry(self) {
        self.stop_thinking();
        if let Some(level) = self.level_to_act() {
            self.ask(Some(level), BLINK, move |found| self.bot_answered(found));
        }
    }

    /// Asks for advice and marks it.
    pub fn ask_hint(self) {
        self.ask(None, 800, move |found| match found {
            Some(found) => {
                let language = self.settings.language.get_untracked();
                let advice = self.game.with_untracked(|game| words::advice(language, &game.settings().game, &found));
                self.tell(&advice);
                self.sight.hint.set(Some(found.action));
            }
            None => self.engine_failed(),
        });
    }

    /// Stops thinking at once, whatever it was about.
    pub(super) fn stop_thinking(self) {
        self.engine.with_value(Engine::stop);
        self.thinking.set(false);
    }

    /// Asks the engine about the match as it is now; an answer that comes too late is not used.
    pub(super) fn ask(self, level: Option<Level>, milliseconds: u32, answered: impl FnOnce(Option<Found>) + 'static) {
        let (record, asked_at) = self.game.with_untracked(|game| (game.record().to_string(), game.log().len()));
        let began = js_sys::Date::now();
        let seed = (js_sys::Math::random() * 9e15) as u64;
        let question = Question { id: 0, record, level: level.map(Level::number), milliseconds, seed };
        self.thinking.set(true);
        let least = if level.is_some() { f64::from(LEAST_THOUGHT) } else { 0.0 };
        let use_it = move |found| {
            self.thinking.set(false);
            let current = self.game.with_untracked(|game| game.log().len() == asked_at && game.ending().is_none());
            if current {
                answered(found);
            }
        };
        self.engine.with_value(|engine| {
            engine.ask(question, move |found| {
                let wait = (least - (js_sys::Date::now() - began)).max(0.0);
                set_timeout(move || use_it(found), Duration::from_millis(wait as u64));
            });
        });
    }

    fn bot_answered(self, found: Option<Found>) {
        match found {
            Some(found) => self.act(&found.action),
            None => self.engine_failed(),
        }
    }

    fn engine_failed(self) {
        self.tell(self.settings.language.get_untracked().web_engine_failed());
    }

    /// The level of the computer player that is to act.
    fn level_to_act(self) -> Option<Level> {
        self.game.with_untracked(|game| {
            let seat = game.to_act()?;
            match game.settings().sitters.get(seat.index())?.player() {
                Player::Bot(level) => Some(level),
                Player::Person => None,
            }
        })
    }
}

/// How long a level may think about one action.
fn milliseconds(level: Level) -> u32 {
    [200, 200, 300, 400, 500, 700, 900, 1200][usize::from(level.number() - 1)]
}
