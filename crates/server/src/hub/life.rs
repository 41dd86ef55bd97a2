//! When this process lived, what time it is, and whether the database takes what it is given.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::{Hub, wall};
use crate::config::Config;
use crate::secret;
use crate::store::{Append, Store, StoreError};

/// How often a server says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often a lost database is tried again.
const RETRY: Duration = Duration::from_millis(200);
/// How often this process notices that it runs, and after how long without it was stopped: frozen by the system, or so
/// short of time that it comes to the same.
const TICK: Duration = Duration::from_millis(100);
const FROZEN: Duration = Duration::from_secs(3);
/// A clock further from the database's than this is worth a line in the log; and time that has moved by more than this
/// without having passed begins a new stretch of life.
const SKEW: i64 = 5_000;
/// An answer that took longer says little about the time.
const PROMPT: Duration = Duration::from_millis(100);
/// A write that takes longer counts as one that took so long, or a single one would be remembered for minutes.
const SLOWEST: Duration = Duration::from_secs(10);

/// A stretch of time in which this process and its database worked together.
#[derive(Clone, Debug)]
struct Run {
    id: String,
    started_at: i64,
}

/// What a process is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// People connect to it.
    Node,
    /// It only thinks. While nobody but workers runs, nobody can play, so nobody is charged and no flag falls.
    Worker,
}

/// See above.
pub(super) struct Life {
    pub(super) role: Role,
    run: Mutex<Run>,
    /// What time it was at a moment. Between two looks at the time this machine only counts: whoever sets its clock
    /// changes nobody's.
    known: Mutex<(Instant, i64)>,
    lost: AtomicBool,
    /// Whether the last word has been said; whatever still runs after it must not say that the server lives.
    over: AtomicBool,
    /// When this process last noticed that it runs.
    ticked: Mutex<Instant>,
    /// Counts how often the database was lost: tables read before that are to be read again.
    pub(super) losses: AtomicU64,
    /// When each write that is on its way began.
    writing: Mutex<BTreeMap<u64, Instant>>,
    writes: AtomicU64,
    /// How long a write takes, in microseconds, lately.
    lately: AtomicU64,
    /// How far this machine's clock is ahead of the true time, in milliseconds: for tests.
    pub(super) ahead: AtomicI64,
}

impl Life {
    /// Asks the database for the time, and says that this process lives.
    pub(super) async fn begin(store: &Store, config: &Config, role: Role) -> Result<Life, StoreError> {
        let life = Life {
            role,
            run: Mutex::new(Run { id: secret::name(), started_at: 0 }),
            known: Mutex::new((Instant::now(), wall() + config.clock_ahead)),
            lost: AtomicBool::new(false),
            over: AtomicBool::new(false),
            ticked: Mutex::new(Instant::now()),
            losses: AtomicU64::new(0),
            writing: Mutex::default(),
            writes: AtomicU64::new(0),
            lately: AtomicU64::new(0),
            ahead: AtomicI64::new(config.clock_ahead),
        };
        let (now, _) = life.time(store).await?;
        let milliseconds = now - life.wall();
        if milliseconds.abs() > SKEW {
            tracing::warn!(milliseconds, "this machine's clock is wrong; games go by the database's");
        }
        life.set(now);
        life.run().started_at = life.wall();
        life.beat(store).await?;
        Ok(life)
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when this process and its database have worked together.
    pub(super) fn started_at(&self) -> i64 {
        self.run().started_at
    }

    /// The time all nodes agree on, in milliseconds since 1970.
    pub(super) fn wall(&self) -> i64 {
        let (moment, at) = *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        at + i64::try_from(moment.elapsed().as_millis()).unwrap_or(0)
    }

    fn set(&self, now: i64) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), now);
    }

    /// What time it is, and how long it took to ask. Where there may be several nodes the database has the time, for
    /// nodes whose clocks differ must not charge people for it; alone it is this machine's.
    async fn time(&self, store: &Store) -> Result<(i64, Duration), StoreError> {
        // A database that does not even tell the time is slow, though nobody may be writing.
        let _asking = matches!(store, Store::Postgres(_)).then(|| self.begins());
        let Some((there, took)) = store.clock().await? else { return Ok((self.machine(), Duration::ZERO)) };
        Ok((there + i64::try_from(took.as_millis() / 2).unwrap_or(0), took))
    }

    /// What this machine takes for the time.
    fn machine(&self) -> i64 {
        wall() + self.ahead.load(Ordering::Relaxed)
    }

    /// Looks at the time again. If it has moved by much more than has passed, a clock was set or the machine slept:
    /// that is charged to nobody, as if the database had been lost in between.
    async fn set_clock(&self, store: &Store) -> Result<(), StoreError> {
        let (now, took) = self.time(store).await?;
        let milliseconds = now - self.wall();
        if milliseconds.abs() > SKEW.max(2 * i64::try_from(took.as_millis()).unwrap_or(0)) {
            tracing::warn!(milliseconds, "time has moved without having passed; nobody is charged for it");
            self.set(now);
            self.lost.store(true, Ordering::Relaxed);
        } else if took < PROMPT {
            self.set(now);
        }
        Ok(())
    }

    pub(super) async fn beat(&self, store: &Store) -> Result<(), StoreError> {
        let Run { id, started_at } = self.run().clone();
        let _writing = self.begins();
        self.say(store, &id, started_at, self.wall()).await
    }

    /// Says that this process lives from one moment to another, if that is of any use to people.
    async fn say(&self, store: &Store, run: &str, from: i64, to: i64) -> Result<(), StoreError> {
        match self.role {
            Role::Node => store.beat(run, from, to).await,
            Role::Worker if store.answers().await => Ok(()),
            Role::Worker => Err(StoreError::Database("no answer".to_owned())),
        }
    }

    /// Says for the last time that this process lives.
    pub(super) async fn last_beat(&self, store: &Store) -> Result<(), StoreError> {
        self.over.store(true, Ordering::Relaxed);
        self.beat(store).await
    }

    /// Whether nothing can be decided now: the database is lost, or this process has been frozen, and it is not settled
    /// yet that nobody is charged for it.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed) || self.ticked().elapsed() > FROZEN
    }

    fn ticked(&self) -> MutexGuard<'_, Instant> {
        self.ticked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notices that this process runs, and whether it did not.
    fn tick(&self) {
        let mut ticked = self.ticked();
        let seconds = ticked.elapsed().as_secs();
        if ticked.elapsed() > FROZEN {
            tracing::warn!(seconds, "this process did not run; nobody is charged for it");
            self.lost.store(true, Ordering::Relaxed);
        }
        *ticked = Instant::now();
    }

    /// Whether the database is so slow that new games would make running ones wait: many writes wait, one has waited
    /// for long, or they have taken long lately.
    pub(super) fn is_slow(&self, config: &Config) -> bool {
        let writing = self.writing();
        let oldest = writing.first_key_value().map_or(Duration::ZERO, |(_, began)| began.elapsed());
        let lately = Duration::from_micros(self.lately.load(Ordering::Relaxed));
        writing.len() > config.most_writes || oldest.max(lately) > config.slowest_write
    }

    fn writing(&self) -> MutexGuard<'_, BTreeMap<u64, Instant>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes, and notes how it went.
    pub(super) async fn append(&self, store: &Store, append: Append) -> Result<(), StoreError> {
        let writing = self.begins();
        let written = store.append(append).await;
        drop(writing);
        if !matches!(written, Ok(()) | Err(StoreError::Conflict)) {
            self.lost.store(true, Ordering::Relaxed);
        }
        written
    }

    /// A write is on its way.
    fn begins(&self) -> Writing<'_> {
        let number = self.writes.fetch_add(1, Ordering::Relaxed);
        let mut writing = self.writing();
        writing.insert(number, Instant::now());
        metrics::gauge!("fourfold_write_queue").set(writing.len() as f64);
        Writing { life: self, number }
    }
}

