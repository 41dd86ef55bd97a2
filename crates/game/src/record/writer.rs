use std::fmt;

use rules::Viewer;

use super::Record;
use crate::clock::Seconds;
use crate::{Comment, Entry, Event, Variation, result_word};

/// Lines of the play are broken before this many characters.
const WIDTH: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        let lines = self.play();
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl Record {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.settings;
        tag(f, "Game", &settings.game.to_string())?;
        for (index, sitter) in settings.sitters.iter().enumerate() {
            tag(f, &format!("Seat{}", index + 1), &sitter.to_string())?;
        }
        if let Some(date) = &settings.date {
            tag(f, "Date", &date.to_string())?;
        }
        tag(f, "Clock", &settings.clock.to_string())?;
        tag(f, "Result", &result_word(self.ending.and_then(|ending| ending.outcome)))?;
        tag(f, "Ending", &self.ending.map_or("unfinished".to_owned(), |ending| ending.cause.to_string()))?;
        if let Some(start) = &settings.start {
            tag(f, "Start", start)?;
        }
        if let Some(viewer) = self.viewer {
            tag(f, "Viewer", &viewer_word(viewer))?;
        }
        settings.notes.iter().try_for_each(|(name, value)| tag(f, name, value))
    }

    /// The lines under the tags.
    fn play(&self) -> Vec<String> {
        let mut lines = Lines::broken_at(WIDTH);
        self.preface.iter().for_each(|comment| lines.comment(comment));
        let mut number = 0;
        for (entry, begins_turn) in self.entries.iter().zip(&self.turns) {
            lines.entry(entry, &mut number, *begins_turn);
        }
        lines.lines
    }
}

/// Entries as they stand in a record, without numbers. Added to the record of everything before them, as long as that has no
/// ending, they make the record of both.
pub fn entries_text(entries: &[Entry]) -> String {
    let mut lines = Lines::broken_at(WIDTH);
    entries.iter().for_each(|entry| lines.entry(entry, &mut 0, false));
    lines.lines.join("\n")
}

/// Entries of a record in one line, however long; `number` counts the actions.
pub(super) fn line(entries: &[Entry], turns: &[bool], number: &mut usize) -> String {
    let mut lines = Lines::broken_at(usize::MAX);
    entries.iter().zip(turns).for_each(|(entry, begins_turn)| lines.entry(entry, number, *begins_turn));
    lines.lines.concat()
}

pub(super) fn viewer_word(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::Spectator => "spectator".to_owned(),
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Words set one after another, broken into lines.
struct Lines {
    lines: Vec<String>,
    width: usize,
}

impl Lines {
    fn broken_at(width: usize) -> Lines {
        Lines { lines: Vec::new(), width }
    }

    fn put(&mut self, words: &str) {
        match self.lines.last_mut() {
            Some(line) if line.chars().count() + 1 + words.chars().count() <= self.width => {
                line.push(' ');
                line.push_str(words);
            }
            _ => self.lines.push(words.to_owned()),
        }
    }

    /// An event and everything next to it; `number` counts the actions.
    fn entry(&mut self, entry: &Entry, number: &mut usize, numbered: bool) {
        let before = *number;
        let mut words = entry.event.to_string();
        if matches!(entry.event, Event::Action(_)) {
            *number += 1;
            if numbered {
                words = format!("{number}. {words}");
            }
        }
        if let Some(spent) = entry.spent {
            words = format!("{words} {}s", Seconds(spent));
        }
        entry.marks.iter().for_each(|mark| words.push_str(&format!(" ${mark}")));
        self.put(&words);
        entry.comments.iter().for_each(|comment| self.comment(comment));
        entry.variations.iter().for_each(|variation| self.variation(variation, before));
    }

    fn variation(&mut self, variation: &Variation, mut number: usize) {
        self.put("(");
        variation.preface.iter().for_each(|comment| self.comment(comment));
        for (place, entry) in variation.entries.iter().enumerate() {
            self.entry(entry, &mut number, place == 0);
        }
        self.put(")");
    }

    fn comment(&mut self, comment: &Comment) {
        let text = format!("{{{}}}", comment.as_str());
        text.split(' ').for_each(|word| self.put(word));
    }
}
