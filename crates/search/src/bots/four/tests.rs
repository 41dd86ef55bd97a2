//! What the player of Four must do whatever its strength: obey rules and limits, repeat itself, take what is offered.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rules::Outcome;

use super::field::Field;
use super::plans::plans;
use super::*;

fn limits(nodes: u64, seed: u64) -> Limits<'static> {
    Limits::nodes(nodes).with_seed(seed).with_memory(0)
}

fn game(options: &str, text: &str) -> Four {
    Four::parse(&options.parse().unwrap(), text).unwrap()
}

fn choose(position: &Four, level: u8, limits: &Limits<'_>) -> SearchResult<Action> {
    let situation = Situation { view: position, earlier: &[] };
    FourBot::default().choose(&situation, Level::new(level).unwrap(), limits)
}

/// Positions of random games, in which some captures are sought.
fn random_positions(options: &str, games: u32, mut visit: impl FnMut(&Four)) {
    let mut random = Random::new(5);
    for _ in 0..games {
        let mut position = Four::start(&options.parse().unwrap());
        let mut list = ActionList::new();
        for _ in 0..90 {
            let Turn::Seat(_) = position.turn() else { break };
            visit(&position);
            position.actions(&mut list);
            let any = list[random.below(list.len() as u32) as usize];
            let sought = random.below(4) == 0;
            position.play(if sought { greedy(&position, Attention::CLEAR, &mut random) } else { any }).unwrap();
        }
    }
}

/// Ten x that close three squares at once by e9-e5, and ten o.
const THREE_AT_ONCE: &str = "4x4/9/9/3x1x3/2xo1ox2/3xox3/4x4/9/oooooooxx 1 4 0,0 20,20 0 0 - -";

#[test]
fn plans_are_legal_and_capture() {
    let (mut found, mut count) = (Vec::new(), 0);
    for options in ["size=9,reserve=150,target=0", "size=13,target=0", "target=0"] {
        random_positions(options, 3, |position| {
            let Turn::Seat(seat) = position.turn() else { return };
            if position.movements_left() == 0 || position.stones_on_board(seat) < 10 {
                return;
            }
            let field = Field::new(position, seat);
            plans(&field, Figures::of(position.options().size()), position.movements_left(), &mut found);
            for plan in &found {
                let mut next = *position;
                for action in plan.actions() {
                    next.play(action).unwrap();
                    if next.points(seat) > position.points(seat) {
                        break;
                    }
                }
                assert!(next.points(seat) > position.points(seat), "{position}: {plan:?}");
                count += 1;
            }
        });
    }
    assert!(count > 1000, "{count} plans were tried");
}

#[test]
fn greedy_takes_the_shortest_capture() {
    let position = game("size=9", THREE_AT_ONCE);
    let action = greedy(&position, Attention::CLEAR, &mut Random::new(1));
    let mut next = position;
    next.play(action).unwrap();
    assert!(next.points(Seat::ONE) > 0, "{action} is one movement and captures");
}

#[test]
fn every_level_plays_by_the_rules_and_repeats_itself() {
    for options in ["size=9", "size=13", ""] {
        for level in 1..=8 {
            random_positions(options, 1, |position| {
                if !fingerprint(position).is_multiple_of(11) {
                    return;
                }
                let result = choose(position, level, &limits(300, 3));
                assert_eq!(result, choose(position, level, &limits(300, 3)));
                let mut next = *position;
                for &action in &result.line {
                    next.play(action).unwrap_or_else(|error| panic!("level {level}, {position}: {error}"));
                }
            });
        }
    }
}

#[test]
fn a_kept_turn_is_what_a_fresh_brain_would_play() {
    let mut seen = vec![game("size=9", THREE_AT_ONCE)];
    let mut kept = FourBot::default();
    while let [earlier @ .., view] = seen.as_slice()
        && view.turn() == Turn::Seat(Seat::ONE)
    {
        let situation = Situation { view, earlier };
        let action = kept.choose(&situation, Level::HIGHEST, &limits(2000, 1)).action;
        let fresh = FourBot::default().choose(&situation, Level::HIGHEST, &limits(2000, 1)).action;
        assert_eq!(action, fresh, "after {} actions", earlier.len());
        let mut next = *view;
        next.play(action).unwrap();
        seen.push(next);
    }
    assert!(seen.len() > 3, "the turn has several actions");
    assert!(seen[seen.len() - 1].points(Seat::ONE) >= 3);
}

