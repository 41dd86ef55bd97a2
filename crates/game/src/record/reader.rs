use rules::{Seat, Viewer, excerpt};

use super::lexer::{Lexer, Place, Token};
use super::line::{self, Calls, Lines};
use super::{Excess, Record, RecordError, RecordProblem, ReplayError, is_hidden, seal};
use crate::{
    BadSettings, ClockRule, Comment, Departure, Ending, Entry, Event, Game, Match, MatchError, MatchSettings, Refused,
    UnknownWord,
};
use crate::{result_from_word, result_word};

/// What ends the play in PGN, and the result it stands for.
const ENDS: [(&str, &str); 4] = [("*", "*"), ("1-0", "p1win"), ("0-1", "p2win"), ("1/2-1/2", "draw")];

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
    lines: Lines,
    /// What ends the play, and where it stands: `*`, `1-0`, `0-1` or `1/2-1/2`.
    end: Option<(Place, String)>,
    /// Looked up when the first `!` stands alone.
    calls: Option<Calls>,
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
                    self.lines.current.comment(comment);
                }
                Ok(())
            }
            Token::Open | Token::Close | Token::Word(_) => {
                self.play_begun = true;
                self.take_play(place, token).map_err(|problem| self.first_mistake(self.at(place, problem)))
            }
        }
    }

    fn take_play(&mut self, place: Place, token: Token) -> Result<(), RecordProblem> {
        if self.end.is_some() {
            return Err(RecordProblem::AfterStar);
        }
        match token {
            Token::Open => self.lines.open(place),
            Token::Close => self.lines.close(),
            Token::Word(word) if ENDS.iter().any(|(end, _)| *end == word) && self.lines.unclosed().is_none() => {
                self.end = Some((place, word));
                Ok(())
            }
            Token::Word(word) => {
                let calls = if word == "!" { self.calls() } else { Calls::Has };
                self.lines.word(place, &word, calls)
            }
            Token::Tag { .. } | Token::Comment(_) => Ok(()),
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

    fn calls(&mut self) -> Calls {
        if let Some(calls) = self.calls {
            return calls;
        }
        let game = self.tag("Game").and_then(|(_, game)| game.parse::<Game>().ok());
        let calls = match game.is_some_and(|game| game.start().read("!").is_err()) {
            true => Calls::HasNot,
            false => Calls::Has,
        };
        *self.calls.insert(calls)
    }

    /// What is wrong before a word that does not belong where it stands: behind an action that cannot be played, every
    /// number is another one's.
    fn first_mistake(&self, error: RecordError) -> RecordError {
        let first = self.first(Place { line: error.line, column: error.column });
        let so_far = || -> Result<(), RecordError> {
            let record = self.record(self.settings(first)?)?;
            let mistake = record.replay_known().err().and_then(|problem| self.mistake(&record, problem, first));
            mistake.map_or(Ok(()), Err)
        };
        so_far().err().unwrap_or(error)
    }

    /// An error at the action that is about to come.
    fn at(&self, place: Place, problem: RecordProblem) -> RecordError {
        RecordError { action: Some(self.lines.current.actions + 1), ..place.error(problem) }
    }

    /// A text that cannot even be cut into words: once the play has begun, it stands before the next action.
    fn before_next_action(&self, error: RecordError) -> RecordError {
        RecordError { action: self.play_begun.then_some(self.lines.current.actions + 1), ..error }
    }

    fn tag(&self, name: &str) -> Option<(Place, &str)> {
        self.tags.iter().find(|(_, other, _)| other == name).map(|(place, _, value)| (*place, value.as_str()))
    }

    /// Checks the whole game; `end` is where its text ends.
    fn finish(self, end: Place) -> Result<Record, RecordError> {
        let sealed = self.tag(seal::TAG).map(|(place, value)| (place, value.to_owned()));
        let record = self.check(end)?;
        match sealed {
            None => Ok(record),
            Some((place, value)) => seal::open(&value, record).map_err(|problem| place.error(problem)),
        }
    }

    fn check(self, end: Place) -> Result<Record, RecordError> {
        let first = self.first(end);
        let settings = self.settings(first)?;
        if let Some(place) = self.lines.unclosed() {
            return Err(place.error(RecordProblem::UnclosedVariation));
        }
        if self.lines.current.number_waits {
            return Err(self.at(end, RecordProblem::NumberOfNothing));
        }
        let record = self.record(settings)?;
        match record.replay_known() {
            Ok(replay) if replay.entries == record.entries.len() => {
                self.check_ending(replay.game.ending())?;
                self.check_variations(&record)?;
                // The match writes the record, so that only what counts is kept of the text's form.
                Ok(Record { viewer: record.viewer, ..replay.game.record() })
            }
            Ok(_) => self.check_ending(None).map(|()| record),
            Err(problem) => {
                if let Some(mistake) = self.mistake(&record, problem, first) {
                    return Err(mistake);
                }
                // The start itself is hidden; the rest of the settings must still be possible.
                Match::new(record.setup_without_start()).map_err(|problem| self.bad_settings(first, problem))?;
                self.check_ending(None).map(|()| record)
            }
        }
    }

    /// Where the game begins in the text.
    fn first(&self, end: Place) -> Place {
        let action = self.lines.main().entries.first().map(|(place, _)| *place);
        self.tags.first().map(|(place, ..)| *place).or(action).unwrap_or(end)
    }

    /// The game as it is written, before it is replayed.
    fn record(&self, settings: MatchSettings) -> Result<Record, RecordError> {
        let viewer = self.viewer(&settings)?;
        let line = self.lines.main();
        let mut turns = vec![false; line.entries.len()];
        line.numbered.iter().for_each(|&index| turns[index] = true);
        let entries = line.entries.iter().map(|(_, entry)| entry.clone()).collect();
        let record = Record { settings, viewer, preface: line.preface.clone(), entries, turns, ending: None };
        self.check_hidden(&record)?;
        self.check_clock(&record)?;
        Ok(record)
    }

    /// Where and why a record does not replay; `None` if its start is hidden.
    fn mistake(&self, record: &Record, problem: ReplayError, first: Place) -> Option<RecordError> {
        match problem {
            ReplayError::Hidden { .. } => None,
            ReplayError::Settings(problem) => Some(self.bad_settings(first, problem)),
            ReplayError::Entry { index, problem } => {
                let action = Some(record.actions_before(index) + 1);
                let place = self.lines.main().entries.get(index).map_or(first, |(place, _)| *place);
                // What the rules refuse lists by itself what they allow.
                let unreadable = matches!(problem, MatchError::Refused(Refused::Unreadable(_)));
                let legal = if unreadable { record.legal_before(index).into() } else { Box::default() };
                Some(RecordError { action, legal, ..place.error(RecordProblem::Play(problem)) })
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
                "Game" | "Result" | "Ending" | "Viewer" | seal::TAG => {}
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
        match self.lines.main().entries.iter().enumerate().find(|(_, (_, entry))| is_hidden(&entry.event)) {
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
        match self.lines.main().entries.iter().position(|(_, entry)| time_up(entry)) {
            Some(index) if record.settings.clock == ClockRule::None => {
                let (place, entry) = &self.lines.main().entries[index];
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

    /// What stands in parentheses must be possible too.
    fn check_variations(&self, record: &Record) -> Result<(), RecordError> {
        if self.lines.places.is_empty() {
            return Ok(());
        }
        let Ok(mut game) = Match::new(record.settings.clone()) else { return Ok(()) };
        let mut played = 0;
        for entry in &record.entries {
            line::check_variations(&game, entry, &mut played).map_err(|(number, problem)| {
                let place = self.lines.places.get(number).copied().unwrap_or(Place { line: 1, column: 1 });
                place.error(RecordProblem::Play(problem))
            })?;
            // The game was replayed before, so this cannot fail.
            let _ = game.replay(entry.clone());
        }
        Ok(())
    }

    /// What the tags say about the end must be what was played.
    fn check_ending(&self, played: Option<Ending>) -> Result<(), RecordError> {
        if let Some((place, end)) = &self.end {
            let written = ENDS.iter().find(|(word, _)| word == end).map_or("*", |(_, result)| *result);
            let played = played.map_or("*".to_owned(), |ending| result_word(ending.outcome));
            if written != played {
                contradiction(*place, "Result", end.clone(), played)?;
            }
        }
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
