//! The sets in `data/`: every puzzle fits the rules, no two are alike, and a sample is proved again by the checker.

use std::collections::HashSet;

use puzzles::check::{check, check_set};
use puzzles::{HEADER, Note, Puzzle, Set, Theme, prove};
use rules::quixo::Quixo;
use rules::{GameId, Position};

/// Each game's set, the least number of puzzles in it, and which of them the sample takes.
const SETS: [(GameId, &str, usize, usize); 2] = [
    (GameId::Quixo, include_str!("../data/quixo.puzzles"), 20_000, 401),
    (GameId::Sequence, include_str!("../data/sequence.puzzles"), 1000, 10),
];

fn quixo() -> &'static str {
    SETS[0].1
}

#[test]
fn every_set_is_large_enough_has_all_themes_and_no_line_twice() {
    for (game, text, least, _) in SETS {
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(text.lines().next(), Some(HEADER));
        assert!(lines.len() >= least, "{game}: {}", lines.len());
        for theme in Theme::of(game) {
            let word = theme.name();
            let count = lines.iter().filter(|line| line.split(' ').nth(1) == Some(word)).count();
            assert!(count >= 100, "{game} {theme}: {count}");
        }
        let positions: HashSet<&str> = lines.iter().filter_map(|line| line.split(" | ").nth(1)).collect();
        assert!(positions.len() + lines.len() / 100 >= lines.len(), "{game}");
    }
}

/// `fourfold puzzle check crates/puzzles/data/*.puzzles` does all.
#[test]
fn a_sample_is_proved_again() {
    for (game, text, _, nth) in SETS {
        let report = check_set(text, nth);
        assert_eq!(report.faults, [], "{game}");
        assert!(report.puzzles >= 50 && report.values >= 300, "{game}: {report:?}");
    }
}

#[test]
fn the_checker_refutes_a_changed_value_and_a_changed_solution() {
    for (game, text, _, nth) in SETS {
        let mut refuted = 0;
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
    let line = quixo().lines().nth(1).unwrap();
    let puzzle = Puzzle::read(line).unwrap();
    assert_eq!(puzzle.to_string(), line, "a puzzle is written as it was read");
    let wrong_value = line.replacen("-2", "1", 1);
    let start = Quixo::parse(&Default::default(), &puzzle.start).unwrap();
    let refuted = Puzzle::read(&wrong_value).map(|puzzle| prove(&puzzle, &start, 3));
    assert!(!matches!(refuted, Ok(Ok(_))), "{wrong_value}");
    let other_move = line.replacen(&puzzle.steps[0].played, "a1a5", 1);
    assert!(Puzzle::read(&other_move).is_err());
}

#[test]
fn a_set_of_another_version_is_left_out_as_a_whole_and_a_damaged_line_alone() {
    let newer = quixo().replacen(HEADER, "fourfold-puzzles 99", 1);
    assert_eq!(Set::read(&newer), Set { puzzles: Vec::new(), notes: vec![Note::Header] });
    assert_eq!(check_set(&newer, 1).faults.len(), 1);
    let lines: Vec<&str> = quixo().lines().take(4).collect();
    let damaged = format!("{}\n{}\nquixo win\n{}\n", lines[0], lines[1], lines[2]);
    let set = Set::read(&damaged);
    assert_eq!(set.puzzles.len(), 2);
    assert_eq!(
        set.notes.iter().map(Note::to_string).collect::<Vec<_>>(),
        ["line 3: expected `game theme plies | position | steps`"]
    );
}

#[test]
fn a_count_of_values_beyond_reason_is_refused() {
    let huge = "quixo win 1 | xxxx./...../...../...../ooo.. 1 | e5a5:1*4000000000";
    assert!(Puzzle::read(huge).is_err() && check(huge).is_err());
}
