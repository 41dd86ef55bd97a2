use std::fmt;
use std::time::Duration;

use search::Random;

/// What a run consists of. Everything else follows from the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Decides every random choice.
    pub seed: u64,
    /// The numbers of the clients that take part.
    pub clients: Vec<u32>,
    /// When each time begins in which the clients act. In between they listen, and clocks run out.
    pub busy: Vec<Duration>,
    /// What goes wrong, in the order of time.
    pub faults: Vec<Fault>,
    /// How long the world runs; nothing goes wrong in the last three minutes.
    pub length: Duration,
}

/// Something that goes wrong for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When it begins.
    pub at: Duration,
    /// How long it lasts.
    pub length: Duration,
    /// What it is.
    pub kind: FaultKind,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A node is killed, and started again afterwards.
    Crash(usize),
    /// All nodes are killed.
    CrashAll,
    /// A node stands still.
    Freeze(usize),
    /// All nodes stand still, as on a machine that sleeps.
    FreezeAll,
    /// The clock of a node's machine is set ahead by so many milliseconds.
    ClockJump(usize, i64),
    /// Messages between nodes are lost, late and doubled.
    UnrulyBus,
    /// No message between nodes arrives.
    BusOut,
    /// The database answers nothing.
    StoreOut,
    /// The database takes up to so many milliseconds each way.
    SlowStore(u32),
    /// The database writes, but some of its answers get lost.
    LostAnswers,
    /// The database crashes: writes that were not synced are lost.
    StoreCrash,
    /// Nodes of other versions are among the others: their messages have other fields, or are of unknown kinds.
    VersionSkew,
    /// The worker is killed, and started again afterwards.
    WorkerCrash,
    /// Every connection is cut.
    Cut,
}

/// How many nodes there are.
pub(crate) const NODES: usize = 3;
const CLIENTS: u32 = 30;
/// Two simulated hours.
const LENGTH: Duration = Duration::from_secs(2 * 3600);
/// In how many parts of the time the clients act, once in each.
const BUSY_TIMES: u32 = 4;
/// How long they act each time. Twice as long finds little more, and takes twice the time to run.
const BUSY: Duration = Duration::from_secs(180);
/// Of a hundred faults, how many happen while the clients act.
const WHILE_BUSY: u32 = 85;
/// How long nothing goes wrong at the end, so that everything can come alive again.
pub(crate) const QUIET: Duration = Duration::from_secs(180);

impl Plan {
    /// The plan of a seed.
    pub fn new(seed: u64) -> Plan {
        let mut random = Random::new(seed ^ 0x9e37_79b9_7f4a_7c15);
        let part = (LENGTH - QUIET) / BUSY_TIMES;
        let mut later = || Duration::from_millis(random.below((part - BUSY).as_millis() as u32).into());
        // The first at once: a shorter plan must have something in it too.
        let busy: Vec<Duration> =
            (0..BUSY_TIMES).map(|number| if number == 0 { Duration::ZERO } else { part * number + later() }).collect();
        let mut faults: Vec<Fault> = (0..10 + random.below(8)).map(|_| fault(&mut random, &busy)).collect();
        faults.sort_by_key(|fault| fault.at);
        Plan { seed, clients: (0..CLIENTS).collect(), busy, faults, length: LENGTH }
    }

    /// When the clients act next: none if they do at this moment.
    pub(crate) fn rest_until(&self, now: Duration) -> Option<Duration> {
        let quiet = self.length.saturating_sub(QUIET);
        if now >= quiet || self.busy.iter().any(|&begin| (begin..begin + BUSY).contains(&now)) {
            return None;
        }
        Some(self.busy.iter().copied().filter(|&begin| begin > now).min().unwrap_or(quiet).min(quiet))
    }
}

fn fault(random: &mut Random, busy: &[Duration]) -> Fault {
    let node = random.below(NODES as u32) as usize;
    let (kind, longest) = match random.below(15) {
        0 | 1 => (FaultKind::Crash(node), 60),
        2 => (FaultKind::CrashAll, 40),
        3 => (FaultKind::Freeze(node), 30),
        4 => (FaultKind::FreezeAll, 60),
        5 => (FaultKind::ClockJump(node, i64::from(random.below(240_000)) - 120_000), 120),
        6 => (FaultKind::UnrulyBus, 300),
        7 => (FaultKind::BusOut, 120),
        8 => (FaultKind::StoreOut, 40),
        9 => (FaultKind::SlowStore(200 + random.below(2000)), 120),
        10 => (FaultKind::LostAnswers, 120),
        11 => (FaultKind::StoreCrash, 10),
        12 => (FaultKind::VersionSkew, 600),
        13 => (FaultKind::WorkerCrash, 120),
        _ => (FaultKind::Cut, 1),
    };
    let last = (LENGTH - QUIET).as_millis() as u32;
    let length = Duration::from_millis(u64::from(200 + random.below(longest * 1000)));
    let mut at = Duration::from_millis(random.below(last).into());
    if random.below(100) < WHILE_BUSY {
        let later = random.below(BUSY.as_millis() as u32);
        at = busy[random.below(BUSY_TIMES) as usize] + Duration::from_millis(later.into());
    }
    Fault { at, length: length.min(LENGTH - QUIET - at), kind }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::Crash(node) => format!("node {node} is killed"),
            FaultKind::CrashAll => "all nodes are killed".to_owned(),
            FaultKind::Freeze(node) => format!("node {node} stands still"),
            FaultKind::FreezeAll => "all nodes stand still".to_owned(),
            FaultKind::ClockJump(node, ahead) => format!("the clock of node {node} jumps by {ahead} ms"),
            FaultKind::UnrulyBus => "messages between nodes are lost, late and doubled".to_owned(),
            FaultKind::BusOut => "no message between nodes arrives".to_owned(),
            FaultKind::StoreOut => "the database answers nothing".to_owned(),
            FaultKind::SlowStore(slowest) => format!("the database takes up to {slowest} ms"),
            FaultKind::LostAnswers => "answers of the database get lost".to_owned(),
            FaultKind::StoreCrash => "the database crashes and is out".to_owned(),
            FaultKind::VersionSkew => "nodes of other versions are among the others".to_owned(),
            FaultKind::WorkerCrash => "the worker is killed".to_owned(),
            FaultKind::Cut => "all connections are cut".to_owned(),
        };
        write!(f, "{what} for {:.1} s", self.length.as_secs_f64())
    }
}
