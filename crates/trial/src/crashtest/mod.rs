//! `trial crashtest`: kills a server under load again and again, and checks that no acknowledged action is lost.

mod check;
mod pair;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use search::Random;
use tokio::sync::watch;

use crate::program::{Node, Program};
use pair::Played;

/// How often to kill, and how much load to kill it under.
#[derive(Debug, Args)]
pub(crate) struct CrashtestArguments {
    /// How often the server is killed
    #[arg(long, default_value_t = 50)]
    kills: u32,
    /// How many tables play meanwhile
    #[arg(long, default_value_t = 40)]
    tables: usize,
    /// The shortest time between a start and the next kill, in milliseconds; the longest is four times that
    #[arg(long, default_value_t = 400)]
    between: u64,
    /// How long the server stays dead, in milliseconds: clocks must not run meanwhile
    #[arg(long, default_value_t = 300)]
    dead: u64,
    /// The database; default: a new SQLite file
    #[arg(long, value_name = "URL", conflicts_with = "server")]
    database: Option<String>,
    /// A server that runs already, such as http://127.0.0.1:8080, and that another program stops and starts: nothing is
    /// killed
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// How long to play on that server; default: until standard input ends, then one more action at every table and a whole
    /// game at one of them
    #[arg(long, requires = "server")]
    seconds: Option<u64>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How long a table may take for an action, a restart of the server included.
const PATIENCE: Duration = Duration::from_secs(60);

/// The state that the clients and the killer share.
struct Shared {
    /// Where the server is; empty while it is dead.
    address: watch::Receiver<String>,
    /// Becomes true when the clients are to stop.
    stop: watch::Receiver<bool>,
    /// Every game, with its acknowledged actions.
    games: Mutex<Vec<Played>>,
    /// How many actions were acknowledged at each table, all its games together.
    acknowledged: Vec<AtomicU64>,
    problems: Mutex<Vec<String>>,
}

impl Shared {
    fn new(tables: usize, address: watch::Receiver<String>, stop: watch::Receiver<bool>) -> Arc<Shared> {
        let acknowledged = (0..tables).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Shared { address, stop, games: Mutex::default(), acknowledged, problems: Mutex::default() })
    }

    /// Waits until another action has been acknowledged at every table; complains if that takes too long.
    async fn goes_on_everywhere(&self) {
        let count = |table: &AtomicU64| table.load(Ordering::Relaxed);
        let before: Vec<u64> = self.acknowledged.iter().map(count).collect();
        let all = || self.acknowledged.iter().zip(&before).all(|(table, before)| count(table) > *before);
        self.wait_for(all, "an action was not acknowledged at every table").await;
    }

    /// Waits until a game has come to its end.
    async fn a_game_ends(&self) {
        let any = || !self.games.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        self.wait_for(any, "no game came to its end").await;
    }

    async fn wait_for(&self, is_so: impl Fn() -> bool, otherwise: &str) {
        let began = Instant::now();
        while !is_so() {
            if began.elapsed() > PATIENCE {
                return self.complain(format!("{otherwise} within {} seconds", PATIENCE.as_secs()));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn complain(&self, what: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }
}

/// Runs the crash test and prints what was found.
pub(crate) async fn run(arguments: &CrashtestArguments, program: &Program) -> Result<(), String> {
    match &arguments.server {
        Some(server) => outlive(arguments, server).await,
        None => kill(arguments, program).await,
    }
}

/// Plays on a server that another program stops and starts.
async fn outlive(arguments: &CrashtestArguments, server: &str) -> Result<(), String> {
    let (_address, address) = watch::channel(server.to_owned());
    let (stop, stop_receiver) = watch::channel(false);
    let shared = Shared::new(arguments.tables, address, stop_receiver);
    let began = Instant::now();
    let pairs = pairs(arguments, &shared);
    match arguments.seconds {
        Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
        None => {
            shared.goes_on_everywhere().await;
            println!("every table plays");
            let input = tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
            input.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
            shared.goes_on_everywhere().await;
            shared.a_game_ends().await;
        }
    }
    stop.send_replace(true);
    for pair in pairs {
        let _ = tokio::time::timeout(Duration::from_secs(30), pair).await;
    }
    // How long the server lived is not known, so that clocks are not compared.
    let result = check::all(&shared, server, &[]).await;
    println!("{} seconds: {result}", began.elapsed().as_secs());
    let problems = std::mem::take(&mut *shared.problems.lock().unwrap_or_else(PoisonError::into_inner));
    crate::report(&problems)
}

fn pairs(arguments: &CrashtestArguments, shared: &Arc<Shared>) -> Vec<tokio::task::JoinHandle<()>> {
    let seed = |number: usize| arguments.seed ^ (number as u64 + 1) << 16;
    (0..arguments.tables).map(|number| tokio::spawn(pair::play(shared.clone(), number, seed(number)))).collect()
}

async fn kill(arguments: &CrashtestArguments, program: &Program) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("fourfold-crash-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let own = folder.join("fourfold.db").display().to_string();
    let database = arguments.database.clone().unwrap_or(own);
    let (address, address_receiver) = watch::channel(String::new());
    let (stop, stop_receiver) = watch::channel(false);
    let shared = Shared::new(arguments.tables, address_receiver, stop_receiver);
    let mut random = Random::new(arguments.seed);
    let mut server = Some(program.serve(Some(&database), &[]).await?);
    let mut alive: Vec<(Instant, Option<Instant>)> = vec![(Instant::now(), None)];
    publish(&address, server.as_ref());
    let pairs = pairs(arguments, &shared);
    let spread = u32::try_from(arguments.between * 3).unwrap_or(u32::MAX).max(1);
    for kill in 1..=arguments.kills {
        let wait = arguments.between + u64::from(random.below(spread));
        tokio::time::sleep(Duration::from_millis(wait)).await;
        if let Some(server) = server.take() {
            server.kill().await;
        }
        if let Some(last) = alive.last_mut() {
            last.1 = Some(Instant::now());
        }
        address.send_replace(String::new());
        tokio::time::sleep(Duration::from_millis(arguments.dead)).await;
        server = Some(program.serve(Some(&database), &[]).await?);
        alive.push((Instant::now(), None));
        publish(&address, server.as_ref());
        if kill % 10 == 0 {
            println!("killed {kill} times");
        }
    }
    // A client that lost an acknowledgement gets the time to send its request again.
    tokio::time::sleep(Duration::from_secs(3)).await;
    stop.send_replace(true);
    for pair in pairs {
        let _ = tokio::time::timeout(Duration::from_secs(30), pair).await;
    }
    let result = check::all(&shared, &address.borrow().clone(), &alive).await;
    if let Some(server) = server {
        server.kill().await;
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{} kills: {result}", arguments.kills);
    let problems = std::mem::take(&mut *shared.problems.lock().unwrap_or_else(PoisonError::into_inner));
    crate::report(&problems)
}

fn publish(address: &watch::Sender<String>, server: Option<&Node>) {
    address.send_replace(server.map_or_else(String::new, |server| server.address.clone()));
}
