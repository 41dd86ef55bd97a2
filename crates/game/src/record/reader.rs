use rules::{Seat, Viewer, excerpt};

use super::lexer::{Lexer, Place, Token};
use super::{Excess, Record, RecordError, RecordProblem, ReplayError, is_hidden};
use crate::clock::seconds_from;
use crate::{
    BadSettings, ClockRule, Comment, Departure, Ending, Entry, Event, Game, Match, MatchError, MatchSettings, Refused,
    UnknownWord,
};
use crate::{result_from_word, result_word};

/// The most tags a game may have.
const MOST_TAGS: usize = 64;

pub(super) fn read_all(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut lexer = Lexer::new(text);
    if text.len() > Record::LONGEST_TEXT {
        let problem = RecordProblem::TooMuch(Excess::Bytes, Record::LONGEST_TEXT);
        return Err(lexer.place().error(problem));
    }
    let mut records = Vec::new();
    let mut draft = Draft::default();
    while let Some((place, token)) = lexer.next_token().map_err(|error| draft.before_next_action(error))? {
        if draft.is_ended_by(&token) {
            records.push(std::mem::take(&mut draft).finish(place)?);
        }
        draft.take(place, token)?;
    }
    if draft.is_empty() {
        return if records.is_empty() { Err(lexer.place().error(RecordProblem::Empty)) } else { Ok(records) };
    }
    records.push(draft.finish(lexer.place())?);
    Ok(records)
}

/// One game as it stands in the text, not yet checked.
#[derive(Default)]
struct Draft {
    tags: Vec<(Place, String, String)>,
    play_begun: bool,
    preface: Vec<Comment>,
    entries: Vec<(Place, Entry)>,
    /// How many of the entries are actions.
    actions: usize,
    /// The entries that have a number before them.
    numbered: Vec<usize>,
    number_waits: bool,
}

impl Draft {
    /// Whether another game begins here: at a tag after the play, or at a second Game tag if nothing was played.
    fn is_ended_by(&self, token: &Token) -> bool {
        matches!(token, Token::Tag { name, .. } if self.play_begun || name == "Game" && self.tag("Game").is_some())
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.play_begun
    }

    fn take(&mut self, place: Place, token: Token) -> Result<(), RecordError> {
        match token {
            Token::Tag { name, value } => self.take_tag(place, name, value),
            Token::Comment(text) => {
                // A comment above the tags belongs to the game below.
                self.play_begun |= !self.tags.is_empty();
                let comment = Comment::new(&text);
                if !comment.as_str().is_empty() {
                    let last = self.entries.last_mut();
                    last.map_or(&mut self.preface, |(_, entry)| &mut entry.comments).push(comment);
                }
                Ok(())
            }
            Token::Word(word) => {
                self.play_begun = true;
                self.take_word(place, &word).map_err(|problem| self.at(place, problem))
            }
        }
    }

    fn take_tag(&mut self, place: Place, name: String, value: String) -> Result<(), RecordError> {
        if self.tags.iter().any(|(_, other, _)| *other == name) {
            return Err(place.error(RecordProblem::TagTwice(name)));
        }
        if self.tags.len() == MOST_TAGS {
            return Err(place.error(RecordProblem::TooMuch(Excess::Tags, MOST_TAGS)));
        }
        self.tags.push((place, name, value));
        Ok(())
    }

