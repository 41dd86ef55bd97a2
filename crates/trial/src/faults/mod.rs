//! `trial faults`: breaks nodes, workers, the broker, the database and connections under load, again and again, and
//! checks that no acknowledged action is lost.

mod player;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use search::Random;
use tokio::sync::watch;

use crate::program::{Node, Program, Promise};
use crate::services::Services;

/// What to break, how often, and under how much load.
#[derive(Debug, Args)]
pub(crate) struct FaultsArguments {
    /// How many faults, of all kinds in turn
    #[arg(long, default_value_t = 30)]
    faults: usize,
    /// How many tables play meanwhile; every fourth with a bot
    #[arg(long, default_value_t = 40)]
    tables: usize,
    /// How many nodes
    #[arg(long, default_value_t = 2)]
    nodes: usize,
    /// How long the broker is paused, in seconds
    #[arg(long, default_value_t = 10)]
    pause: u64,
    /// The clock of each table: shorter than a fault may take, for a fault must not cost a player the game
    #[arg(long, default_value = "turn=20")]
    clock: String,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Node,
    Leave,
    Worker,
    Broker,
    BrokerWiped,
    Database,
    DatabaseCrash,
    Pause,
}

const FAULTS: [Fault; 8] = [
    Fault::Node,
    Fault::Worker,
    Fault::Broker,
    Fault::Database,
    Fault::Pause,
    Fault::DatabaseCrash,
    Fault::Leave,
    Fault::BrokerWiped,
];

impl Fault {
    fn words(self) -> &'static str {
        match self {
            Fault::Node => "a node killed",
            Fault::Leave => "a node stopped",
            Fault::Worker => "a worker killed",
            Fault::Broker => "NATS killed",
            Fault::BrokerWiped => "NATS lost its disk",
            Fault::Database => "PostgreSQL restarted",
            Fault::DatabaseCrash => "PostgreSQL crashed",
            Fault::Pause => "NATS paused",
        }
    }
}

/// All tables are to be alive again this long after a fault's end.
const ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// The state that the players and the test share.
struct Shared {
    /// Where the nodes are; empty while one is dead.
    nodes: Mutex<Vec<String>>,
    clock: String,
    /// Becomes true when the players are to stop.
    stop: watch::Receiver<bool>,
    /// For each table when something was last acknowledged there.
    progress: Mutex<Vec<Instant>>,
    /// Every acknowledged action.
    promises: Mutex<Vec<Promise>>,
    /// How many connections were cut between a request and its acknowledgement.
    cuts: Mutex<u32>,
    problems: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn complain(&self, what: String) {
        lock(&self.problems).push(what);
    }
}

/// The processes that are broken.
struct Cluster<'a> {
    program: &'a Program,
    services: Services,
    nodes: Vec<Option<Node>>,
    worker: Option<Node>,
}

impl Cluster<'_> {
    async fn start(program: &Program, nodes: usize) -> Result<Cluster<'_>, String> {
        let services = Services::start().await?;
        let mut cluster = Cluster { program, services, nodes: Vec::new(), worker: None };
        for _ in 0..nodes.max(1) {
            let node = cluster.node().await?;
            cluster.nodes.push(Some(node));
        }
        cluster.worker = Some(cluster.worker().await?);
        Ok(cluster)
    }

    async fn node(&self) -> Result<Node, String> {
        self.program.serve(Some(&self.services.database), &["--bus", &self.services.bus]).await
    }

    async fn worker(&self) -> Result<Node, String> {
        self.program.worker(&self.services.database, &self.services.bus).await
    }

    fn addresses(&self) -> Vec<String> {
        let address = |node: &Option<Node>| node.as_ref().map_or_else(String::new, |node| node.address.clone());
        self.nodes.iter().map(address).collect()
    }

    /// Breaks one thing and repairs it.
    async fn suffer(
        &mut self,
        fault: Fault,
        random: &mut Random,
        pause: Duration,
        shared: &Shared,
    ) -> Result<(), String> {
        let dead = Duration::from_millis(100 + u64::from(random.below(1500)));
        match fault {
            Fault::Node => {
                let which = random.below(self.nodes.len() as u32) as usize;
                if let Some(node) = self.nodes[which].take() {
                    *lock(&shared.nodes) = self.addresses();
                    node.kill().await;
                }
                tokio::time::sleep(dead).await;
                self.nodes[which] = Some(self.node().await?);
                *lock(&shared.nodes) = self.addresses();
            }
            Fault::Leave => {
                let which = random.below(self.nodes.len() as u32) as usize;
                if let Some(node) = self.nodes[which].take() {
                    // Players may still be sent there, as by a load balancer that has not noticed yet.
                    node.stop().await?;
                }
                *lock(&shared.nodes) = self.addresses();
                tokio::time::sleep(dead).await;
                self.nodes[which] = Some(self.node().await?);
                *lock(&shared.nodes) = self.addresses();
            }
            Fault::Worker => {
                if let Some(worker) = self.worker.take() {
                    worker.kill().await;
                }
                tokio::time::sleep(dead).await;
                self.worker = Some(self.worker().await?);
            }
            Fault::Broker | Fault::BrokerWiped => {
                self.services.run(if fault == Fault::Broker { "kill-nats" } else { "wipe-nats" }).await?;
                tokio::time::sleep(dead).await;
                self.services.run("nats").await?;
            }
            Fault::Database | Fault::DatabaseCrash => {
                self.services.run(if fault == Fault::Database { "stop-postgres" } else { "kill-postgres" }).await?;
                tokio::time::sleep(dead).await;
                self.services.run("postgres").await?;
            }
            Fault::Pause => {
                self.services.run("pause-nats").await?;
                tokio::time::sleep(pause).await;
                self.services.run("wake-nats").await?;
            }
        }
        Ok(())
    }
}

