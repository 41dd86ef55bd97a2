//! Matches as text: a `.fourfold` file in the shape of PGN.
//!
//! ```
//! use game::Record;
//!
//! let text = r#"
//! [Game "quixo"]
//! [Seat1 "person Olena"]
//! [Seat2 "bot:3"]
//!
//! 1. a3e3 2. a2e2 {too slow} resign:1
//! "#;
//! let records = Record::read_all(text)?;
//! assert_eq!(records[0].ending().unwrap().to_string(), "side 2 wins by resignation");
//! let game = records[0].replay()?;
//! assert_eq!(game.position().to_string(), "...../...../....x/....o/..... 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod growing;
mod lexer;
mod line;
mod reader;
mod replay;
mod seal;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_growing;
mod writer;

pub(crate) use lexer::{LONGEST_VALUE, is_tag_name};

pub use error::{Excess, RecordError, RecordProblem};
pub use growing::{GrowingRecord, Growth};
pub use replay::{Replay, ReplayError};
pub use writer::entries_text;

use rules::Viewer;

use crate::{AnyPosition, Comment, Departure, Ending, Entry, Event, Match, MatchSettings};

/// A match as it is written down; `Display` is the text of the file.
///
/// A record made by [`Match::record`] or read from a text replays to the match it tells of. One written for one viewer
/// ([`Match::record_for`]) replays as far as that viewer has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    settings: MatchSettings,
    viewer: Option<Viewer>,
    preface: Vec<Comment>,
    entries: Vec<Entry>,
    /// For each entry, whether a turn begins with it: there the number is written.
    turns: Vec<bool>,
    ending: Option<Ending>,
}

impl Record {
    /// The longest text that is read, in bytes.
    pub const LONGEST_TEXT: usize = 16 << 20;
    /// The most events one record may have.
    pub const MOST_ENTRIES: usize = 100_000;

    /// Reads a file with any number of records, replays them and checks them.
    pub fn read_all(text: &str) -> Result<Vec<Record>, RecordError> {
        reader::read_all(text)
    }

    /// Several records as one file.
    pub fn write_all(records: &[Record]) -> String {
        let texts: Vec<String> = records.iter().map(ToString::to_string).collect();
        texts.join("\n")
    }

    /// What was settled before the match.
    ///
    /// In a record for one viewer the start position, if not the usual one, is that viewer's view of it.
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// The viewer it is written for; `None` if nothing is hidden.
    pub fn viewer(&self) -> Option<Viewer> {
        self.viewer
    }

    /// What happened, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How the match ended; `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How many of the first entries are actions: the number of the action that an entry is, or comes before.
    fn actions_before(&self, index: usize) -> usize {
        self.entries[..index].iter().filter(|entry| matches!(entry.event, Event::Action(_))).count()
    }
}

/// Whether an action's text leaves open what happened.
pub(crate) fn is_hidden(event: &Event) -> bool {
    matches!(event, Event::Action(text) if text.as_bytes().contains(&b'?'))
}

impl Match {
    /// The match so far, with everything in it that happened: for the end of the game, or for the table's keeper.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use game::{Match, Record, MatchSettings};
    /// let mut game = Match::new(MatchSettings::new("quixo".parse()?))?;
    /// game.play("a3e3", Duration::ZERO)?;
    /// let text = game.record().to_string();
    /// assert!(text.ends_with("\n1. a3e3\n"));
    /// assert_eq!(Record::read_all(&text)?, [game.record()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&self) -> Record {
        Record {
            settings: self.settings().clone(),
            viewer: self.viewer().filter(|_| self.log().iter().any(|entry| is_hidden(&entry.event))),
            preface: self.preface().to_vec(),
            entries: self.log().to_vec(),
            turns: (0..self.log().len()).map(|entry| self.begins_turn(entry)).collect(),
            ending: self.ending(),
        }
    }

    /// The match as if it had begun with the position before one of its entries: for a search, which needs no more of the past.
    ///
    /// It leaves out times and what annotators have added.
    pub fn record_from(&self, length: usize, position: &dyn AnyPosition) -> Record {
        let gone = self.out_at(length).iter().map(|&seat| Event::Out(seat, Departure::Left));
        let later = self.log()[length..].iter().map(|entry| entry.event.clone());
        let entries: Vec<Entry> = gone.chain(later).map(Entry::new).collect();
        let mut settings = MatchSettings::new(self.settings().game.clone());
        settings.start = Some(position.to_string());
        let turns = vec![false; entries.len()];
        Record { settings, viewer: None, preface: Vec::new(), entries, turns, ending: self.ending() }
    }

    /// The match as a viewer may know it: unknown cards are `?` until the match is over.
    ///
    /// Comments, marks and variations are left out where something is hidden, for they might tell it.
    pub fn record_for(&self, viewer: Viewer) -> Record {
        let mut record = self.record();
        if self.ending().is_some() || !self.position().hides() {
            return record;
        }
        let mut hidden = false;
        if record.settings.start.is_some() {
            let seen = self.start().view_text(viewer);
            hidden |= record.settings.start.as_ref() != Some(&seen);
            record.settings.start = Some(seen);
        }
        for (entry, seen) in record.entries.iter_mut().zip(self.seen_events(viewer)) {
            hidden |= entry.event != seen;
            entry.event = seen;
            entry.strip();
        }
        record.preface.clear();
        record.viewer = hidden.then_some(viewer);
        record
    }
}
