//! `fourfold arena`: who is stronger, and how sure that is.

mod adjudicate;
mod contest;
mod contestant;
mod deal;
mod external;
mod interrupt;
mod ledger;
mod openings;
mod processor;
mod report;
mod statistics;
mod turn;

pub(crate) use contestant::Allowance;
pub(crate) use external::{External, Seen};

use std::error::Error;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use game::{ClockRule, Game};
use locale::Language;
use search::Level;

use adjudicate::Adjudication;
use contest::Contest;
use contestant::{Contestant, Kind};
use ledger::Ledger;
use openings::Opening;
use report::Run;
use statistics::Scores;

use crate::value::{self, WrongUse};

/// Arguments of `fourfold arena`.
#[derive(Debug, Args)]
pub struct ArenaArguments {
    /// The game, such as `quixo` or `four(size=9)`.
    #[arg(long, value_name = "GAME")]
    game: Game,
    /// The first contestant: bot:1 … bot:8, greedy, random, or ugi:COMMAND; with a name as in old=ugi:COMMAND.
    #[arg(long, value_name = "WHO", required_unless_present_any = ["levels", "engine"])]
    a: Option<Contestant>,
    /// The second contestant.
    #[arg(long, value_name = "WHO", required_unless_present_any = ["levels", "engine"])]
    b: Option<Contestant>,
    /// One of several contestants; given at least twice, everybody meets everybody.
    #[arg(long, value_name = "WHO", conflicts_with_all = ["a", "b"])]
    engine: Vec<Contestant>,
    /// Play a round robin between these levels instead, such as 1-8.
    #[arg(long, value_name = "FROM-TO", value_parser = value::levels, conflicts_with_all = ["a", "b", "engine", "sprt"])]
    levels: Option<(Level, Level)>,
    /// How many games each pairing plays; every deal or opening is played once with the first contestant on each side.
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: u32,
    /// Milliseconds for each action.
    #[arg(long, value_name = "MS", conflicts_with_all = ["nodes", "clock"])]
    time: Option<u64>,
    /// Milliseconds of processor time for each turn, which a busy machine does not shorten (on Linux); engines get as many
    /// nodes as they search in it on average.
    #[arg(long, value_name = "MS", conflicts_with_all = ["time", "nodes", "clock"])]
    cpu: Option<u64>,
    /// Nodes for each action instead of time; the result is then the same on every machine.
    #[arg(long, value_name = "N", conflicts_with = "clock")]
    nodes: Option<u64>,
    /// A clock instead of time for each action: turn=1, fischer=60+0.5, delay=60+0.5; running out of time loses.
    #[arg(long, value_name = "CLOCK", value_parser = value::clock)]
    clock: Option<ClockRule>,
    /// Random actions at the start of each game, so that games differ; without it 2, and none where cards are dealt.
    #[arg(long, value_name = "N")]
    opening: Option<u32>,
    /// A file of openings: recorded games, of which --opening actions are taken, or a line each with a position or actions.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Stop when it is clear (95 %) whether A is stronger by ELO0 or by ELO1, written ELO0,ELO1.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = value::two_elos)]
    sprt: Option<(f64, f64)>,
    /// End a game as won once both sides have expected the same winner's score, for so many actions: 0.98,6.
    #[arg(long, value_name = "SCORE,N")]
    adjudicate: Option<Adjudication>,
    /// End a game as drawn after this many actions.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    longest: usize,
    /// Games at a time.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// The seed of deals, openings and bots.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Megabytes for the tables of each player.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = value::megabytes)]
    hash: u32,
    /// Save every record to this file as soon as its game is over.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Continue an interrupted run: games that are in the file of records are not played again.
    #[arg(long, requires = "records")]
    resume: bool,
    /// Print the result as a JSON object.
    #[arg(long)]
    json: bool,
    /// Draw the ratings of a round robin into this SVG file.
    #[arg(long, value_name = "FILE", requires = "levels")]
    plot: Option<PathBuf>,
}

/// The likelihood ratio at which both kinds of error are at 5 %: ln(0.95/0.05).
const CLEAR: f64 = 2.944;

