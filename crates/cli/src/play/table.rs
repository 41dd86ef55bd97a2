//! A match as the terminal plays it: on this device or at a server's table, shown and commanded in the same way.

use std::time::{Duration, Instant};

use game::{Consent, Match, MatchError};
use locale::{Language, Names};
use protocol::Claim;
use search::Knowledge;
use session::{LocalSession, OfferKind, Pace, Pending, Prompt, Reply, SessionView, words};

use super::local::{LocalTable, save_as};
use super::save::SaveFile;
use crate::join::RemoteTable;

/// A match being played in this terminal.
pub(crate) struct Session {
    table: Table,
    language: Language,
    began: Instant,
}

enum Table {
    Local(Box<LocalTable>),
    Remote(Box<RemoteTable>),
}

impl Session {
    /// A match on this device, which may have begun before.
    pub(crate) fn new(
        game: Match,
        language: Language,
        seed: u64,
        pace: Pace,
        save: SaveFile,
        knowledge: Knowledge,
    ) -> Session {
        let table = LocalTable::new(game, seed, pace, save, knowledge);
        Session { table: Table::Local(Box::new(table)), language, began: Instant::now() }
    }

    /// A match at a server's table.
    pub(crate) fn remote(table: RemoteTable, language: Language) -> Session {
        Session { table: Table::Remote(Box::new(table)), language, began: Instant::now() }
    }

    /// Everything there is to show.
    pub(crate) fn view(&self) -> SessionView<'_> {
        match &self.table {
            Table::Local(table) => table.session.view(),
            Table::Remote(table) => table.view(),
        }
    }

    /// Whether the match is kept by a server.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self.table, Table::Remote(_))
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
            Some(Pending::Move(seat)) => {
                let names = self.names();
                self.language.thinking(names.seat(seat), names.seat_count(seat))
            }
            _ => words::prompt(self.language, &view.prompt(touched), &self.names()),
        }
    }

    /// What the winner calls out, if the game is over and has a call.
    pub(crate) fn shout(&self) -> Option<&'static str> {
        match self.view().prompt(&[]) {
            Prompt::Over(over) => locale::shout(self.language, &over.status),
            _ => None,
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

    /// Notices besides the match: chat and the connection.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        match &mut self.table {
            Table::Local(_) => Vec::new(),
            Table::Remote(table) => table.take_notices(),
        }
    }

    /// Lets everything happen that waits for no person: clocks, chance, bots, the network. `true` if something did.
    pub(crate) fn poll(&mut self) -> bool {
        let now = self.now();
        match &mut self.table {
            Table::Local(table) => table.poll(now),
            Table::Remote(table) => table.poll(now),
        }
    }

    /// Waits for the search that is under way; a server's answer is not waited for.
    pub(crate) fn wait_for_search(&mut self) {
        let began = self.began;
        if let Table::Local(table) = &mut self.table {
            table.wait_for_search(|| began.elapsed());
        }
    }

    /// The device has been passed on.
    pub(crate) fn open_curtain(&mut self) {
        self.command(LocalSession::open_curtain, |_| ());
    }

    /// Plays an action for the person to act.
    pub(crate) fn act(&mut self, action: &str) -> Result<(), MatchError> {
        self.command(|session, now| session.act(action, now), |table| table.act(action))
    }

    /// Takes back the last action of a person, or asks the others to.
    pub(crate) fn undo(&mut self, consent: Consent) -> Result<(), MatchError> {
        self.command(|session, now| session.undo(consent, now), |table| table.offer(OfferKind::Takeback))
    }

    /// Plays again what was taken back last.
    pub(crate) fn redo(&mut self, consent: Consent) -> Result<(), MatchError> {
        self.command(|session, now| session.redo(consent, now), |_| Err(MatchError::NothingToRedo))
    }

    /// Gives up.
    pub(crate) fn resign(&mut self) -> Result<(), MatchError> {
        self.command(|session, now| session.resign(now), RemoteTable::resign)
    }

    /// Offers a draw; the view says who is asked.
    pub(crate) fn offer_draw(&mut self) -> Result<(), MatchError> {
        self.command(|session, now| session.offer_draw(now), |table| table.offer(OfferKind::Draw))
    }

    /// Answers the offer on the table.
    pub(crate) fn reply(&mut self, reply: Reply) -> Result<(), MatchError> {
        self.command(|session, now| session.answer_draw(reply, now), |table| table.reply(reply))
    }

    /// Asks for a good move; `false` if no person is to act, and at a server's table.
    pub(crate) fn ask_hint(&mut self) -> bool {
        self.command(|session, now| session.ask_hint(now), |_| false)
    }

    /// Carries out a command, on this device or at a server.
    fn command<T>(
        &mut self,
        local: impl FnOnce(&mut LocalSession, Duration) -> T,
        remote: impl FnOnce(&mut RemoteTable) -> T,
    ) -> T {
        let now = self.now();
        match &mut self.table {
            Table::Local(table) => {
                let done = local(&mut table.session, now);
                table.carry_out();
                done
            }
            Table::Remote(table) => remote(table),
        }
    }

    /// Sends a chat line; `false` if the match is not at a server's table.
    pub(crate) fn say(&self, text: &str) -> bool {
        if let Table::Remote(table) = &self.table {
            table.say(text);
        }
        self.is_remote()
    }

    /// Claims the match against players who are away.
    pub(crate) fn claim(&self, what: Claim) {
        if let Table::Remote(table) = &self.table {
            table.claim(what);
        }
    }

    /// The next match of the same players; `None` at a server's table, where the others are asked.
    pub(crate) fn rematch(&mut self) -> Option<Session> {
        match &mut self.table {
            Table::Local(table) => {
                let table = Table::Local(Box::new(table.rematch()?));
                Some(Session { table, language: self.language, began: Instant::now() })
            }
            Table::Remote(table) => {
                // The server refuses this only to spectators.
                let _ = table.offer(OfferKind::Rematch);
                None
            }
        }
    }

    /// Keeps the match in another file as well, or says where it is kept anyway.
    pub(crate) fn save_copy(&mut self, file: Option<&str>) -> Result<String, String> {
        let language = self.language;
        match &mut self.table {
            Table::Local(table) => table.save_copy(file, language),
            Table::Remote(table) => {
                let game = table.view().game;
                let name = format!("{}.fourfold", game.settings().game.id());
                save_as(file.unwrap_or(&name), game, language)
            }
        }
    }

    /// Where this program keeps the match on this device, if it does: a finished match that was only looked at was kept before.
    pub(crate) fn kept(&self) -> Option<String> {
        match &self.table {
            Table::Local(table) if !table.save.holds_finished() => table.save.shown(),
            Table::Local(_) | Table::Remote(_) => None,
        }
    }

    /// The file of a finished match that was loaded from it; taking back would change it.
    pub(crate) fn finished_file(&self) -> Option<String> {
        match &self.table {
            Table::Local(table) if table.save.holds_finished() => table.save.shown(),
            _ => None,
        }
    }

    /// Where the match would be kept.
    #[cfg(test)]
    pub(crate) fn save_file(&self) -> Option<&SaveFile> {
        match &self.table {
            Table::Local(table) => Some(&table.save),
            Table::Remote(_) => None,
        }
    }

    /// Stops clocks and searches, as when the match is left for now; a server's clocks go on.
    pub(crate) fn pause(&mut self) {
        self.command(LocalSession::pause, |_| ());
    }

    /// Goes on after a pause.
    pub(crate) fn resume(&mut self) {
        self.command(LocalSession::resume, |_| ());
    }
}
