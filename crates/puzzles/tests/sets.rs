//! The sets in `data/`: every puzzle fits the rules, no two are alike, and a sample is proved again.

use std::collections::HashSet;

use puzzles::{Note, Puzzle, Set, Theme, prove};
use rules::quixo::Quixo;
use rules::{Position, Symmetric};

const QUIXO: &str = include_str!("../data/quixo.puzzles");

fn quixo(puzzle: &Puzzle) -> Quixo {
    Quixo::parse(&Default::default(), &puzzle.start).expect("the puzzle was read")
}

#[test]
fn there_are_twenty_thousand_for_quixo_of_every_theme_and_all_fit_the_rules() {
    let set = Set::read(QUIXO);
    assert_eq!(set.notes, []);
    assert!(set.puzzles.len() >= 20_000, "{}", set.puzzles.len());
    for theme in Theme::ALL {
        assert!(set.puzzles.iter().filter(|puzzle| puzzle.theme == theme).count() >= 1000, "{theme}");
    }
}

#[test]
fn no_two_are_alike_up_to_symmetry() {
    let mut seen = HashSet::new();
    for line in QUIXO.lines().skip(1) {
        let text = line.split(" | ").nth(1).unwrap();
        let position = Quixo::parse(&Default::default(), text).unwrap();
        let form = (0..position.symmetries()).map(|turn| position.transform(turn).to_string()).min();
        assert!(seen.insert(form), "{line}");
    }
}

/// One in four hundred, by a search that knows only the rules; `cargo test --release -p puzzles -- --ignored` does all.
#[test]
fn a_sample_is_proved_again() {
    prove_every(401, 3);
}

#[test]
#[ignore = "minutes: cargo test --release -p puzzles --test sets -- --ignored"]
fn all_are_proved_again() {
    prove_every(1, 3);
}

fn prove_every(nth: usize, plies: u32) {
    let mut proved = 0;
    for line in QUIXO.lines().skip(1).step_by(nth) {
        let puzzle = Puzzle::read(line).expect(line);
        proved += prove(&puzzle, &quixo(&puzzle), plies).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
    }
    assert!(proved > 100, "{proved}");
}

#[test]
fn a_wrong_solution_is_refused() {
    let line = QUIXO.lines().nth(1).unwrap();
    let puzzle = Puzzle::read(line).unwrap();
    assert_eq!(puzzle.to_string(), line, "a puzzle is written as it was read");
    let wrong_value = line.replacen("-2", "1", 1);
    let told = Puzzle::read(&wrong_value);
    let refuted = told.map(|puzzle| prove(&puzzle, &quixo(&puzzle), 3));
    assert!(!matches!(refuted, Ok(Ok(_))), "{wrong_value}");
    let other_move = line.replacen(&puzzle.steps[0].played, "a1a5", 1);
    assert!(Puzzle::read(&other_move).is_err());
}

#[test]
fn a_set_of_another_version_is_left_out_as_a_whole_and_a_damaged_line_alone() {
    let newer = QUIXO.replacen("puzzles 1", "puzzles 2", 1);
    assert_eq!(Set::read(&newer), Set { puzzles: Vec::new(), notes: vec![Note::Header] });
    let lines: Vec<&str> = QUIXO.lines().take(4).collect();
    let damaged = format!("{}\n{}\nquixo win\n{}\n", lines[0], lines[1], lines[2]);
    let set = Set::read(&damaged);
    assert_eq!(set.puzzles.len(), 2);
    assert_eq!(
        set.notes.iter().map(Note::to_string).collect::<Vec<_>>(),
        ["line 3: expected `game theme plies | position | steps`"]
    );
}
