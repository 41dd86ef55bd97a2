use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rules::sequence::{Card, SequenceOptions};
use rules::{ActionList, HiddenInformation, Position, Seat, Turn, Viewer};

use super::*;

fn game(text: &str) -> Sequence {
    Sequence::parse(&Default::default(), text).unwrap()
}

fn own_view(position: &Sequence) -> SequenceView {
    position.view(Viewer::Seat(position.seat()))
}

fn with_limits<T>(nodes: u64, seed: u64, think: impl FnOnce(&Limits<'_>) -> T) -> T {
    let limits = Limits {
        now: &|| Duration::ZERO,
        deadline: None,
        nodes: Some(nodes),
        depth: None,
        stop: &AtomicBool::new(false),
        seed,
        memory: 1 << 20,
    };
    think(&limits)
}

fn chosen(position: &Sequence, level: u8, nodes: u64, seed: u64) -> Thought<Action> {
    let view = own_view(position);
    let situation = Situation { view: &view, earlier: &[] };
    with_limits(nodes, seed, |limits| SequenceBrain.choose(&situation, Level::new(level).unwrap(), limits))
}

fn every_option() -> impl Iterator<Item = SequenceOptions> {
    ["players=2", "players=3", "players=4", "board=shuffled", "players=3,board=shuffled", "players=4,board=shuffled"]
        .into_iter()
        .map(|text| text.parse().unwrap())
}

/// Seat 1 completes a1–d1 with the cow, or with a Unicorn.
const OPEN_THREE: &str = "*.....*/......./......./22...../......./*11...*";

#[test]
fn wins_at_once_with_the_animal_or_a_unicorn() {
    for hand in ["bear+cow+dog", "bear+dog+unicorn"] {
        let position = game(&format!("{OPEN_THREE} 1 {hand}|cat+dragon+whale fox+giraffe|turtle+gorilla 0 0"));
        for level in 7..=8 {
            let thought = chosen(&position, level, 2_000, 1);
            assert!(thought.action.to_string().ends_with("@d1"), "level {level} plays {}", thought.action);
            assert_eq!(thought.value, Value::Win(1));
        }
        assert!(greedy(&own_view(&position)).to_string().ends_with("@d1"));
    }
}

#[test]
fn blocks_an_open_three_with_the_animal_or_breaks_it_with_a_dragon() {
    let blocks = |hand: &str| {
        let text = format!("{OPEN_THREE} 2 bear+dog+frog|{hand} fox+giraffe|turtle 0 0").replace("22.", "2..");
        chosen(&game(&text), 8, 40_000, 1).action.to_string()
    };
    assert_eq!(blocks("bear+cow+owl"), "cow@d1");
    assert!(["dragon@b1", "dragon@c1"].contains(&blocks("bear+dragon+owl").as_str()));
}

#[test]
fn swaps_a_dead_card_before_it_plays() {
    let board = "*12121*/1.12121/2121212/2121212/1212121/*12121*";
    let position = game(&format!("{board} 2 bear+bear+fox|cow+crocodile+dog fox|frog 0 0"));
    assert!(matches!(greedy(&own_view(&position)), Action::Swap(Card::Cow | Card::Crocodile)));
}

#[test]
fn keeps_its_unicorn_when_another_card_does() {
    let text = "*.....*/......./......./......./......./*.....* 1 bear+cat+unicorn|cow+fox+owl -|- 0 0";
    assert!(!greedy(&own_view(&game(text))).to_string().starts_with("unicorn"));
}

#[test]
fn the_same_view_gives_the_same_choice_whatever_is_hidden() {
    let position = game(&format!("{OPEN_THREE} 1 bear+dog+owl|cat+dragon+whale fox+giraffe|turtle+gorilla 0 0"));
    let mut random = Random::new(3);
    for _ in 0..5 {
        let other = Sequence::guess(&own_view(&position), &mut |n| random.below(n));
        assert_eq!(chosen(&position, 8, 5_000, 9), chosen(&other, 8, 5_000, 9));
    }
}

#[test]
fn every_level_plays_lawfully_to_the_end_under_every_option() {
    for options in every_option() {
        for number in 0..4 {
            let (mut position, mut deal) = (Sequence::start(&options), Deal::new(number));
            loop {
                let action = match position.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => deal.next(&position),
                    Turn::Seat(seat) => {
                        let level = 1 + (number as u8 * 2 + seat.index() as u8 * 3) % 8;
                        chosen(&position, level, 300, number).action
                    }
                };
                position.play(action).unwrap();
            }
        }
    }
}

