use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use server::simulation::{StoredLog, World};

use crate::check;
use crate::client::Client;
use crate::cluster::Cluster;
use crate::plan::{Plan, QUIET};
use crate::witness::{Witness, clock};

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many requests the clients sent.
    pub commands: u64,
    /// How many tables there were.
    pub tables: usize,
    /// How many log entries were stored.
    pub entries: usize,
    /// Every promise that was broken.
    pub problems: Vec<String>,
    /// A number for everything that was stored: the same plan gives the same.
    pub fingerprint: u64,
}

/// The most tasks that may be left at the end: nodes, clients and tables each have a few.
const MOST_TASKS: usize = 3_000;
/// Clients stop acting this long before the end, so that all of them can catch up.
const CATCH_UP: Duration = Duration::from_secs(20);
/// They listen for so long after the end.
const LISTENING: Duration = Duration::from_secs(5);
/// In a quiet world an event reaches every client within this.
const DELIVERY: Duration = Duration::from_secs(3);

/// Runs a plan.
pub fn run(plan: &Plan, witness: &Witness) -> Outcome {
    let world = World::new(plan.seed);
    let end = plan.length + LISTENING;
    let (inner, plan, notes) = (world.clone(), plan.clone(), witness.clone());
    let living = AssertUnwindSafe(|| world.run(async move { live(inner, &plan, &notes).await }));
    // The world stops where it panics: what was stored by then can still be printed.
    let (standing, panicked) = match catch_unwind(living) {
        Ok(standing) => (standing, None),
        Err(panic) => (Vec::new(), Some(format!("{} panicked: {}", clock(world.now()), message(panic.as_ref())))),
    };
    let logs = world.logs();
    let mut notes = witness.notes();
    let mut problems = std::mem::take(&mut notes.problems);
    problems.extend(panicked);
    problems.extend(check::problems(&notes, &logs));
    for (table, seq, name) in standing {
        let in_time = |(at, _): &&(Duration, String)| *at + DELIVERY <= end;
        let lines = logs.iter().find(|log| log.table == table).map_or(&[][..], |log| &log.lines);
        let stored = lines.iter().filter(in_time).count();
        if stored > seq as usize {
            problems.push(format!("{name} knows {seq} events of {table}, which has {stored}, in a quiet world"));
        }
    }
    // The story ends with the logs of the tables at which something went wrong.
    if let Some(story) = &mut notes.story {
        for log in logs.iter().filter(|log| problems.iter().any(|problem| problem.contains(&log.table))) {
            story.push(format!("the log of {}, with the time at which each line was safe:", log.table));
            story.extend(log.lines.iter().zip(1..).map(|((at, line), seq)| format!("{} {seq} {line}", clock(*at))));
        }
    }
    Outcome {
        commands: notes.commands,
        tables: logs.len(),
        entries: logs.iter().map(|log| log.lines.len()).sum(),
        problems,
        fingerprint: fingerprint(&logs),
    }
}

/// Runs the world; what each client that is connected at the end knows.
async fn live(world: World, plan: &Plan, witness: &Witness) -> Vec<(String, u32, String)> {
    let cluster = Cluster::start(&world, witness);
    for fault in &plan.faults {
        let (fault, cluster) = (fault.clone(), cluster.clone());
        world.spawn(async move {
            cluster.world.sleep(fault.at).await;
            cluster.suffer(&fault).await;
        });
    }
    let quiet = plan.length.saturating_sub(QUIET);
    let clients = Arc::new(Mutex::new(Vec::new()));
    for &number in &plan.clients {
        let (client, clients) = (Client::new(&cluster, plan.seed, number), clients.clone());
        let (acts_until, end, plan) = (plan.length.saturating_sub(CATCH_UP), plan.length + LISTENING, plan.clone());
        world.spawn(async move {
            let client = client.live(&plan, quiet, acts_until).await;
            let listening = client.listen(end).await;
            clients.lock().unwrap_or_else(PoisonError::into_inner).push(listening);
        });
    }
    // The clients are done a moment after they stop listening.
    world.sleep((plan.length + LISTENING).saturating_sub(world.now()) + Duration::from_secs(1)).await;
    if world.tasks() > MOST_TASKS {
        witness.note_problem(world.now(), format!("{} tasks are left", world.tasks()));
    }
    let clients = clients.lock().unwrap_or_else(PoisonError::into_inner);
    for problem in clients.iter().filter_map(Client::stuck) {
        witness.note_problem(world.now(), problem);
    }
    let mut standing: Vec<(String, u32, String)> = clients.iter().filter_map(Client::standing).collect();
    standing.sort();
    standing
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}

fn fingerprint(logs: &[StoredLog]) -> u64 {
    let lines: Vec<&str> = logs.iter().flat_map(|log| &log.lines).map(|(_, line)| line.as_str()).collect();
    search::checksum(lines.concat().as_bytes())
}
