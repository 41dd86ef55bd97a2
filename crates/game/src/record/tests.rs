use std::time::Duration;

use rules::{Seat, Viewer};

use super::*;
use crate::{ProposalKind, Sitter};

const NOW: Duration = Duration::ZERO;

fn read(text: &str) -> Record {
    let mut records = Record::read_all(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn error(text: &str) -> String {
    Record::read_all(text).expect_err(text).to_string()
}

/// A quixo game in a few words, after the tags every game needs.
fn quixo(play: &str) -> String {
    format!("[Game \"quixo\"]\n\n{play}\n")
}

const CANONICAL: &str = r#"[Game "quixo"]
[Seat1 "person Olena \"the Wall\" K."]
[Seat2 "bot:3"]
[Date "2026-03-09"]
[Clock "fischer=300+5"]
[Result "p1win"]
[Ending "resignation"]
[Start "...../...../...../o..../....x 1"]
[Event "Club evening"]

{A short one.} 1. a3e3 3.2s 2. a4e4 41s {[better] was {c1c5, said the engine,
which had looked at it for a good while and was never in doubt} 3. b5b1 0s
resign:2 0.001s
"#;

#[test]
fn a_canonical_record_is_written_as_it_was_read() {
    let record = read(CANONICAL);
    assert_eq!(record.to_string(), CANONICAL);
    assert_eq!(record.settings().sitters[0].name(), "Olena \"the Wall\" K.");
    assert_eq!(record.entries()[1].comments.len(), 1);
    assert_eq!(record.replay().unwrap().record(), record);
}

#[test]
fn windows_line_ends_byte_order_marks_and_ragged_layout_are_read() {
    let windows = format!("\u{feff}{}", CANONICAL.replace('\n', "\r\n"));
    assert_eq!(read(&windows).to_string(), CANONICAL);
    let ragged = "{above}\n[ Game \t\"quixo\" ] [Seat2 \"bot:1\"]\n1.\n\n a3e3{x}{}2. a2e2   {  y\n z }";
    assert!(read(ragged).to_string().ends_with("\n{above} 1. a3e3 {x} 2. a2e2 {y z}\n"));
}

#[test]
fn events_can_be_added_to_a_record_without_writing_it_anew() {
    let whole = read(&quixo("1. a3e3 2s 2. a2e2 0.5s 3. b5b1 {why?} resign:2")).replay().unwrap();
    for kept in 0..=whole.log().len() {
        let played: Vec<String> =
            whole.log()[..kept].iter().map(|entry| entries_text(std::slice::from_ref(entry))).collect();
        let grown = format!("{}\n{}", quixo(&played.join(" ")), entries_text(&whole.log()[kept..]));
        assert_eq!(read(&grown).replay().unwrap().record(), whole.record(), "{grown}");
    }
}

#[test]
fn several_games_stand_in_one_file_also_with_nothing_played() {
    let empty = "[Game \"quarto\"]\n";
    let text = format!("{empty}\n{empty}\n{CANONICAL}\n{}\u{feff}{}", quixo("a3e3"), quixo(""));
    let records = Record::read_all(&text).unwrap();
    assert_eq!(records.len(), 5);
    assert_eq!(Record::read_all(&Record::write_all(&records)).unwrap(), records);
}

#[test]
fn numbers_are_optional_but_must_be_right() {
    assert_eq!(read(&quixo("a3e3 a2e2")), read(&quixo("1. a3e3 2. a2e2")));
    let numbered = |play| error(&quixo(play));
    assert_eq!(numbered("1. a3e3 3. a2e2"), "line 3, column 9, action 2: the number 3 stands where 2 should");
    assert_eq!(numbered("1. 1. a3e3"), "line 3, column 4, action 1: the number 1 stands where 1 should");
    assert_eq!(numbered("1. a3e3 2."), "line 4, column 1, action 2: after the number an action is expected");
}

#[test]
fn turns_are_numbered_not_actions() {
    let quarto = read("[Game \"quarto\"]\n7 b2 3 c3 8").to_string();
    assert!(quarto.ends_with("\n1. 7 2. b2 3 4. c3 8\n"), "{quarto}");
}

#[test]
fn an_action_that_cannot_be_names_place_number_and_what_can() {
    assert_eq!(
        error("[Game \"quarto\"]\n\n1. 7 2. b2 3\n4. b2 8\n"),
        "line 4, column 4, action 4: b2 is not allowed: the square is taken; \
         legal here: a1 b1 c1 d1 a2 c2 d2 a3 b3 c3 d3 a4 and 3 more"
    );
    let unreadable = error(&quixo("1. a3e3 2. hello"));
    assert!(unreadable.starts_with("line 3, column 12, action 2: cannot read \"hello\" as an action: expected a push"));
    assert!(
        unreadable.ends_with("; legal here: a1e1 a1a5 b1e1 b1a1 b1b5 c1e1 c1a1 c1c5 d1e1 d1a1 d1d5 e1a1 and 29 more")
    );
    assert!(error(&quixo("1. a3e3 }")).starts_with("line 3, column 9, action 2: there is nothing to close with }"));
}

#[test]
fn a_record_that_contradicts_itself_is_refused() {
    assert_eq!(
        error("[Game \"quixo\"]\n[Result \"p2win\"]\n\na3e3 resign:2"),
        "line 2, column 1: the tag Result says p2win, but the play says p1win"
    );
    assert_eq!(
        error("[Game \"quixo\"]\n[Ending \"time\"]\n\na3e3 resign:2"),
        "line 2, column 1: the tag Ending says time, but the play says resignation"
    );
    assert_eq!(
        error("[Game \"quixo\"]\n[Result \"draw\"]\n\na3e3"),
        "line 2, column 1: the tag Result says draw, but the play says none"
    );
    assert_eq!(
        error(&quixo("1. a3e3 resign:2 2. a2e2")),
        "line 3, column 21, action 2: the record goes on after the end: side 1 wins by resignation"
    );
    assert_eq!(error(&quixo("resign:3")), "line 3, column 1, action 1: there is no seat 3 in this game");
    assert_eq!(
        error(&quixo("1. a3e3 time:2")),
        "line 3, column 9, action 2: the tag Clock says none, but the play says time:2"
    );
    assert_eq!(
        error("[Game \"quixo\"]\n[Clock \"turn=60\"]\n\n1. a3e3 time:1"),
        "line 4, column 9, action 2: seat 1 cannot act: seat 2 is to act"
    );
}

#[test]
fn tags_that_cannot_be_say_what_can() {
    let tags = |tags: &str| error(&format!("[Game \"quixo\"]\n{tags}\n\na3e3"));
    assert!(error("").ends_with("there is no game here: expected a tag such as [Game \"quixo\"]"));
    assert!(error("a3e3").starts_with("line 1, column 1: the tag Game is missing"));
    assert!(error("[Seat1 \"person\"]\n[Game \"chess\"]").starts_with("line 2, column 1: there is no game \"chess\""));
    assert!(tags("[Seat1 \"Olena\"]").contains("possible are person and bot:1 to bot:8"));
    assert!(tags("[Seat3 \"person\"]").contains("there is no seat for the tag Seat3: the game has 2 seats"));
    assert!(tags("[Clock \"blitz\"]").contains("possible are none, turn=60"));
    assert!(tags("[Date \"yesterday\"]").contains("expected 2026-03-09"));
    assert!(tags("[Result \"1-0\"]").contains("the tag Result cannot be \"1-0\": possible are none, draw, p1win"));
    assert!(tags("[Ending \"boredom\"]").contains("possible are rules, resignation"));
    assert!(tags("[Start \"xx\"]").starts_with("line 2, column 1: bad start position: "));
    assert!(tags("[Viewer \"1\"]").contains("nothing is hidden in this game"));
    assert!(tags("[Seat1 \"person\"]\n[Seat1 \"person\"]").contains("the tag Seat1 is given twice"));
    for malformed in
        ["[Seat1]", "[Seat1 person]", "[Seat1 \"person]", "[Seat1 \"a\nb\"]", "[ \"x\"]", "[A \"\\n\"]", "["]
    {
        assert!(tags(malformed).contains("cannot read the tag: expected [Name \"value\"]"), "{malformed}");
    }
}

#[test]
fn hostile_texts_are_refused_without_harm() {
    assert!(error(&quixo("a3e3 {never closed {{{")).contains("line 3, column 6, action 2: the comment is not closed"));
    assert!(error(&quixo("a3e3 }")).contains("there is nothing to close with }"));
    assert!(error(&quixo("a3e3 ]")).contains("there is nothing to close with ]"));
    assert!(error(&quixo("3s a3e3")).contains("a time belongs after an action"));
    assert!(error(&quixo("a3e3 3s 3s")).contains("a time belongs after an action"));
    assert!(error(&quixo(&format!("{{{}}}", "x".repeat(20_000)))).contains("too many characters: at most 10000"));
    assert!(error(&"{".repeat(1_000_000)).contains("not closed"));
    assert!(error(&"[".repeat(1_000_000)).contains("cannot read the tag"));
    assert!(error(&" ".repeat(Record::LONGEST_TEXT + 1)).contains("too many bytes"));
    let tags: String = (0..100).map(|n| format!("[Note{n} \"\"]\n")).collect();
    assert!(error(&tags).contains("too many tags"));
    assert!(error(&format!("[Game \"quixo\"]\n{}", tags.replace("[Note9", "\n[Note9"))).contains("too many tags"));
    let long = quixo(&"7".repeat(100_000));
    assert!(error(&long).len() < 300, "an error repeats only a little of a long text");
    // Digits and points of any length and script are no numbers.
    for odd in ["99999999999999999999.", "٣.", ".", "..", "0.", "-1.", "99999999999999999999s", "1.5.5s", "s", "\0"] {
        assert!(Record::read_all(&quixo(odd)).is_err(), "{odd:?}");
    }
}

#[test]
fn what_is_said_is_kept_in_a_form_that_can_be_read_again() {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.sitters[0] = Sitter::new(crate::Player::Person, "a \"b\\\" \u{7}]\n[c");
    settings.notes =
        ["Site", "Game", "bad name", "Site", "9", ""].map(|name| (name.into(), "\"x\"\\\r\ny".into())).into();
    let mut game = Match::new(settings).unwrap();
    game.comment("before } the {first");
    game.comment(" \n ");
    game.play("a3e3", NOW).unwrap();
    game.comment(&"word ".repeat(50));
    assert_eq!(game.settings().notes.len(), 1);
    let record = game.record();
    assert_eq!(read(&record.to_string()), record);
    assert!(record.to_string().lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn every_ending_is_written_and_read() {
    type End = fn(&mut Match);
    let endings: [(&str, End); 6] = [
        ("time", |game| {
            game.start_clock(NOW);
            game.tick(Duration::from_secs(61));
        }),
        ("departure", |game| game.leave(Seat::ONE, NOW).unwrap()),
        ("resignation", |game| game.resign(Seat::TWO, NOW).unwrap()),
        ("abandonment", |game| game.abandon(NOW).unwrap()),
        ("agreement", |game| {
            game.propose(Seat::TWO, ProposalKind::Draw, NOW).unwrap();
            game.agree(Seat::ONE, NOW).unwrap();
        }),
        ("repetition", |game| {
            for action in "a1e1 a5e5 e1a1 e5a5 a1e1 a5e5 e1a1 e5a5 a1e1 a5e5".split(' ') {
                game.play(action, NOW).unwrap();
            }
        }),
    ];
    for (cause, end) in endings {
        let mut settings = MatchSettings::new("quixo".parse().unwrap());
        settings.clock = crate::ClockRule::COMPETITION;
        let mut game = Match::new(settings).unwrap();
        end(&mut game);
        let text = game.record().to_string();
        assert!(text.contains(&format!("[Ending \"{cause}\"]")), "{text}");
        assert_eq!(read(&text), game.record());
    }
}

/// A game of Sequence that is dealt and has had one turn.
fn dealt(game: &str) -> Match {
    let mut game = Match::new(MatchSettings::new(game.parse().unwrap())).unwrap();
    game.comment("I hold the deck in mind");
    let mut random = search::Random::new(3);
    game.draw(&mut |n| random.below(n), NOW).unwrap();
    let action = game.legal().remove(0);
    game.play(&action, NOW).unwrap();
    game.comment("I hold two more of these");
    game.draw(&mut |n| random.below(n), NOW).unwrap();
    game
}

#[test]
fn sq13_a_record_of_a_running_game_shows_each_seat_only_its_own_cards() {
    let game = dealt("sequence");
    let full: Vec<String> = game.log().iter().map(|entry| entry.event.to_string()).collect();
    let seen = |viewer| -> Vec<String> {
        game.record_for(viewer).entries().iter().map(|entry| entry.event.to_string()).collect()
    };
    // The deal goes round, then seat 1 plays a card and draws one.
    let (one, two, spectator) = (seen(Viewer::Seat(Seat::ONE)), seen(Viewer::Seat(Seat::TWO)), seen(Viewer::Spectator));
    for index in 0..full.len() {
        let (own, other, open) = match index {
            0 | 2 | 4 | 7 => (&one, &two, false),
            1 | 3 | 5 => (&two, &one, false),
            _ => (&one, &two, true),
        };
        assert_eq!(own[index], full[index]);
        assert_eq!(other[index], if open { full[index].as_str() } else { "draw:?" });
        assert_eq!(spectator[index], if open { full[index].as_str() } else { "draw:?" });
    }
    let text = game.record_for(Viewer::Seat(Seat::TWO)).to_string();
    assert!(text.contains("[Viewer \"2\"]") && !text.contains("I hold"), "{text}");
}

#[test]
fn sq13_when_the_game_is_over_everything_is_shown() {
    let mut game = dealt("sequence");
    game.resign(Seat::TWO, NOW).unwrap();
    assert_eq!(game.record_for(Viewer::Spectator), game.record());
    assert_eq!(game.record().viewer(), None);
}

#[test]
fn a_record_for_one_pair_of_eyes_is_read_and_replays_as_far_as_they_saw() {
    let game = dealt("sequence");
    let record = game.record_for(Viewer::Seat(Seat::ONE));
    assert_eq!(read(&record.to_string()), record);
    assert_eq!(
        record.replay().unwrap_err().to_string(),
        "the record is written for seat 1: action 2 is hidden, so it cannot be replayed from there on"
    );
    let known = record.replay_known().unwrap();
    assert_eq!((known.entries, known.game.log().len()), (1, 1));
    let text = record.to_string();
    let unreadable = text.replace("7. ", "7. hocus-pocus ");
    assert!(error(&unreadable).contains("action 7: cannot read \"hocus-pocus\""), "{unreadable}");
    assert!(error(&text.replace("[Viewer \"1\"]\n", "")).contains("draw:? is hidden, but only a record with"));
    assert!(
        error(&text.replace("[Viewer \"1\"]", "[Viewer \"3\"]"))
            .contains("possible are spectator and the seats 1 to 2")
    );
    assert!(error(&text.replace("[Result \"none\"]", "[Result \"p1win\"]")).contains("but the play says none"));
}

#[test]
fn a_hidden_start_position_stays_hidden() {
    let deal = dealt("sequence");
    let mut settings = MatchSettings::new(deal.settings().game.clone());
    settings.start = Some(deal.position().to_string());
    let game = Match::new(settings).unwrap();
    let record = game.record_for(Viewer::Seat(Seat::ONE));
    let text = record.to_string();
    assert!(text.contains("[Start \"") && text.contains('?'), "{text}");
    assert_eq!(read(&text), record);
    assert!(record.replay().unwrap_err().to_string().contains("the start position is hidden"));
}

#[test]
fn annotations_of_pgn_are_read_and_written() {
    let text = quixo(
        "1. a3e3! ; strong\n2. a2e2 3s ?! (2. a4e4 {[%eval 0.55]} a2e2 $14 (a1e1) a1a5) {slow} 3. a1e1 $3 $10\n%for others\n*",
    );
    let text = text.replace("3s ?!", "$6 3s");
    let record = read(&text);
    assert_eq!(record.entries()[0].marks, [1]);
    assert_eq!(record.entries()[0].comments[0].as_str(), "strong");
    let variation = &record.entries()[1].variations[0];
    assert_eq!(variation.entries.len(), 3);
    assert_eq!(variation.entries[1].variations[0].entries[0].event, Event::from("a1e1"));
    let written = record.to_string();
    let play =
        "1. a3e3 $1 {strong} 2. a2e2 3s $6 {slow} ( 2. a4e4 {[%eval 0.55]} a2e2 $14 ( 3. a1e1 ) a1a5 ) 3. a1e1 $3 $10";
    assert!(written.replace('\n', " ").ends_with(&format!("{play} ")), "{written}");
    assert_eq!(read(&written), record);
}

#[test]
fn signs_that_belong_to_an_action_are_not_marks() {
    // `!` alone calls a line in Quarto, and `draw:?` hides a card.
    let quarto = read("[Game \"quarto(call=lapse)\"]\n\n1. 0 a1? 1 b1!? 2 c1 3 d1 !");
    assert_eq!(quarto.entries().last().map(|entry| entry.event.clone()), Some(Event::from("!")));
    assert_eq!(quarto.entries()[1].marks, [2]);
    let hidden = read("[Game \"sequence\"]\n[Viewer \"1\"]\n\ndraw:cat draw:?");
    assert!(hidden.entries()[1].marks.is_empty());
}

#[test]
fn signs_that_stand_alone_are_marks_but_for_the_call() {
    let record = read(&quixo("1. a3e3 ? 2. a2e2 !? (2. a4e4 ??) 3. a1e1 !! ?!"));
    let marks: Vec<&[u8]> = record.entries().iter().map(|entry| entry.marks.as_slice()).collect();
    assert_eq!(marks, [&[2][..], &[5], &[3, 6]]);
    assert_eq!(record.entries()[1].variations[0].entries[0].marks, [4]);
    assert_eq!(read(&record.to_string()), record);
    // Nothing stands before it, or a number that waits for its action.
    assert!(error(&quixo("? a3e3")).contains('?'));
    assert!(error(&quixo("1. a3e3 2. ? a2e2")).contains('?'));
    assert!(error(&quixo("! a3e3")).contains('!'));
    assert_eq!(read(&quixo("1. a3e3 !")).entries()[0].marks, [1], "only a game that has the action ! reads it as one");
    assert!(error("[Game \"quarto\"]\n\n1. 7 2. b2 !").contains("! is not allowed"));
}

#[test]
fn numbers_and_marks_stand_against_their_actions_as_in_pgn() {
    let usual = read(&quixo("1. a3e3 $1 3.2s 2. a2e2 ( 2. a4e4 $14 3. a2e2 ) 3. a1e1"));
    assert_eq!(read(&quixo("1.a3e3$1 3.2s 2.a2e2 (2... a4e4$14 3...a2e2) 3.a1e1")), usual);
    let quarto = "[Game \"quarto\"]\n\n1.0 2.a1 1 4.b1 2.5s 5.2";
    let read_quarto = read(quarto);
    assert_eq!(read_quarto.entries().len(), 5, "a number with a point behind it is a number, with an s a time");
    assert_eq!(read_quarto.entries()[3].spent, Some(Duration::from_millis(2500)));
    assert!(error(&quixo("1.a3e3 2.e3a3")).starts_with("line 3, column 10, action 2: e3a3 is not allowed"));
    assert!(error(&quixo("1.a3e3 3.a2e2")).contains("the number 3 stands where 2 should"));
}

#[test]
fn what_is_wrong_first_is_named_not_what_follows_from_it() {
    assert!(error("[Event \"chess\"]\n\n1. e4 e5 2. Nf3").contains("the tag Game is missing"));
    assert!(error(&quixo("1. a3e3 \u{b1} 2. a2e2")).starts_with("line 3, column 9, action 2: cannot read"));
    assert!(error(&quixo("1. e4 e5 2. Nf3 3. x")).starts_with("line 3, column 4, action 1: cannot read \"e4\""));
    assert!(error(&quixo("1. a3e3 3. a2e2")).contains("the number 3 stands where 2 should"));
    // In a variation the game around it is looked at; its own number is what is wrong.
    assert!(error(&quixo("1. a3e3 (1. a4e4 7. a2e2)")).contains("the number 7 stands where 2 should"));
}

#[test]
fn errors_in_variations_name_their_cause() {
    let bad = |play: &str| error(&quixo(play));
    assert!(
        bad("1. a3e3 (1. a4e4 2. e4a4)").contains("line 3, column 21: e4a4 is not allowed"),
        "a move of the opponent's"
    );
    let marked = bad("1. a3e3 (1. a4e4 $1 2. e4a4)");
    assert!(marked.contains("line 3, column 24: e4a4 is not allowed"), "a mark is no move: {marked}");
    assert!(bad("1. a3e3 (a4e4").contains("line 3, column 9: the variation is not closed"));
    assert!(bad("(a3e3)").contains("a variation belongs after the action it replaces"));
    assert!(bad("a3e3)").contains("nothing to close with )"));
    assert!(bad("a3e3 * a2e2").contains("the play ended with *"));
    assert!(bad("a3e3 resign:2 *").contains("says *, but the play says p1win"));
    assert!(bad(&format!("a3e3 {}", "(a3e3 ".repeat(33))).contains("at most 32"));
}

#[test]
fn the_results_of_pgn_end_a_play() {
    let won = "[Game \"quixo\"]\n\n1. a3e3 2. a2e2 resign:2 1-0\n";
    let read = Record::read_all(won).unwrap();
    assert!(!read[0].to_string().contains("1-0"), "written in the form of this program");
    let wrong = Record::read_all(&won.replace("1-0", "0-1")).unwrap_err();
    assert_eq!(wrong.problem.to_string(), "the tag Result says 0-1, but the play says p1win");
    assert!(Record::read_all(&won.replace("resign:2 1-0", "1/2-1/2")).is_err(), "it goes on");
    assert!(Record::read_all(&won.replace("1-0", "1-0 a1e1")).is_err(), "nothing follows the end");
}
