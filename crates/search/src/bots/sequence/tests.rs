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
    let limits = Limits::nodes(nodes).with_seed(seed).with_memory(1 << 20);
    think(&limits)
}

fn chosen(position: &Sequence, level: u8, nodes: u64, seed: u64) -> SearchResult<Action> {
    let view = own_view(position);
    let situation = Situation { view: &view, earlier: &[] };
    with_limits(nodes, seed, |limits| SequenceBot.choose(&situation, Level::new(level).unwrap(), limits))
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
            let result = chosen(&position, level, 2_000, 1);
            assert!(result.action.to_string().ends_with("@d1"), "level {level} plays {}", result.action);
            assert_eq!(result.value, Value::win_in(1));
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
    let result = with_limits(30_000, 4, |limits| SequenceBot.analyse(&Situation { view: &view, earlier: &[] }, limits));
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    assert_eq!(result.scored.len(), actions.len());
    assert!(actions.iter().all(|action| result.scored.iter().any(|scored| scored.action == *action)));
    assert!(result.scored.is_sorted_by(|a, b| a.value >= b.value));
    let exact = result.scored.iter().filter(|scored| scored.value.is_exact());
    assert_eq!(exact.map(|scored| scored.value).collect::<Vec<_>>(), [Value::win_in(1), Value::win_in(1)]);
    assert_eq!(result.value, Value::win_in(1));
}

#[test]
fn a_seed_and_a_node_limit_decide_the_choice() {
    let position = game("*.....*/......./......./......./......./*.....* 1 bear+cat+unicorn|cow+fox+owl -|- 0 0");
    let result = chosen(&position, 8, 20_000, 5);
    assert_eq!(result, chosen(&position, 8, 20_000, 5));
    assert!(result.nodes <= 20_000, "{}", result.nodes);
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
    let deadline = Duration::from_millis(30);
    let mut limits = Limits::until(&now, deadline).with_stop(&stop).with_seed(1);
    SequenceBot.choose(&situation, Level::HIGHEST, &limits);
    SequenceBot.analyse(&situation, &limits);
    assert!(looks.load(Ordering::Relaxed) < 40, "it looked on after the deadline");
    stop.store(true, Ordering::Relaxed);
    limits.deadline = None;
    assert!(SequenceBot.choose(&situation, Level::HIGHEST, &limits).nodes < 600);
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
    after.play(greedy(&own_view(&before))).unwrap();
    after.play("draw:cow".parse().unwrap()).unwrap();
    let viewer = Viewer::Seat(Seat::ONE);
    let (view, earlier) = (after.view(viewer), [before.view(viewer)]);
    let belief = with_limits(100_000, 1, |limits| {
        Belief::of(&Situation { view: &view, earlier: &earlier }, 20, &Pictures::of(&view), &mut limits.meter())
    });
    let (mut random, mut with_cow, mut with_both) = (Random::new(1), 0, 0);
    for _ in 0..3_000 {
        let guess = belief.draw(&mut random);
        assert_eq!(guess.view(viewer), view, "a guess agrees with the view");
        let completing = |card: &&Card| matches!(card, Card::Cow | Card::Unicorn);
        match guess.hand(Seat::TWO).iter().filter(completing).count() {
            0 => {}
            1 => with_cow += 1,
            _ => with_both += 1,
        }
    }
    // One card was drawn since, and it may be one of them; two cannot be, but for a whim.
    assert!((100..1_000).contains(&with_cow) && with_both < 20, "{with_cow} with one, {with_both} with two");
}

#[test]
fn what_a_careful_player_did_tells_its_hand_better_than_chance() {
    let (mut told, mut by_chance, mut asked) = (0, 0, 0);
    for number in 0..30 {
        let (mut position, mut deal) = (Sequence::start(&Default::default()), Deal::new(number));
        let (viewer, mut earlier, mut random) = (Viewer::Seat(Seat::ONE), Vec::new(), Random::new(number));
        while !matches!(position.turn(), Turn::Over(_)) {
            let action = match position.turn() {
                Turn::Seat(seat) => {
                    let view = position.view(viewer);
                    if seat == Seat::ONE && earlier.len() > 8 {
                        let situation = Situation { view: &view, earlier: &earlier };
                        let pictures = Pictures::of(&view);
                        let belief = with_limits(100_000, 1, |limits| {
                            Belief::of(&situation, 20, &pictures, &mut limits.meter())
                        });
                        for _ in 0..20 {
                            let right = |guess: Sequence| {
                                let hand = position.hand(Seat::TWO);
                                guess.hand(Seat::TWO).iter().filter(|card| hand.contains(card)).count()
                            };
                            told += right(belief.draw(&mut random));
                            by_chance += right(Sequence::guess(&view, &mut |n| random.below(n)));
                            asked += 1;
                        }
                    }
                    earlier.push(view);
                    greedy(&position.view(Viewer::Seat(seat)))
                }
                _ => deal.next(&position),
            };
            position.play_unchecked(action);
        }
    }
    assert!(asked > 500 && 5 * told > 6 * by_chance, "{told} cards right, {by_chance} by chance, {asked} hands");
}

#[test]
fn as_much_is_recalled_as_is_looked_back_upon() {
    for (players, number) in [("2", 1), ("3", 2), ("4", 3)] {
        let options = format!("players={players}").parse().unwrap();
        let (mut position, mut deal, mut random) = (Sequence::start(&options), Deal::new(number), Random::new(number));
        let (viewer, mut earlier, mut actions) = (Viewer::Seat(Seat::ONE), Vec::new(), ActionList::new());
        while !matches!(position.turn(), Turn::Over(_)) {
            let view = position.view(viewer);
            if position.turn() == Turn::Seat(Seat::ONE) {
                let recalled = (1..=earlier.len()).take_while(|&back| SequenceBot::recalls(&view, &view, back)).count();
                for seat in Seat::all(position.seats()) {
                    let looked_back = |earlier: &[SequenceView]| {
                        let situation = Situation { view: &view, earlier };
                        belief::clues(&situation, seat, MEMORY).len()
                    };
                    assert_eq!(looked_back(&earlier), looked_back(&earlier[earlier.len() - recalled..]));
                }
            }
            earlier.push(view);
            let action = match position.turn() {
                Turn::Chance => deal.next(&position),
                _ => {
                    position.actions(&mut actions);
                    actions[random.below(actions.len() as u32) as usize]
                }
            };
            position.play_unchecked(action);
        }
    }
}
