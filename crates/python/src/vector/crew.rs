//! Threads that wait for work between steps.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads.
pub(crate) struct Crew {
    workers: Vec<(Sender<Job>, JoinHandle<()>)>,
    done: Mutex<Receiver<bool>>,
}

/// A worker looks for work for so long before it sleeps: steps follow each other closely, and waking takes longer.
const PATIENCE: Duration = Duration::from_micros(50);

impl Crew {
    pub(crate) fn new(threads: usize) -> std::io::Result<Crew> {
        let (finished, done) = channel();
        let workers = (0..threads).map(|_| worker(finished.clone())).collect::<std::io::Result<_>>()?;
        Ok(Crew { workers, done: Mutex::new(done) })
    }

    /// Gives each worker a job, does `own` meanwhile, and waits for all; whether none of them failed.
    pub(crate) fn run(&self, jobs: Vec<Job>, own: impl FnOnce()) -> bool {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sent = 0;
        for ((worker, _), job) in self.workers.iter().zip(jobs) {
            sent += usize::from(worker.send(job).is_ok());
        }
        // The jobs may hold the caller's arrays, so that even after a failure all are waited for.
        let mut good = catch_unwind(AssertUnwindSafe(own)).is_ok() && sent == self.workers.len();
        for _ in 0..sent {
            good &= receive(&done).unwrap_or(false);
        }
        good
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for (jobs, thread) in self.workers.drain(..) {
            drop(jobs);
            // A worker catches what its jobs do, so that it ends in order.
            let _ = thread.join();
        }
    }
}

fn worker(finished: Sender<bool>) -> std::io::Result<(Sender<Job>, JoinHandle<()>)> {
    let (jobs, queue) = channel::<Job>();
    let thread = std::thread::Builder::new().name("fourfold".to_owned()).spawn(move || {
        while let Some(job) = receive(&queue) {
            let good = catch_unwind(AssertUnwindSafe(job)).is_ok();
            if finished.send(good).is_err() {
                break;
            }
        }
    })?;
    Ok((jobs, thread))
}

/// Waits awake at first, then asleep; `None` once the other end is gone.
fn receive<T>(queue: &Receiver<T>) -> Option<T> {
    let began = Instant::now();
    loop {
        match queue.try_recv() {
            Ok(found) => return Some(found),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if began.elapsed() > PATIENCE => return queue.recv().ok(),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
}
