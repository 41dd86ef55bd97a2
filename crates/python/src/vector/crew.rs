//! Threads that wait between steps and share the parts of a step.
//!
//! A thread begins with the parts that it had in the last step, which are in its cache, and then takes what others have
//! not begun. So a thread that the system lets wait holds up the step by one part at most.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The threads beside the caller's own.
pub(crate) struct Crew {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

/// A thread waits awake for so long before it sleeps: steps follow each other closely, and waking takes longer.
const PATIENCE: Duration = Duration::from_micros(50);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The same as in the state, for workers that wait awake.
    round: AtomicU64,
    /// Workers at work, for a caller that waits awake.
    busy: AtomicUsize,
    /// A round has begun, or the crew ends.
    begun: Condvar,
    /// No worker is at work.
    idle: Condvar,
}

#[derive(Default)]
struct State {
    round: u64,
    /// None between rounds: a worker that wakes too late holds nothing of the caller's.
    job: Option<Arc<Job>>,
    sleeping: usize,
    ended: bool,
}

/// The parts of one round.
struct Job {
    shares: Vec<Share>,
    work: Box<dyn Fn(usize) + Send + Sync>,
    failed: AtomicBool,
}

/// The parts that one thread begins with.
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl Job {
    /// Does the parts of the thread's own share, then what is left of the others.
    fn take_part(&self, own: usize) {
        let (before, after) = self.shares.split_at(own);
        for share in after.iter().chain(before) {
            loop {
                let part = share.next.fetch_add(1, Ordering::Relaxed);
                if part >= share.end {
                    break;
                }
                if catch_unwind(AssertUnwindSafe(|| (self.work)(part))).is_err() {
                    self.failed.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a worker does until the crew ends.
    fn serve(&self, own: usize) {
        let mut seen = 0;
        loop {
            wait_awake(|| self.round.load(Ordering::Acquire) != seen);
            let mut state = self.state();
            while state.round == seen && !state.ended {
                state.sleeping += 1;
                state = self.begun.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.sleeping -= 1;
            }
            if state.ended {
                return;
            }
            seen = state.round;
            let Some(job) = state.job.clone() else { continue };
            self.busy.fetch_add(1, Ordering::Relaxed);
            drop(state);
            job.take_part(own);
            // The caller alone may be left with what the job holds.
            drop(job);
            let state = self.state();
            if self.busy.fetch_sub(1, Ordering::Release) == 1 {
                self.idle.notify_one();
            }
            drop(state);
        }
    }
}

impl Crew {
    pub(crate) fn new(workers: usize) -> std::io::Result<Crew> {
        let mut crew = Crew { shared: Arc::default(), workers: Vec::new() };
        for own in 1..=workers {
            let shared = Arc::clone(&crew.shared);
            let thread = std::thread::Builder::new().name("fourfold".to_owned());
            crew.workers.push(thread.spawn(move || shared.serve(own))?);
        }
        Ok(crew)
    }

    /// Threads, the caller's included.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Does `work` once for every part and returns when all are done: whether none of them failed.
    pub(crate) fn run(&mut self, parts: usize, work: impl Fn(usize) + Send + Sync + 'static) -> bool {
        let threads = self.threads();
        if threads == 1 {
            return catch_unwind(AssertUnwindSafe(|| (0..parts).for_each(work))).is_ok();
        }
        let share =
            |own: usize| Share { next: AtomicUsize::new(parts * own / threads), end: parts * (own + 1) / threads };
        let shares = (0..threads).map(share).collect();
        let job = Arc::new(Job { shares, work: Box::new(work), failed: AtomicBool::new(false) });
        let mut state = self.shared.state();
        state.round += 1;
        state.job = Some(Arc::clone(&job));
        let (round, sleeping) = (state.round, state.sleeping);
        drop(state);
        self.shared.round.store(round, Ordering::Release);
        if sleeping > 0 {
            self.shared.begun.notify_all();
        }
        job.take_part(0);
        // From here on no worker begins; those at work are waited for.
        self.shared.state().job = None;
        let is_idle = || self.shared.busy.load(Ordering::Acquire) == 0;
        wait_awake(is_idle);
        let mut state = self.shared.state();
        while !is_idle() {
            state = self.shared.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        !job.failed.load(Ordering::Relaxed)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.state().ended = true;
        self.shared.round.fetch_add(1, Ordering::Release);
        self.shared.begun.notify_all();
        for worker in self.workers.drain(..) {
            // A worker catches what its parts do, so that it ends in order.
            let _ = worker.join();
        }
    }
}

/// Waits until something is true, or until it is time to sleep.
fn wait_awake(is_true: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_true() && began.elapsed() < PATIENCE {
        std::hint::spin_loop();
    }
}
