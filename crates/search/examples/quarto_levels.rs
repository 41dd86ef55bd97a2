//! Plays the levels of Quarto against their neighbours:
//! `cargo run --release -p search --example quarto_levels -- [GAMES [OPTIONS]]`.

use rules::quarto::Quarto;
use rules::{Outcome, Position, Turn};
use search::bots::quarto::QuartoBot;
use search::{Bot, Level, Limits, Situation};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(200, |text| text.parse().expect("a number of games"));
    let options = arguments.next().unwrap_or_default().parse().expect("options such as call=lapse");
    for (weak, strong) in Level::all().zip(Level::all().skip(1)) {
        let mut count = [0u64; 3];
        for game in 0..games {
            let levels = if game % 2 == 0 { [strong, weak] } else { [weak, strong] };
            let index = match play(&options, levels, game) {
                Outcome::Draw => 1,
                Outcome::Win(side) if levels[side.index()] == strong => 0,
                Outcome::Win(_) => 2,
            };
            count[index] += 1;
        }
        let score = (count[0] as f64 + 0.5 * count[1] as f64) / games as f64;
        let elo = 400.0 * (score / (1.0 - score)).log10();
        let [won, drawn, lost] = count;
        println!("level {strong} against {weak}: {won} won, {drawn} drawn, {lost} lost, {elo:+.0} Elo");
    }
}

fn play(options: &rules::quarto::QuartoOptions, levels: [Level; 2], seed: u64) -> Outcome {
    let mut bots = [QuartoBot::default(), QuartoBot::default()];
    let mut position = Quarto::start(options);
    loop {
        let seat = match position.turn() {
            Turn::Seat(seat) => seat,
            Turn::Over(outcome) => return outcome,
            Turn::Chance => unreachable!("nothing is left to chance"),
        };
        let limits = Limits::nodes(30_000)
            .with_seed(seed.wrapping_mul(2).wrapping_add(seat.index() as u64))
            .with_memory(1 << 20);
        let situation = Situation { view: &position, earlier: &[] };
        let action = bots[seat.index()].choose(&situation, levels[seat.index()], &limits).action;
        position.play(action).expect("a bot plays legal actions");
    }
}
