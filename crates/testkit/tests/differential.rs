//! The real rules against slow ones written a second time: along random games and over the perft tables.

#![allow(clippy::unwrap_used, reason = "the texts come from the real rules; a panic is the test's answer")]

mod naive;

use naive::Naive;
use rules::four::Four;
use rules::quarto::Quarto;
use rules::quixo::Quixo;
use rules::sequence::Sequence;
use rules::{ActionList, Position, Seat, game_text};
use search::Random;
use testkit::tables::{self, perft};
use testkit::{every_option, random_action};

/// Plays random games on both and compares what is legal at every step.
fn agree<P: Position, N: Naive>(games: u64, limit: usize, choose: fn(&P, &mut Random) -> Option<P::Action>) -> u64 {
    let mut compared = 0;
    let all = every_option::<P::Options>();
    // Four has hundreds of combinations; every seventh meets each pair of values.
    let stride = if all.len() > 100 { 7 } else { 1 };
    for options in all.into_iter().step_by(stride) {
        for seed in 0..games {
            let game = game_text::<P>(&options);
            let mut random = Random::new(seed + 100);
            let mut position = P::start(&options);
            let mut slow = N::read(&naive::options(&game), &position.to_string());
            for step in 0..limit {
                let mut actions = ActionList::new();
                position.actions(&mut actions);
                let mut legal: Vec<String> = actions.iter().map(P::Action::to_string).collect();
                let mut expected = slow.legal();
                legal.sort();
                expected.sort();
                assert_eq!(legal, expected, "{game} at {position}, step {step} of game {seed}");
                compared += 1;
                let Some(action) = choose(&position, &mut random) else { break };
                position.play_unchecked(action);
                slow.play(&action.to_string());
                // Half of the time the slow game reads the text anew, so that texts are checked along with memory.
                if random.below(2) == 0 {
                    slow = N::read(&naive::options(&game), &position.to_string());
                }
            }
        }
    }
    compared
}

/// Stones placed at random seldom capture; this picks a capture where a glance finds one.
fn hungry(position: &Four, random: &mut Random) -> Option<<Four as Position>::Action> {
    let points = |position: &Four| position.points(Seat::ONE) + position.points(Seat::TWO);
    for _ in 0..150 {
        let action = random_action(position, random)?;
        let mut next = *position;
        next.play_unchecked(action);
        if points(&next) > points(position) {
            return Some(action);
        }
    }
    random_action(position, random)
}

#[test]
fn quixo_agrees_with_a_second_opinion() {
    agree::<Quixo, naive::quixo::Quixo>(40, 200, random_action);
}

#[test]
fn quarto_agrees_with_a_second_opinion() {
    agree::<Quarto, naive::quarto::Quarto>(6, 60, random_action);
}

#[test]
fn sequence_agrees_with_a_second_opinion() {
    agree::<Sequence, naive::sequence::Sequence>(12, 600, random_action);
}

#[test]
fn four_agrees_with_a_second_opinion() {
    let compared = agree::<Four, naive::four::Four>(1, 160, hungry);
    assert!(compared > 3_000, "{compared} positions");
}

/// The tables that `search::perft` made, counted a second time as far as slow rules get in a moment.
fn tables_agree<N: Naive>(file: &str, largest: u64) {
    let text = std::fs::read_to_string(tables::folder("perft").join(file)).unwrap();
    let entries = perft::read(&text);
    assert!(entries.len() >= 10, "{file} has only {} positions", entries.len());
    for entry in entries {
        let position = N::read(&naive::options(&entry.game), &entry.position);
        for (index, &count) in entry.counts.iter().enumerate().filter(|(_, count)| **count <= largest) {
            let slow = naive::perft(&position, index + 1);
            assert_eq!(slow, count, "{} ; {}, depth {}", entry.game, entry.position, index + 1);
        }
    }
}

#[test]
fn perft_tables_agree_with_a_second_opinion() {
    tables_agree::<naive::quixo::Quixo>("quixo.txt", 90_000);
    tables_agree::<naive::quarto::Quarto>("quarto.txt", 20_000);
    tables_agree::<naive::sequence::Sequence>("sequence.txt", 20_000);
    tables_agree::<naive::four::Four>("four.txt", 30_000);
}
