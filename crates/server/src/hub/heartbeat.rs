//! When this process was alive together with its database: only that time is charged to players.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use super::Hub;
use super::execute::Author;
use super::shared_clock::{Answer, Reading, SKEW, SharedClock};
use super::write_monitor::WriteMonitor;
use crate::config::Config;
use crate::runtime::{self, Instant};
use crate::secret;
use crate::store::{Append, Store, StoreError};

/// How often a server writes that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often a lost database is tried again.
const RETRY: Duration = Duration::from_millis(200);
/// How often this process notices that it runs, and after how long without that it counts as frozen: stopped by the
/// system, or so short of processor time that it comes to the same.
const TICK: Duration = Duration::from_millis(500);
const FROZEN: Duration = Duration::from_secs(3);
/// A server that has written nothing for so long, or failed to, is not ready.
const LATELY: Duration = Duration::from_secs(6);
/// How often the time is asked for once more when a process begins, until it is known well enough: what nodes take for the
/// time must not differ, as one charges players for turns that began on another.
const QUESTIONS: u32 = 16;
/// A node whose last heartbeat is not older than this is alive, in milliseconds: twice the heartbeat.
const ALIVE: i64 = 4_000;

/// A stretch of time in which this process and its database worked together.
#[derive(Clone, Debug)]
struct Run {
    id: String,
    started_at: i64,
}

/// What a process is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Clients connect to it.
    Node,
    /// It only thinks for bots. While only workers are running, no client can connect, so clocks are paused.
    Worker,
}

/// Says that this process is alive, and notices when it or the database was not.
pub(super) struct Heartbeat {
    pub(super) role: Role,
    pub(super) clock: SharedClock,
    pub(super) writes: WriteMonitor,
    run: Mutex<Run>,
    lost: AtomicBool,
    /// Counts what has ended a stretch of time or kept one from beginning: failed writes, freezes, jumps of the clock.
    interruptions: AtomicU64,
    /// Notified when one is noticed.
    noticed: Notify,
    /// Set once the final heartbeat is sent; later tasks must not send another.
    over: AtomicBool,
    /// When this process last noticed that it runs.
    ticked: Mutex<Instant>,
    /// When a heartbeat was last written, and when a write last failed.
    wrote: Mutex<Instant>,
    failed: Mutex<Option<Instant>>,
    /// Counts how often the database was lost: clocks that were set before that are to be set again.
    losses: AtomicU64,
}

impl Heartbeat {
    /// Asks the database for the time, and sends the first heartbeat.
    pub(super) async fn begin(store: &Store, config: &Config, role: Role) -> Result<Heartbeat, StoreError> {
        let heartbeat = Heartbeat {
            role,
            clock: SharedClock::new(config.clock_ahead),
            writes: WriteMonitor::default(),
            run: Mutex::new(Run { id: secret::name(), started_at: 0 }),
            lost: AtomicBool::new(false),
            interruptions: AtomicU64::new(0),
            noticed: Notify::new(),
            over: AtomicBool::new(false),
            ticked: Mutex::new(Instant::now()),
            wrote: Mutex::new(Instant::now()),
            failed: Mutex::new(None),
            losses: AtomicU64::new(0),
        };
        let machine = heartbeat.wall();
        heartbeat.clock.set(heartbeat.time(store).await?);
        let milliseconds = heartbeat.wall() - machine;
        if milliseconds.abs() > SKEW {
            tracing::warn!(milliseconds, "this machine's clock is wrong; games go by the database's");
        }
        for _ in 0..QUESTIONS {
            // The database is slow, or this process was frozen while it asked.
            if !heartbeat.clock.is_good() {
                heartbeat.clock.read(heartbeat.time(store).await?);
            }
        }
        heartbeat.run().started_at = heartbeat.wall();
        heartbeat.beat(store).await?;
        Ok(heartbeat)
    }

