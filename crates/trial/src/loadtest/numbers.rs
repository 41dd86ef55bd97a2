use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The measurements of all clients together.
#[derive(Default)]
pub(super) struct Numbers {
    seated: AtomicUsize,
    measured: Mutex<Measured>,
}

/// The measurements of one interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// From sending an action to its acknowledgement, in microseconds.
    waits: Vec<u32>,
    /// From sending an action to the other player's screen, in microseconds.
    screens: Vec<u32>,
    /// How many events were checked.
    pub(super) events: u64,
    pub(super) problems: Vec<String>,
}

impl Numbers {
    fn with<T>(&self, change: impl FnOnce(&mut Measured) -> T) -> T {
        change(&mut self.measured.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A table is full.
    pub(super) fn sit(&self) {
        self.seated.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn seated(&self) -> usize {
        self.seated.load(Ordering::Relaxed)
    }

    pub(super) fn acknowledged(&self, after: Duration) {
        self.with(|measured| measured.waits.push(u32::try_from(after.as_micros()).unwrap_or(u32::MAX)));
    }

    pub(super) fn shown(&self, after: Duration) {
        self.with(|measured| measured.screens.push(u32::try_from(after.as_micros()).unwrap_or(u32::MAX)));
    }

    pub(super) fn checked(&self, events: u32) {
        self.with(|measured| measured.events += u64::from(events));
    }

    pub(super) fn problem(&self, what: String) {
        self.with(|measured| measured.problems.push(what));
    }

    pub(super) fn first_problem(&self) -> Option<String> {
        self.with(|measured| measured.problems.first().cloned())
    }

    /// Forgets the times, not the problems.
    pub(super) fn reset(&self) {
        self.with(|measured| {
            *measured = Measured { problems: std::mem::take(&mut measured.problems), ..Measured::default() }
        });
    }

    pub(super) fn take(&self) -> Measured {
        self.with(std::mem::take).sorted()
    }
}

impl Measured {
    fn sorted(mut self) -> Measured {
        self.waits.sort_unstable();
        self.screens.sort_unstable();
        self
    }

    pub(super) fn count(&self) -> usize {
        self.waits.len()
    }

    /// In milliseconds; so many of a hundred waited no longer for the acknowledgement.
    pub(super) fn percentile(&self, percent: f64) -> f64 {
        percentile(&self.waits, percent)
    }

    /// In milliseconds; so many of a hundred actions were on the other player's screen by then.
    pub(super) fn screen(&self, percent: f64) -> f64 {
        percentile(&self.screens, percent)
    }
}

fn percentile(sorted: &[u32], percent: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    f64::from(sorted[(last as f64 * percent / 100.0).round() as usize]) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_a_hundred_waits() {
        let numbers = Numbers::default();
        (1..=101).rev().for_each(|n| numbers.acknowledged(Duration::from_millis(n)));
        let measured = numbers.take();
        assert_eq!(
            (measured.percentile(50.0), measured.percentile(99.0), measured.percentile(100.0)),
            (51.0, 100.0, 101.0)
        );
        assert_eq!(Measured::default().percentile(50.0), 0.0);
    }
}
