//! `simulate [--seed N] [--seeds COUNT] [--minutes M] [--trace] [--first]`

use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use simulator::{Plan, Witness, run, shrink};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
runs nodes, a database, a broker and clients on simulated time, with faults, and checks what is promised

usage: cargo xtask simulate [--seed N] [--seeds COUNT] [--minutes M] [--trace] [--first]

  --seed N       the first seed, default: a new one
  --seeds COUNT  how many seeds, default: 20
  --minutes M    as many seeds as fit into M minutes
  --trace        prints what happens in the first seed, line by line
  --first        stops at the first seed that fails, without looking for a smaller plan
";

struct Options {
    seed: u64,
    seeds: u64,
    limit: Option<Duration>,
    trace: bool,
    /// Whether a plan that fails is left as it is.
    first: bool,
}

fn options() -> Result<Options, String> {
    let fresh = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64 % 1_000_000_000);
    let mut options = Options { seed: fresh, seeds: 20, limit: None, trace: false, first: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = |what: &str| -> Result<f64, String> {
            let text = arguments.next().ok_or_else(|| format!("{what} needs a number"))?;
            text.parse().map_err(|_| format!("{text:?} is no number for {what}"))
        };
        match argument.as_str() {
            "--seed" => options.seed = number("--seed")? as u64,
            "--seeds" => options.seeds = number("--seeds")? as u64,
            "--minutes" => {
                options.limit = Some(Duration::from_secs_f64(number("--minutes")?.clamp(0.0, 1e6) * 60.0));
                options.seeds = u64::MAX;
            }
            "--first" => options.first = true,
            "--trace" => (options.trace, options.seeds) = (true, 1),
            other => return Err(format!("unknown argument {other:?}\n\n{HELP}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match options() {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("simulate: {problem}");
            return ExitCode::from(2);
        }
    };
    println!("from seed {}", options.seed);
    let began = Instant::now();
    let (mut seeds, mut commands, mut faults, mut fewest) = (0_u64, 0, 0, u64::MAX);
    for seed in options.seed..options.seed.saturating_add(options.seeds) {
        if options.limit.is_some_and(|limit| began.elapsed() >= limit) {
            break;
        }
        let plan = Plan::new(seed);
        let witness = if options.trace { Witness::with_story() } else { Witness::default() };
        let outcome = run(&plan, &witness);
        if options.trace {
            witness.story().iter().for_each(|line| println!("{line}"));
            println!(
                "{} tables, {} entries, fingerprint {:016x}",
                outcome.tables, outcome.entries, outcome.fingerprint
            );
        }
        if !outcome.problems.is_empty() && options.first {
            println!("found at seed {seed} after {seeds} clean ones: {}", outcome.problems[0]);
            return ExitCode::FAILURE;
        }
        if !outcome.problems.is_empty() {
            return failed(&plan, &outcome.problems);
        }
        seeds += 1;
        commands += outcome.commands;
        fewest = fewest.min(outcome.commands);
        faults += plan.faults.len();
    }
    let (elapsed, seconds) = (began.elapsed(), processor_time().unwrap_or(began.elapsed()).as_secs_f64());
    println!(
        "{seeds} seeds clean in {:.1} s, {seconds:.1} s of them on a processor: {:.2} seeds and {:.0} commands a second of \
         processor time; {commands} commands ({fewest} at least in a seed) and {faults} faults",
        elapsed.as_secs_f64(),
        seeds as f64 / seconds,
        commands as f64 / seconds
    );
    ExitCode::SUCCESS
}

/// How long this program, which has one thread, has run on a processor, where the system says so: what it took on a machine
/// that others use as well.
fn processor_time() -> Option<Duration> {
    let numbers = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    numbers.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Prints what went wrong, shrinks the plan, and prints the story of the smallest.
fn failed(plan: &Plan, problems: &[String]) -> ExitCode {
    println!("seed {} FAILED:", plan.seed);
    problems.iter().take(10).for_each(|problem| println!("  {problem}"));
    println!("looking for a smaller plan that fails …");
    let smallest = shrink(plan, &problems[0], |plan| {
        println!("  {} clients, {} faults, {} s", plan.clients.len(), plan.faults.len(), plan.length.as_secs());
    });
    let witness = Witness::with_story();
    let outcome = run(&smallest, &witness);
    witness.story().iter().for_each(|line| println!("{line}"));
    outcome.problems.iter().for_each(|problem| println!("PROBLEM {problem}"));
    println!("repeat it: cargo xtask simulate --seed {} --trace", plan.seed);
    ExitCode::FAILURE
}
