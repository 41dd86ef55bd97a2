use std::sync::atomic::AtomicBool;

use rules::quarto::{Action, Quarto, QuartoOptions};
use rules::{ActionList, Outcome, Position, Symmetric, Turn};

use super::packed::{Board, Geometry};
use super::*;
use crate::{Bot, Level, Limits, Random, SearchResult, Situation, Value};

fn limits(nodes: u64) -> Limits<'static> {
    Limits::nodes(nodes).with_seed(1).with_memory(4 << 20)
}

fn analyse(options: &str, text: &str) -> SearchResult<Action> {
    let position = Quarto::parse(&options.parse().unwrap(), text).unwrap();
    QuartoBot::default().analyse(&Situation { view: &position, earlier: &[] }, &limits(2_000_000))
}

fn choose(options: &str, text: &str, level: u8) -> String {
    let position = Quarto::parse(&options.parse().unwrap(), text).unwrap();
    let level = Level::new(level).unwrap();
    let situation = Situation { view: &position, earlier: &[] };
    QuartoBot::default().choose(&situation, level, &limits(2_000_000)).action.to_string()
}

#[test]
fn agrees_with_brute_force_under_every_option() {
    // The example `quarto_check` does the same on 100,000 positions with up to five empty squares.
    let report = cross_check(900, 4, &Limits { nodes: None, ..limits(0) }).unwrap();
    assert!(report.won_drawn_lost.iter().all(|&count| count > 50), "{report:?}");
}

#[test]
fn classes_with_one_attribute_are_drawn_with_any_table() {
    let mut nodes = Vec::new();
    for memory in [16 << 20, 1 << 20] {
        let limits = Limits { nodes: None, memory, ..limits(0) };
        let mut told = Vec::new();
        let solved = solve(&"attributes=top".parse().unwrap(), &limits, &mut |done, _| told.push(done)).unwrap();
        assert_eq!(solved.value, Value::Draw);
        assert!(solved.table_bytes <= memory && solved.table_bytes * 2 >= memory);
        assert!(told.is_sorted() && told.last() == Some(&1.0), "progress goes forward to the end");
        nodes.push(solved.nodes);
    }
    assert!(nodes[0] <= nodes[1], "a smaller table is slower");
    let stopped = solve(&Default::default(), &limits(1000), &mut |_, _| {});
    assert_eq!(stopped, Err(Unsolved { nodes: 1000 }));
}

#[test]
fn keys_are_the_same_exactly_under_symmetry() {
    let mut random = Random::new(3);
    let mut actions = ActionList::new();
    for options in ["", "squares=yes", "attributes=colour+shape+top", "attributes=height", "attributes=height+top"] {
        let options: QuartoOptions = options.parse().unwrap();
        let class = Class::of(&options);
        let keys = key::Keys::new(class);
        let geometry = Geometry::<3>::new(class);
        let key = |position: &Quarto| {
            let (board, renumbering) = Board::of(position, &geometry);
            keys.canonical(&board, renumbering.inner(position.hand().unwrap().bits()))
        };
        for _ in 0..200 {
            let mut position = Quarto::start(&options);
            for _ in 0..1 + 2 * random.below(7) {
                position.actions(&mut actions);
                let Some(&action) = actions.get(random.below(actions.len() as u32) as usize) else { break };
                position.play_unchecked(action);
            }
            if position.hand().is_none() {
                continue;
            }
            let turned = position.transform(random.below(position.symmetries() as u32) as usize);
            assert_eq!(key(&position), key(&turned), "{position} and {turned}");
        }
    }
}

#[test]
fn the_canonical_states_are_as_many_as_known() {
    // Boards with three pieces and any fourth in hand: 3,382 for the standard game, 12,113 with squares. Of these the
    // drafts hold those whose hand completes nothing.
    let count = |options: &str| book::Draft::new(Class::of(&options.parse().unwrap()), 13).len();
    assert!((3_000..=3_382).contains(&count("")), "{}", count(""));
    assert!((11_000..=12_113).contains(&count("squares=yes")), "{}", count("squares=yes"));
}

#[test]
fn a_small_book_says_what_was_put_in() {
    let draft = book::Draft::new(Class::all().next().unwrap(), 14);
    let limits = Limits { nodes: None, ..limits(0) };
    let solved = draft.worker(&limits)(0..draft.len()).unwrap();
    assert!(solved.iter().all(|state| state.1 == 0), "with one attribute all openings are drawn");
    let odd: book::Solved = solved.iter().enumerate().map(|(n, &(key, _))| (key, (n % 3) as i8 - 1)).collect();
    assert_eq!(book::round_trip(&odd), odd);
}

