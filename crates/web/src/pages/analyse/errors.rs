//! What is wrong with a link or a pasted text, as the end of a sentence in the language of the person.

use game::{BadGame, BadSettings, GameId, MatchError, RecordError, RecordProblem, Refused, ReplayError};
use locale::Language;

/// A text that names no game.
pub fn game(language: Language, problem: &BadGame) -> String {
    let said = match problem {
        BadGame::Malformed(text) => language.error_malformed_game(text),
        BadGame::Unknown(unknown) => {
            language.error_unknown_game(&unknown.0, GameId::ALL.map(|id| id.name()).join(", "))
        }
        BadGame::Options { game, problem } => format!("{game}: {}", locale::bad_options(language, problem)),
    };
    said.trim_end_matches('.').to_owned()
}

/// A game that cannot begin like this.
pub fn setup(language: Language, problem: &BadSettings) -> String {
    match problem {
        BadSettings::Start(problem) => locale::bad_position(language, problem),
        BadSettings::Sitters { seats, sitters } => language.record_sitters(seats, sitters),
    }
}

/// A record with a mistake in it. Where the place says enough, it is all that is said.
pub fn record(language: Language, error: &RecordError) -> String {
    let said = match &error.problem {
        RecordProblem::Empty | RecordProblem::NoGameTag => {
            language.record_no_game(format!("[Game \"{}\"]", GameId::ALL[0]))
        }
        RecordProblem::Game(problem) => game(language, problem),
        RecordProblem::Settings(problem) => setup(language, problem),
        RecordProblem::Play(problem) => play(language, problem),
        _ => language.study_unreadable_line(error.line),
    };
    numbered(language, error.action, &said)
}

/// A record that reads well and cannot be replayed.
pub fn replay(language: Language, error: &ReplayError) -> String {
    match error {
        ReplayError::Settings(problem) => setup(language, problem),
        ReplayError::Entry { index, problem } => numbered(language, Some(index + 1), &play(language, problem)),
        ReplayError::Hidden { action: 0, .. } => language.record_hidden_start().to_owned(),
        ReplayError::Hidden { action, .. } => language.record_hidden(action),
    }
}

fn play(language: Language, problem: &MatchError) -> String {
    match problem {
        MatchError::Refused(Refused::Unreadable(unreadable)) => language.record_unreadable(unreadable.text()),
        MatchError::Refused(Refused::Illegal { action, reason, .. }) => {
            language.record_illegal(action, locale::reason(language, *reason))
        }
        // Nothing else can be done by the events of a record than to go on after the end.
        _ => language.record_goes_on().to_owned(),
    }
}

/// The sentence around it ends with a full stop of its own.
fn numbered(language: Language, action: Option<usize>, said: &str) -> String {
    let said = said.trim_end_matches('.');
    match action {
        Some(number) => format!("{}: {said}", language.move_number(number)),
        None => said.to_owned(),
    }
}
