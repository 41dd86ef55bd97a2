//! `trial loadtest`: many tables of real clients that play legal random games and check every message.

mod disk;
mod numbers;
mod player;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use futures_util::StreamExt;
use game::GameId;
use tokio::sync::Semaphore;

use crate::program::{Node, Program};
use crate::services::Services;
use numbers::Numbers;

/// How much load, and on what.
#[derive(Debug, Args)]
pub(crate) struct LoadtestArguments {
    /// How many tables; several numbers, with commas, are measured one after another
    #[arg(long, default_value = "250", value_delimiter = ',')]
    tables: Vec<usize>,
    /// Actions per second over all tables; default: half as many as there are tables
    #[arg(long)]
    rate: Option<f64>,
    /// Seconds to measure, after all players are seated
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// The games, in turn; default: every game
    #[arg(long, value_delimiter = ',')]
    games: Vec<String>,
    /// The clock of each table
    #[arg(long, default_value = "turn=600")]
    clock: String,
    /// A server that runs already, such as http://127.0.0.1:8080; default: one is started for each number of tables
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The database of the servers that are started; default: a new SQLite file
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Measure one node, two and so on up to this many, with PostgreSQL and NATS; without --database and --bus both are
    /// started
    #[arg(long)]
    nodes: Option<usize>,
    /// The broker of the nodes that are started
    #[arg(long, value_name = "URL")]
    bus: Option<String>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl LoadtestArguments {
    /// The game of the table with this number.
    fn game(&self, number: usize) -> String {
        let given = self.games.get(number % self.games.len().max(1)).cloned();
        given.unwrap_or_else(|| GameId::ALL[number % GameId::ALL.len()].name().to_owned())
    }
}

/// How many clients connect at the same time.
const AT_ONCE: usize = 32;

/// Runs the load test and prints what was measured.
pub(crate) async fn run(arguments: &LoadtestArguments, program: &Program) -> Result<(), String> {
    println!(
        "{:>5} {:>7} {:>8} {:>9} {:>8} {:>8} {:>8} {:>11} {:>11} {:>11} {:>7} {:>8} {:>8} {:>8}",
        "nodes",
        "tables",
        "asked/s",
        "actions/s",
        "p50 ms",
        "p99 ms",
        "max ms",
        "screen p50",
        "screen p99",
        "disk p99 ms",
        "MB",
        "kB/table",
        "events",
        "problems"
    );
    let mut problems = Vec::new();
    let services = match (arguments.nodes, &arguments.database, &arguments.bus) {
        (Some(_), None, None) => Some(Services::start().await?),
        (Some(_), None, _) | (Some(_), _, None) => {
            return Err("several nodes need both --database and --bus, or neither".to_owned());
        }
        _ => None,
    };
    for &tables in &arguments.tables {
        for nodes in 1..=arguments.nodes.unwrap_or(1) {
            let backing = Backing {
                database: services.as_ref().map(|own| own.database.as_str()).or(arguments.database.as_deref()),
                bus: services.as_ref().map(|own| own.bus.as_str()).or(arguments.bus.as_deref()),
            };
            problems.extend(one(arguments, program, tables, nodes, backing).await?);
        }
    }
    crate::report(&problems)
}

/// What the servers that are started stand on.
#[derive(Clone, Copy)]
struct Backing<'a> {
    database: Option<&'a str>,
    bus: Option<&'a str>,
}

async fn start(program: &Program, nodes: usize, backing: Backing<'_>) -> Result<Vec<Node>, String> {
    let flags: Vec<&str> = backing.bus.iter().flat_map(|bus| ["--bus", bus]).collect();
    let mut started = Vec::new();
    for _ in 0..nodes {
        started.push(program.serve(backing.database, &flags).await?);
    }
    Ok(started)
}

async fn one(
    arguments: &LoadtestArguments,
    program: &Program,
    tables: usize,
    nodes: usize,
    backing: Backing<'_>,
) -> Result<Vec<String>, String> {
    let started = match arguments.server {
        Some(_) => Vec::new(),
        None => start(program, nodes, backing).await?,
    };
    let servers: Vec<String> =
        arguments.server.iter().cloned().chain(started.iter().map(|node| node.address.clone())).collect();
    let memory = || started.iter().map(Node::memory).sum::<Option<u64>>().filter(|bytes| *bytes > 0);
    let before = memory();
    let rate = arguments.rate.unwrap_or(tables as f64 / 2.0);
    let (stop, stop_receiver) = tokio::sync::watch::channel(false);
    let plan = Arc::new(player::Plan {
        servers: servers.clone(),
        clock: arguments.clock.clone(),
        think: Duration::from_secs_f64(tables as f64 / rate.max(0.001)),
        numbers: Numbers::default(),
        seats: Semaphore::new(AT_ONCE),
        stop: stop_receiver,
        seen: Mutex::default(),
    });
    let mut players = Vec::new();
    for number in 0..tables {
        let seed = arguments.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        players.push(tokio::spawn(player::table(plan.clone(), number, arguments.game(number), seed)));
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
    let after = memory();
    let disk = disk.finish();
    stop.send_replace(true);
    for player in players {
        let _ = player.await;
    }
    let mut problems = measured.problems.clone();
    problems.extend(compare(&plan, &servers).await);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let per_table = before.zip(after).map(|(before, after)| after.saturating_sub(before) as f64 / 1e3 / tables as f64);
    let show = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
    println!(
        "{nodes:>5} {tables:>7} {rate:>8.0} {:>9.0} {:>8.1} {:>8.1} {:>8.1} {:>11.1} {:>11.1} {disk:>11.1} {:>7} {:>8} \
         {:>8} {:>8}",
        measured.count() as f64 / seconds,
        measured.percentile(50.0),
        measured.percentile(99.0),
        measured.percentile(100.0),
        measured.screen(50.0),
        measured.screen(99.0),
        show(after.map(megabytes)),
        show(per_table),
        measured.events,
        problems.len(),
    );
    for node in started {
        node.kill().await;
    }
    Ok(problems)
}

/// Compares what every client saw with the log, through another node than its own where there is one.
async fn compare(plan: &player::Plan, servers: &[String]) -> Vec<String> {
    let seen = std::mem::take(&mut *plan.seen.lock().unwrap_or_else(PoisonError::into_inner));
    let looks = seen.iter().enumerate().map(|(number, seen)| player::compare(seen, &servers[number % servers.len()]));
    let found: Vec<Option<String>> = futures_util::stream::iter(looks).buffer_unordered(AT_ONCE).collect().await;
    found.into_iter().flatten().collect()
}

async fn wait_until_seated(numbers: &Numbers, tables: usize) -> Result<(), String> {
    let mut last = (0, Instant::now());
    loop {
        let seated = numbers.seated();
        if seated >= tables {
            return Ok(());
        }
        if let Some(problem) = numbers.first_problem() {
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