#[test]
fn analysis_values_every_legal_action_best_first() {
    let position = game(&format!("{OPEN_THREE} 1 bear+cow+unicorn|cat+dragon+whale fox+giraffe|turtle+gorilla 0 0"));
    let view = own_view(&position);
    let thought =
        with_limits(30_000, 4, |limits| SequenceBrain.analyse(&Situation { view: &view, earlier: &[] }, limits));
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    assert_eq!(thought.scored.len(), actions.len());
    assert!(actions.iter().all(|action| thought.scored.iter().any(|scored| scored.action == *action)));
    assert!(thought.scored.is_sorted_by(|a, b| a.value.score() >= b.value.score()));
    let exact = thought.scored.iter().filter(|scored| scored.value.is_exact());
    assert_eq!(exact.map(|scored| scored.value).collect::<Vec<_>>(), [Value::Win(1), Value::Win(1)]);
    assert_eq!(thought.value, Value::Win(1));
}

#[test]
fn a_seed_and_a_node_limit_decide_the_choice() {
    let position = game("*.....*/......./......./......./......./*.....* 1 bear+cat+unicorn|cow+fox+owl -|- 0 0");
    let thought = chosen(&position, 8, 20_000, 5);
    assert_eq!(thought, chosen(&position, 8, 20_000, 5));
    assert!(thought.nodes <= 20_100, "{}", thought.nodes);
}

#[test]
fn stops_at_the_deadline_and_when_told() {
    let position = game("*.....*/......./......./......./......./*.....* 1 bear+cat+unicorn|cow+fox+owl -|- 0 0");
    let view = own_view(&position);
    let situation = Situation { view: &view, earlier: &[] };
    // A clock that goes on by a millisecond at each look.
    let looks = AtomicU64::new(0);
    let now = || Duration::from_millis(looks.fetch_add(1, Ordering::Relaxed));
    let stop = AtomicBool::new(false);
    let deadline = Some(Duration::from_millis(30));
    let mut limits = Limits { now: &now, deadline, nodes: None, depth: None, stop: &stop, seed: 1, memory: 1 << 20 };
    SequenceBrain.choose(&situation, Level::HIGHEST, &limits);
    SequenceBrain.analyse(&situation, &limits);
    assert!(looks.load(Ordering::Relaxed) < 40, "it looked on after the deadline");
    stop.store(true, Ordering::Relaxed);
    limits.deadline = None;
    assert!(SequenceBrain.choose(&situation, Level::HIGHEST, &limits).nodes < 600);
}

#[test]
fn a_seat_that_did_not_complete_its_three_kept_nothing_that_would_have() {
    // Seat 2 had b1 and c1 beside the corner, played elsewhere, and seat 1 looks back.
    let before = game(
        "*.....*/......./......./11...../......./*22...* 2 bear+dog+owl|cat+frog+whale turtle+gorilla+lion|fox+giraffe 0 0"
            .replace("11.....", "11.1...")
            .as_str(),
    );
    let mut after = before;
    for action in ["cat@a2", "draw:cow"] {
        after.play(action.parse().unwrap()).unwrap();
    }
    let viewer = Viewer::Seat(Seat::ONE);
    let (view, earlier) = (after.view(viewer), [before.view(viewer)]);
    let belief = Belief::of(&view, &earlier, &Pictures::of(&view));
    let (mut random, mut taken, mut with_cow) = (Random::new(1), 0, 0);
    for _ in 0..3_000 {
        let guess = Sequence::guess(&view, &mut |n| random.below(n));
        if belief.accepts(&guess, &mut random) {
            taken += 1;
            let completing = |card: &&Card| matches!(card, Card::Cow | Card::Unicorn);
            let count = guess.hand(Seat::TWO).iter().filter(completing).count();
            assert!(count < 2);
            with_cow += count;
        }
    }
    assert!(taken > 2_000 && with_cow > 0, "{taken} taken, {with_cow} with a card drawn since");
}
