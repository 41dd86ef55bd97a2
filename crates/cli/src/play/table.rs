//! A match as the terminal plays it: on this device or at a server's table, shown and commanded in the same way.

use std::time::{Duration, Instant};

use game::{Consent, Match, MatchError};
use locale::{Language, Names};
use session::{Pace, Pending, Reply, SessionView, words};

use super::local::LocalTable;
use super::save::SaveFile;

/// A match being played in this terminal.
pub(crate) struct Session {
    table: Table,
    language: Language,
    began: Instant,
}

enum Table {
    Local(Box<LocalTable>),
}

impl Session {
    /// A match on this device, which may have begun before.
    pub(crate) fn new(game: Match, language: Language, seed: u64, pace: Pace, save: SaveFile) -> Session {
        let table = LocalTable::new(game, seed, pace, save, Duration::ZERO);
        Session { table: Table::Local(Box::new(table)), language, began: Instant::now() }
    }

    /// Everything there is to show.
    pub(crate) fn view(&self) -> SessionView<'_> {
        match &self.table {
            Table::Local(table) => table.session.view(),
        }
    }

    /// The match.
    pub(crate) fn game(&self) -> &Match {
        self.view().game
    }

    /// The language of the screen.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Time since the session began.
    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// What the seats are called.
    pub(crate) fn names(&self) -> Names {
        words::names(self.language, self.game().settings(), self.view().reader)
    }

    /// What is to be done, who is waited for, or how it ended.
    pub(crate) fn prompt(&self, touched: &[scene::Spot]) -> String {
        let view = self.view();
        match view.pending {
            Some(Pending::Move(seat)) => self.language.thinking(self.names().seat(seat)),
            _ => words::prompt(self.language, &view.prompt(touched), &self.names()),
        }
    }

    /// Why something was refused, with an example of what is possible.
    pub(crate) fn refusal(&self, error: &MatchError) -> String {
        let example = super::help::open_choices(self.game().position()).into_iter().next();
        words::refusal(self.language, error, &self.names(), example.as_ref().map(|choice| choice.action.as_str()))
    }

    /// The advice that was asked for, once it is there.
    pub(crate) fn hint(&self) -> Option<String> {
        self.view().hint.map(|hint| words::hint(self.language, &hint.action, hint.value))
    }

    /// Lets everything happen that waits for no person: clocks, chance, bots, the network. `true` if something did.
    pub(crate) fn poll(&mut self) -> bool {
        let now = self.now();
        match &mut self.table {
            Table::Local(table) => table.poll(now),
        }
    }

    /// Waits for the search that is under way, if one is.
    pub(crate) fn wait_for_search(&mut self) {
        let began = self.began;
        match &mut self.table {
            Table::Local(table) => table.wait_for_search(|| began.elapsed()),
        }
    }

    /// The device has been passed on.
    pub(crate) fn open_curtain(&mut self) {
        match &mut self.table {
            Table::Local(table) => table.session.open_curtain(),
        }
    }

    /// Plays an action for the person to act.
    pub(crate) fn act(&mut self, action: &str) -> Result<(), MatchError> {
        self.local(|session, now| session.act(action, now))
    }

    /// Takes back the last action of a person.
    pub(crate) fn undo(&mut self, consent: Consent) -> Result<(), MatchError> {
        self.local(|session, now| session.undo(consent, now))
    }

    /// Plays again what was taken back last.
    pub(crate) fn redo(&mut self, consent: Consent) -> Result<(), MatchError> {
        self.local(|session, now| session.redo(consent, now))
    }

    /// Gives up.
    pub(crate) fn resign(&mut self) -> Result<(), MatchError> {
        self.local(|session, now| session.resign(now))
    }

    /// Offers a draw; the view says who is asked.
    pub(crate) fn offer_draw(&mut self) -> Result<(), MatchError> {
        self.local(|session, now| session.offer_draw(now))
    }

    /// Answers the offer on the table.
    pub(crate) fn reply(&mut self, reply: Reply) -> Result<(), MatchError> {
        self.local(|session, now| session.answer_draw(reply, now))
    }

    /// Asks for a good move; `false` if no person is to act.
    pub(crate) fn ask_hint(&mut self) -> bool {
        self.local(|session, now| session.ask_hint(now))
    }

    fn local<T>(&mut self, command: impl FnOnce(&mut session::LocalSession, Duration) -> T) -> T {
        let now = self.now();
        let Table::Local(table) = &mut self.table;
        let done = command(&mut table.session, now);
        table.carry_out();
        done
    }

    /// The next match of the same players.
    pub(crate) fn rematch(&self) -> Option<Session> {
        let Table::Local(table) = &self.table;
        let table = Table::Local(Box::new(table.rematch(Duration::ZERO)?));
        Some(Session { table, language: self.language, began: Instant::now() })
    }

    /// Keeps the match in another file as well, or says where it is kept anyway.
    pub(crate) fn save_copy(&mut self, file: Option<&str>) -> Result<String, String> {
        let language = self.language;
        let Table::Local(table) = &mut self.table;
        table.save_copy(file, language)
    }

    /// Where the match is kept, if it is.
    pub(crate) fn kept(&self) -> Option<String> {
        let Table::Local(table) = &self.table;
        table.save.shown()
    }

    /// Where the match would be kept.
    #[cfg(test)]
    pub(crate) fn save_file(&self) -> &SaveFile {
        let Table::Local(table) = &self.table;
        &table.save
    }

    /// Stops clocks and searches, as when the match is left for now.
    pub(crate) fn pause(&mut self) {
        self.local(session::LocalSession::pause);
    }
}
