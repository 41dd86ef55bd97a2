//! Lines of play as they are read: the game itself, and the variations in parentheses.

use super::lexer::Place;
use super::{Excess, Record, RecordProblem};
use crate::clock::seconds_from;
use crate::{Comment, Entry, Event, Match, MatchError, Variation};

/// How many variations may stand inside each other.
const DEEPEST: usize = 32;

/// The signs for the first marks of PGN, from 1.
const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// One line of play.
#[derive(Default)]
pub(super) struct Line {
    pub(super) preface: Vec<Comment>,
    pub(super) entries: Vec<(Place, Entry)>,
    /// How many actions were played before the next one, since the start of the game.
    pub(super) actions: usize,
    /// The entries that have a number before them.
    pub(super) numbered: Vec<usize>,
    pub(super) number_waits: bool,
}

impl Line {
    pub(super) fn comment(&mut self, comment: Comment) {
        let last = self.entries.last_mut();
        last.map_or(&mut self.preface, |(_, entry)| &mut entry.comments).push(comment);
    }

    fn word(&mut self, place: Place, word: &str, calls: Calls) -> Result<(), RecordProblem> {
        if let Some(mark) = word.strip_prefix('$').and_then(|mark| mark.parse().ok()).or_else(|| lone_sign(word, calls))
            && let Some((_, entry)) = self.entries.last_mut().filter(|_| !self.number_waits)
        {
            entry.marks.push(mark);
            return Ok(());
        }
        if let Some(spent) = word.strip_suffix('s').and_then(seconds_from) {
            let last = self.entries.last_mut().filter(|_| !self.number_waits).map(|(_, entry)| entry);
            let entry = last.filter(|entry| entry.spent.is_none()).ok_or(RecordProblem::StrayTime)?;
            entry.spent = Some(spent);
            return Ok(());
        }
        let (text, mark) = without_sign(word);
        let mut entry = Entry::new(Event::from(text));
        entry.marks.extend(mark);
        self.push(place, entry);
        Ok(())
    }

    /// The number of the action that follows, with its points.
    fn number(&mut self, number: &str) -> Result<(), RecordProblem> {
        let expected = self.actions + 1;
        if number != expected.to_string() || self.number_waits {
            return Err(RecordProblem::Number { found: number.chars().take(20).collect(), expected });
        }
        self.number_waits = true;
        Ok(())
    }

    fn push(&mut self, place: Place, entry: Entry) {
        if matches!(entry.event, Event::Action(_)) {
            self.actions += 1;
            if self.number_waits {
                self.numbered.push(self.entries.len());
            }
        }
        self.number_waits = false;
        self.entries.push((place, entry));
    }

    /// The line of a variation that replaces the last entry.
    fn variation(&self) -> Option<Line> {
        let (_, last) = self.entries.last().filter(|_| !self.number_waits)?;
        let actions = self.actions - usize::from(matches!(last.event, Event::Action(_)));
        Some(Line { actions, ..Line::default() })
    }
}

/// The game and the variations that are open at a place of the text.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) current: Line,
    /// The lines around it, each with the place where the variation inside it was opened.
    around: Vec<(Place, Line)>,
    /// Where the entries of variations stand, in the order of the text.
    pub(super) places: Vec<Place>,
}

impl Lines {
    pub(super) fn word(&mut self, place: Place, word: &str, calls: Calls) -> Result<(), RecordProblem> {
        if self.main().entries.len() + self.places.len() >= Record::MOST_ENTRIES {
            return Err(RecordProblem::TooMuch(Excess::Actions, Record::MOST_ENTRIES));
        }
        let (place, word) = match number_and_rest(word) {
            None => (place, word),
            Some((number, rest)) => {
                self.current.number(number)?;
                if rest.is_empty() {
                    return Ok(());
                }
                (Place { column: place.column + word.len() - rest.len(), ..place }, rest)
            }
        };
        let before = self.current.entries.len();
        self.current.word(place, word, calls)?;
        if !self.around.is_empty() && self.current.entries.len() > before {
            self.places.push(place);
        }
        Ok(())
    }

    pub(super) fn open(&mut self, place: Place) -> Result<(), RecordProblem> {
        if self.around.len() == DEEPEST {
            return Err(RecordProblem::TooMuch(Excess::Depth, DEEPEST));
        }
        let inner = self.current.variation().ok_or(RecordProblem::StrayBracket('('))?;
        self.around.push((place, std::mem::replace(&mut self.current, inner)));
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), RecordProblem> {
        if self.current.number_waits {
            return Err(RecordProblem::NumberOfNothing);
        }
        let (_, outer) = self.around.pop().ok_or(RecordProblem::StrayBracket(')'))?;
        let inner = std::mem::replace(&mut self.current, outer);
        let entries = inner.entries.into_iter().map(|(_, entry)| entry).collect();
        if let Some((_, replaced)) = self.current.entries.last_mut() {
            replaced.variations.push(Variation { preface: inner.preface, entries });
        }
        Ok(())
    }

    /// The game itself, as far as it is read.
    pub(super) fn main(&self) -> &Line {
        self.around.first().map_or(&self.current, |(_, line)| line)
    }

    /// Where the innermost variation that is still open begins.
    pub(super) fn unclosed(&self) -> Option<Place> {
        self.around.last().map(|(place, _)| *place)
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `7.` or `7...`, and what follows it without a space as in `7.a3e3`. `3.2s` is a time.
fn number_and_rest(word: &str) -> Option<(&str, &str)> {
    let (number, _) = word.split_once('.').filter(|(number, _)| is_number(number))?;
    let is_time = word.strip_suffix('s').and_then(seconds_from).is_some();
    (!is_time).then(|| (number, word[number.len()..].trim_start_matches('.')))
}

/// Whether the game has the action `!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    Has,
    HasNot,
}

/// The mark of a sign that stands alone. `!` is none where it is an action.
fn lone_sign(word: &str, calls: Calls) -> Option<u8> {
    let mark = SIGNS.iter().position(|sign| *sign == word).filter(|_| word != "!" || calls == Calls::HasNot)?;
    Some(mark as u8 + 1)
}

/// A word without the `!` or `?` of an annotator. `draw:?` hides a card.
fn without_sign(word: &str) -> (&str, Option<u8>) {
    let text = word.trim_end_matches(['!', '?']);
    let mark = SIGNS.iter().position(|sign| *sign == &word[text.len()..]);
    match mark {
        Some(mark) if !text.is_empty() && !text.ends_with(':') => (text, Some(mark as u8 + 1)),
        _ => (word, None),
    }
}

/// Plays the variations of an entry from the position before it. An error comes with the place of the event among the
/// events of all variations, of which `played` were before.
pub(super) fn check_variations(before: &Match, entry: &Entry, played: &mut usize) -> Result<(), (usize, MatchError)> {
    for variation in &entry.variations {
        let mut game = before.clone();
        for entry in &variation.entries {
            let number = *played;
            *played += 1;
            check_variations(&game, entry, played)?;
            game.replay(entry.clone()).map_err(|problem| (number, problem))?;
        }
    }
    Ok(())
}