/// Runs the contest and prints its result.
pub fn run(arguments: &ArenaArguments, language: Language) -> Result<(), Box<dyn Error>> {
    let mut contestants = arguments.contestants(language)?;
    arguments.check(&contestants, language)?;
    introduce(&mut contestants, &arguments.game, language)?;
    let openings = match &arguments.openings {
        Some(path) => openings::read(path, &arguments.game, arguments.opening, language)?,
        None => Vec::new(),
    };
    let event = arguments.event(&contestants);
    let ledger = Ledger::open(event, arguments.records.as_deref(), arguments.resume, language)?;
    let stop = interrupt::watch();
    let began = Instant::now();
    let mut run =
        Run { arguments, contestants: &contestants, pairings: Vec::new(), took: Duration::ZERO, interrupted: false };
    let pairings = (0..contestants.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    for (number, (a, b)) in pairings.enumerate() {
        let contest = arguments.contest((&contestants[a], &contestants[b]), number, &openings, &stop, &ledger);
        let results = contest.run(|scores| {
            progress(scores, arguments.games);
            arguments.sprt.is_some_and(|(low, high)| scores.likelihood(low, high).abs() >= CLEAR)
        });
        end_progress();
        if let (Some(problem), Some(path)) = (&results.unwritten, &arguments.records) {
            return Err(language.error_file_unwritable(path.display(), problem).into());
        }
        if contestants.len() > 2 && io::stderr().is_terminal() {
            let score = format!("{:.1}", 100.0 * results.scores.mean());
            eprintln!("{}", language.arena_against(&contestants[a], &contestants[b], score));
        }
        run.pairings.push(((a, b), results));
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    run.took = began.elapsed();
    run.interrupted = stop.load(Ordering::Relaxed);
    match arguments.json {
        true => writeln!(io::stdout(), "{}", run.json())?,
        false => run.print(language)?,
    }
    if let Some(file) = &arguments.plot {
        write_file(file, &run.plot(language), language)?;
    }
    if run.interrupted {
        std::process::exit(interrupt::CODE);
    }
    Ok(())
}

/// Starts every engine once, so that one that is missing is refused before the first game, and asks for its name.
fn introduce(contestants: &mut [Contestant], game: &Game, language: Language) -> Result<(), Box<dyn Error>> {
    for contestant in contestants.iter_mut() {
        let Kind::External(command) = &contestant.kind else { continue };
        let engine = External::start(command, game).map_err(|fault| fault.told(&contestant.to_string(), language))?;
        contestant.name = contestant.name.take().or_else(|| engine.name.clone());
    }
    // Two copies of one program need names that can be told apart.
    for index in 1..contestants.len() {
        let name = contestants[index].to_string();
        let before = contestants[..index].iter().filter(|other| other.to_string() == name).count();
        if before > 0 {
            contestants[index].name = Some(format!("{name} ({})", before + 1));
        }
    }
    Ok(())
}

impl ArenaArguments {
    fn contestants(&self, l: Language) -> Result<Vec<Contestant>, WrongUse> {
        if let Some((from, to)) = self.levels {
            let levels = Level::all().filter(|level| (from..=to).contains(level));
            return Ok(levels.map(|level| Contestant::from(Kind::Bot(level))).collect());
        }
        if !self.engine.is_empty() {
            return Ok(self.engine.clone());
        }
        match (&self.a, &self.b) {
            (Some(a), Some(b)) => Ok(vec![a.clone(), b.clone()]),
            _ => Err(WrongUse(l.arena_both("--a", "--b"))),
        }
    }

    fn check(&self, contestants: &[Contestant], l: Language) -> Result<(), WrongUse> {
        if self.games == 0 || self.jobs == 0 || self.longest == 0 {
            return Err(WrongUse(l.arena_at_least_one().to_owned()));
        }
        if contestants.len() < 2 {
            return Err(WrongUse(l.arena_two_engines().to_owned()));
        }
        if self.cpu.is_some() && processor::of_this_thread().is_none() {
            return Err(WrongUse(l.arena_no_processor_time("--cpu")));
        }
        if self.sprt.is_some() && contestants.len() > 2 {
            return Err(WrongUse(l.usage_conflict("--sprt", "--engine")));
        }
        let sides = contest::sides(self.game.start().as_ref());
        if self.adjudicate.is_some() && sides != 2 {
            return Err(WrongUse(l.arena_adjudicates_two().to_owned()));
        }
        Ok(())
    }

    /// What decides the games of a run; records of another run are not counted as this one's.
    fn event(&self, contestants: &[Contestant]) -> String {
        let names: Vec<String> = contestants.iter().map(|contestant| contestant.kind.to_string()).collect();
        let mut words = vec![format!("arena seed={} hash={}", self.seed, self.hash)];
        words.push(match (self.clock(), self.nodes, self.cpu) {
            (Some(clock), ..) => format!("clock={clock}"),
            (None, Some(nodes), _) => format!("nodes={nodes}"),
            (None, None, Some(cpu)) => format!("cpu={cpu}"),
            (None, None, None) => format!("time={}", self.time.unwrap_or(100)),
        });
        words.push(format!("opening={} longest={}", self.random_plies(), self.longest));
        words.extend(self.openings.as_ref().map(|path| format!("openings={}", path.display())));
        words.extend(self.adjudicate.map(|rule| format!("adjudicate={rule}")));
        words.push(names.join(" / "));
        words.join(" ")
    }

    /// The clock, if there is one: without any limit a strong bot would think for ever.
    fn clock(&self) -> Option<ClockRule> {
        self.clock.filter(|clock| *clock != ClockRule::None)
    }

    fn random_plies(&self) -> u32 {
        match (&self.openings, self.opening) {
            // With a file the number says how much of each recorded game is taken.
            (Some(_), _) => 0,
            (None, Some(plies)) => plies,
            (None, None) => {
                if self.game.start().hides() {
                    0
                } else {
                    2
                }
            }
        }
    }

    fn contest<'a>(
        &self,
        (a, b): (&'a Contestant, &'a Contestant),
        pairing: usize,
        openings: &'a [Opening],
        stop: &'a AtomicBool,
        ledger: &'a Ledger,
    ) -> Contest<'a> {
        let start = self.game.start();
        let timed = self.nodes.is_none() && self.clock().is_none() && self.cpu.is_none();
        let time = timed.then(|| Duration::from_millis(self.time.unwrap_or(100)));
        Contest {
            game: self.game.clone(),
            a,
            b,
            pairing,
            groups: self.games.div_ceil(contest::sides(start.as_ref()) as u32).max(1),
            allowance: Allowance {
                time,
                nodes: self.nodes,
                processor: self.cpu.map(Duration::from_millis),
                memory: (self.hash as usize) << 20,
            },
            clock: self.clock().unwrap_or_default(),
            seed: self.seed,
            random_plies: self.random_plies(),
            openings,
            adjudication: self.adjudicate,
            longest: self.longest,
            jobs: self.jobs,
            stop,
            ledger,
        }
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
