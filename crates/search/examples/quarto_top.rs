//! How the best level of Quarto does with 0.3 s for each action, from random positions of every option class:
//! `cargo run --release -p search --example quarto_top -- [POSITIONS [MILLISECONDS]]`.

use std::time::{Duration, Instant};

use rules::quarto::{Attributes, Call, Quarto, QuartoOptions, Squares};
use rules::{ActionList, Position, Turn};
use search::bots::quarto::QuartoBot;
use search::{Bot, Level, Limits, Random, Situation};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let positions: u32 = arguments.next().map_or(10, |text| text.parse().expect("a number of positions"));
    let budget: u64 = arguments.next().map_or(300, |text| text.parse().expect("milliseconds"));
    let clock = Instant::now();
    let now = || clock.elapsed();
    for (bits, squares) in [1, 3, 7, 15].into_iter().flat_map(|bits| Squares::ALL.map(|squares| (bits, squares))) {
        let options = QuartoOptions::new(Attributes::from_bits(bits), squares, Call::Auto).expect("some attributes");
        for empty in 9..=16 {
            let (mut slowest, mut proved) = (Duration::ZERO, 0);
            for seed in 0..positions {
                let position = position(&options, empty, seed);
                let begun = now();
                let limits =
                    Limits::until(&now, begun + Duration::from_millis(budget)).with_seed(1).with_memory(64 << 20);
                let situation = Situation { view: &position, earlier: &[] };
                let result = QuartoBot::default().choose(&situation, Level::HIGHEST, &limits);
                slowest = slowest.max(now() - begun);
                proved += u32::from(result.value.is_exact());
            }
            println!(
                "{} attributes, squares={:3}, {empty:2} empty: value proved in {proved} of {positions}, slowest {slowest:.0?}",
                options.attributes().len(),
                squares.name()
            );
        }
    }
}

/// A random position without a piece given away by mistake so far; with and without a piece in hand.
fn position(options: &QuartoOptions, empty: u32, seed: u32) -> Quarto {
    let mut random = Random::new(u64::from(seed) << 8 | u64::from(empty));
    let mut actions = ActionList::new();
    loop {
        let mut position = Quarto::start(options);
        while matches!(position.turn(), Turn::Seat(_)) {
            if position.empty().count_ones() == empty && (position.hand().is_some() || seed.is_multiple_of(2)) {
                return position;
            }
            position.actions(&mut actions);
            position.play_unchecked(actions[random.below(actions.len() as u32) as usize]);
        }
    }
}
