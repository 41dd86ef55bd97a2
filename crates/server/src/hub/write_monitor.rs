//! How long the database takes to write.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::config::Config;
use crate::runtime::Instant;

/// The writes that are under way, and how long they took lately.
#[derive(Default)]
pub(super) struct WriteMonitor {
    /// When each write that is under way began.
    running: Mutex<BTreeMap<u64, Instant>>,
    numbers: AtomicU64,
    /// The moving average, in microseconds.
    average: AtomicU64,
}

/// A longer write counts as one of this length, or a single one would be remembered for minutes.
const LONGEST: Duration = Duration::from_secs(10);

/// A write that is under way; it has ended, well or not, when this is dropped.
pub(super) struct RunningWrite<'a> {
    monitor: &'a WriteMonitor,
    number: u64,
}

impl WriteMonitor {
    /// Counts a write until the answer is dropped.
    pub(super) fn begin(&self) -> RunningWrite<'_> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut running = self.running();
        running.insert(number, Instant::now());
        metrics::gauge!("fourfold_write_queue").set(running.len() as f64);
        RunningWrite { monitor: self, number }
    }

    /// Whether the database is so slow that new games would make running ones wait: many writes wait, one has waited
    /// for long, or they have taken long lately.
    pub(super) fn is_slow(&self, config: &Config) -> bool {
        let running = self.running();
        let oldest = running.first_key_value().map_or(Duration::ZERO, |(_, began)| began.elapsed());
        let average = Duration::from_micros(self.average.load(Ordering::Relaxed));
        running.len() > config.most_writes || oldest.max(average) > config.slowest_write
    }

    /// Forgets how long writes took.
    pub(super) fn reset(&self) {
        self.average.store(0, Ordering::Relaxed);
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<u64, Instant>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningWrite<'_> {
    fn drop(&mut self) {
        let mut running = self.monitor.running();
        let began = running.remove(&self.number);
        metrics::gauge!("fourfold_write_queue").set(running.len() as f64);
        drop(running);
        let Some(took) = began.map(Instant::elapsed) else { return };
        metrics::histogram!("fourfold_write_seconds").record(took);
        let micros = u64::try_from(took.min(LONGEST).as_micros()).unwrap_or(0);
        // Of several at once one may be lost, which changes nothing that matters.
        let before = self.monitor.average.load(Ordering::Relaxed);
        self.monitor.average.store((before * 15 + micros) / 16, Ordering::Relaxed);
    }
}
