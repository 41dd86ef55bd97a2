//! `fourfold arena`: who is stronger, and how sure that is.

mod contest;
mod contestant;
mod deal;
mod external;
mod ladder;
mod statistics;

pub(crate) use contestant::Allowance;
pub(crate) use external::External;

use std::error::Error;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use game::Game;
use locale::Language;
use search::Level;

use contest::{Contest, Results};
use contestant::Contestant;
use statistics::{Scores, elo_of};

use crate::value;

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
    #[arg(long, value_name = "FROM-TO", value_parser = value::levels, conflicts_with_all = ["a", "b", "sprt"])]
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
    #[arg(long, value_name = "ELO0,ELO1", value_parser = value::two_elos)]
    sprt: Option<(f64, f64)>,
    /// Games at a time.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// The seed of deals, openings and bots.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Megabytes for the tables of each player.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = value::megabytes)]
    hash: u32,
    /// Save all records to this file.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Draw the ratings of a round robin into this SVG file.
    #[arg(long, value_name = "FILE", requires = "levels")]
    plot: Option<PathBuf>,
}

/// Runs the contest and prints its result.
pub fn run(arguments: &ArenaArguments, language: Language) -> Result<(), Box<dyn Error>> {
    let seats = arguments.game.start();
    let hides = seats.hides();
    if hides && [&arguments.a, &arguments.b].into_iter().flatten().any(|who| matches!(who, Contestant::External(_))) {
        return Err(language.arena_hidden_hands(&arguments.game).into());
    }
    if arguments.games == 0 || arguments.jobs == 0 {
        return Err(language.arena_at_least_one().into());
    }
    if let Some((from, to)) = arguments.levels {
        return ladder::run(arguments, from, to, language);
    }
    let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else { return Err(language.arena_both("--a", "--b").into()) };
    let began = Instant::now();
    let results = arguments.contest(a, b, arguments.games, |scores| {
        progress(scores, arguments.games);
        arguments.sprt.is_some_and(|(low, high)| scores.likelihood(low, high).abs() >= CLEAR)
    });
    end_progress();
    report(arguments, (a, b), &results, began.elapsed(), language)?;
    match &arguments.records {
        Some(file) => write_file(file, &results.records.join("\n"), language),
        None => Ok(()),
    }
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
            allowance: Allowance { time, nodes: self.nodes, memory: (self.hash as usize) << 20 },
            seed: self.seed,
            opening,
            jobs: self.jobs,
        }
        .run(watch)
    }
}

fn write_file(file: &Path, text: &str, language: Language) -> Result<(), Box<dyn Error>> {
    fs::write(file, text).map_err(|problem| language.error_file_unwritable(file.display(), problem).into())
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

fn report(
    arguments: &ArenaArguments,
    (a, b): (&Contestant, &Contestant),
    results: &Results,
    took: Duration,
    l: Language,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let scores = &results.scores;
    let (low, high) = scores.interval();
    let start = arguments.game.start();
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    // Adding zero turns a negative zero into a plain one.
    let elo = |share: f64| format!("{:+.0}", elo_of(share) + 0.0);
    writeln!(out, "{}", l.arena_head(&arguments.game, a, b, scores.games(), took.as_secs()))?;
    writeln!(out, "{}", l.arena_counts(scores.wins, scores.draws, scores.losses))?;
    writeln!(out, "{}", l.arena_score(percent(scores.mean()), percent(low), percent(high)))?;
    if contest::sides(start.as_ref()) == 2 {
        writeln!(out, "{}", l.arena_elo(elo(scores.mean()), elo(low), elo(high)))?;
    } else {
        writeln!(out, "{}", l.arena_even(percent(1.0 / f64::from(start.seats()))))?;
    }
    if let Some((elo0, elo1)) = arguments.sprt {
        let likelihood = scores.likelihood(elo0, elo1);
        let verdict = match likelihood {
            it if it >= CLEAR => l.arena_stronger(),
            it if it <= -CLEAR => l.arena_not_stronger(),
            _ => l.arena_not_clear(),
        };
        writeln!(out, "SPRT {elo0:+}, {elo1:+}: {likelihood:.2} / ±{CLEAR} ({verdict})")?;
    }
    for ((who, fault), count) in &results.faults {
        writeln!(out, "{}", l.arena_fault(fault.told(who, l), count))?;
    }
    Ok(())
}
