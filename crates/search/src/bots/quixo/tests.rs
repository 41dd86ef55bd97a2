use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rules::quixo::{Action, Quixo, QuixoOptions};
use rules::{ActionList, Outcome, Position, Side, Turn};

use super::net::Net;
use super::oracle::{Exact, blunder_rate};
use super::{QuixoBot, greedy};
use crate::{Bot, Level, Limits, Random, SearchResult, Situation, Value};

fn nodes(count: u64, seed: u64) -> Limits<'static> {
    Limits::nodes(count).with_seed(seed).with_memory(1 << 20)
}

fn best(view: &Quixo, limits: &Limits<'_>) -> SearchResult<Action> {
    QuixoBot::default().choose(&Situation { view, earlier: &[] }, Level::HIGHEST, limits)
}

fn two(text: &str) -> Quixo {
    Quixo::parse(&QuixoOptions::default(), text).unwrap()
}

fn random_position(options: &str, plies: usize, random: &mut Random) -> Quixo {
    let start = Quixo::start(&options.parse().unwrap());
    let mut actions = ActionList::new();
    'again: loop {
        let mut game = start;
        for _ in 0..plies {
            game.actions(&mut actions);
            game.play_unchecked(actions[random.below(actions.len() as u32) as usize]);
            if matches!(game.turn(), Turn::Over(_)) {
                continue 'again;
            }
        }
        return game;
    }
}

/// The proved outcome within `depth` actions by looking at everything: 1 and -1 with the number of actions, or 0.
fn plain(game: &Quixo, depth: u32) -> (i32, u32) {
    let Turn::Seat(seat) = game.turn() else { panic!("the game is over") };
    let mut actions = ActionList::new();
    game.actions(&mut actions);
    let (mut won, mut lost, mut open) = (u32::MAX, 0, false);
    for &action in actions.iter() {
        let mut next = *game;
        next.play_unchecked(action);
        let (sign, count) = match next.turn() {
            Turn::Over(outcome) => (if outcome == Outcome::Win(game.side(seat)) { 1 } else { -1 }, 1),
            _ if depth == 1 => (0, 0),
            _ => {
                let (sign, count) = plain(&next, depth - 1);
                (-sign, count + 1)
            }
        };
        match sign {
            1 => won = won.min(count),
            -1 => lost = lost.max(count),
            _ => open = true,
        }
    }
    match (won, open) {
        (u32::MAX, true) => (0, 0),
        (u32::MAX, false) => (-1, lost),
        _ => (1, won),
    }
}

#[test]
fn the_embedded_network_is_whole_and_a_damaged_one_is_refused() {
    let mut bytes = include_bytes!("quixo.net").to_vec();
    assert!(Net::read(&bytes).is_ok());
    bytes[1000] ^= 1;
    assert!(Net::read(&bytes).is_err());
    assert!(Net::read(&bytes[..100]).is_err());
    assert!(Net::read(&[]).is_err());
}

#[test]
fn analysis_proves_what_plain_search_proves() {
    let mut random = Random::new(3);
    for options in ["players=2", "players=4"] {
        let (positions, depth) = if options == "players=2" { (60, 3) } else { (25, 2) };
        for _ in 0..positions {
            let plies = 16 + random.below(30) as usize;
            let game = random_position(options, plies, &mut random);
            let result = QuixoBot::default().analyse(&Situation { view: &game, earlier: &[] }, &nodes(3000, 1));
            let mut actions = ActionList::new();
            game.actions(&mut actions);
            assert_eq!(result.scored.len(), actions.len());
            for scored in &result.scored {
                let mut next = game;
                next.play(scored.action).unwrap();
                let expected = match next.turn() {
                    Turn::Over(Outcome::Win(side)) if side == game.side(mover(&game)) => Value::win_in(1),
                    Turn::Over(_) => Value::loss_in(1),
                    _ => match plain(&next, depth - 1) {
                        (1, count) => Value::loss_in(count + 1),
                        (-1, count) => Value::win_in(count + 1),
                        _ => continue,
                    },
                };
                match (scored.value, expected) {
                    (Value::Win(found), Value::Win(least)) => assert!(found >= least),
                    (found, expected) => assert_eq!(found, expected, "{game} {}", scored.action),
                }
            }
        }
    }
}

fn mover(game: &Quixo) -> rules::Seat {
    match game.turn() {
        Turn::Seat(seat) => seat,
        _ => panic!("the game is over"),
    }
}

