//! `fourfold bench`: how fast the rules are, and a signature that changes when they do.

mod overrun;
mod thinking;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use game::{BadGame, Game, GameId};
use locale::Language;
use search::Random;
use serde_json::json;

/// Arguments of `fourfold bench`.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// Seconds per game; 0 prints the signatures only.
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS", value_parser = crate::value::seconds)]
    time: f64,
    /// Games to measure, such as `quixo(players=4)`; without any, all with their main options. The word `search`
    /// measures the players instead, the word `overrun` whether they keep their time.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Print one JSON object for each game.
    #[arg(long)]
    json: bool,
}

/// Every game with the options that change the work, as the game describes them.
fn usual() -> Vec<Game> {
    let games = GameId::ALL.into_iter().flat_map(|id| id.bench_rules().iter().map(move |options| (id, options)));
    games.filter_map(|(id, options)| Game::with_options(id, options).ok()).collect()
}

/// Games from the fixed seed that make up a signature.
const SIGNATURE_GAMES: u32 = 100;
/// A random game that is not over by then is cut off.
const LONGEST: u32 = 100_000;
const SEED: u64 = 4;

/// Measures and prints a table, then the signature of all lines together.
pub fn run(arguments: &BenchArguments, language: Language) -> Result<(), Box<dyn std::error::Error>> {
    if arguments.games.iter().any(|game| game == "search") {
        return Ok(thinking::run(language, arguments.json)?);
    }
    if arguments.games.iter().any(|game| game == "overrun") {
        return Ok(overrun::run(language, arguments.json)?);
    }
    let named = || arguments.games.iter().map(|name| name.parse()).collect::<Result<_, BadGame>>();
    let games: Vec<Game> = if arguments.games.is_empty() { usual() } else { named()? };
    let mut out = io::stdout().lock();
    let pace = reference();
    let time = Duration::from_secs_f64(arguments.time);
    if arguments.json {
        for game in games {
            let Line { games, actions, signature } = measure(&game, time);
            let (game, per_second) = (game.to_string(), |number: f64| number.round());
            let (games, actions) = (per_second(games), per_second(actions));
            writeln!(
                out,
                "{}",
                json!({ "game": game, "games_per_second": games, "actions_per_second": actions,
                "reference_per_second": pace.round(), "signature": signature })
            )?;
        }
        return Ok(());
    }
    writeln!(out, "{}", language.bench_reference(format!("{pace:.0}")))?;
    let l = language;
    writeln!(
        out,
        "{:<28}{:>12}{:>14}{:>8}{:>12}",
        l.bench_random_play(),
        l.bench_games(),
        l.bench_actions(),
        l.bench_ratio(),
        l.bench_signature()
    )?;
    let mut total = 0;
    for game in games {
        let Line { games, actions, signature } = measure(&game, time);
        let ratio = 1000.0 * actions / pace;
        writeln!(out, "{:<28}{games:>12.0}{actions:>14.0}{ratio:>8.1}{signature:>12}", game.to_string())?;
        out.flush()?;
        total += signature;
    }
    writeln!(out, "Bench: {total}")?;
    Ok(())
}

/// How fast this machine draws random numbers: something to compare with that never changes with the rules.
fn reference() -> f64 {
    const NUMBERS: u32 = 50_000_000;
    let (began, mut random) = (Instant::now(), Random::new(SEED));
    let sum = (0..NUMBERS).fold(0u64, |sum, _| sum.wrapping_add(random.next_u64()));
    std::hint::black_box(sum);
    f64::from(NUMBERS) / began.elapsed().as_secs_f64()
}

struct Line {
    games: f64,
    actions: f64,
    signature: u64,
}

fn measure(game: &Game, time: Duration) -> Line {
    let start = game.start();
    let mut random = Random::new(SEED);
    let signature = start.random_games(SIGNATURE_GAMES, LONGEST, &mut random);
    // Enough games at a time that neither the clock nor the first allocation shows.
    let at_a_time = (200_000 * SIGNATURE_GAMES / (signature as u32).max(1)).clamp(1, 100_000);
    let (began, mut games, mut actions) = (Instant::now(), 0u64, 0u64);
    while began.elapsed() < time {
        actions += start.random_games(at_a_time, LONGEST, &mut random);
        games += u64::from(at_a_time);
    }
    let seconds = began.elapsed().as_secs_f64();
    Line { games: games as f64 / seconds, actions: actions as f64 / seconds, signature }
}
