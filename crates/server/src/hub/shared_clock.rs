//! The time that all nodes agree on.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::runtime::{self, Instant};

/// What time it was at a moment. Between two readings this process only counts on, so that setting the machine's clock
/// changes no game.
pub(super) struct SharedClock {
    known: Mutex<(Instant, i64)>,
    /// How far this machine's clock is ahead of the true time, in milliseconds: for tests.
    pub(super) ahead: AtomicI64,
}

/// A clock further off than this is worth a line in the log, and time that jumps by more was not spent by any player.
pub(super) const SKEW: i64 = 5_000;
/// A reading that took longer says little about the time.
const PROMPT: Duration = Duration::from_millis(100);

/// What a reading of the time found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The time is about where it was expected.
    Steady,
    /// It has moved by so many milliseconds more than have passed.
    Jumped(i64),
}

impl SharedClock {
    pub(super) fn new(ahead: i64) -> SharedClock {
        SharedClock { known: Mutex::new((Instant::now(), runtime::wall() + ahead)), ahead: AtomicI64::new(ahead) }
    }

    /// The time, in milliseconds since 1970.
    pub(super) fn wall(&self) -> i64 {
        let (moment, at) = *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        at + i64::try_from(moment.elapsed().as_millis()).unwrap_or(0)
    }

    pub(super) fn set(&self, now: i64) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), now);
    }

    /// What this machine takes for the time.
    pub(super) fn machine(&self) -> i64 {
        runtime::wall() + self.ahead.load(Ordering::Relaxed)
    }

    /// Takes in a reading of the time that took a while.
    pub(super) fn read(&self, now: i64, took: Duration) -> Reading {
        let milliseconds = now - self.wall();
        if milliseconds.abs() > SKEW.max(2 * i64::try_from(took.as_millis()).unwrap_or(0)) {
            self.set(now);
            return Reading::Jumped(milliseconds);
        }
        if took < PROMPT {
            self.set(now);
        }
        Reading::Steady
    }
}
