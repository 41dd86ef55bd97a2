//! The time that all nodes agree on.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::runtime::{self, Instant};

/// What time it was at a moment. Between two readings this process only counts on, so that setting the machine's clock
/// changes no game.
pub(super) struct SharedClock {
    known: Mutex<Known>,
    /// How far this machine's clock is ahead of the true time, in milliseconds: for tests.
    pub(super) ahead: AtomicI64,
}

/// A clock further off than this is worth a line in the log, and time that jumps by more was not spent by any player.
pub(super) const SKEW: i64 = 5_000;
/// The time is known well enough if it is known to so many milliseconds.
const GOOD: i64 = 100;

/// What is known of the time: at a moment it was not before one time and not after another, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Known {
    moment: Instant,
    earliest: i64,
    latest: i64,
}

/// An answer to the question what time it is. The time was read somewhere on the way there and back, so a slow answer says
/// little; but several together say more than the best of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The time, in milliseconds since 1970.
    pub(super) time: i64,
    /// How long it took from the question until now.
    pub(super) took: Duration,
}

/// What a reading of the time found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The time is about where it was expected.
    Steady,
    /// It has moved by at least so many milliseconds more than have passed.
    Jumped(i64),
}

impl SharedClock {
    pub(super) fn new(ahead: i64) -> SharedClock {
        let known = Known::from(Answer { time: runtime::wall() + ahead, took: Duration::ZERO });
        SharedClock { known: Mutex::new(known), ahead: AtomicI64::new(ahead) }
    }

    /// The time, in milliseconds since 1970.
    pub(super) fn wall(&self) -> i64 {
        let Known { moment, earliest, latest } = *self.known();
        earliest + (latest - earliest) / 2 + millis(moment.elapsed())
    }

    /// Forgets what was known, and believes an answer.
    pub(super) fn set(&self, answer: Answer) {
        *self.known() = Known::from(answer);
    }

    /// Whether the time is known well enough to charge players by it.
    pub(super) fn is_good(&self) -> bool {
        let known = self.known();
        known.latest - known.earliest <= GOOD
    }

    /// What this machine takes for the time.
    pub(super) fn machine(&self) -> i64 {
        runtime::wall() + self.ahead.load(Ordering::Relaxed)
    }

    /// Takes in another answer.
    pub(super) fn read(&self, answer: Answer) -> Reading {
        let (before, answered) = (self.known().now(), Known::from(answer));
        let both = Known {
            earliest: before.earliest.max(answered.earliest),
            latest: before.latest.min(answered.latest),
            ..answered
        };
        // If they contradict one another, this machine counts too fast or too slowly, or one of the clocks was set.
        *self.known() = if both.earliest <= both.latest { both } else { answered };
        let milliseconds = if answered.earliest > before.latest {
            answered.earliest - before.latest
        } else {
            (answered.latest - before.earliest).min(0)
        };
        if milliseconds.abs() > SKEW { Reading::Jumped(milliseconds) } else { Reading::Steady }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Answer> for Known {
    fn from(Answer { time, took }: Answer) -> Known {
        Known { moment: Instant::now(), earliest: time, latest: time + millis(took) }
    }
}

impl Known {
    /// What follows from it for this moment: a little less, as clocks do not run alike.
    fn now(self) -> Known {
        let passed = millis(self.moment.elapsed());
        let drift = 1 + passed / 1000;
        let (earliest, latest) = (self.earliest + passed - drift, self.latest + passed + drift);
        Known { moment: Instant::now(), earliest, latest }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::simulation::Simulation;

    /// The true time is that of the simulated machine.
    fn answer(there: u64, back: u64) -> Answer {
        let took = Duration::from_millis(there + back);
        Answer { time: runtime::wall() - back as i64, took }
    }

    #[test]
    fn slow_answers_together_say_more_than_each() {
        Simulation::new(1).run(async {
            let clock = SharedClock::new(0);
            clock.set(answer(2_000, 10));
            assert!(!clock.is_good());
            assert!((clock.wall() - runtime::wall() - 995).abs() <= 1, "{}", clock.wall() - runtime::wall());
            runtime::sleep(Duration::from_millis(500)).await;
            assert_eq!(clock.read(answer(20, 1_500)), Reading::Steady);
            assert!(clock.is_good());
            assert!((clock.wall() - runtime::wall()).abs() <= 10, "{}", clock.wall() - runtime::wall());
            // An answer that took long, as if the process had been frozen, changes nothing.
            runtime::sleep(Duration::from_secs(2)).await;
            assert_eq!(clock.read(answer(0, 30_000)), Reading::Steady);
            assert!((clock.wall() - runtime::wall()).abs() <= 10, "{}", clock.wall() - runtime::wall());
        });
    }

    #[test]
    fn a_time_that_is_another_is_believed_and_a_jump_is_said() {
        Simulation::new(1).run(async {
            let clock = SharedClock::new(0);
            clock.set(answer(5, 5));
            let ahead = |by: i64| Answer { time: runtime::wall() + by, took: Duration::ZERO };
            assert_eq!(clock.read(ahead(700)), Reading::Steady);
            assert_eq!(clock.wall() - runtime::wall(), 700);
            assert!(matches!(clock.read(ahead(60_700)), Reading::Jumped(59_000..=60_000)));
            assert!(matches!(clock.read(ahead(0)), Reading::Jumped(-60_700..=-59_000)));
            assert_eq!(clock.wall(), runtime::wall());
        });
    }
}