#[test]
fn few_blunders_on_positions_kept_from_training() {
    let lines = include_str!("data/exact.txt").lines();
    let positions: Vec<Exact> = lines.map(|line| Exact::parse(line).unwrap()).collect();
    assert!(positions.iter().all(Exact::is_held_out));
    let rate = blunder_rate(&positions, |position| best(position, &nodes(4000, 1)).action, |_, _| {});
    assert_eq!(rate.positions, 100);
    assert!(rate.blunders <= 6, "{rate}");
    let careless = blunder_rate(&positions, |position| greedy(position, 1), |_, _| {});
    assert!(careless.blunders > rate.blunders, "{careless}");
}

#[test]
fn the_same_seed_and_nodes_give_the_same_thought_whatever_was_thought_before() {
    let mut random = Random::new(8);
    let mut used = QuixoBot::default();
    for number in 0..12 {
        let options = if number % 3 == 2 { "players=4" } else { "players=2" };
        let game = random_position(options, 10 + number, &mut random);
        let situation = Situation { view: &game, earlier: &[] };
        for level in [Level::LOWEST, Level::new(5).unwrap(), Level::HIGHEST] {
            let fresh = QuixoBot::default().choose(&situation, level, &nodes(2000, 9));
            assert_eq!(used.choose(&situation, level, &nodes(2000, 9)), fresh);
        }
        assert_eq!(used.analyse(&situation, &nodes(2000, 9)), QuixoBot::default().analyse(&situation, &nodes(2000, 9)));
    }
}

#[test]
fn every_level_plays_legal_actions_to_the_end() {
    for options in ["players=2", "players=4"] {
        for level in Level::all() {
            let mut game = Quixo::start(&options.parse().unwrap());
            let mut bot = QuixoBot::default();
            let mut earlier = Vec::new();
            for ply in 0..40 {
                if matches!(game.turn(), Turn::Over(_)) {
                    break;
                }
                let situation = Situation { view: &game, earlier: &earlier };
                let result = bot.choose(&situation, level, &nodes(300, ply));
                assert_eq!(result.line.first(), Some(&result.action));
                let mut replay = game;
                result.line.iter().for_each(|&action| replay.play(action).unwrap());
                earlier.push(game);
                game.play(result.action).unwrap();
            }
        }
    }
}

#[test]
fn wins_and_losses_are_counted_in_actions() {
    let game = two("...../xxxx./...../oooo./..... 1");
    assert_eq!(best(&game, &nodes(100, 1)).value, Value::win_in(1));
    // Two rows of four cannot both be stopped.
    let game = two("xxxx./xxxx./..o../o...o/o...o 2");
    let result = best(&game, &nodes(1000, 1));
    assert_eq!(result.value, Value::loss_in(2));
    assert_eq!(result.line.len(), 2);
}

#[test]
fn stops_at_once_when_told_and_at_the_deadline() {
    let game = Quixo::start(&QuixoOptions::default());
    let stop = AtomicBool::new(true);
    let told = Limits { nodes: None, stop: &stop, ..nodes(0, 1) };
    assert!(best(&game, &told).nodes < 1000);
    // Every look at the clock takes a millisecond.
    let clock = AtomicU64::new(0);
    let now = || Duration::from_millis(clock.fetch_add(1, Ordering::Relaxed));
    let timed = Limits { now: &now, deadline: Some(Duration::from_millis(20)), nodes: None, ..nodes(0, 1) };
    best(&game, &timed);
    assert!(clock.load(Ordering::Relaxed) <= 22);
}

#[test]
fn what_is_not_recalled_changes_nothing() {
    let mut random = Random::new(3);
    for options in ["players=2", "players=4"] {
        let mut game = Quixo::start(&options.parse().unwrap());
        let (mut earlier, mut actions) = (Vec::new(), ActionList::new());
        for ply in 0..60 {
            if matches!(game.turn(), Turn::Over(_)) {
                break;
            }
            let recalled = (1..).zip(earlier.iter().rev());
            let recalled = recalled.take_while(|(back, past)| QuixoBot::recalls(past, &game, *back)).count();
            let choose = |earlier: &[Quixo]| {
                let situation = Situation { view: &game, earlier };
                QuixoBot::default().choose(&situation, Level::HIGHEST, &nodes(400, ply))
            };
            assert_eq!(choose(&earlier), choose(&earlier[earlier.len() - recalled..]), "{game}");
            earlier.push(game);
            game.actions(&mut actions);
            game.play_unchecked(actions[random.below(actions.len() as u32) as usize]);
        }
    }
}

