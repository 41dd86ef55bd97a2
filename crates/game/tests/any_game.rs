//! What every game does behind the interface that does not ask which game it is.
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use game::{Game, MatchSettings, figure_scene};
use rules::{Field, GameId, Seat, SetupEntry, SetupValue, Shows, Square, Turn, Viewer};
use scene::{MovePart, Spot, narrow};
use search::bots::quixo::Tables;
use search::{Knowledge, Level, Limits, Value};

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

#[test]
fn a_board_of_every_game_can_be_set_up() {
    for id in GameId::ALL {
        let mut setup = game(id.name()).start().setup();
        let pieces = setup.pieces();
        assert!(!pieces.is_empty(), "{id}");
        setup.clear();
        let bare = setup.piece(square("b2"));
        for &piece in &pieces {
            setup.put(square("b2"), Some(piece));
            assert_eq!(setup.piece(square("b2")), Some(piece), "{id}");
            assert_eq!(setup.piece(square("b3")), bare, "{id}");
        }
        setup.put(square("b2"), None);
        assert_eq!(setup.piece(square("b2")), bare, "{id}");
        let other = pieces.iter().copied().find(|piece| Some(*piece) != bare);
        setup.put(square("b2"), other);
        assert_ne!(setup.piece(square("b2")), bare, "{id}");
        setup.clear();
        assert_eq!(setup.piece(square("b2")), bare, "{id}");
    }
}

#[test]
fn a_piece_that_there_is_once_is_used_once_and_one_of_another_game_is_refused() {
    let mut setup = game("quarto").start().setup();
    let pieces = setup.pieces();
    assert!(!setup.is_used(pieces[7]));
    setup.put(square("b2"), Some(pieces[7]));
    assert!(setup.is_used(pieces[7]) && !setup.is_used(pieces[8]));
    setup.put(square("b2"), Some(game("quixo").start().setup().pieces()[0]));
    assert_eq!(setup.piece(square("b2")), Some(pieces[7]));
}

#[test]
fn what_stands_beside_the_board_can_be_set() {
    let mut setup = game("quarto").start().setup();
    let piece = setup.pieces()[3];
    let hand = setup.fields().iter().position(|field| field.field == Field::Hand).unwrap();
    setup.set(hand, SetupValue::Piece(Some(piece)));
    let SetupEntry::Piece { value, choices } = &setup.fields()[hand].entry else { panic!("a piece is in the hand") };
    assert_eq!(*value, Some(piece));
    assert!(choices.contains(&piece));
    setup.set(hand, SetupValue::Piece(None));
    assert!(matches!(setup.fields()[hand].entry, SetupEntry::Piece { value: None, .. }));
}

#[test]
fn every_legal_action_can_be_spelt_by_touches() {
    for id in GameId::ALL {
        let mut position = game(id.name()).start();
        while position.turn() == Turn::Chance {
            let (action, _) = position.chances().remove(0);
            position.play(&action).unwrap();
        }
        let choices = position.choices();
        assert_eq!(choices.len(), position.legal().len(), "{id}");
        for choice in choices.iter().take(20) {
            assert!(position.legal().contains(&choice.action), "{id}");
            assert!(narrow(&position.choices(), &choice.touches).complete.is_some(), "{id}: {}", choice.action);
        }
    }
}

#[test]
fn touches_that_lead_nowhere_are_read_as_the_action_that_was_meant() {
    let position = game("quixo").start();
    let touched: [Spot; 2] = ["c3".parse().unwrap(), "e3".parse().unwrap()];
    let meant = position.meant(Viewer::Seat(Seat::ONE), &touched).unwrap();
    assert_eq!(meant, "c3e3");
    assert!(position.boxed().play(&meant).is_err());
    assert_eq!(position.meant(Viewer::Seat(Seat::ONE), &[]), None);
}

#[test]
fn an_action_may_be_chosen_before_the_turn_comes() {
    let position = game("quixo").start();
    let later = position.as_turn_of(Seat::TWO).unwrap();
    assert_eq!((position.turn(), later.turn()), (Turn::Seat(Seat::ONE), Turn::Seat(Seat::TWO)));
    assert!(position.as_turn_of(Seat::THREE).is_none());
}

#[test]
fn what_chance_does_is_told_from_what_seats_do() {
    for (text, actions) in [("sequence", ["draw:cat", "draw:?"]), ("quixo", ["a3e3", "what"])] {
        for action in actions {
            assert_eq!(game(text).is_chance(action), text == "sequence", "{text} {action}");
            assert_eq!(game(text).start().is_chance(action), text == "sequence", "{text} {action}");
        }
    }
}

#[test]
fn a_move_list_shows_actions_and_what_is_none_as_it_is() {
    assert_eq!(game("quixo").notation("what"), MovePart::text("what"));
    assert_eq!(game("sequence").notation("draw:cat")[0], MovePart::Draw);
}

#[test]
fn a_greedy_player_plays_what_is_legal() {
    let mut asked = 0;
    for id in GameId::ALL {
        let game = game(id.name());
        let mut position = game.start();
        while position.turn() == Turn::Chance {
            let (action, _) = position.chances().remove(0);
            position.play(&action).unwrap();
        }
        if let Some(action) = game.bot().greedy(&[position.boxed()], 1) {
            assert!(position.legal().contains(&action), "{id}: {action}");
            asked += 1;
        }
    }
    assert!(asked > 0);
    assert_eq!(game("quixo").bot().greedy(&[], 1), None);
}

/// Tables that count how often they are asked and know no position.
#[derive(Default)]
struct Asked(AtomicUsize);

