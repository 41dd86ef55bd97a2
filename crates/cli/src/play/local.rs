//! A match on this device: a session, a thread that searches for it, and the file that keeps it.

use std::path::Path;
use std::time::Duration;

use game::{Match, MatchSettings};
use locale::Language;
use search::{Knowledge, Random};
use session::{Effect, LocalSession, Pace};

use super::arguments::lot_seed;
use super::save::{SaveFile, Unplayed, today};
use super::searcher::Searcher;
use crate::error_text;

pub(crate) struct LocalTable {
    pub(super) session: LocalSession,
    searcher: Searcher,
    pub(super) save: SaveFile,
    seed: u64,
    pace: Pace,
    knowledge: Knowledge,
}

/// The longest that a line-by-line game waits for a search.
const PATIENCE: Duration = Duration::from_secs(20);

impl LocalTable {
    pub(super) fn new(game: Match, seed: u64, pace: Pace, save: SaveFile, knowledge: Knowledge) -> LocalTable {
        let session = LocalSession::new(game, pace, seed, Duration::ZERO);
        let searcher = Searcher::new(knowledge.clone());
        let mut table = LocalTable { session, searcher, save, seed, pace, knowledge };
        table.carry_out();
        table
    }

    /// Does what the session asks for.
    pub(super) fn carry_out(&mut self) {
        for effect in self.session.take_effects() {
            match effect {
                Effect::Save { unchanged } => {
                    self.save.write(self.session.game(), self.session.history(), unchanged);
                }
                Effect::Search(question) => self.searcher.search(question, self.session.positions()),
                Effect::StopSearch => self.searcher.cancel(),
            }
        }
    }

    /// Takes in what was found, and lets clocks, chance and bots go on.
    pub(super) fn poll(&mut self, now: Duration) -> bool {
        let mut changed = false;
        while self.session.poll(now) {
            changed = true;
        }
        if let Some((number, answer)) = self.searcher.answer() {
            changed |= self.session.answer(number, answer, now);
        }
        self.carry_out();
        changed
    }

    /// Waits for the search that is under way.
    pub(super) fn wait_for_search(&mut self, now: impl Fn() -> Duration) {
        match self.searcher.wait(PATIENCE) {
            Some((number, answer)) => drop(self.session.answer(number, answer, now())),
            None => self.searcher.cancel(),
        }
        self.carry_out();
    }

    /// The next match of the same players.
    pub(super) fn rematch(&self) -> Option<LocalTable> {
        let seed = self.seed.wrapping_add(0x9e37_79b9);
        let next = self.session.rematch(&mut Random::new(lot_seed(seed)));
        let settings = MatchSettings { date: today(), ..next };
        let save = self.save.next_game(self.session.game());
        Some(LocalTable::new(Match::new(settings).ok()?, seed, self.pace, save, self.knowledge.clone()))
    }

    /// Keeps the match in another file as well, or says where it is kept anyway.
    pub(super) fn save_copy(&mut self, file: Option<&str>, language: Language) -> Result<String, String> {
        let game = self.session.game();
        match file {
            Some(file) => save_as(file, game, language),
            None => {
                let kept = self.save.write_or(game, Unplayed::Keep);
                kept.map_err(|error| unwritable(&self.save, &error, language))?;
                Ok(self.save.path().display().to_string())
            }
        }
    }
}

/// Keeps a match in a file of the user's choice.
pub(super) fn save_as(file: &str, game: &Match, language: Language) -> Result<String, String> {
    let mut copy = SaveFile::at(Path::new(file), language).map_err(|failure| failure.to_string())?;
    copy.write_or(game, Unplayed::Keep).map_err(|error| unwritable(&copy, &error, language))?;
    Ok(file.to_owned())
}

fn unwritable(file: &SaveFile, error: &std::io::Error, language: Language) -> String {
    language.error_file_unwritable(file.path().display(), error_text::file_to_write(language, error))
}
