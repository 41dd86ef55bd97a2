//! The sets: every puzzle fits the rules, no two are alike, and a sample is proved again by the checker.

use std::collections::HashSet;

use puzzle_sets::{DAILY_LIST, daily, pack, packed, shelf, unpack};
use puzzles::check::{check, check_set};
use puzzles::daily::{MONTHS, month, month_set, of_month};
use puzzles::{Answer, Attempt, Day, GAMES, HEADER, Note, Puzzle, PuzzleId, Set, Shelf, Theme, Worth, prove};
use rules::four::Four;
use rules::quixo::Quixo;
use rules::{GameId, Position};

/// Each game, the least number of puzzles in its set, and which of them the sample takes.
const SETS: [(GameId, usize, usize); GAMES.len()] = [
    (GameId::Quarto, 20_000, 401),
    (GameId::Quixo, 20_000, 401),
    (GameId::Sequence, 1000, 10),
    (GameId::Four, 3000, 61),
];

fn text(game: GameId) -> String {
    unpack(packed(game)).expect("a set can be unpacked")
}

fn quixo() -> String {
    text(GameId::Quixo)
}

#[test]
fn a_game_has_themes_and_a_set_if_and_only_if_it_is_listed() {
    for game in GameId::ALL {
        let (themes, set) = (!Theme::of(game).is_empty(), !packed(game).is_empty());
        assert_eq!((themes, set), (GAMES.contains(&game), GAMES.contains(&game)), "{game}");
        assert_eq!(daily("2026-11-01".parse().expect("a date"), game).is_some(), set, "{game}");
    }
    assert_eq!(SETS.map(|(game, ..)| game), GAMES);
}

#[test]
fn every_set_is_large_enough_has_all_themes_and_no_line_twice() {
    let mut names: HashSet<PuzzleId> = HashSet::new();
    for (game, least, _) in SETS {
        let text = text(game);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(text.lines().next(), Some(HEADER));
        assert!(lines.len() >= least, "{game}: {}", lines.len());
        let shelf = shelf(game);
        assert_eq!(shelf.entries().len(), lines.len(), "{game}: every head can be read");
        for theme in Theme::of(game) {
            let count = shelf.entries().iter().filter(|entry| entry.theme == *theme).count();
            assert!(count >= 100, "{game} {theme}: {count}");
        }
        let ratings: HashSet<u16> = shelf.entries().iter().map(|entry| entry.rating).collect();
        assert!(ratings.len() > 20, "{game} is graded");
        names.extend(shelf.entries().iter().map(|entry| entry.id));
    }
    let all: usize = GAMES.into_iter().map(|game| shelf(game).entries().len()).sum();
    assert_eq!(names.len(), all, "every puzzle has a name of its own");
}

#[test]
fn every_set_of_options_of_quarto_has_puzzles() {
    let text = text(GameId::Quarto);
    let games: HashSet<&str> = text.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    // Fifteen sets of attributes, with squares or without, three ways to call.
    assert_eq!(games.len(), 15 * 2 * 3);
}

#[test]
fn hundreds_of_the_puzzles_of_four_are_whole_turns() {
    let text = text(GameId::Four);
    let whole = |theme: &str| {
        let is_whole = |line: &&str| {
            let (head, rest) = line.split_once(" | ").expect(line);
            head.split(' ').nth(1) == Some(theme) && rest.split(' ').nth(2) == Some("4")
        };
        text.lines().skip(1).filter(is_whole).count()
    };
    assert!(whole("most") >= 200 && whole("chain") >= 300, "{} and {}", whole("most"), whole("chain"));
}

