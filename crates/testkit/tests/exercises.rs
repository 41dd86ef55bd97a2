//! The exercises of the browser app have the answers that the rules and the engine find.

use testkit::exercises::{Exercise, Kind, PLAN};

fn exercises() -> Vec<Exercise> {
    include_str!("../../web/data/exercises.txt")
        .lines()
        .map(|line| line.parse().expect("every line is an exercise"))
        .collect()
}

#[test]
fn every_exercise_has_exactly_its_solutions() {
    let wrong: Vec<String> = exercises().iter().filter_map(|exercise| exercise.check().err()).collect();
    assert!(wrong.is_empty(), "if meant: cargo run --release -p testkit --bin exercises\n{}", wrong.join("\n"));
}

#[test]
fn there_are_ten_different_ones_for_each_game() {
    let all = exercises();
    for (game, _) in PLAN {
        let mut positions: Vec<&String> =
            all.iter().filter(|exercise| exercise.game.id() == *game).map(|exercise| &exercise.position).collect();
        positions.sort_unstable();
        positions.dedup();
        assert_eq!(positions.len(), 10, "{game}");
    }
}

#[test]
fn a_wrong_answer_is_noticed() {
    let mut exercise = exercises().into_iter().find(|exercise| exercise.kind == Kind::Win).unwrap();
    exercise.solutions = vec!["a1".to_owned(), "b1".to_owned()];
    assert!(exercise.check().is_err());
}
