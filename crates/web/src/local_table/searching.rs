//! The engine searches for computer players and for advice.

use search::Level;
use session::{Question, SearchAnswer, words};
use ui::prelude::*;

use super::LocalTable;
use crate::match_view::now;
use crate::move_text;

impl LocalTable {
    /// Cuts a bot's search short.
    pub fn hurry(self) {
        self.update(|session| session.hurry(now()));
    }

    /// Asks for advice.
    pub fn ask_hint(self) {
        self.update(|session| session.ask_hint(now()));
    }

    /// Whether the engine is at work.
    pub fn thinking(self) -> bool {
        self.match_view.with(|view| view.pending.is_some())
    }

    /// Asks the engine; an answer that comes too late is not used.
    pub(super) fn search(self, question: Question) {
        let asked = ::engine::Question {
            id: 0,
            record: self
                .session
                .with_untracked(|session| session.history().recalled_record(session.game()).to_string()),
            level: question.level.map(Level::number),
            milliseconds: u32::try_from(question.time.as_millis()).unwrap_or(u32::MAX),
            seed: question.seed,
        };
        self.engine.with_value(|engine| {
            engine.ask(asked, move |found| match found {
                Some(found) => {
                    let answer = SearchAnswer::Found { action: found.action, value: found.value };
                    self.update(|session| session.answer(question.number, answer, now()));
                    self.tell_answer();
                }
                None => {
                    self.update(|session| session.search_failed(question.number));
                    self.tell(self.settings.language.get_untracked().web_engine_failed());
                }
            });
        });
    }

    /// Tells advice and answers to offers that have just come.
    pub(super) fn tell_answer(self) {
        let language = self.settings.language.get_untracked();
        let (hint, declined) = untrack(|| self.match_view.with(|view| (view.hint.cloned(), view.declined)));
        if let Some(hint) = hint {
            let advice = self
                .match_view
                .game_untracked(|game| move_text::advice(language, &game.settings().game, &hint.action, hint.value));
            self.tell(&advice);
        } else if declined {
            self.tell(language.offer_declined());
        }
    }

    /// Tells why something was refused.
    pub(super) fn refuse(self, error: &game::MatchError) {
        let language = self.settings.language.get_untracked();
        let names = untrack(|| self.match_view.names(language));
        self.tell(&words::refusal(language, error, &names, None));
    }
}