/// What a wrong movement leaves to capture is played on the board; it is looked for, not stored.
#[test]
fn a_wrong_movement_of_a_whole_turn_is_followed_by_what_is_left_to_capture() {
    let text = text(GameId::Four);
    let whole = |line: &&str| line.split(" | ").nth(1).is_some_and(|start| start.split(' ').nth(2) == Some("4"));
    let (mut asked, mut shown) = (0, 0);
    for line in text.lines().skip(1).filter(whole).step_by(40) {
        let attempt = Attempt::new(Puzzle::read(line).expect(line)).expect(line);
        let best = attempt.puzzle().steps[0].best();
        let wrong =
            |(action, worth): &(&str, Worth)| action.contains('-') && *worth < best && *worth > Worth::Captures(0);
        for (action, worth) in attempt.values().into_iter().filter(wrong).step_by(17) {
            assert!(matches!(attempt.clone().answer(action), Answer::Wrong { .. }), "{action}: {line}");
            let refutation = attempt.refutation(action, worth);
            let mut position = attempt.puzzle().game.parse_position(&refutation.from).expect("a position");
            let captured = |position: &dyn std::any::Any| {
                let four = position.downcast_ref::<Four>().expect("Four");
                i32::from(four.captures(attempt.solver()))
            };
            asked += 1;
            refutation.line.iter().for_each(|action| position.play(action).expect("a legal line"));
            if !refutation.line.is_empty() {
                shown += 1;
                let before = captured(attempt.position().as_any());
                assert_eq!(
                    Worth::Captures(captured(position.as_any()) - before),
                    worth,
                    "{action} {refutation:?}: {line}"
                );
            }
        }
    }
    assert!(asked > 40 && shown * 10 >= asked * 9, "{shown} of {asked}");
}

#[test]
fn every_day_has_a_puzzle_of_every_listed_game_and_a_month_is_small() {
    let of_game = |month, game| month_set(DAILY_LIST, month, game, shelf(game)).expect("no puzzle is missing");
    for number in 0..MONTHS {
        let size: usize = GAMES.map(|game| of_game(number, game).len()).iter().sum();
        assert!(size < 100_000, "month {number}: {size} bytes");
    }
    let first: Day = "2026-11-01".parse().expect("a date");
    for game in GAMES {
        let set = of_game(month(first), game);
        for day in (0..30).map(|days| first.plus(days)) {
            let puzzle = daily(day, game).expect("a puzzle");
            assert_eq!(of_month(&set, day, game), Some(puzzle), "{day} {game}");
        }
    }
    let named: Vec<&str> = DAILY_LIST.split_whitespace().collect();
    let different: HashSet<&&str> = named.iter().collect();
    assert_eq!((named.len(), different.len()), (MONTHS * 31 * GAMES.len(), named.len()), "no puzzle comes twice");
}

#[test]
fn a_damaged_month_shows_nothing_rather_than_something_wrong() {
    let first: Day = "2026-11-01".parse().expect("a date");
    let of_game = |game| month_set(DAILY_LIST, month(first), game, shelf(game)).expect("the month");
    let set = of_game(GameId::Quixo);
    let damaged = set.replace(" | ", " ");
    assert_eq!(of_month(&damaged, first, GameId::Quixo), None);
    assert_eq!(of_month(&set.replacen(HEADER, "fourfold-puzzles 9", 1), first, GameId::Quixo), None);
    assert_eq!(of_month("", first, GameId::Quixo), None);
    for game in GAMES {
        let wrong: String = of_game(game).lines().map(|line| line.replacen(":", ":7,", 1) + "\n").collect();
        assert_eq!(of_month(&wrong, first, game), None, "{game}");
    }
}

#[test]
fn a_packed_set_that_is_cut_off_is_refused() {
    let packed = packed(GameId::Sequence);
    assert!(unpack(&packed[..packed.len() / 2]).is_err());
    assert!(Shelf::new("nonsense".to_owned()).is_err());
    assert_eq!(unpack(&pack(HEADER).expect("it packs")).expect("it unpacks"), HEADER);
}

/// `fourfold puzzle check crates/puzzle-sets/data/*.br` does all.
#[test]
fn a_sample_is_proved_again() {
    for (game, _, nth) in SETS {
        let report = check_set(&text(game), nth);
        assert_eq!(report.faults, [], "{game}");
        assert!(report.puzzles >= 30 && report.values >= 300, "{game}: {report:?}");
    }
}

#[test]
fn the_checker_refutes_a_changed_value_and_a_changed_solution() {
    for (game, _, nth) in SETS {
        let mut refuted = 0;
        let text = text(game);
        for line in text.lines().skip(1).step_by(nth).take(20) {
            let (rest, last) = line.rsplit_once(':').expect(line);
            let (first, others) = last.split_once(',').unwrap_or((last, ""));
            let (number, count) = first.split_once('*').unwrap_or((first, "1"));
            let changed = number.parse::<i32>().expect(line) + 7;
            let wrong = format!("{rest}:{changed}*{count},{others}");
            refuted += usize::from(Puzzle::read(wrong.trim_end_matches(',')).is_err() || check(&wrong).is_err());
        }
        assert!(refuted >= 15, "{game}: {refuted} of 20 refuted");
    }
}

