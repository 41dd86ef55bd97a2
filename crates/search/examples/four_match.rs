//! Plays two players of Four against each other, seats alternating, and prints the score with a 95 % interval.
//!
//! `cargo run --release -p search --example four_match -- size=9 8 greedy 100 1000ms`
//!
//! Each pair of games, seats exchanged, begins with the same four stones placed at random. The players are `greedy` (the shortest capture, always), `random` or a level from 1 to 8; the last argument is the
//! time of a turn (`50ms`) or the nodes of an action (`5000`).

use std::time::{Duration, Instant};

use rules::four::{Action, Four, FourOptions};
use rules::{ActionList, Outcome, Position, Seat, Side, Turn};
use search::bots::four::{Attention, FourBot, greedy};
use search::{Bot, Level, Limits, Random, Situation};

enum Player {
    Greedy,
    Random,
    Level(Level, Box<FourBot>),
}

impl Player {
    fn named(name: &str) -> Player {
        match name {
            "greedy" => Player::Greedy,
            "random" => Player::Random,
            level => Player::Level(level.parse().expect("greedy, random or a level"), Box::default()),
        }
    }

    fn choose(&mut self, seen: &[Four], budget: Budget, turn: Duration, random: &mut Random) -> Action {
        let (position, earlier) = seen.split_last().expect("a game has a start");
        match self {
            Player::Greedy => greedy(position, Attention::CLEAR, random),
            Player::Random => {
                let mut list = ActionList::new();
                position.actions(&mut list);
                list[random.below(list.len() as u32) as usize]
            }
            Player::Level(level, bot) => {
                let began = Instant::now();
                let now = move || began.elapsed();
                let (deadline, nodes) = match budget {
                    // What is left of the turn's time, however many actions it has had.
                    Budget::Time(time) => (Some(time.saturating_sub(turn)), None),
                    Budget::Nodes(nodes) => (None, Some(nodes)),
                };
                let seed = random.next_u64();
                let limits = Limits { now: &now, deadline, nodes, seed, ..Limits::unlimited() };
                bot.choose(&Situation { view: position, earlier }, *level, &limits).action
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Budget {
    Time(Duration),
    Nodes(u64),
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [options, a, b, games, budget] = arguments.as_slice() else {
        eprintln!("usage: four_match OPTIONS A B GAMES BUDGET, such as: size=9 8 greedy 100 50ms");
        std::process::exit(2);
    };
    let options: FourOptions = options.parse().expect("options such as size=9");
    let games: u32 = games.parse().expect("a number of games");
    let budget = match budget.strip_suffix("ms") {
        Some(time) => Budget::Time(Duration::from_millis(time.parse().expect("milliseconds"))),
        None => Budget::Nodes(budget.parse().expect("50ms or a number of nodes")),
    };
    let verbose = std::env::var_os("VERBOSE").is_some();
    let mut random = Random::new(2024);
    let (mut scores, mut as_first, mut longest) = (Vec::new(), 0.0, Duration::ZERO);
    for game in 0..games {
        let (mut first, mut second) = (Player::named(a), Player::named(b));
        let a_is = if game % 2 == 0 { Side::ONE } else { Side::TWO };
        if a_is == Side::TWO {
            std::mem::swap(&mut first, &mut second);
        }
        let (last, slowest) =
            play(&options, game / 2, [&mut first, &mut second], budget, &mut random, verbose && game < 2);
        longest = longest.max(slowest);
        let score: f64 = match last.turn() {
            Turn::Over(Outcome::Win(side)) => f64::from(u8::from(side == a_is)),
            _ => 0.5,
        };
        scores.push(score);
        as_first += if a_is == Side::ONE { score } else { 0.0 };
        eprint!(
            "\r{} games, {:.1} points, last {}-{} ",
            game + 1,
            scores.iter().sum::<f64>(),
            last.points(Seat::ONE),
            last.points(Seat::TWO)
        );
    }
    eprintln!();
    let count = f64::from(games);
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
    let half = 1.96 * (variance / count).sqrt();
    println!(
        "four({options}) {a} against {b}: {:.1} % ± {:.1} of {games} games ({:.1} % as seat 1, {:.1} % as seat 2), slowest turn {longest:?}",
        100.0 * mean,
        100.0 * half,
        200.0 * as_first / count,
        200.0 * (scores.iter().sum::<f64>() - as_first) / count,
    );
}

/// The start with two stones of each seat, the same for both games of a pair.
fn begin(options: &FourOptions, pair: u32) -> Four {
    let mut random = Random::new(u64::from(pair));
    let mut position = Four::start(options);
    let mut list = ActionList::new();
    for _ in 0..4 {
        position.actions(&mut list);
        position.play_unchecked(list[random.below(list.len() as u32) as usize]);
    }
    position
}

/// Plays one game; says how it ended and how long the slowest turn took.
fn play(
    options: &FourOptions,
    pair: u32,
    players: [&mut Player; 2],
    budget: Budget,
    random: &mut Random,
    verbose: bool,
) -> (Four, Duration) {
    let mut seen = vec![begin(options, pair)];
    let (mut turn, mut slowest) = (Duration::ZERO, Duration::ZERO);
    loop {
        let mut position = seen[seen.len() - 1];
        let Turn::Seat(seat) = position.turn() else { return (position, slowest) };
        if !position.has_moved() {
            turn = Duration::ZERO;
            if verbose {
                println!("\n{position}");
            }
        }
        let began = Instant::now();
        let action = players[seat.index()].choose(&seen, budget, turn, random);
        turn += began.elapsed();
        slowest = slowest.max(turn);
        if verbose {
            print!("{action} ");
        }
        position.play(action).expect("players play by the rules");
        seen.push(position);
    }
}
