//! `fourfold loadtest`: many tables of real clients that play legal random games and check everything they are told.

mod disk;
mod numbers;
mod player;
mod server;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::sync::Semaphore;

use numbers::Numbers;
pub use server::{Child, memory_of};

/// How much load, and on what.
#[derive(Debug, Args)]
pub struct LoadtestArguments {
    /// How many tables; several numbers, with commas, are measured one after another.
    #[arg(long, default_value = "250", value_delimiter = ',')]
    tables: Vec<usize>,
    /// Actions per second over all tables; without it half as many as there are tables.
    #[arg(long)]
    rate: Option<f64>,
    /// Seconds to measure, after everybody is seated.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// The games, in turn.
    #[arg(long, default_value = "quarto,quixo,four,sequence", value_delimiter = ',')]
    games: Vec<String>,
    /// The clock of each table.
    #[arg(long, default_value = "turn=600")]
    clock: String,
    /// A server that runs already, such as http://127.0.0.1:8080; without it one is started for each number of tables.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The database of the servers that are started; without it a new file of SQLite.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How many clients connect at the same time.
const AT_ONCE: usize = 32;

/// Runs the load test and prints what was measured.
pub fn run(arguments: &LoadtestArguments) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    println!(
        "{:>7} {:>9} {:>10} {:>9} {:>9} {:>9} {:>13} {:>9} {:>11} {:>9} {:>7}",
        "tables",
        "asked/s",
        "actions/s",
        "p50 ms",
        "p99 ms",
        "max ms",
        "disk p99 ms",
        "MB",
        "kB/table",
        "events",
        "wrong"
    );
    let mut wrong = Vec::new();
    for &tables in &arguments.tables {
        wrong.extend(runtime.block_on(one(arguments, tables))?);
    }
    for problem in wrong.iter().take(10) {
        println!("wrong: {problem}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} things went wrong", wrong.len())) }
}

async fn one(arguments: &LoadtestArguments, tables: usize) -> Result<Vec<String>, String> {
    let child = match &arguments.server {
        Some(_) => None,
        None => Some(Child::start(arguments.database.as_deref(), &["--requests-per-second", "0"]).await?),
    };
    let address =
        child.as_ref().map_or_else(|| arguments.server.clone().unwrap_or_default(), |child| child.address.clone());
    let before = child.as_ref().and_then(|child| memory_of(child.pid()));
    let rate = arguments.rate.unwrap_or(tables as f64 / 2.0);
    let plan = Arc::new(player::Plan {
        server: address,
        clock: arguments.clock.clone(),
        think: Duration::from_secs_f64(tables as f64 / rate.max(0.001)),
        numbers: Numbers::default(),
        seats: Semaphore::new(AT_ONCE),
    });
    let mut players = Vec::new();
    for number in 0..tables {
        let game = arguments.games[number % arguments.games.len()].clone();
        let seed = arguments.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        players.push(tokio::spawn(player::table(plan.clone(), game, seed)));
    }
    wait_until_seated(&plan.numbers, tables).await?;
    // The first moments after sitting down are not what a running server is like.
    tokio::time::sleep(Duration::from_secs(2)).await;
    plan.numbers.reset();
    let disk = disk::Probe::start();
    let began = Instant::now();
    tokio::time::sleep(Duration::from_secs(arguments.seconds)).await;
    let seconds = began.elapsed().as_secs_f64();
    let measured = plan.numbers.take();
    let after = child.as_ref().and_then(|child| memory_of(child.pid()));
    players.iter().for_each(tokio::task::JoinHandle::abort);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let per_table = before.zip(after).map(|(before, after)| after.saturating_sub(before) as f64 / 1e3 / tables as f64);
    let show = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
    println!(
        "{tables:>7} {rate:>9.0} {:>10.0} {:>9.1} {:>9.1} {:>9.1} {:>13.1} {:>9} {:>11} {:>9} {:>7}",
        measured.count() as f64 / seconds,
        measured.percentile(50.0),
        measured.percentile(99.0),
        measured.percentile(100.0),
        disk.finish(),
        show(after.map(megabytes)),
        show(per_table),
        measured.events,
        measured.wrong.len(),
    );
    drop(players);
    if let Some(child) = child {
        child.stop().await;
    }
    Ok(measured.wrong)
}

async fn wait_until_seated(numbers: &Numbers, tables: usize) -> Result<(), String> {
    let mut last = (0, Instant::now());
    loop {
        let seated = numbers.seated();
        if seated >= tables {
            return Ok(());
        }
        if let Some(problem) = numbers.first_wrong() {
            return Err(problem);
        }
        if seated > last.0 {
            last = (seated, Instant::now());
        }
        if last.1.elapsed() > Duration::from_secs(60) {
            return Err(format!("only {seated} of {tables} tables were seated"));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