#[test]
fn two_puzzles_that_differ_by_a_symmetry_are_found() {
    let line = "quixo win 1 | xxxxo/o..../o..../xo.o./o.ox. 1 | ";
    let mirrored = "quixo win 1 | oxxxx/....o/....o/.o.ox/.xo.o 1 | ";
    let solved = |start: &str| {
        let text = start.split(" | ").nth(1).expect(start);
        let position = Quixo::parse(&Default::default(), text).expect(start);
        let mut actions = rules::ActionList::new();
        position.actions(&mut actions);
        let mut names: Vec<String> = actions.iter().map(ToString::to_string).collect();
        names.sort();
        let wins = |name: &String| {
            let mut next = position;
            next.play(name.parse().expect(name)).expect(name);
            matches!(next.turn(), rules::Turn::Over(_))
        };
        let played = names.iter().find(|name| wins(name)).expect("a win at once").clone();
        let values: Vec<&str> = names.iter().map(|name| if wins(name) { "1" } else { "0" }).collect();
        format!("{start}{played}:{}", values.join(","))
    };
    let report = check_set(&format!("{HEADER}\n{}\n{}\n", solved(line), solved(mirrored)), 1);
    assert_eq!(report.puzzles, 2);
    assert!(report.faults.iter().any(|(_, fault)| fault == "alike up to symmetry: line 2"), "{report:?}");
}

#[test]
fn a_wrong_solution_is_refused() {
    let text = quixo();
    let line = text.lines().nth(1).unwrap();
    let puzzle = Puzzle::read(line).unwrap();
    assert_eq!(puzzle.to_string(), line, "a puzzle is written as it was read");
    let wrong_value = line.replacen("-2", "1", 1);
    let start = Quixo::parse(&Default::default(), &puzzle.start).unwrap();
    let refuted = Puzzle::read(&wrong_value).map(|puzzle| prove(&puzzle, &start, 3));
    assert!(!matches!(refuted, Ok(Ok(_))), "{wrong_value}");
    let other_move = line.replacen(&puzzle.steps[0].played, "a1a5", 1);
    assert!(Puzzle::read(&other_move).is_err());
}

/// A forged file whose parts fit each other: the right answer is called wrong, and a wrong one right.
#[test]
fn a_wrong_solution_that_fits_itself_is_left_out_with_a_note() {
    let text = quixo();
    let lines = text.lines().skip(1);
    let mut wins = lines.filter_map(|line| Puzzle::read(line).ok()).filter(|puzzle| puzzle.plies == 1);
    let mut forged = wins.next().expect("a win at once");
    let best = forged.steps[0].best();
    let step = &mut forged.steps[0];
    let wrong = step.values.iter().position(|(_, worth)| *worth != best).expect("a wrong action");
    let worth = step.values[wrong].1;
    for (_, other) in step.values.iter_mut().filter(|(_, worth)| *worth == best) {
        *other = worth;
    }
    step.values[wrong].1 = best;
    step.played = step.values[wrong].0.clone();
    let set = Set::read(&format!("{HEADER}\n{forged}\n"));
    assert!(set.puzzles.is_empty(), "{forged}");
    assert!(set.notes[0].to_string().contains("ends the game otherwise"), "{:?}", set.notes);
}

#[test]
fn a_set_of_another_version_is_left_out_as_a_whole_and_a_damaged_line_alone() {
    let newer = quixo().replacen(HEADER, "fourfold-puzzles 99", 1);
    assert_eq!(Set::read(&newer), Set { puzzles: Vec::new(), notes: vec![Note::Header] });
    assert_eq!(check_set(&newer, 1).faults.len(), 1);
    let text = quixo();
    let lines: Vec<&str> = text.lines().take(4).collect();
    let damaged = format!("{}\n{}\nquixo win\n{}\n", lines[0], lines[1], lines[2]);
    let set = Set::read(&damaged);
    assert_eq!(set.puzzles.len(), 2);
    assert_eq!(
        set.notes.iter().map(Note::to_string).collect::<Vec<_>>(),
        ["line 3: expected `game theme plies rating | position | steps`"]
    );
}

#[test]
fn a_count_of_values_beyond_reason_is_refused() {
    let huge = "quixo win 1 | xxxx./...../...../...../ooo.. 1 | e5a5:1*4000000000";
    assert!(Puzzle::read(huge).is_err() && check(huge).is_err());
}
