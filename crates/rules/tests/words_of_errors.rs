//! What cannot be read is named in the error, and nothing in it steers a terminal or turns the direction of a line.
#![allow(clippy::unwrap_used, reason = "a test may")]

use rules::{GameId, NoOptions, Options, Seat, Setup, Sign, Signs, excerpt, quarto, quixo, sequence, steers};

#[test]
fn an_error_names_what_was_written() {
    let unreadable = "what".parse::<quixo::Action>().unwrap_err();
    assert_eq!(unreadable.text(), "what");
    assert!(unreadable.expected().contains("a3e3"));
    assert!(unreadable.to_string().contains("what") && unreadable.to_string().contains("a3e3"));
    assert_eq!(Signs::read(GameId::Quixo, 2, "one two").unwrap_err().text(), "one two");
    assert!("go".parse::<GameId>().unwrap_err().to_string().contains("there is no game \"go\""));
    assert!("7".parse::<Seat>().unwrap_err().to_string().contains("1 to 4"));
    assert_eq!(Sign::from_index(2).to_string(), "3");
}

#[test]
fn what_steers_is_never_shown() {
    for letter in ['\u{1b}', '\n', '\u{200e}', '\u{202e}', '\u{2066}', '\u{2069}'] {
        assert!(steers(letter), "{letter:?}");
        assert_eq!(excerpt(&format!("a{letter}b")), "a\u{fffd}b");
    }
    assert!(!['a', '\u{444}', ' ', '\u{1f984}'].into_iter().any(steers));
}

#[test]
fn a_game_without_options_has_none() {
    assert!(NoOptions::spec().is_empty());
    assert_eq!(NoOptions.value("players"), None);
    assert_eq!(NoOptions.to_string(), "");
    assert!("".parse::<NoOptions>().is_ok() && "players=2".parse::<NoOptions>().is_err());
}

/// The options of Sequence are told as they are set.
#[test]
fn the_options_of_sequence_are_told_as_they_are_set() {
    let value = |text: &str, name| text.parse::<sequence::SequenceOptions>().unwrap().value(name);
    assert_eq!(value("", "players").as_deref(), Some("2"));
    assert_eq!(value("players=3", "players").as_deref(), Some("3"));
    assert_eq!(value("", "board").as_deref(), Some("standard"));
    assert_eq!(value("board=shuffled", "board").as_deref(), Some("shuffled"));
    assert_eq!(value("", "colour"), None);
}

/// QA1: there is each piece once.
#[test]
fn qa1_a_piece_that_stands_is_used() {
    use rules::{Editable, Position};
    let mut setup = <quarto::Quarto as Editable>::Setup::of(&quarto::Quarto::start(&Default::default()));
    let (first, second) = (setup.pieces()[0], setup.pieces()[1]);
    assert!(!setup.is_used(first));
    setup.put("b2".parse().unwrap(), Some(first));
    assert!(setup.is_used(first) && !setup.is_used(second));
}