#[test]
fn a_won_turn_is_found_and_proved() {
    let position = game("size=9,target=3", THREE_AT_ONCE);
    let result = choose(&position, 8, &limits(20_000, 1));
    assert!(matches!(result.value, Value::Win(_)), "{result:?}");
    let mut next = position;
    result.line.iter().for_each(|&action| next.play(action).unwrap());
    assert_eq!(next.turn(), Turn::Over(Outcome::Win(rules::Side::ONE)));
}

#[test]
fn a_stop_is_obeyed_at_once_and_still_gives_an_action() {
    let stop = AtomicBool::new(true);
    for text in [THREE_AT_ONCE, "9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 0 - -"] {
        let limits = Limits { stop: &stop, nodes: None, ..limits(0, 1) };
        let position = game("size=9", text);
        let result = choose(&position, 8, &limits);
        assert!(position.is_legal(result.action));
        assert!(result.nodes < 2000, "{}", result.nodes);
    }
}

#[test]
fn the_deadline_is_respected() {
    // A clock that goes on by a millisecond whenever it is looked at: few looks may follow the deadline.
    let looks = AtomicU64::new(0);
    let now = || Duration::from_millis(looks.fetch_add(1, Ordering::Relaxed));
    let limits = Limits { now: &now, deadline: Some(Duration::from_millis(10)), nodes: None, ..limits(0, 1) };
    let position = game("", &Four::start(&Default::default()).to_string());
    assert!(position.is_legal(choose(&position, 8, &limits).action));
    assert!(looks.load(Ordering::Relaxed) < 20, "{looks:?}");
}

#[test]
fn analysis_values_every_legal_action_best_first() {
    let position = game("size=9", THREE_AT_ONCE);
    let situation = Situation { view: &position, earlier: &[] };
    let result = FourBot::default().analyse(&situation, &limits(30_000, 1));
    let mut list = ActionList::new();
    position.actions(&mut list);
    assert_eq!(result.scored.len(), list.len());
    assert!(list.iter().all(|action| result.scored.iter().filter(|scored| scored.action == *action).count() == 1));
    assert_eq!(result.scored[0].action, result.action);
    assert!(result.scored.windows(2).all(|pair| pair[0].value >= pair[1].value));
}

#[test]
fn planning_beats_greed() {
    let options = "size=9".parse().unwrap();
    let mut won = 0;
    for round in 0..6 {
        let mut random = Random::new(round);
        let planner = Seat::from_index(round as usize % 2);
        let mut position = Four::start(&options);
        while let Turn::Seat(seat) = position.turn() {
            let action = if seat == planner {
                choose(&position, 8, &limits(1000, round)).action
            } else {
                greedy(&position, Attention::CLEAR, &mut random)
            };
            position.play(action).unwrap();
        }
        won += u8::from(position.turn() == Turn::Over(Outcome::Win(position.side(planner))));
    }
    assert!(won >= 5, "{won} of 6");
}

#[test]
fn narrow_windows_find_the_value_that_full_ones_find() {
    let board = "3o2o2/3o1o2o/o5o1o/1xx4xo/5xx2/5oxx1/2x1x1x1o/4xox1x/1o1x2x1o 1 4 4,3 12,12 1 0 - -";
    let position = game("size=9", board);
    let limits = Limits::unlimited();
    let mut meter = limits.meter();
    let mut searcher = Searcher { figures: Figures::of(position.options().size()), meter: &mut meter };
    let mut turns = searcher.turns(&position, levels::ROUNDS[1], None);
    let effort = levels::ROUNDS[6];
    assert!(effort.ahead == 2 && turns.len() > 5);
    let full = |turn: &TurnPlan| {
        -searcher.ahead(&turn.after, Seat::TWO, effort, effort.ahead, f32::NEG_INFINITY, f32::INFINITY)
    };
    let best = turns.iter().take(effort.weighed).map(full).max_by(f32::total_cmp).unwrap();
    searcher.deepen(Seat::ONE, effort, &mut turns);
    assert_eq!(turns[0].value, best);
}
