//! `fourfold arena`: who is stronger, and how sure that is.

mod contest;
mod contestant;
mod deal;
mod external;
mod ladder;
mod statistics;

use std::error::Error;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use search::Level;
use table::Game;

use contest::{Contest, Results};
use contestant::{Allowance, Contestant};
use statistics::{Scores, elo_of};

/// Arguments of `fourfold arena`.
#[derive(Debug, Args)]
pub struct ArenaArguments {
    /// The game, such as `quixo` or `four(size=9)`.
    #[arg(long, value_name = "GAME")]
    game: Game,
    /// The first contestant: bot:1 … bot:8, greedy, random, or ugi:COMMAND.
    #[arg(long, value_name = "WHO", required_unless_present = "levels")]
    a: Option<Contestant>,
    /// The second contestant.
    #[arg(long, value_name = "WHO", required_unless_present = "levels")]
    b: Option<Contestant>,
    /// Play a round robin between these levels instead, such as 1-8.
    #[arg(long, value_name = "FROM-TO", value_parser = levels, conflicts_with_all = ["a", "b", "sprt"])]
    levels: Option<(Level, Level)>,
    /// How many games; every deal or opening is played once with the first contestant on each side.
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: u32,
    /// Milliseconds for each action.
    #[arg(long, value_name = "MS", conflicts_with = "nodes")]
    time: Option<u64>,
    /// Nodes for each action instead of time; the result is then the same on every machine.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Random actions at the start of each game, so that games differ; without it 2, and none where cards are dealt.
    #[arg(long, value_name = "N")]
    opening: Option<u32>,
    /// Stop when it is clear (95 %) whether A is stronger by ELO0 or by ELO1, written ELO0,ELO1.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers)]
    sprt: Option<(f64, f64)>,
    /// Games at a time.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// The seed of deals, openings and bots.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Megabytes for the tables of each player.
    #[arg(long, default_value_t = 64, value_name = "MB")]
    hash: usize,
    /// Save all records to this file.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Draw the ratings of a round robin into this SVG file.
    #[arg(long, value_name = "FILE", requires = "levels")]
    plot: Option<PathBuf>,
}

fn levels(text: &str) -> Result<(Level, Level), String> {
    let read = |text: &str| text.parse().map_err(|bad: search::NoSuchLevel| bad.to_string());
    let (from, to) = text.split_once('-').ok_or("expected two levels such as 1-8")?;
    let (from, to) = (read(from)?, read(to)?);
    if from < to { Ok((from, to)) } else { Err("the first level must be the lower one".to_owned()) }
}

fn two_numbers(text: &str) -> Result<(f64, f64), String> {
    let usage = "expected two Elo differences such as 0,50, the smaller one first";
    let (low, high) = text.split_once(',').ok_or(usage)?;
    match (low.trim().parse(), high.trim().parse()) {
        (Ok(low), Ok(high)) if low < high => Ok((low, high)),
        _ => Err(usage.to_owned()),
    }
}

/// Runs the contest and prints what it says.
pub fn run(arguments: &ArenaArguments) -> Result<(), Box<dyn Error>> {
    let seats = arguments.game.start();
    let hides = seats.hides();
    if hides && [&arguments.a, &arguments.b].into_iter().flatten().any(|who| matches!(who, Contestant::External(_))) {
        return Err(format!(
            "{} has hidden hands, which the engine protocol cannot keep hidden from another program",
            arguments.game
        )
        .into());
    }
    if arguments.games == 0 || arguments.jobs == 0 {
        return Err("games and jobs must be at least 1".into());
    }
    if let Some((from, to)) = arguments.levels {
        return ladder::run(arguments, from, to);
    }
    let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else { return Err("both --a and --b are needed".into()) };
    let began = Instant::now();
    let results = arguments.contest(a, b, arguments.games, |scores| {
        progress(scores, arguments.games);
        arguments.sprt.is_some_and(|(low, high)| scores.likelihood(low, high).abs() >= CLEAR)
    });
    end_progress();
    report(arguments, a, b, &results, began.elapsed());
    if let Some(file) = &arguments.records {
        fs::write(file, results.records.join("\n")).map_err(|problem| format!("{}: {problem}", file.display()))?;
    }
    Ok(())
}

/// The likelihood ratio at which both kinds of error are at 5 %: ln(0.95/0.05).
const CLEAR: f64 = 2.944;

impl ArenaArguments {
    fn contest(&self, a: &Contestant, b: &Contestant, games: u32, watch: impl Fn(&Scores) -> bool + Sync) -> Results {
        let start = self.game.start();
        let time = if self.nodes.is_none() { Some(Duration::from_millis(self.time.unwrap_or(100))) } else { None };
        let opening = self.opening.unwrap_or(if start.hides() { 0 } else { 2 });
        Contest {
            game: self.game.clone(),
            a,
            b,
            groups: games.div_ceil(contest::sides(start.as_ref()) as u32).max(1),
            allowance: Allowance { time, nodes: self.nodes, memory: self.hash << 20 },
            seed: self.seed,
            opening,
            jobs: self.jobs,
        }
        .run(watch)
    }
}

fn progress(scores: &Scores, games: u32) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        let (done, share) = (scores.games(), f64::from(scores.games()) / f64::from(games.max(1)));
        let bar = "█".repeat((share * 30.0).min(30.0) as usize);
        let _ = write!(out, "\r{bar:░<30} {done}/{games}  {:.1} %   ", 100.0 * scores.mean());
    }
}

fn end_progress() {
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
}

fn report(arguments: &ArenaArguments, a: &Contestant, b: &Contestant, results: &Results, took: Duration) {
    let scores = &results.scores;
    let (low, high) = scores.interval();
    let start = arguments.game.start();
    let two_sided = contest::sides(start.as_ref()) == 2;
    println!("{}: {a} against {b}, {} games in {:.0} s", arguments.game, scores.games(), took.as_secs_f64());
    println!("won {}, drawn {}, lost {}", scores.wins, scores.draws, scores.losses);
    println!("score {:.1} % (95 %: {:.1} to {:.1})", 100.0 * scores.mean(), 100.0 * low, 100.0 * high);
    if two_sided {
        // Adding zero turns a negative zero into a plain one.
        println!("Elo {:+.0} (95 %: {:+.0} to {:+.0})", elo_of(scores.mean()) + 0.0, elo_of(low), elo_of(high));
    } else {
        println!("an equal player would score {:.1} %", 100.0 / f64::from(start.seats()));
    }
    if let Some((elo0, elo1)) = arguments.sprt {
        let likelihood = scores.likelihood(elo0, elo1);
        let verdict = match likelihood {
            it if it >= CLEAR => "A is stronger, as asked",
            it if it <= -CLEAR => "A is not stronger, as asked",
            _ => "not clear yet",
        };
        println!("SPRT {elo0:+} against {elo1:+}: {likelihood:.2} of ±{CLEAR} ({verdict})");
    }
    for (fault, count) in &results.faults {
        println!("fault, {count} times: {fault}");
    }
}
