//! `trial crashtest`: kills a server under load again and again, and checks that no acknowledged action is lost.

mod check;
mod pair;

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
    #[arg(long, value_name = "URL", requires = "seconds")]
    server: Option<String>,
    /// How long to play on that server
    #[arg(long)]
    seconds: Option<u64>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The state that the clients and the killer share.
struct Shared {
    /// Where the server is; empty while it is dead.
    address: watch::Receiver<String>,
    /// Becomes true when the clients are to stop.
    stop: watch::Receiver<bool>,
    /// Every game, with its acknowledged actions.
    games: Mutex<Vec<Played>>,
    problems: Mutex<Vec<String>>,
}

impl Shared {
    fn complain(&self, what: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }
}

/// Runs the crash test and prints what was found.
pub(crate) async fn run(arguments: &CrashtestArguments, program: &Program) -> Result<(), String> {
    match (&arguments.server, arguments.seconds) {
        (Some(server), Some(seconds)) => outlive(arguments, server, Duration::from_secs(seconds)).await,
        _ => kill(arguments, program).await,
    }
}

/// Plays on a server that another program stops and starts.
async fn outlive(arguments: &CrashtestArguments, server: &str, time: Duration) -> Result<(), String> {
    let (_address, address) = watch::channel(server.to_owned());
    let (stop, stop_receiver) = watch::channel(false);
    let shared = Arc::new(Shared { address, stop: stop_receiver, games: Mutex::default(), problems: Mutex::default() });
    let pairs = pairs(arguments, &shared);
    tokio::time::sleep(time).await;
    stop.send_replace(true);
    for pair in pairs {
        let _ = tokio::time::timeout(Duration::from_secs(30), pair).await;
    }
    // How long the server lived is not known, so that clocks are not compared.
    let result = check::all(&shared, server, &[]).await;
    println!("{} seconds: {result}", time.as_secs());
    let problems = std::mem::take(&mut *shared.problems.lock().unwrap_or_else(PoisonError::into_inner));
    crate::report(&problems)
}

fn pairs(arguments: &CrashtestArguments, shared: &Arc<Shared>) -> Vec<tokio::task::JoinHandle<()>> {
    let seed = |number: usize| arguments.seed ^ (number as u64 + 1) << 16;
    (0..arguments.tables).map(|number| tokio::spawn(pair::play(shared.clone(), seed(number)))).collect()
}

async fn kill(arguments: &CrashtestArguments, program: &Program) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("fourfold-crash-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let own = folder.join("fourfold.db").display().to_string();
    let database = arguments.database.clone().unwrap_or(own);
    let (address, address_receiver) = watch::channel(String::new());
    let (stop, stop_receiver) = watch::channel(false);
    let shared = Arc::new(Shared {
        address: address_receiver,
        stop: stop_receiver,
        games: Mutex::default(),
        problems: Mutex::default(),
    });
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
