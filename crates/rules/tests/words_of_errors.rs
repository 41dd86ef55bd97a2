//! What cannot be read is named in the error, and nothing in it steers a terminal or turns the direction of a line.
#![allow(clippy::unwrap_used, reason = "a test may")]

use rules::{
    BadOptions, Described, Editable, ExerciseKind, GameId, NoOptions, OptionSpec, OptionValues, Options, Phrase,
    Position, Seat, Setup, Sign, Signs, excerpt, given_options, quarto, quixo, sequence, steers,
};

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

/// The options of Quixo, too.
#[test]
fn the_options_of_quixo_are_told_as_they_are_set() {
    let value = |text: &str, name| text.parse::<quixo::QuixoOptions>().unwrap().value(name);
    assert_eq!(value("", "players").as_deref(), Some("2"));
    assert_eq!(value("players=4", "players").as_deref(), Some("4"));
    assert_eq!(value("players=4", "board"), None);
}

/// A text that means no position is told from one that means a position that cannot arise.
#[test]
fn what_cannot_be_read_is_told_from_what_cannot_arise() {
    let quixo = |text: &str| quixo::Quixo::parse(&Default::default(), text).unwrap_err().is_unreadable();
    let quarto = |text: &str| quarto::Quarto::parse(&Default::default(), text).unwrap_err().is_unreadable();
    let sequence = |text: &str| sequence::Sequence::parse(&Default::default(), text).unwrap_err().is_unreadable();
    let empty = "*.....*/......./......./......./......./*.....*";
    assert!(quixo("hello") && quixo("...../...../...../..... 1") && quixo("...../...../...../...../..... 3"));
    assert!(quarto("..../..../..../g... - 2 a1") && quarto("..../..../..../..... - 1 -"));
    assert!(sequence(&format!("{empty} 1 bear+cat+rat|cow+fox+owl -|- 0 0")));
    assert!(!quixo("xxxxx/...../...../...../..... 1") && !quixo("xx.../...../...../...../..... 2"));
    assert!(!quarto("..../..../..../11.. - 1 a1") && !quarto("..../..../..../1... - 2 b1"));
    assert!(!sequence(&format!("{empty} 1 bear+cat+cat|cat+fox+owl -|- 0 0")));
}

/// QA1: there is each piece once.
#[test]
fn qa1_a_piece_that_stands_is_used() {
    let mut setup = <quarto::Quarto as Editable>::Setup::of(&quarto::Quarto::start(&Default::default()));
    let (first, second) = (setup.pieces()[0], setup.pieces()[1]);
    assert!(!setup.is_used(first));
    setup.put("b2".parse().unwrap(), Some(first));
    assert!(setup.is_used(first) && !setup.is_used(second));
}

/// QX2: only cubes of the border may be taken.
#[test]
fn an_action_that_is_not_allowed_is_named_with_the_reason() {
    let refused = quixo::Quixo::start(&Default::default()).play("c3e3".parse().unwrap()).unwrap_err();
    assert_eq!(refused.to_string(), "c3e3 is not allowed: only a cube on the border may be taken");
    assert_eq!(Phrase { game: GameId::Quixo, key: "column_full" }.to_string(), "column full");
    for kind in ExerciseKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
}

/// What a game says of itself unless it knows better (G3, G7).
#[test]
fn a_game_of_no_chance_has_even_odds_pieces_without_end_and_no_draw_by_repetition() {
    let start = quixo::Quixo::start(&Default::default());
    assert_eq!(start.weight("a3e3".parse().unwrap()), 1);
    let setup = <quixo::Quixo as Editable>::Setup::of(&start);
    assert!(setup.pieces().into_iter().all(|piece| !setup.is_used(piece)));
    assert!(!quarto::Quarto::draws_by_repetition(&Default::default()));
}

/// G7: of all games only Quixo for two can go on for ever.
#[test]
fn g7_the_third_occurrence_of_a_position_is_a_draw_in_quixo_for_two() {
    let draws = |options: &str| quixo::Quixo::draws_by_repetition(&options.parse().unwrap());
    assert!(draws("") && !draws("players=4"));
}

/// G4: a number is written in one way, and only one of the range is taken.
#[test]
fn g4_a_number_of_an_option_is_written_in_one_way() {
    const SPEC: &[OptionSpec] = &[OptionSpec { name: "lead", values: OptionValues::Number { min: 0, max: 30 } }];
    for good in ["0", "7", "10", "30"] {
        assert_eq!(given_options(&format!("lead={good}"), SPEC), Ok(vec![("lead", good)]));
    }
    for bad in ["", "00", "07", "31", "-1", "+1", "x"] {
        let refused = given_options(&format!("lead={bad}"), SPEC).unwrap_err();
        assert_eq!(refused.to_string(), format!("lead cannot be {bad:?}: possible is a number from 0 to 30"));
    }
    assert_eq!(given_options("lead=1,lead=1", SPEC), Err(BadOptions::Twice("lead")));
}

#[test]
fn a_text_is_found_and_cut_as_the_standard_library_does_it() {
    let texts = ["", "a", "ab", "aab", "abab", "a | b | ", " | ", "|||", "ба | аб", "aabaabaaab"];
    for text in texts {
        for part in ["a", "b", "ab", "aab", " | ", "||", "аб", "abc", "baab"] {
            assert_eq!(rules::find(text, part), text.find(part), "{part:?} in {text:?}");
            assert_eq!(rules::split_once(text, part), text.split_once(part), "{text:?} at {part:?}");
            assert_eq!(rules::split(text, part), text.split(part).collect::<Vec<_>>(), "{text:?} at {part:?}");
        }
        assert_eq!((rules::find(text, ""), rules::split_once(text, "")), (Some(0), None));
    }
}
