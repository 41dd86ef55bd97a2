//! No key costs more work as a game grows longer: counted in allocations, which a replay or a list written anew would add.

use std::time::Duration;

use session::LocalSession;
use testkit::{Allocations, Counting};

use super::*;

#[global_allocator]
static COUNTING: Counting = Counting;

/// The actions of seats in the longest of some random games, with the cards that a [`Stage`] draws.
fn long_game(game: &str) -> Vec<String> {
    let play = |seed| {
        let game = Match::new(MatchSettings::new(game.parse().unwrap())).unwrap();
        let mut session = LocalSession::new(game, Pace::NONE, SEED, Duration::ZERO);
        let (mut random, mut actions) = (Random::new(seed), Vec::new());
        while session.game().ending().is_none() {
            session.open_curtain(Duration::ZERO);
            let legal = session.game().legal();
            actions.push(legal[random.below(u32::try_from(legal.len()).unwrap()) as usize].clone());
            session.act(&actions[actions.len() - 1], Duration::ZERO).unwrap();
            while session.poll(Duration::ZERO) {}
        }
        actions
    };
    (0..60).map(play).max_by_key(Vec::len).unwrap()
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
        keys.push(work);
        stage.type_in(action);
    }
    assert_eq!(stage.screen.session().game().log().len(), log.len());
    assert_level(&keys[60..], "a key");
}

/// The key that plays an action, with the cards drawn after it and the line in its file. Not counted are the first, which
/// writes the file, and the last: at the end of a game its file is written anew.
#[test]
fn an_action_costs_the_same_at_any_length_of_the_game() {
    for game in ["four(size=9)", "sequence"] {
        let mut stage = Stage::new(game, LOOKS[0], 100, 40);
        let mut keys = Vec::new();
        for action in &long_game(game) {
            stage.draw();
            if stage.screen.session().view().curtain.is_some() {
                stage.press(KeyCode::Enter);
            }
            action.chars().for_each(|letter| drop(stage.press(KeyCode::Char(letter))));
            keys.push(Allocations::of(|| {
                stage.press(KeyCode::Enter);
                stage.screen.poll();
            }));
        }
        assert!(stage.screen.session().game().ending().is_some(), "{game}: all of it was played");
        assert_level(&keys[1..keys.len() - 1], game);
    }
}

/// Compares the first third with the last.
fn assert_level(work: &[Allocations], what: &str) {
    let third = work.len() / 3;
    let average =
        |part: &[Allocations], of: fn(&Allocations) -> u64| part.iter().map(of).sum::<u64>() / part.len() as u64;
    for (of, unit) in [((|work| work.count) as fn(&Allocations) -> u64, "allocations"), (|work| work.bytes, "bytes")] {
        let (early, late) = (average(&work[..third], of), average(&work[work.len() - third..], of));
        assert!(2 * late < 3 * early, "{what}: {early} {unit} early in the game, {late} late");
    }
}