impl Tables for Asked {
    fn look_up(&self, _own: u32, _other: u32) -> Option<Value> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// A player with tables asks them; knowledge without any changes nothing.
#[test]
fn a_bot_uses_the_knowledge_it_is_given() {
    let position = game("quixo").start();
    let limits = Limits::nodes(50).with_seed(1).with_memory(1 << 20);
    let chosen =
        |mut bot: Box<dyn game::AnyBot>| bot.choose(&[position.boxed()], Level::LOWEST, &limits).unwrap().action;
    assert_eq!(chosen(game("quixo").bot_with(&Knowledge::default())), chosen(game("quixo").bot()));
    let tables = Arc::new(Asked::default());
    let mut bot = game("quixo").bot_with(&Knowledge { solved: Some(tables.clone()) });
    bot.analyse(&[position.boxed()], &limits).unwrap();
    assert!(tables.0.load(Ordering::Relaxed) > 0);
}

#[test]
fn random_games_are_counted_by_their_actions() {
    let mut random = search::Random::new(1);
    let once = game("quarto").start().random_games(1, 1_000, &mut random);
    assert!((5..=40).contains(&once), "{once}");
    let often = game("quarto").start().random_games(20, 1_000, &mut random);
    assert!(often > 10 * 5, "{often}");
    assert_eq!(game("quarto").start().random_games(3, 2, &mut random), 6, "none is longer than allowed");
}

/// A rated table plays what a game describes for it, if the chosen options leave that open.
#[test]
fn a_rated_table_adds_only_what_was_not_chosen() {
    for (chosen, rated) in [
        ("quixo", "quixo"),
        ("four(size=9)", "four(size=9,lead=3,first=3)"),
        ("four(size=9,lead=1)", "four(size=9,lead=1)"),
    ] {
        assert_eq!(game(chosen).for_rating().to_string(), rated);
    }
}

#[test]
fn a_figure_after_a_capture_shows_what_was_captured() {
    let mut captures = 0;
    for id in GameId::ALL {
        for figure in id.figures() {
            let scene = figure_scene(id, figure).unwrap_or_else(|| panic!("a figure of {id} cannot be read"));
            assert!(!scene.board.cells.is_empty());
            for mark in &scene.highlights {
                if let scene::Highlight::Capture { centre, .. } = mark
                    && matches!(figure.shows, Shows::After(_))
                {
                    assert!(scene.board.cell(*centre).unwrap().piece.is_some(), "{id}");
                    captures += 1;
                }
            }
        }
    }
    assert!(captures > 0);
}

#[test]
fn only_the_signs_are_kept_of_what_a_match_was_about() {
    let mut settings = MatchSettings::new(game("quixo"));
    let mut signs = rules::Signs::default();
    signs.choose(rules::Side::ONE, GameId::Quixo.sign("nought").unwrap());
    settings.choose_signs(signs);
    settings.notes.push(("Event".into(), "Club evening".into()));
    settings.keep_only_signs();
    assert_eq!(settings.signs(), signs);
    assert_eq!(settings.notes.len(), 1);
}

#[test]
fn a_turn_of_a_day_is_played_by_post() {
    let by_post = |text: &str| text.parse::<game::ClockRule>().unwrap().is_by_post();
    assert!(by_post("turn=86400") && !by_post("turn=86399") && !by_post("fischer=86400+5") && !by_post("none"));
    assert!("turn=31622400".parse::<game::ClockRule>().is_ok(), "a year is the longest");
    assert!("turn=31622401".parse::<game::ClockRule>().is_err());
}

#[test]
fn what_cannot_be_read_is_named_in_the_error() {
    assert_eq!("yesterday".parse::<game::Date>().unwrap_err().text(), "yesterday");
    assert_eq!("turn=x".parse::<game::ClockRule>().unwrap_err().text(), "turn=x");
    assert_eq!("robot".parse::<game::Sitter>().unwrap_err().text(), "robot");
    let error = game::result_from_word("p5win").unwrap_err();
    assert_eq!((error.word(), error.possible()), ("p5win", "none, draw, p1win, p2win, p3win, p4win"));
    for (word, side) in [("p1win", 0), ("p2win", 1), ("p3win", 2), ("p4win", 3)] {
        let won = Some(rules::Outcome::Win(rules::Side::from_index(side)));
        assert_eq!(game::result_from_word(word).unwrap(), won);
    }
}

#[test]
fn a_record_for_a_viewer_names_the_viewer_while_something_is_hidden() {
    let mut played = game::Match::new(MatchSettings::new(game("sequence"))).unwrap();
    played.play("draw:cat", std::time::Duration::ZERO).unwrap();
    let viewer = Viewer::Seat(Seat::TWO);
    assert_eq!(played.record_for(viewer).viewer(), Some(viewer));
    assert_eq!(played.record().viewer(), None);
    played.resign(Seat::ONE, std::time::Duration::ZERO).unwrap();
    assert_eq!(played.record_for(viewer).viewer(), None);
    assert_eq!(played.record().ending(), played.ending());
}

/// Behind the first hidden card of a record for one viewer only the form of what follows can be checked.
#[test]
fn behind_what_is_hidden_only_existing_seats_go_out() {
    let text = |seat: u8| {
        let head = "[Game \"sequence\"]\n[Viewer \"spectator\"]\n[Result \"none\"]\n\n";
        format!("{head}1. draw:? resign:{seat}\n")
    };
    let refused = |seat: u8| game::Record::read_all(&text(seat)).is_err();
    assert!(refused(3));
    assert!(!refused(2));
}
