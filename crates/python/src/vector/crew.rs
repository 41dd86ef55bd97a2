//! Threads that wait between steps and share the parts of a step.
//!
//! A step has a part for each thread. A thread begins with its own, whose environments are in its cache, and then takes what
//! others have not begun. So a thread that is still asleep does not hold up the step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

/// The threads beside the caller's own.
pub(crate) struct Crew {
    workers: Vec<(Arc<Desk>, JoinHandle<()>)>,
}

/// A thread waits awake for so long before it sleeps: steps follow each other closely, and waking takes longer.
const PATIENCE: Duration = Duration::from_micros(50);

/// Where a worker gets its jobs. Alone in its cache lines, because its owner polls it while other threads work.
#[derive(Default)]
#[repr(align(128))]
struct Desk {
    /// One of the states below.
    state: AtomicU8,
    job: Mutex<Option<Arc<Job>>>,
}

/// The desk is empty, and nothing of the caller's is held.
const IDLE: u8 = 0;
/// There is a job, which either the worker takes or the caller takes back.
const GIVEN: u8 = 1;
/// The worker has taken the job.
const BUSY: u8 = 2;
/// The worker shall end.
const ENDED: u8 = 3;

/// The parts of one round.
struct Job {
    parts: Vec<Part>,
    work: Box<dyn Fn(usize) + Send + Sync>,
    failed: AtomicBool,
    caller: Thread,
}

/// Whether a part was begun. Alone in its cache lines, because every thread notes it in its own.
#[repr(align(128))]
#[derive(Default)]
struct Part {
    begun: AtomicBool,
}

impl Job {
    /// Does the thread's own part, then those of others that are not begun.
    fn take_part(&self, own: usize) {
        let count = self.parts.len();
        for part in (own..count).chain(0..own) {
            if !self.parts[part].begun.swap(true, Ordering::Relaxed)
                && catch_unwind(AssertUnwindSafe(|| (self.work)(part))).is_err()
            {
                self.failed.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Desk {
    /// Changes the state if it is `from`: whether it was.
    fn change(&self, from: u8, to: u8) -> bool {
        self.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    fn state(&self) -> u8 {
        self.state.load(Ordering::Acquire)
    }

    /// Exchanges the job on the desk.
    fn put(&self, job: Option<Arc<Job>>) -> Option<Arc<Job>> {
        std::mem::replace(&mut *self.job.lock().unwrap_or_else(PoisonError::into_inner), job)
    }

    /// What a worker does until the crew ends.
    fn serve(&self, own: usize) {
        loop {
            wait(|| self.state() != IDLE);
            if self.state() == ENDED {
                return;
            }
            if self.change(GIVEN, BUSY)
                && let Some(job) = self.put(None)
            {
                job.take_part(own);
                let caller = job.caller.clone();
                // The caller alone may be left with what the job holds.
                drop(job);
                self.state.store(IDLE, Ordering::Release);
                caller.unpark();
            }
        }
    }
}

impl Crew {
    pub(crate) fn new(workers: usize) -> std::io::Result<Crew> {
        let mut crew = Crew { workers: Vec::new() };
        for own in 1..=workers {
            let desk = Arc::<Desk>::default();
            let served = Arc::clone(&desk);
            let thread = thread::Builder::new().name("fourfold".to_owned());
            crew.workers.push((desk, thread.spawn(move || served.serve(own))?));
        }
        Ok(crew)
    }

    /// Does `work` once for the part of every thread and returns when all are done: whether none of them failed.
    pub(crate) fn run(&mut self, work: impl Fn(usize) + Send + Sync + 'static) -> bool {
        if self.workers.is_empty() {
            return catch_unwind(AssertUnwindSafe(|| work(0))).is_ok();
        }
        let job = Arc::new(Job {
            parts: (0..=self.workers.len()).map(|_| Part::default()).collect(),
            work: Box::new(work),
            failed: AtomicBool::new(false),
            caller: thread::current(),
        });
        for (desk, worker) in &self.workers {
            desk.put(Some(Arc::clone(&job)));
            desk.state.store(GIVEN, Ordering::Release);
            worker.thread().unpark();
        }
        job.take_part(0);
        for (desk, _) in &self.workers {
            // A worker that wakes too late finds nothing and holds nothing of the caller's.
            if desk.change(GIVEN, IDLE) {
                desk.put(None);
            }
            wait(|| desk.state() == IDLE);
        }
        !job.failed.load(Ordering::Relaxed)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for (desk, worker) in self.workers.drain(..) {
            desk.state.store(ENDED, Ordering::Release);
            worker.thread().unpark();
            // A worker catches what its parts do, so that it ends in order.
            let _ = worker.join();
        }
    }
}

/// Waits until something is true that another thread makes true before it unparks this one: awake first, then asleep.
fn wait(is_true: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_true() {
        if began.elapsed() < PATIENCE {
            std::hint::spin_loop();
        } else {
            thread::park();
        }
    }
}
