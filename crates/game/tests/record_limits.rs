//! What a record may hold at most, what divides one from the next, and what a damaged one is told from.
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::time::Duration;

use game::{Comment, Excess, Match, MatchSettings, Record, RecordError, RecordProblem};
use rules::{Seat, Viewer};

fn read(text: &str) -> Result<Record, RecordError> {
    let mut records = Record::read_all(text)?;
    assert_eq!(records.len(), 1);
    Ok(records.remove(0))
}

/// A game of Quixo with these tags besides.
fn with_tags(tags: impl Iterator<Item = (String, String)>) -> String {
    let tags: String = tags.map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("[Game \"quixo\"]\n[Result \"none\"]\n{tags}\n1. a3e3\n")
}

fn notes(count: usize) -> impl Iterator<Item = (String, String)> {
    (0..count).map(|number| (format!("Note{number}"), "x".to_owned()))
}

#[test]
fn a_record_has_so_many_notes_and_no_more() {
    let most = MatchSettings::MOST_NOTES;
    assert_eq!(read(&with_tags(notes(most))).unwrap().settings().notes.len(), most);
    let error = read(&with_tags(notes(most + 1))).unwrap_err();
    assert_eq!(error.problem, RecordProblem::TooMuch(Excess::Tags, most));
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.notes = notes(most + 1).collect();
    assert_eq!(Match::new(settings).unwrap().settings().notes.len(), most, "a match drops what a record cannot hold");
}

#[test]
fn a_value_a_comment_and_a_text_have_their_longest() {
    let value = |length: usize| with_tags([("Event".to_owned(), "x".repeat(length))].into_iter());
    assert!(read(&value(4096)).is_ok());
    assert!(read(&value(4097)).is_err());
    let comment = |length: usize| format!("[Game \"quixo\"]\n\n{{{}}} 1. a3e3\n", "x".repeat(length));
    assert!(read(&comment(Comment::LONGEST)).is_ok());
    let error = read(&comment(Comment::LONGEST + 1)).unwrap_err();
    assert_eq!(error.problem, RecordProblem::TooMuch(Excess::Comment, Comment::LONGEST));
    let mut text = with_tags(notes(0));
    text.push_str(&" ".repeat(Record::LONGEST_TEXT - text.len()));
    assert!(read(&text).is_ok());
    text.push(' ');
    assert_eq!(read(&text).unwrap_err().problem, RecordProblem::TooMuch(Excess::Bytes, Record::LONGEST_TEXT));
}

#[test]
fn a_variation_may_have_hundreds_of_actions_but_not_without_end() {
    let problem = |count: usize| {
        let play = "a2e2 ".repeat(count);
        read(&format!("[Game \"quixo\"]\n\na3e3 ( {play})\n")).unwrap_err().problem
    };
    let too_much = RecordProblem::TooMuch(Excess::Actions, Record::MOST_ENTRIES);
    // With the action that it replaces there are as many as there may be.
    assert_ne!(problem(Record::MOST_ENTRIES - 1), too_much, "they are played until one is not allowed");
    assert_eq!(problem(Record::MOST_ENTRIES), too_much);
}

/// The events of a game and of its variations are counted together.
#[test]
fn some_hundred_actions_with_variations_are_not_too_many() {
    let play = "a3e3 ( a2e2 ) ".repeat(400);
    let error = read(&format!("[Game \"quixo\"]\n\n{play}\n")).unwrap_err();
    assert!(!matches!(error.problem, RecordProblem::TooMuch(..)), "{error}");
}

#[test]
fn only_digits_number_a_turn() {
    for word in ["x.", ".", "1x."] {
        let error = read(&format!("[Game \"quixo\"]\n\na3e3 {word} a2e2\n")).unwrap_err();
        assert!(matches!(error.problem, RecordProblem::Play(_)), "it is read as an action: {error}");
    }
    assert!(read("[Game \"quixo\"]\n\n1. a3e3 2. a2e2\n").is_ok());
}