#[test]
fn the_embedded_book_is_whole() {
    assert!(Class::all().all(|class| book::Opening::of(class).is_some()));
    assert!(book::EMBEDDED.len() < 500_000);
}

#[test]
fn values_count_actions() {
    // A row to complete at once; with calls one action more.
    let value = |options: &str, text: &str| analyse(options, text).value;
    assert_eq!(value("", "..../..../..../124. 7 1 c1"), Value::win_in(1));
    assert_eq!(value("call=lapse", "..../..../..../124. 7 1 c1"), Value::win_in(2));
    // A standing row that either seat may call wins; a lapsed one is worth nothing.
    assert_eq!(value("call=lapse", "..../..../..../1247 - 1 d1"), Value::win_in(1));
    assert_eq!(value("call=open", "8.../..../..../1247 - 2 a4"), Value::win_in(1));
    // A full board without a row.
    assert_eq!(value("call=open", "1e46/f5c0/a2bd/7938 - 1 d1"), Value::Draw);
    assert_eq!(value("", "1e46/f5c0/a2bd/793. 8 1 c1"), Value::Draw);
}

#[test]
fn analysis_gives_each_action_once_best_first_and_a_playable_line() {
    let position = Quarto::parse(&Default::default(), "1e4./f5c./a2../7... 3 1 a1").unwrap();
    let result = QuartoBot::default().analyse(&Situation { view: &position, earlier: &[] }, &limits(2_000_000));
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    assert_eq!(result.scored.len(), actions.len());
    assert!(actions.iter().all(|action| result.scored.iter().any(|scored| scored.action == *action)));
    assert!(result.scored.is_sorted_by(|a, b| a.value >= b.value));
    assert_eq!((result.line[0], result.scored[0].action), (result.action, result.action));
    let mut line = position;
    assert!(result.line.iter().all(|&action| line.play(action).is_ok()));
}

#[test]
fn the_best_level_calls_every_row_and_completes_every_row() {
    assert_eq!(choose("call=lapse", "..../..../..../1247 - 1 d1", 8), "!");
    assert_eq!(choose("call=open", "8.../..../..../1247 9 1 a4", 8), "!");
    assert_eq!(choose("", "..../..../..../124. 7 1 c1", 8), "d1");
    // Everything light completes the row, so a dark piece is given.
    assert!(choose("", "..../..../..../124. - 2 c1", 8).as_str() >= "8");
}

#[test]
fn seed_and_nodes_decide_alone() {
    let text = "1.../.5../..../..8. 3 1 a4";
    let position = Quarto::parse(&Default::default(), text).unwrap();
    let situation = Situation { view: &position, earlier: &[] };
    let mut used = QuartoBot::default();
    for level in Level::all() {
        let fresh = QuartoBot::default().choose(&situation, level, &limits(3_000));
        assert_eq!(used.choose(&situation, level, &limits(3_000)), fresh, "{level}");
    }
}

#[test]
fn nodes_and_stop_are_obeyed() {
    let start = Quarto::parse(&Default::default(), "..../.6../..../.... 3 1 b3").unwrap();
    let situation = Situation { view: &start, earlier: &[] };
    let result = QuartoBot::default().analyse(&situation, &limits(5_000));
    assert!(result.nodes <= 5_000);
    let stop = AtomicBool::new(true);
    let stopped = Limits { stop: &stop, nodes: None, ..limits(0) };
    let result = QuartoBot::default().choose(&situation, Level::HIGHEST, &stopped);
    assert!(start.is_legal(result.action) && result.nodes <= 2);
}

#[test]
fn stronger_levels_win_more() {
    let score = |strong: u8, weak: u8, games: u64| {
        let mut points = 0.0;
        for game in 0..games {
            let options = ["", "call=lapse", "squares=yes"][game as usize % 3].parse().unwrap();
            let mut position = Quarto::start(&options);
            let mut bots = [QuartoBot::default(), QuartoBot::default()];
            let levels = if game % 2 == 0 { [strong, weak] } else { [weak, strong] };
            while let Turn::Seat(seat) = position.turn() {
                let limits = Limits { seed: game, ..limits(3_000) };
                let situation = Situation { view: &position, earlier: &[] };
                let level = Level::new(levels[seat.index()]).unwrap();
                let action = bots[seat.index()].choose(&situation, level, &limits).action;
                position.play(action).unwrap();
            }
            points += match position.turn() {
                Turn::Over(Outcome::Win(side)) if levels[side.index()] == strong => 1.0,
                Turn::Over(Outcome::Draw) => 0.5,
                _ => 0.0,
            };
        }
        points / games as f64
    };
    assert!(score(3, 1, 30) > 0.6);
    assert!(score(6, 3, 30) > 0.6);
}
