//! The exercises of the browser app have the answers that the rules and the engine find.

use rules::{ExerciseKind, GameId};
use testkit::exercises::Exercise;

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
fn there_are_as_many_different_ones_as_each_game_asks_for() {
    let all = exercises();
    for game in GameId::ALL {
        let wanted: usize = game.exercises().iter().map(|exercises| exercises.count).sum();
        assert!(wanted == 0 || wanted == 10, "{game} asks for {wanted}");
        let mut positions: Vec<&String> =
            all.iter().filter(|exercise| exercise.game.id() == game).map(|exercise| &exercise.position).collect();
        positions.sort_unstable();
        positions.dedup();
        assert_eq!(positions.len(), wanted, "{game}: cargo run --release -p testkit --bin exercises");
    }
}

#[test]
fn a_wrong_answer_is_noticed() {
    let mut exercise = exercises().into_iter().find(|exercise| exercise.kind == ExerciseKind::Win).unwrap();
    exercise.solutions = vec!["a1".to_owned(), "b1".to_owned()];
    assert!(exercise.check().is_err());
}
