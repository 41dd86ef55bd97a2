//! Processor time, which a busy machine does not shorten: what was used, and how many nodes an engine searches in it.

use std::fs;
use std::time::Duration;

/// What a contestant has used in a run.
#[derive(Debug, Default)]
pub(super) struct Spent {
    nodes: u64,
    time: Duration,
    turns: u32,
}

/// Engines are timed in steps of 10 ms, so that less than this says little about how fast they are.
const ENOUGH: Duration = Duration::from_millis(100);

/// The nodes of the first turn; they are doubled with every turn until it is known how long they take.
const FIRST_NODES: u128 = 1_000;

impl Spent {
    /// Begins a turn; the nodes that an engine can be expected to search in this time, going by all its turns so far.
    pub(super) fn begin(&mut self, time: Duration) -> u64 {
        let nodes = match self.time < ENOUGH {
            true => FIRST_NODES << self.turns.min(16),
            false => u128::from(self.nodes) * time.as_nanos() / self.time.as_nanos(),
        };
        self.turns += 1;
        u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
    }

    /// Notes what an action of a turn took.
    pub(super) fn add(&mut self, nodes: u64, time: Duration) {
        self.nodes += nodes;
        self.time += time;
    }

    /// The mean time of a turn; `None` before the first.
    pub(super) fn of_a_turn(&self) -> Option<Duration> {
        (self.turns > 0).then(|| self.time / self.turns)
    }
}

/// How long this thread has run; `None` where the system does not tell.
pub(super) fn of_this_thread() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// How long the threads of a program have run, in steps of 10 ms.
pub(super) fn of_program(id: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The program's name, in parentheses, may hold spaces.
    let (_, fields) = text.rsplit_once(") ")?;
    let ticks = |place: usize| fields.split(' ').nth(place)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_follow_from_the_time_that_nodes_took() {
        let (mut spent, turn) = (Spent::default(), Duration::from_millis(50));
        assert_eq!((spent.begin(turn), spent.begin(turn)), (1_000, 2_000));
        spent.add(3_000, Duration::from_millis(60));
        assert_eq!(spent.begin(turn), 4_000, "60 ms are too few to go by");
        spent.add(4_000, Duration::from_millis(80));
        assert_eq!(spent.begin(turn), 2_500, "7,000 nodes took 140 ms");
        assert_eq!(spent.of_a_turn(), Some(Duration::from_millis(35)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_work_takes_processor_time() {
        let (thread, program) = (of_this_thread().unwrap(), of_program(std::process::id()).unwrap());
        std::thread::sleep(Duration::from_millis(20));
        assert!(of_this_thread().unwrap() - thread < Duration::from_millis(15), "sleep is no work");
        let mut count = 0u64;
        while of_this_thread().unwrap() - thread < Duration::from_millis(30) {
            count = std::hint::black_box(count + 1);
        }
        assert!(of_program(std::process::id()).unwrap() - program >= Duration::from_millis(10));
    }
}