    /// The time all nodes agree on, in milliseconds since 1970.
    pub(super) fn wall(&self) -> i64 {
        self.clock.wall()
    }

    /// How often the database has been lost.
    pub(super) fn losses(&self) -> u64 {
        self.losses.load(Ordering::Relaxed)
    }

    /// Whether nothing can be decided now: the database is lost, or this process was frozen, and the new stretch of time
    /// has not begun yet.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed) || self.ticked().elapsed() > FROZEN
    }

    /// Whether the database takes writes: a heartbeat was written lately, and no write has failed since.
    pub(super) fn is_writing(&self) -> bool {
        let recent = |moment: Instant| moment.elapsed() < LATELY;
        !self.is_lost() && recent(*lock(&self.wrote)) && !lock(&self.failed).is_some_and(recent)
    }

    /// Nothing is decided from now on, until a new stretch of time begins.
    fn lose(&self) {
        self.interruptions.fetch_add(1, Ordering::Relaxed);
        self.lost.store(true, Ordering::Relaxed);
        self.noticed.notify_one();
    }

    /// Sends the final heartbeat.
    pub(super) async fn last_beat(&self, store: &Store) -> Result<(), StoreError> {
        self.over.store(true, Ordering::Relaxed);
        self.beat(store).await
    }

    /// Appends to a log, and notes how it went.
    pub(super) async fn append(&self, store: &Store, append: Append) -> Result<(), StoreError> {
        let running = self.writes.begin();
        let written = store.append(append).await;
        drop(running);
        if !matches!(written, Ok(()) | Err(StoreError::Conflict)) {
            *lock(&self.failed) = Some(Instant::now());
            self.lose();
        }
        written
    }

    /// How much of the time since a moment some node was alive: what the clocks of running games are charged.
    pub(super) async fn passed_since(&self, store: &Store, moment: i64) -> Result<Duration, StoreError> {
        let (began_at, now) = (self.run().started_at, self.wall());
        let mut runs =
            if moment >= began_at && self.role == Role::Node { Vec::new() } else { store.runs_since(moment).await? };
        runs.retain(|&(started, _)| started != began_at);
        match self.role {
            Role::Node => runs.push((began_at, now)),
            Role::Worker => {
                runs.extend(runs.iter().map(|run| run.1).max().filter(|at| now - at < ALIVE).map(|at| (at, now)))
            }
        }
        runs.sort_unstable();
        let (mut passed, mut covered) = (0, moment);
        for (from, to) in runs {
            let from = from.max(covered);
            passed += (to - from).max(0);
            covered = covered.max(to);
        }
        Ok(Duration::from_millis(passed.unsigned_abs()))
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        lock(&self.run)
    }

    fn ticked(&self) -> MutexGuard<'_, Instant> {
        lock(&self.ticked)
    }

    /// What time it is. Nodes whose clocks differ must not charge players for it, so a shared database has the time; alone
    /// it is this machine's.
    async fn time(&self, store: &Store) -> Result<Answer, StoreError> {
        // A database that does not even answer with its time is slow, though nothing may be written.
        let _asking = (!matches!(store, Store::Sqlite(_))).then(|| self.writes.begin());
        let own = || Answer { time: self.clock.machine(), took: Duration::ZERO };
        Ok(store.clock().await?.map_or_else(own, |(time, took)| Answer { time, took }))
    }

    /// Reads the time again. If it jumped, a clock was set or the machine slept: no player is charged for it, as if the
    /// database had been lost in between.
    async fn set_clock(&self, store: &Store) -> Result<(), StoreError> {
        if let Reading::Jumped(milliseconds) = self.clock.read(self.time(store).await?) {
            tracing::warn!(milliseconds, "the time jumped; no player is charged for it");
            self.lose();
        }
        Ok(())
    }

    async fn beat(&self, store: &Store) -> Result<(), StoreError> {
        let Run { id, started_at } = self.run().clone();
        let _running = self.writes.begin();
        self.write_run(store, &id, started_at, self.wall()).await?;
        *lock(&self.wrote) = Instant::now();
        Ok(())
    }

    /// Writes that this process was alive from one moment to another. A worker only checks that the database answers.
    async fn write_run(&self, store: &Store, run: &str, from: i64, to: i64) -> Result<(), StoreError> {
        match self.role {
            Role::Node => store.beat(run, from, to).await,
            Role::Worker if store.answers().await => Ok(()),
            Role::Worker => Err(StoreError::Database("no answer".to_owned())),
        }
    }

    /// Notices that this process runs, and whether it did not.
    fn tick(&self) {
        let mut ticked = self.ticked();
        let stood_still = ticked.elapsed();
        if stood_still > FROZEN {
            tracing::warn!(seconds = stood_still.as_secs(), "this process was frozen; no player is charged for it");
            self.lose();
        }
        *ticked = Instant::now();
    }

    /// Begins a new stretch of time, if the database is back and this process was not interrupted while it asked.
    async fn begin_again(&self, store: &Store) -> Result<(), StoreError> {
        let interruptions = self.interruptions.load(Ordering::Relaxed);
        let run = Run { id: secret::name(), started_at: self.wall() };
        self.write_run(store, &run.id, run.started_at, run.started_at).await?;
        // A freeze during that write would be part of the stretch and charged to players. What was written has no length.
        if self.interruptions.load(Ordering::Relaxed) != interruptions || self.ticked().elapsed() > FROZEN {
            return Err(StoreError::Database("interrupted while a new stretch of time began".to_owned()));
        }
        *self.run() = run;
        *lock(&self.wrote) = Instant::now();
        self.losses.fetch_add(1, Ordering::Relaxed);
        self.writes.reset();
        self.lost.store(false, Ordering::Relaxed);
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notices again and again that this process runs.
pub(super) async fn tick(hub: Weak<Hub>) {
    while let Some(hub) = hub.upgrade() {
        hub.heartbeat.tick();
        drop(hub);
        runtime::sleep(TICK).await;
    }
}

/// Sends heartbeats; and when the database was lost, begins anew as soon as it is back, so that no player is charged for
/// the time between.
pub(super) async fn beat(hub: Weak<Hub>) {
    let mut last = Instant::now();
    while let Some(hub) = hub.upgrade() {
        let heartbeat = &hub.heartbeat;
        let is_well = !heartbeat.is_lost() && !heartbeat.writes.is_slow(&hub.config);
        let wait = if is_well { HEARTBEAT.saturating_sub(last.elapsed()) } else { RETRY };
        tokio::select! {
            // In a fixed order, so that a simulation can be repeated.
            biased;
            () = runtime::sleep(wait) => {}
            () = heartbeat.noticed.notified(), if is_well => {}
        }
        if heartbeat.over.load(Ordering::Relaxed) {
            return;
        }
        if heartbeat.is_lost() {
            come_back(&hub).await;
        // A slow database is asked more often: without new tables nothing else would notice that it is quick again.
        } else if last.elapsed() >= HEARTBEAT || heartbeat.writes.is_slow(&hub.config) {
            last = Instant::now();
            let _ = heartbeat.set_clock(&hub.store).await;
            // Time that jumped is no part of this stretch.
            if !heartbeat.is_lost() && heartbeat.beat(&hub.store).await.is_err() {
                heartbeat.lose();
            }
        }
    }
}

async fn come_back(hub: &Arc<Hub>) {
    if hub.heartbeat.begin_again(&hub.store).await.is_err() {
        return;
    }
    tracing::warn!("the database is back; the logs of all open tables are read");
    for open in hub.tables.all() {
        let mut state = open.state.lock().await;
        if hub.sync(&open, &mut state).await.is_ok() {
            hub.after_change(&open, &mut state, Author::ThisNode);
            // The clocks stand elsewhere than the clients think.
            state.publish_clocks(hub.now());
        }
    }
}