#[test]
fn a_tag_after_a_comment_of_the_play_begins_another_game() {
    let error = Record::read_all("[Game \"quixo\"]\n\n{never begun}\n\n[Event \"x\"]\n").unwrap_err();
    assert_eq!((error.problem, error.line), (RecordProblem::NoGameTag, 5));
    assert_eq!(Record::read_all("[Game \"quixo\"]\n\n{never begun}\n\n[Game \"quixo\"]\n").unwrap().len(), 2);
}

#[test]
fn a_record_keeps_its_viewer_though_nothing_is_hidden_yet() {
    let record = read("[Game \"sequence\"]\n[Viewer \"1\"]\n\n1. draw:cat\n").unwrap();
    assert_eq!(record.viewer(), Some(Viewer::Seat(Seat::ONE)));
}

#[test]
fn what_may_not_be_hidden_is_named_by_its_action() {
    let error = read("[Game \"sequence\"]\n\n1. draw:cat draw:?\n").unwrap_err();
    assert!(matches!(error.problem, RecordProblem::HiddenHere(_)), "{error}");
    assert_eq!(error.action, Some(2));
}

#[test]
fn lines_are_as_full_as_they_may_be() {
    let mut played = Match::new(MatchSettings::new("quixo".parse().unwrap())).unwrap();
    let mut random = search::Random::new(1);
    let words: Vec<String> = (0..400).map(|_| "x".repeat(1 + random.below(13) as usize)).collect();
    played.comment(&words.join(" "));
    let text = played.record().to_string();
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.is_empty()).skip(1).collect();
    assert!(lines.len() > 10);
    for pair in lines.windows(2) {
        let next = pair[1].split(' ').next().unwrap();
        assert!(pair[0].len() <= 80 && pair[0].len() + 1 + next.len() > 80, "{pair:?}");
    }
    assert!(lines.iter().any(|line| line.len() == 80), "a line may be full");
}

/// Every half of a byte counts, wherever it stands.
#[test]
fn a_seal_with_one_changed_digit_is_refused() {
    let mut played = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
    played.play("draw:cat", Duration::ZERO).unwrap();
    played.comment("the fox is mine");
    let text = played.record().sealed();
    let begin = text.find("[Sealed \"").unwrap() + "[Sealed \"".len();
    let end = begin + text[begin..].find('"').unwrap();
    for at in begin..end {
        let mut damaged = text.clone();
        let digit = u8::from_str_radix(&text[at..=at], 16).unwrap() ^ 1;
        damaged.replace_range(at..=at, &format!("{digit:x}"));
        let problem = Record::read_all(&damaged).unwrap_err().problem;
        assert_eq!(problem, RecordProblem::BrokenSeal, "digit {}", at - begin);
    }
}

#[test]
fn a_file_of_several_records_hides_what_each_of_them_hides() {
    let mut hidden = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
    hidden.play("draw:cat", Duration::ZERO).unwrap();
    let mut open = Match::new(MatchSettings::new("quixo".parse().unwrap())).unwrap();
    open.play("a3e3", Duration::ZERO).unwrap();
    let records = [hidden.record(), open.record()];
    let text = Record::write_all_sealed(&records);
    assert!(text.contains("[Sealed \"") && !text.contains("draw:cat"), "{text}");
    assert_eq!(Record::read_all(&text).unwrap(), records);
}

#[test]
fn what_is_no_seal_is_refused() {
    for seal in ["", "abc", "a\u{e9}b", "00", "zz"] {
        let text = format!("[Game \"sequence\"]\n[Viewer \"spectator\"]\n[Sealed \"{seal}\"]\n\n1. draw:?\n");
        assert_eq!(Record::read_all(&text).unwrap_err().problem, RecordProblem::BrokenSeal, "{seal:?}");
    }
}