#[test]
fn plays_without_memory() {
    let game = two("...../.xo../..xo./.x.o./..... 1");
    let limits = Limits { memory: 0, ..nodes(2000, 1) };
    let action = best(&game, &limits).action;
    assert!(game.is_legal(action));
}

#[test]
fn does_not_run_in_circles_in_a_won_position() {
    let lines = include_str!("data/exact.txt").lines().map(|line| Exact::parse(line).unwrap());
    let won: Vec<Quixo> =
        lines.filter(|exact| exact.value == 2 && exact.ply > 20).map(|exact| exact.position().unwrap()).collect();
    let games = 6;
    let wins = Cell::new(0);
    for (number, start) in won.into_iter().take(games).enumerate() {
        let mut game = start;
        let mut earlier: Vec<Quixo> = Vec::new();
        let mut bot = QuixoBot::default();
        for _ in 0..60 {
            if let Turn::Over(outcome) = game.turn() {
                wins.set(wins.get() + u32::from(outcome == Outcome::Win(Side::ONE)));
                break;
            }
            let situation = Situation { view: &game, earlier: &earlier };
            let result = bot.choose(&situation, Level::HIGHEST, &nodes(6000, number as u64));
            earlier.push(game);
            game.play(result.action).unwrap();
            assert!(earlier.iter().filter(|past| **past == game).count() < 2, "{game} for the third time");
        }
    }
    assert!(wins.get() >= 4, "only {} of {games} won positions were won", wins.get());
}

#[test]
fn teams_beat_careful_greedy_play() {
    let mut random = Random::new(21);
    let mut score = 0.0;
    let games = 12;
    for number in 0..games {
        let mut game = random_position("players=4", 4, &mut random);
        let side = Side::from_index(number % 2);
        let mut bot = QuixoBot::default();
        let mut earlier = Vec::new();
        for ply in 0..100 {
            let Turn::Seat(seat) = game.turn() else { break };
            let action = if game.side(seat) == side {
                let situation = Situation { view: &game, earlier: &earlier };
                bot.choose(&situation, Level::HIGHEST, &nodes(1500, ply)).action
            } else {
                greedy(&game, ply)
            };
            earlier.push(game);
            game.play(action).unwrap();
        }
        score += match game.turn() {
            Turn::Over(Outcome::Win(winner)) => f64::from(u8::from(winner == side)),
            _ => 0.5,
        };
    }
    assert!(score >= 9.0, "{score} of {games}");
}

#[test]
fn unreadable_lines_are_refused() {
    for line in ["", "1 2", "1 1 4 1", "zz 1 4 1 a1e1=1", "100001 10 4 3 a1e1=1", "1 2 4 1 b1e1=1", "1 2 4 1 b1e1"] {
        assert!(Exact::parse(line).is_err(), "{line}");
    }
}

/// Plays against an opponent who goes back to an earlier position whenever that is possible; how many plies it takes until
/// a position stands for the third time, or the game is over.
fn plies_until_drawn(best_side: Side, seed: u64) -> Option<usize> {
    let mut game = Quixo::start(&QuixoOptions::default());
    let (mut earlier, mut random, mut actions) = (Vec::new(), Random::new(seed), ActionList::new());
    let mut bot = QuixoBot::default();
    while let Turn::Seat(seat) = game.turn() {
        if earlier.iter().filter(|past| **past == game).count() >= 2 {
            return Some(earlier.len());
        }
        let action = if game.side(seat) == best_side {
            bot.choose(&Situation { view: &game, earlier: &earlier }, Level::HIGHEST, &nodes(1500, seed)).action
        } else {
            game.actions(&mut actions);
            let goes_back = |action: &&Action| {
                let mut next = game;
                next.play_unchecked(**action);
                earlier.contains(&next)
            };
            let back = actions.iter().find(goes_back);
            *back.unwrap_or(&actions[random.below(actions.len() as u32) as usize])
        };
        earlier.push(game);
        game.play_unchecked(action);
    }
    None
}

#[test]
fn the_best_level_does_not_let_itself_be_drawn_by_going_back_and_forth() {
    for seed in 0..6 {
        for side in [Side::ONE, Side::TWO] {
            assert_eq!(plies_until_drawn(side, seed), None, "side {side:?}, seed {seed}");
        }
    }
}
