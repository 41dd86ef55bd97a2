//! Sentences for errors in games, positions, records and files.

use std::io;

use game::{BadGame, BadSettings, Excess, GameId, MatchError, RecordError, RecordProblem, Refused, ReplayError};
use locale::{Language, Names, bad_position};
use session::words;

/// An example of the tag that begins a record.
fn game_tag() -> String {
    format!("[Game \"{}\"]", GameId::ALL[0])
}

/// More legal actions than this are not listed.
const LISTED: usize = 12;

/// A text that names no game.
pub(crate) fn game(language: Language, problem: &BadGame) -> String {
    match problem {
        BadGame::Malformed(text) => language.error_malformed_game(text),
        BadGame::Unknown(unknown) => language.error_unknown_game(&unknown.0, possible_games()),
        BadGame::Options { game, problem } => format!("{game}: {}", locale::bad_options(language, problem)),
    }
}

/// The names of all games.
pub(crate) fn possible_games() -> String {
    GameId::ALL.map(|id| id.name()).join(", ")
}

/// A match that cannot begin like this.
pub(crate) fn setup(language: Language, problem: &BadSettings) -> String {
    match problem {
        BadSettings::Start(problem) if problem.is_unreadable() => {
            language.error_unreadable_position(bad_position(language, problem))
        }
        BadSettings::Start(problem) => language.error_bad_position(bad_position(language, problem)),
        BadSettings::Sitters { seats, sitters } => language.record_sitters(seats, sitters),
    }
}

/// A file that cannot be read or written.
pub(crate) fn file(language: Language, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => language.file_not_found().to_owned(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => language.file_forbidden().to_owned(),
        io::ErrorKind::IsADirectory => language.file_is_folder().to_owned(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => language.file_no_place_for_folder().to_owned(),
        io::ErrorKind::FileTooLarge => language.file_too_large().to_owned(),
        io::ErrorKind::InvalidData => language.file_not_text().to_owned(),
        io::ErrorKind::StorageFull => language.file_disk_full().to_owned(),
        // For other errors the sentence is the operating system's.
        _ => error.to_string(),
    }
}

/// A file that cannot be written.
pub(crate) fn file_to_write(language: Language, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => language.file_no_folder().to_owned(),
        _ => file(language, error),
    }
}

/// A record with a mistake in it, with the number of the action.
pub(crate) fn record(language: Language, error: &RecordError) -> String {
    let mut problem = record_problem(language, &error.problem);
    if !error.legal.is_empty() {
        problem = format!("{}. {}", problem.trim_end_matches('.'), possible(language, &error.legal));
    }
    // The place ends the sentence with its own full stop.
    let problem = problem.trim_end_matches('.');
    match error.action {
        Some(number) => format!("{}: {problem}", language.move_number(number)),
        None => problem.to_owned(),
    }
}

fn record_problem(l: Language, problem: &RecordProblem) -> String {
    match problem {
        RecordProblem::Empty => l.record_empty(game_tag()),
        RecordProblem::TooMuch(Excess::Bytes, most) => l.record_too_many_bytes(most),
        RecordProblem::TooMuch(Excess::Tags, most) => l.record_too_many_tags(most),
        RecordProblem::TooMuch(Excess::Actions, most) => l.record_too_many_actions(most),
        RecordProblem::TooMuch(Excess::Comment, most) => l.record_long_comment(most),
        RecordProblem::TooMuch(Excess::Depth, most) => l.record_deep_variations(most),
        RecordProblem::UnclosedVariation => l.record_unclosed_variation().to_owned(),
        RecordProblem::AfterStar => l.record_after_star().to_owned(),
        RecordProblem::BrokenSeal => l.record_broken_seal().to_owned(),
        RecordProblem::StrayBracket('(') => l.record_variation_of_nothing().to_owned(),
        RecordProblem::UnclosedComment => l.record_unclosed_comment().to_owned(),
        RecordProblem::StrayBracket(bracket) => l.record_stray_bracket(bracket),
        RecordProblem::MalformedTag => l.record_malformed_tag(game_tag()),
        RecordProblem::TagTwice(name) => l.record_tag_twice(name),
        RecordProblem::NoGameTag => l.record_no_game(game_tag()),
        RecordProblem::Game(problem) => game(l, problem),
        RecordProblem::Sitter(problem) => l.error_bad_seat(problem.text()),
        RecordProblem::ExtraSeat { tag, seats } => l.record_extra_seat(tag, seats),
        RecordProblem::Clock(problem) => l.error_bad_clock(problem.text()),
        RecordProblem::Date(problem) => l.record_date(problem.text()),
        RecordProblem::Word { tag, problem } => l.record_word(tag, problem.word(), problem.possible()),
        RecordProblem::Settings(problem) => setup(l, problem),
        RecordProblem::Number { found, expected } => l.record_number(found, expected),
        RecordProblem::NumberOfNothing => l.record_number_of_nothing().to_owned(),
        RecordProblem::StrayTime => l.record_stray_time().to_owned(),
        RecordProblem::HiddenHere(action) => l.record_hidden_here(action),
        RecordProblem::Play(problem) => play(l, problem),
        RecordProblem::Contradiction { tag, written, played } => l.record_contradiction(tag, written, played),
    }
}

/// A record that reads well and cannot be replayed.
pub(crate) fn replay(language: Language, error: &ReplayError) -> String {
    match error {
        ReplayError::Settings(problem) => setup(language, problem),
        ReplayError::Entry { problem, .. } => play(language, problem),
        ReplayError::Hidden { action: 0, .. } => language.record_hidden_start().to_owned(),
        ReplayError::Hidden { action, .. } => language.record_hidden(action),
    }
}

/// The first of what could have been played.
fn possible(language: Language, legal: &[String]) -> String {
    match legal.len().saturating_sub(LISTED) {
        0 => language.legal_are(legal.join(" ")),
        more => format!("{} {}", language.legal_are(legal[..LISTED].join(" ")), language.more_of(more)),
    }
}

fn play(language: Language, problem: &MatchError) -> String {
    match problem {
        MatchError::Over(_) => language.record_goes_on().to_owned(),
        MatchError::Refused(Refused::Unreadable(unreadable)) => language.record_unreadable(unreadable.text()),
        MatchError::Refused(Refused::Illegal { action, reason, legal }) => {
            let why = language.record_illegal(action, locale::reason(language, *reason));
            if legal.is_empty() { why } else { format!("{why} {}", possible(language, legal)) }
        }
        other => {
            // A record does not say whom it calls what, so seats have their numbers.
            words::refusal(language, other, &Names::numbered(language), None)
        }
    }
}
