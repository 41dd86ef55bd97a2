//! When this process lived, what time it is, and whether the database takes what it is given.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::{Hub, wall};
use crate::secret;
use crate::store::{Append, Store, StoreError};

/// How often a server says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often a lost database is tried again.
const RETRY: Duration = Duration::from_millis(200);
/// A clock further from the database's than this is worth a line in the log.
const SKEW: i64 = 5_000;

/// A stretch of time in which this process and its database worked together.
#[derive(Clone, Debug)]
struct Run {
    id: String,
    started_at: i64,
}

/// See above.
pub(super) struct Life {
    run: Mutex<Run>,
    /// What to add to this machine's time to have the database's.
    offset: AtomicI64,
    lost: AtomicBool,
    /// Counts how often the database was lost: tables read before that are to be read again.
    pub(super) losses: AtomicU64,
    /// How many writes are on their way.
    writing: AtomicUsize,
    /// How long a write takes, in microseconds, lately.
    lately: AtomicU64,
}

impl Life {
    /// Asks the database for the time, and says that this process lives.
    pub(super) async fn begin(store: &Store) -> Result<Life, StoreError> {
        let life = Life {
            run: Mutex::new(Run { id: secret::name(), started_at: 0 }),
            offset: AtomicI64::new(0),
            lost: AtomicBool::new(false),
            losses: AtomicU64::new(0),
            writing: AtomicUsize::new(0),
            lately: AtomicU64::new(0),
        };
        life.set_clock(store).await?;
        if life.offset.load(Ordering::Relaxed).abs() > SKEW {
            let milliseconds = life.offset.load(Ordering::Relaxed);
            tracing::warn!(milliseconds, "this machine's clock is wrong; games go by the database's");
        }
        life.run().started_at = life.wall();
        life.beat(store).await?;
        Ok(life)
    }

    fn run(&self) -> std::sync::MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when this process and its database have worked together.
    pub(super) fn started_at(&self) -> i64 {
        self.run().started_at
    }

    /// The time all nodes agree on, in milliseconds since 1970.
    pub(super) fn wall(&self) -> i64 {
        wall() + self.offset.load(Ordering::Relaxed)
    }

    /// Nodes whose clocks differ must not charge people for it: where there may be several, the database has the time.
    async fn set_clock(&self, store: &Store) -> Result<(), StoreError> {
        let Some((there, took)) = store.clock().await? else { return Ok(()) };
        let half = i64::try_from(took.as_millis() / 2).unwrap_or(0);
        // A slow answer says little about the time.
        if took < Duration::from_millis(100) || self.offset.load(Ordering::Relaxed) == 0 {
            self.offset.store(there + half - wall(), Ordering::Relaxed);
        }
        Ok(())
    }

    pub(super) async fn beat(&self, store: &Store) -> Result<(), StoreError> {
        let Run { id, started_at } = self.run().clone();
        store.beat(&id, started_at, self.wall()).await
    }

    /// Whether the database is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether the database is so slow that new games would make running ones wait.
    pub(super) fn is_slow(&self, most: usize, slowest: Duration) -> bool {
        self.writing.load(Ordering::Relaxed) > most
            || Duration::from_micros(self.lately.load(Ordering::Relaxed)) > slowest
    }

    /// Writes, and notes how it went.
    pub(super) async fn append(&self, store: &Store, append: Append) -> Result<(), StoreError> {
        let waiting = self.writing.fetch_add(1, Ordering::Relaxed) + 1;
        metrics::gauge!("fourfold_write_queue").set(waiting as f64);
        let began = Instant::now();
        let written = store.append(append).await;
        self.writing.fetch_sub(1, Ordering::Relaxed);
        self.note_time(began.elapsed());
        if !matches!(written, Ok(()) | Err(StoreError::Conflict)) {
            self.lost.store(true, Ordering::Relaxed);
        }
        written
    }

    fn note_time(&self, took: Duration) {
        metrics::histogram!("fourfold_write_seconds").record(took);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX / 16);
        // Of several at once one may be forgotten, which changes nothing that matters.
        let before = self.lately.load(Ordering::Relaxed);
        self.lately.store((before * 15 + micros.min(60_000_000)) / 16, Ordering::Relaxed);
    }
}

/// Says that the server lives; and when the database was lost, begins anew as soon as it is back, so that nobody is
/// charged for the time between.
pub(super) async fn keep(hub: Weak<Hub>) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(RETRY).await;
        let Some(hub) = hub.upgrade() else { return };
        if hub.life.is_lost() {
            come_back(&hub).await;
        } else if last.elapsed() >= HEARTBEAT {
            last = Instant::now();
            let _ = hub.life.set_clock(&hub.store).await;
            if hub.life.beat(&hub.store).await.is_err() {
                hub.life.lost.store(true, Ordering::Relaxed);
            }
        }
    }
}

async fn come_back(hub: &Arc<Hub>) {
    let run = Run { id: secret::name(), started_at: hub.life.wall() };
    if hub.store.beat(&run.id, run.started_at, run.started_at).await.is_err() {
        return;
    }
    *hub.life.run() = run;
    hub.life.losses.fetch_add(1, Ordering::Relaxed);
    hub.life.lately.store(0, Ordering::Relaxed);
    hub.life.lost.store(false, Ordering::Relaxed);
    tracing::warn!("the database is back; every table is read again");
    let slots: Vec<_> = hub.slots().values().cloned().collect();
    for slot in slots {
        let mut inner = slot.inner.lock().await;
        if hub.refresh(&slot, &mut inner).await.is_ok() {
            hub.after_change(&slot, &mut inner, super::Whose::Ours);
            // The clocks stand elsewhere than people were told.
            inner.publish_clocks(hub.now());
        }
    }
}
