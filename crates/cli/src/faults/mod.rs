//! `fourfold faults`: breaks nodes, workers, the broker, the database and connections under load, again and again, and
//! checks that nothing that was promised was lost.

mod player;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use search::Random;
use server::Promise;
use tokio::sync::watch;

use crate::loadtest::Child;
use crate::services::Services;

/// What to break, how often, and under how much load.
#[derive(Debug, Args)]
pub struct FaultsArguments {
    /// How many faults, of all kinds in turn.
    #[arg(long, default_value_t = 30)]
    faults: usize,
    /// How many tables play meanwhile; every fourth with a bot.
    #[arg(long, default_value_t = 40)]
    tables: usize,
    /// How many nodes.
    #[arg(long, default_value_t = 2)]
    nodes: usize,
    /// How long the broker is paused, in seconds.
    #[arg(long, default_value_t = 10)]
    pause: u64,
    /// The clock of each table: shorter than a fault may take, for nobody may lose on time because of one.
    #[arg(long, default_value = "turn=20")]
    clock: String,
    /// The seed of everything random.
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
    Database,
    DatabaseCrash,
    Pause,
}

const FAULTS: [Fault; 7] =
    [Fault::Node, Fault::Worker, Fault::Broker, Fault::Database, Fault::Pause, Fault::DatabaseCrash, Fault::Leave];

impl Fault {
    fn words(self) -> &'static str {
        match self {
            Fault::Node => "a node killed",
            Fault::Leave => "a node stopped",
            Fault::Worker => "a worker killed",
            Fault::Broker => "NATS killed",
            Fault::Database => "PostgreSQL restarted",
            Fault::DatabaseCrash => "PostgreSQL crashed",
            Fault::Pause => "NATS paused",
        }
    }
}

/// All tables are to be alive again this long after a fault's end.
const ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// What players and the one who breaks things share.
pub(crate) struct Shared {
    /// Where the nodes are; empty while one is dead.
    nodes: Mutex<Vec<String>>,
    clock: String,
    enough: watch::Receiver<bool>,
    /// For each table when something was last acknowledged there.
    progress: Mutex<Vec<Instant>>,
    /// What was acknowledged, by table.
    promises: Mutex<Vec<(String, Vec<Promise>)>>,
    /// How many connections were cut between an ask and its acknowledgement.
    cuts: Mutex<u32>,
    wrong: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn complain(&self, what: String) {
        lock(&self.wrong).push(what);
    }
}

/// The processes that are broken.
struct Cluster {
    services: Services,
    nodes: Vec<Option<Child>>,
    worker: Option<Child>,
}

impl Cluster {
    async fn start(nodes: usize) -> Result<Cluster, String> {
        let services = Services::start().await?;
        let mut cluster = Cluster { services, nodes: Vec::new(), worker: None };
        for _ in 0..nodes.max(1) {
            let node = cluster.node().await?;
            cluster.nodes.push(Some(node));
        }
        cluster.worker = Some(Child::worker(&cluster.services.database, &cluster.services.bus).await?);
        Ok(cluster)
    }

    async fn node(&self) -> Result<Child, String> {
        Child::start(Some(&self.services.database), &["--requests-per-second", "0", "--bus", &self.services.bus]).await
    }

    fn addresses(&self) -> Vec<String> {
        let address = |node: &Option<Child>| node.as_ref().map_or_else(String::new, |node| node.address.clone());
        self.nodes.iter().map(address).collect()
    }

    /// Lets something happen, and mends it.
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
                    node.leave().await?;
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
                self.worker = Some(Child::worker(&self.services.database, &self.services.bus).await?);
            }
            Fault::Broker => {
                self.services.run("kill-nats").await?;
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
pub fn run(arguments: &FaultsArguments) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(test(arguments))
}

async fn test(arguments: &FaultsArguments) -> Result<(), String> {
    let mut cluster = Cluster::start(arguments.nodes).await?;
    let (enough, heard_enough) = watch::channel(false);
    let shared = Arc::new(Shared {
        nodes: Mutex::new(cluster.addresses()),
        clock: arguments.clock.clone(),
        enough: heard_enough,
        progress: Mutex::new(vec![Instant::now(); arguments.tables]),
        promises: Mutex::default(),
        cuts: Mutex::new(0),
        wrong: Mutex::default(),
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
    enough.send_replace(true);
    let until = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_millis());
    for player in players {
        let _ = tokio::time::timeout(Duration::from_secs(30), player).await;
    }
    let summary = check(&shared, &cluster.services.database, until).await?;
    for node in cluster.nodes.into_iter().chain([cluster.worker]).flatten() {
        node.kill().await;
    }
    println!("{summary}");
    let wrong = std::mem::take(&mut *lock(&shared.wrong));
    for problem in wrong.iter().take(20) {
        println!("wrong: {problem}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} things went wrong", wrong.len())) }
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

/// Reads every log from the database, replays it and compares it with what was promised.
async fn check(shared: &Shared, database: &str, until: u128) -> Result<String, String> {
    let Ok(place) = database.parse();
    let logs = server::logs(&place).await.map_err(|error| error.to_string())?;
    let promises = std::mem::take(&mut *lock(&shared.promises));
    let (mut actions, mut lines, mut ended) = (0, 0, 0);
    for logged in &logs {
        let own: Vec<Promise> =
            promises.iter().filter(|(table, _)| *table == logged.table).flat_map(|(_, own)| own.clone()).collect();
        actions += own.len();
        lines += logged.lines.len();
        server::audit(logged, &own).into_iter().for_each(|what| shared.complain(what));
        ended += usize::from(logged.lines.iter().any(|(_, line)| line.contains(r#""ended""#)));
        // Where nobody plays any more, time runs out as it should.
        let flag = logged.lines.iter().find(|(_, line)| line.contains(r#""entry":"time:"#));
        let at = flag.and_then(|(_, line)| line.strip_prefix(r#"{"at":"#)?.split(',').next()?.parse::<u128>().ok());
        if !own.is_empty() && at.is_some_and(|at| at < until) {
            shared.complain(format!("table {}: somebody lost on time", logged.table));
        }
    }
    for (table, _) in &promises {
        if logs.iter().all(|logged| logged.table != *table) {
            shared.complain(format!("table {table} is not there any more"));
        }
    }
    Ok(format!(
        "{} tables ({ended} played to the end) with {lines} lines and {actions} acknowledged actions, {} connections cut \
         before an acknowledgement: each log read from the database, replayed and compared",
        logs.len(),
        lock(&shared.cuts)
    ))
}
