use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use server::Config;
use server::simulation::{BusFaults, Node, StoreFaults, World, random};

use crate::plan::{Fault, FaultKind, NODES};
use crate::witness::Witness;

/// The nodes, and whether games can be played.
#[derive(Clone)]
pub(crate) struct Cluster {
    pub(crate) world: World,
    pub(crate) witness: Witness,
    state: Arc<Mutex<State>>,
}

struct State {
    nodes: [Option<Node>; NODES],
    worker: Option<Node>,
    /// The tables that clients have been at: for those who look at the tables of others.
    tables: Vec<String>,
    /// How often the database has crashed.
    crashes: u32,
    frozen: [bool; NODES],
    store_out: bool,
    starts: u32,
    /// Counts how often all connections were cut.
    cuts: u32,
    /// Since when no node can serve.
    out_since: Option<Duration>,
}

/// The settings of every process.
fn config() -> Config {
    Config { bot_threads: Some(1), grace: Duration::from_secs(20), ..Config::default() }
}

/// The database at its best, in milliseconds each way.
const QUICK: u32 = 6;

impl Cluster {
    pub(crate) fn start(world: &World, witness: &Witness) -> Cluster {
        let state = State {
            nodes: Default::default(),
            worker: None,
            tables: Vec::new(),
            crashes: 0,
            frozen: [false; NODES],
            store_out: false,
            starts: 0,
            cuts: 0,
            out_since: None,
        };
        let cluster = Cluster { world: world.clone(), witness: witness.clone(), state: Arc::new(Mutex::new(state)) };
        cluster.set_store(StoreFaults::default());
        (0..NODES).for_each(|node| cluster.start_node(node, 0));
        cluster.start_worker();
        cluster
    }

    /// Notes a table that a client is at.
    pub(crate) fn note_table(&self, table: &str) {
        self.state().tables.push(table.to_owned());
    }

    /// A table that some client has been at.
    pub(crate) fn any_table(&self, choice: u32) -> Option<String> {
        let state = self.state();
        state.tables.get(choice as usize % state.tables.len().max(1)).cloned()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A node that a client could reach.
    pub(crate) fn node(&self, choice: u32) -> Option<(usize, Node)> {
        let state = self.state();
        let up: Vec<usize> = (0..NODES).filter(|&node| state.nodes[node].is_some()).collect();
        let node = *up.get(choice as usize % up.len().max(1))?;
        Some((node, state.nodes[node].clone()?))
    }

    /// How often all connections were cut.
    pub(crate) fn cuts(&self) -> u32 {
        self.state().cuts
    }

    /// Starts a node unless it runs: of two faults that kill it at the same time, the end of the first starts it.
    fn start_node(&self, node: usize, ahead: i64) {
        let mut state = self.state();
        if state.nodes[node].is_some() {
            return;
        }
        state.starts += 1;
        let name = format!("node{node}start{}", state.starts);
        state.nodes[node] = Some(self.world.start(&name, ahead, config()));
        state.frozen[node] = false;
        drop(state);
        self.note_service();
    }

    fn start_worker(&self) {
        let mut state = self.state();
        if state.worker.is_some() {
            return;
        }
        state.starts += 1;
        let name = format!("workerstart{}", state.starts);
        state.worker = Some(self.world.start_worker(&name, config()));
    }

    fn crash(&self, node: usize) {
        let gone = self.state().nodes[node].take();
        if let Some(gone) = gone {
            self.world.crash(&gone);
        }
        self.note_service();
    }

    fn freeze(&self, node: usize, frozen: bool) {
        let known = self.state().nodes[node].clone();
        if let Some(known) = known {
            self.world.freeze(&known, frozen);
            self.state().frozen[node] = frozen;
        }
        self.note_service();
    }

    fn set_store(&self, faults: StoreFaults) {
        let crashes = self.state().crashes;
        self.world.set_store(StoreFaults { slowest: faults.slowest.max(QUICK), crashes, ..faults });
        self.state().store_out = faults.is_out;
        self.note_service();
    }

    /// Notes when games could not be played at all.
    fn note_service(&self) {
        let now = self.world.now();
        let mut state = self.state();
        let serves = (0..NODES).any(|node| state.nodes[node].is_some() && !state.frozen[node]) && !state.store_out;
        match state.out_since {
            Some(since) if serves => {
                state.out_since = None;
                self.witness.note_outage(since, now);
            }
            None if !serves => state.out_since = Some(now),
            _ => {}
        }
    }

    /// Lets a fault happen, from its beginning to its end.
    pub(crate) async fn suffer(&self, fault: &Fault) {
        let world = &self.world;
        self.witness.narrate(world.now(), || fault.to_string());
        self.witness.note_fault(world.now(), fault);
        let length = || world.sleep(fault.length);
        let all = 0..NODES;
        match fault.kind {
            FaultKind::Crash(node) => {
                self.crash(node);
                length().await;
                self.start_node(node, 0);
            }
            FaultKind::CrashAll => {
                all.clone().for_each(|node| self.crash(node));
                length().await;
                all.for_each(|node| self.start_node(node, 0));
            }
            FaultKind::Freeze(node) => {
                self.freeze(node, true);
                length().await;
                self.freeze(node, false);
            }
            FaultKind::FreezeAll => {
                all.clone().for_each(|node| self.freeze(node, true));
                length().await;
                all.for_each(|node| self.freeze(node, false));
            }
            FaultKind::ClockJump(node, ahead) => {
                let known = self.state().nodes[node].clone();
                if let Some(known) = known {
                    world.set_clock(&known, ahead);
                    length().await;
                    world.set_clock(&known, 0);
                }
            }
            FaultKind::UnrulyBus | FaultKind::BusOut => {
                let unruly = BusFaults { lost: 20, late: 40, doubled: 30, skewed: 0 };
                let out = BusFaults { lost: 100, ..BusFaults::default() };
                world.set_bus(if fault.kind == FaultKind::BusOut { out } else { unruly });
                length().await;
                world.set_bus(BusFaults::default());
            }
            FaultKind::StoreOut => {
                self.store_fault(StoreFaults { is_out: true, ..StoreFaults::default() }, fault).await
            }
            FaultKind::SlowStore(slowest) => {
                self.store_fault(StoreFaults { slowest, ..StoreFaults::default() }, fault).await;
            }
            FaultKind::LostAnswers => {
                self.store_fault(StoreFaults { lost_answers: 20, ..StoreFaults::default() }, fault).await;
            }
            FaultKind::StoreCrash => {
                self.state().crashes += 1;
                self.store_fault(StoreFaults { is_out: true, ..StoreFaults::default() }, fault).await;
            }
            FaultKind::VersionSkew => {
                world.set_bus(BusFaults { skewed: 30, ..BusFaults::default() });
                length().await;
                world.set_bus(BusFaults::default());
            }
            FaultKind::WorkerCrash => {
                let gone = self.state().worker.take();
                if let Some(gone) = gone {
                    world.crash(&gone);
                }
                length().await;
                self.start_worker();
            }
            FaultKind::Cut => self.state().cuts += 1,
        }
        self.witness.narrate(world.now(), || format!("over: {fault}"));
    }

    async fn store_fault(&self, faults: StoreFaults, fault: &Fault) {
        self.set_store(faults);
        self.world.sleep(fault.length).await;
        self.set_store(StoreFaults::default());
    }

    /// Lets a moment pass, as a message on a network takes it.
    pub(crate) async fn travel(&self, slowest: u32) {
        self.world.sleep(Duration::from_millis(u64::from(1 + random(slowest)))).await;
    }
}