/// A write on its way; it has ended, well or not, when this is dropped.
struct Writing<'a> {
    life: &'a Life,
    number: u64,
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let mut writing = self.life.writing();
        let began = writing.remove(&self.number);
        metrics::gauge!("fourfold_write_queue").set(writing.len() as f64);
        drop(writing);
        let Some(began) = began else { return };
        metrics::histogram!("fourfold_write_seconds").record(began.elapsed());
        let micros = u64::try_from(began.elapsed().min(SLOWEST).as_micros()).unwrap_or(0);
        // Of several at once one may be forgotten, which changes nothing that matters.
        let before = self.life.lately.load(Ordering::Relaxed);
        self.life.lately.store((before * 15 + micros) / 16, Ordering::Relaxed);
    }
}

/// Notices again and again that this process runs.
pub(super) async fn tick(hub: Weak<Hub>) {
    while let Some(hub) = hub.upgrade() {
        hub.life.tick();
        drop(hub);
        tokio::time::sleep(TICK).await;
    }
}

/// Says that the server lives; and when the database was lost, begins anew as soon as it is back, so that nobody is
/// charged for the time between.
pub(super) async fn keep(hub: Weak<Hub>) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(RETRY).await;
        let Some(hub) = hub.upgrade() else { return };
        if hub.life.over.load(Ordering::Relaxed) {
            return;
        }
        if hub.life.is_lost() {
            come_back(&hub).await;
        // While it is slow it is asked more often: without new tables nobody else might notice that it is quick again.
        } else if last.elapsed() >= HEARTBEAT || hub.life.is_slow(&hub.config) {
            last = Instant::now();
            let _ = hub.life.set_clock(&hub.store).await;
            // Time that did not pass is no part of this stretch of life.
            if !hub.life.is_lost() && hub.life.beat(&hub.store).await.is_err() {
                hub.life.lost.store(true, Ordering::Relaxed);
            }
        }
    }
}

async fn come_back(hub: &Arc<Hub>) {
    let run = Run { id: secret::name(), started_at: hub.life.wall() };
    if hub.life.say(&hub.store, &run.id, run.started_at, run.started_at).await.is_err() {
        return;
    }
    *hub.life.run() = run;
    hub.life.losses.fetch_add(1, Ordering::Relaxed);
    hub.life.lately.store(0, Ordering::Relaxed);
    hub.life.lost.store(false, Ordering::Relaxed);
    tracing::warn!("a new stretch of life begins; every table is read again");
    let slots: Vec<_> = hub.slots().values().cloned().collect();
    for slot in slots {
        let mut inner = slot.inner.lock().await;
        if hub.sync(&slot, &mut inner).await.is_ok() {
            hub.after_change(&slot, &mut inner, super::Whose::Ours);
            // The clocks stand elsewhere than people were told.
            inner.publish_clocks(hub.now());
        }
    }
}
