//! A queue of work in this process, for simulations.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::work_queue::{Job, LONGEST_WAIT, MOST_DELIVERED, Offered, Queue, SAME};
use crate::runtime::{self, Instant};

/// The queue.
#[derive(Default)]
pub(crate) struct MemoryQueue {
    state: Mutex<State>,
    more: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    handed_out: BTreeMap<u64, HandedOut>,
    /// When each name was last offered.
    offered: BTreeMap<String, Instant>,
    numbers: u64,
    is_out: bool,
}

#[derive(Clone)]
struct Waiting {
    kind: Queue,
    job: Job,
    delivered: i64,
}

struct HandedOut {
    what: Waiting,
    /// Unless the worker reports progress by then, it counts as dead.
    until: Instant,
}

/// How often jobs of dead workers are looked for.
const LOOK: Duration = Duration::from_secs(1);

impl MemoryQueue {
    /// Whether the broker is gone.
    pub(super) fn is_out(&self) -> bool {
        self.state().is_out
    }

    /// Lets the broker be gone, or back; a broker that lost its disk has forgotten all jobs.
    pub(super) fn set_out(&self, is_out: bool) {
        let mut state = self.state();
        state.is_out = is_out;
        if is_out {
            state.waiting.clear();
            state.handed_out.clear();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.state().waiting.len()
    }

    pub(super) fn offer(&self, kind: Queue, name: &str, job: &Job) -> Offered {
        let mut state = self.state();
        if state.is_out {
            return Offered::No;
        }
        let name = format!("{}:{name}", kind.word());
        state.offered.retain(|_, at| at.elapsed() < SAME);
        if state.offered.insert(name, Instant::now()).is_none() {
            state.waiting.push_back(Waiting { kind, job: job.clone(), delivered: 0 });
            self.more.notify_waiters();
        }
        Offered::Taken
    }

    /// The next job with its number.
    pub(super) async fn next(&self, kind: Queue) -> Result<Option<(u64, Job)>, ()> {
        let began = Instant::now();
        while began.elapsed() < LONGEST_WAIT {
            let more = self.more.notified();
            if self.is_out() {
                return Err(());
            }
            let (next, wait) = {
                let mut state = self.state();
                (state.take(kind), if state.handed_out.is_empty() { LONGEST_WAIT } else { LOOK })
            };
            if let Some(next) = next {
                // Those who wait look from now on whether this job comes back.
                self.more.notify_waiters();
                return Ok(Some(next));
            }
            let _ = runtime::timeout(wait.min(LONGEST_WAIT.saturating_sub(began.elapsed())), more).await;
        }
        Ok(None)
    }

    pub(super) fn progress(&self, number: u64) {
        if let Some(known) = self.state().handed_out.get_mut(&number) {
            known.until = Instant::now() + known.what.kind.given_up_after();
        }
    }

    pub(super) fn done(&self, number: u64) {
        self.state().handed_out.remove(&number);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take(&mut self, kind: Queue) -> Option<(u64, Job)> {
        let now = Instant::now();
        let dead: Vec<u64> =
            self.handed_out.iter().filter(|(_, handed)| handed.until < now).map(|(number, _)| *number).collect();
        for number in dead {
            let given_up = self.handed_out.remove(&number).map(|handed| handed.what);
            self.waiting.extend(given_up.filter(|what| what.delivered < MOST_DELIVERED));
        }
        let at = self.waiting.iter().position(|waiting| waiting.kind == kind)?;
        let mut what = self.waiting.remove(at)?;
        what.delivered += 1;
        self.numbers += 1;
        let job = what.job.clone();
        self.handed_out.insert(self.numbers, HandedOut { what, until: now + kind.given_up_after() });
        Some((self.numbers, job))
    }
}