    fn take_word(&mut self, place: Place, word: &str) -> Result<(), RecordProblem> {
        if let Some(number) = word.strip_suffix('.')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            let expected = self.actions + 1;
            if number != expected.to_string() || self.number_waits {
                return Err(RecordProblem::Number { found: number.chars().take(20).collect(), expected });
            }
            self.number_waits = true;
            return Ok(());
        }
        if let Some(spent) = word.strip_suffix('s').and_then(seconds_from) {
            let last = self.entries.last_mut().filter(|_| !self.number_waits).map(|(_, entry)| entry);
            let entry = last.filter(|entry| entry.spent.is_none()).ok_or(RecordProblem::StrayTime)?;
            entry.spent = Some(spent);
            return Ok(());
        }
        self.take_event(place, Event::from(word))
    }

    fn take_event(&mut self, place: Place, event: Event) -> Result<(), RecordProblem> {
        if self.entries.len() == Record::MOST_ENTRIES {
            return Err(RecordProblem::TooMuch(Excess::Actions, Record::MOST_ENTRIES));
        }
        if matches!(event, Event::Action(_)) {
            self.actions += 1;
            if self.number_waits {
                self.numbered.push(self.entries.len());
            }
        }
        self.number_waits = false;
        self.entries.push((place, Entry::new(event)));
        Ok(())
    }

    /// An error at the action that is about to come.
    fn at(&self, place: Place, problem: RecordProblem) -> RecordError {
        RecordError { action: Some(self.actions + 1), ..place.error(problem) }
    }

    /// A text that cannot even be cut into words: once the play has begun, it stands before the next action.
    fn before_next_action(&self, error: RecordError) -> RecordError {
        RecordError { action: self.play_begun.then_some(self.actions + 1), ..error }
    }

    fn tag(&self, name: &str) -> Option<(Place, &str)> {
        self.tags.iter().find(|(_, other, _)| other == name).map(|(place, _, value)| (*place, value.as_str()))
    }

    /// Checks the whole game; `end` is where its text ends.
    fn finish(self, end: Place) -> Result<Record, RecordError> {
        let first = self.tags.first().map(|(place, ..)| *place);
        let first = first.or(self.entries.first().map(|(place, _)| *place)).unwrap_or(end);
        let settings = self.settings(first)?;
        if self.number_waits {
            return Err(self.at(end, RecordProblem::NumberOfNothing));
        }
        let viewer = self.viewer(&settings)?;
        let mut turns = vec![false; self.entries.len()];
        self.numbered.iter().for_each(|&index| turns[index] = true);
        let record = Record {
            settings,
            viewer,
            preface: self.preface.clone(),
            entries: self.entries.iter().map(|(_, entry)| entry.clone()).collect(),
            turns,
            ending: None,
        };
        self.check_hidden(&record)?;
        self.check_clock(&record)?;
        match record.replay_known() {
            Ok(replay) if replay.entries == record.entries.len() => {
                self.check_ending(replay.game.ending())?;
                // The match writes the record, so that only what counts is kept of the text's form.
                Ok(Record { viewer, ..replay.game.record() })
            }
            Ok(_) => self.check_ending(None).map(|()| record),
            Err(ReplayError::Hidden { .. }) => {
                // The start itself is hidden; the rest of the settings must still be possible.
                Match::new(record.setup_without_start()).map_err(|problem| self.bad_settings(first, problem))?;
                self.check_ending(None).map(|()| record)
            }
            Err(ReplayError::Settings(problem)) => Err(self.bad_settings(first, problem)),
            Err(ReplayError::Entry { index, problem }) => {
                let action = Some(record.actions_before(index) + 1);
                let place = self.entries.get(index).map_or(end, |(place, _)| *place);
                // What the rules refuse lists by itself what they allow.
                let unreadable = matches!(problem, MatchError::Refused(Refused::Unreadable(_)));
                let legal = if unreadable { record.legal_before(index).into() } else { Box::default() };
                Err(RecordError { action, legal, ..place.error(RecordProblem::Play(problem)) })
            }
        }
    }

    fn bad_settings(&self, first: Place, problem: BadSettings) -> RecordError {
        self.tag("Start").map_or(first, |(place, _)| place).error(RecordProblem::Settings(problem))
    }

    fn settings(&self, first: Place) -> Result<MatchSettings, RecordError> {
        let (place, game) = self.tag("Game").ok_or_else(|| first.error(RecordProblem::NoGameTag))?;
        let game: Game = game.parse().map_err(|problem| place.error(RecordProblem::Game(problem)))?;
        let mut settings = MatchSettings::new(game);
        for (place, name, value) in &self.tags {
            let bad = |problem| place.error(problem);
            match name.as_str() {
                "Game" | "Result" | "Ending" | "Viewer" => {}
                "Date" => settings.date = Some(value.parse().map_err(|problem| bad(RecordProblem::Date(problem)))?),
                "Clock" => settings.clock = value.parse().map_err(|problem| bad(RecordProblem::Clock(problem)))?,
                "Start" => settings.start = Some(value.clone()),
                "Seat1" | "Seat2" | "Seat3" | "Seat4" => {
                    let seats = settings.sitters.len() as u8;
                    let seat: Option<Seat> = name[4..].parse().ok();
                    let sitter = seat.and_then(|seat| settings.sitters.get_mut(seat.index()));
                    let sitter = sitter.ok_or_else(|| bad(RecordProblem::ExtraSeat { tag: name.clone(), seats }))?;
                    *sitter = value.parse().map_err(|problem| bad(RecordProblem::Sitter(problem)))?;
                }
                _ if settings.notes.len() == MatchSettings::MOST_NOTES => {
                    return Err(bad(RecordProblem::TooMuch(Excess::Tags, MatchSettings::MOST_NOTES)));
                }
                _ => settings.notes.push((name.clone(), value.clone())),
            }
        }
        settings.tidy_notes();
        Ok(settings)
    }

    fn viewer(&self, settings: &MatchSettings) -> Result<Option<Viewer>, RecordError> {
        let Some((place, word)) = self.tag("Viewer") else { return Ok(None) };
        let seats = settings.sitters.len();
        let seat = word.parse().ok().filter(|seat: &Seat| seat.index() < seats).map(Viewer::Seat);
        let viewer = if word == "spectator" { Some(Viewer::Spectator) } else { seat };
        let problem = || UnknownWord::new(word, &format!("spectator and the seats 1 to {seats}"));
        viewer.map(Some).ok_or_else(|| place.error(RecordProblem::Word { tag: "Viewer", problem: problem() }))
    }

    /// Only a record for one viewer, of a game with hidden information, may hide something.
    fn check_hidden(&self, record: &Record) -> Result<(), RecordError> {
        if record.viewer.is_some() && record.settings.game.start().hides() {
            return Ok(());
        }
        if let Some((place, viewer)) = self.tag("Viewer") {
            let problem = UnknownWord::new(viewer, "none, for nothing is hidden in this game");
            return Err(place.error(RecordProblem::Word { tag: "Viewer", problem }));
        }
        match self.entries.iter().enumerate().find(|(_, (_, entry))| is_hidden(&entry.event)) {
            None => Ok(()),
            Some((index, (place, entry))) => {
                let text = excerpt(&entry.event.to_string());
                let action = Some(record.actions_before(index) + 1);
                Err(RecordError { action, ..place.error(RecordProblem::HiddenHere(text)) })
            }
        }
    }

    /// Time cannot run out where there is no clock.
    fn check_clock(&self, record: &Record) -> Result<(), RecordError> {
        let time_up = |entry: &Entry| matches!(entry.event, Event::Out(_, Departure::TimeUp));
        match self.entries.iter().position(|(_, entry)| time_up(entry)) {
            Some(index) if record.settings.clock == ClockRule::None => {
                let (place, entry) = &self.entries[index];
                let (written, played) = (ClockRule::None.to_string(), entry.event.to_string());
                let action = Some(record.actions_before(index) + 1);
                Err(RecordError {
                    action,
                    ..place.error(RecordProblem::Contradiction { tag: "Clock", written, played })
                })
            }
            _ => Ok(()),
        }
    }

    /// What the tags say about the end must be what was played.
    fn check_ending(&self, played: Option<Ending>) -> Result<(), RecordError> {
        if let Some((place, word)) = self.tag("Result") {
            let written = result_from_word(word)
                .map_err(|problem| place.error(RecordProblem::Word { tag: "Result", problem }))?;
            let played = played.and_then(|ending| ending.outcome);
            contradiction(place, "Result", result_word(written), result_word(played))?;
        }
        if let Some((place, word)) = self.tag("Ending") {
            if word != "unfinished"
                && let Err(problem) = word.parse::<crate::Cause>()
            {
                return Err(place.error(RecordProblem::Word { tag: "Ending", problem }));
            }
            let played = played.map_or("unfinished".to_owned(), |ending| ending.cause.to_string());
            contradiction(place, "Ending", word.to_owned(), played)?;
        }
        Ok(())
    }
}

fn contradiction(place: Place, tag: &'static str, written: String, played: String) -> Result<(), RecordError> {
    if written == played {
        return Ok(());
    }
    Err(place.error(RecordProblem::Contradiction { tag, written, played }))
}
