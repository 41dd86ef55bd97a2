//! The record of a match that goes on, in a file that grows with it: what happens is appended, and nothing is written twice.

use rules::Viewer;

use super::seal::Seal;
use super::{Record, entries_text, is_hidden, seal, writer};
use crate::{AnyPosition, Entry, Event, Match};

/// A record as it stands at the end of a file, and what has to be known to append to it.
///
/// ```
/// # use std::time::Duration;
/// # use game::{GrowingRecord, Match, MatchSettings, Record};
/// let mut game = Match::new(MatchSettings::new("quixo".parse()?))?;
/// game.play("a3e3", Duration::ZERO)?;
/// let mut kept = GrowingRecord::new(game.record());
/// let mut file = kept.record().sealed();
///
/// let before = game.position().boxed();
/// game.play("a2e2", Duration::ZERO)?;
/// let growth = kept.growth(&game, |_| Some(before.as_ref())).unwrap();
/// assert_eq!(growth.line(), "2. a2e2\n");
/// file.push_str(growth.line());
/// kept.take_in(growth);
/// assert_eq!(Record::read_all(&file)?, [game.record()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrowingRecord {
    record: Record,
    /// How many of its entries are actions.
    actions: usize,
    hiding: Option<Hiding>,
}

/// What a record that hides something shows, and how it hides the rest.
#[derive(Clone, Debug)]
struct Hiding {
    viewer: Viewer,
    /// Whether the file names the viewer: it does as soon as something is hidden.
    named: bool,
    /// Goes on where the file's last seal ends.
    seal: Seal,
}

/// What is to be appended to a file.
#[derive(Clone, Debug)]
pub struct Growth {
    line: String,
    entries: Vec<Entry>,
    turns: Vec<bool>,
    actions: usize,
    seal: Option<Seal>,
}

impl Growth {
    /// A line that begins with an ASCII character and ends with a line break. It is to stand at the beginning of a line.
    pub fn line(&self) -> &str {
        &self.line
    }
}

impl GrowingRecord {
    /// A record that stands at the end of a file as [`Record::sealed`] writes it.
    pub fn new(record: Record) -> GrowingRecord {
        let hiding = record.shown().map(|shown| {
            let mut seal = Seal::default();
            seal.close(&record.to_string());
            Hiding { viewer: record.only_person(), named: shown.viewer.is_some(), seal }
        });
        GrowingRecord { actions: record.actions_before(record.entries.len()), record, hiding }
    }

    /// The record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// What has happened in the match since, if it can be appended: no more than that may have changed. `None` if the file
    /// must be written anew, as at the end of the match, when its tags change.
    ///
    /// `before` knows the position before an entry of the log.
    pub fn growth<'a>(&self, game: &Match, before: impl Fn(usize) -> Option<&'a dyn AnyPosition>) -> Option<Growth> {
        let known = self.record.entries.len();
        let entries = game.log().get(known..).filter(|new| !new.is_empty())?;
        // Of a record in which nothing has happened yet nothing is sealed.
        let unsealed = self.hiding.is_none() && game.position().hides();
        if game.ending().is_some() || self.record.ending.is_some() || self.record.viewer.is_some() || unsealed {
            return None;
        }
        let turns: Vec<bool> = (known..game.log().len()).map(|entry| game.begins_turn(entry)).collect();
        let mut shown = entries.to_vec();
        let mut seal = None;
        if let Some(hiding) = &self.hiding {
            for (number, entry) in (known..).zip(&mut shown) {
                if let Event::Action(action) = &entry.event {
                    entry.event = Event::Action(before(number)?.seen_action(action, hiding.viewer).ok()?.into());
                }
                entry.strip();
            }
            if !hiding.named && shown.iter().any(|entry| is_hidden(&entry.event)) {
                return None;
            }
            let mut goes_on = hiding.seal.clone();
            let sealed = seal::comment(&mut goes_on, &entries_text(entries))?;
            shown.last_mut()?.comments.push(sealed);
            seal = Some(goes_on);
        }
        let mut actions = self.actions;
        let line = writer::line(&shown, &turns, &mut actions);
        line.starts_with(|first: char| first.is_ascii()).then(|| Growth {
            line: line + "\n",
            entries: entries.to_vec(),
            turns,
            actions,
            seal,
        })
    }

    /// What was to be appended has been.
    pub fn take_in(&mut self, growth: Growth) {
        self.record.entries.extend(growth.entries);
        self.record.turns.extend(growth.turns);
        self.actions = growth.actions;
        if let (Some(hiding), Some(seal)) = (&mut self.hiding, growth.seal) {
            hiding.seal = seal;
        }
    }
}