/// Runs the faults and prints what was found.
pub(crate) async fn run(arguments: &FaultsArguments, program: &Program) -> Result<(), String> {
    let mut cluster = Cluster::start(program, arguments.nodes).await?;
    let (stop, stop_receiver) = watch::channel(false);
    let shared = Arc::new(Shared {
        nodes: Mutex::new(cluster.addresses()),
        clock: arguments.clock.clone(),
        stop: stop_receiver,
        progress: Mutex::new(vec![Instant::now(); arguments.tables]),
        promises: Mutex::default(),
        cuts: Mutex::new(0),
        problems: Mutex::default(),
    });
    let players: Vec<_> = (0..arguments.tables)
        .map(|number| tokio::spawn(player::play(shared.clone(), number, arguments.seed ^ (number as u64 + 1) << 16)))
        .collect();
    let mut random = Random::new(arguments.seed);
    wait_alive(&shared, Instant::now(), Duration::from_secs(60)).await.ok_or("the tables do not begin to play")?;
    println!("{:>4}  {:<22} {:>9} {:>15}", "", "fault", "lasted s", "all alive in s");
    for number in 0..arguments.faults {
        tokio::time::sleep(Duration::from_millis(300 + u64::from(random.below(1500)))).await;
        let (fault, began) = (FAULTS[number % FAULTS.len()], Instant::now());
        cluster.suffer(fault, &mut random, Duration::from_secs(arguments.pause), &shared).await?;
        let (lasted, ended) = (began.elapsed(), Instant::now());
        let alive = wait_alive(&shared, ended, 3 * ALIVE_AGAIN).await;
        let shown = alive.map_or("never".to_owned(), |after| format!("{:.1}", after.as_secs_f64()));
        println!("{:>4}  {:<22} {:>9.1} {shown:>15}", number + 1, fault.words(), lasted.as_secs_f64());
        if alive.is_none_or(|after| after > ALIVE_AGAIN) {
            shared.complain(format!("after fault {} ({}) a table was not alive in time", number + 1, fault.words()));
        }
    }
    stop.send_replace(true);
    let stopped = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_millis());
    for player in players {
        let _ = tokio::time::timeout(Duration::from_secs(30), player).await;
    }
    let summary = check(&shared, &cluster, i64::try_from(stopped).unwrap_or(i64::MAX)).await?;
    for node in cluster.nodes.into_iter().chain([cluster.worker]).flatten() {
        node.kill().await;
    }
    println!("{summary}");
    let problems = std::mem::take(&mut *lock(&shared.problems));
    crate::report(&problems)
}

/// Waits until something was acknowledged at every table since a moment; how long that took.
async fn wait_alive(shared: &Shared, since: Instant, most: Duration) -> Option<Duration> {
    while since.elapsed() < most {
        if lock(&shared.progress).iter().all(|last| *last > since) {
            return Some(since.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    None
}

/// Lets every log be read from the database, replayed and compared with what was acknowledged.
async fn check(shared: &Shared, cluster: &Cluster<'_>, stopped: i64) -> Result<String, String> {
    let promises = std::mem::take(&mut *lock(&shared.promises));
    let tables = cluster.program.audit(&cluster.services.database, &promises).await?;
    for table in &tables {
        table.problems.iter().for_each(|problem| shared.complain(problem.clone()));
        // Flags fall as they should once the players have stopped.
        if table.lost_on_time.is_some_and(|at| at < stopped) && promises.iter().any(|own| own.table == table.table) {
            shared.complain(format!("table {}: a player lost on time", table.table));
        }
    }
    let entries: usize = tables.iter().map(|table| table.entries).sum();
    let ended = tables.iter().filter(|table| table.ended).count();
    Ok(format!(
        "{} tables ({ended} played to the end) with {entries} log entries and {} acknowledged actions, {} connections \
         cut before an acknowledgement: each log read from the database, replayed and compared",
        tables.len(),
        promises.len(),
        lock(&shared.cuts)
    ))
}
