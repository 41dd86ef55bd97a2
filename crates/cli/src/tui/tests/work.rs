//! No key costs more work as a game grows longer: counted in allocations, which a replay or a list written anew would add.
//! An action also writes its record into the file, the whole of it; the session's part of it is counted in `session/tests/work.rs`.

use std::time::Duration;

use testkit::{Allocations, Counting};

use super::*;

#[global_allocator]
static COUNTING: Counting = Counting;

/// As long a game as random play makes in a few tries.
const ENOUGH: usize = 260;

fn long_game(game: &str) -> Vec<String> {
    let play = |seed| {
        let mut game = Match::new(MatchSettings::new(game.parse().unwrap())).unwrap();
        let mut random = Random::new(seed);
        while let Some(count) = u32::try_from(game.legal().len()).ok().filter(|count| *count > 0) {
            game.play(&game.legal()[random.below(count) as usize].clone(), Duration::ZERO).unwrap();
        }
        game.log().iter().map(|entry| entry.event.to_string()).collect::<Vec<_>>()
    };
    (0..500).map(play).find(|log| log.len() >= ENOUGH).expect("some random game is long")
}

#[test]
fn a_key_costs_the_same_at_any_length_of_the_game() {
    let mut stage = Stage::new("four(size=9)", LOOKS[0], 100, 40);
    let log = long_game("four(size=9)");
    let mut keys = Vec::new();
    for action in &log {
        let work = Allocations::of(|| {
            for code in [KeyCode::Right, KeyCode::Up, KeyCode::Char('a'), KeyCode::Backspace, KeyCode::Tab] {
                stage.press(code);
                stage.draw();
            }
        });
        keys.push(work.count);
        stage.type_in(action);
    }
    assert_eq!(stage.screen.session().game().log().len(), log.len());
    let average = |part: &[u64]| part.iter().sum::<u64>() as f64 / part.len() as f64;
    let (early, late) = (average(&keys[60..110]), average(&keys[keys.len() - 50..]));
    assert!(late < early * 1.5, "{early} allocations for keys early in the game, {late} late");
}
