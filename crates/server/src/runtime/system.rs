#![expect(clippy::disallowed_methods, reason = "the one place that asks the system")]

use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::{BoxFuture, Environment};

/// The operating system and tokio.
pub(super) struct System;

impl Environment for System {
    fn now(&self) -> Duration {
        static BEGAN: OnceLock<Instant> = OnceLock::new();
        BEGAN.get_or_init(Instant::now).elapsed()
    }

    fn wall(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn random(&self) -> u32 {
        // One call to the system for each card would be slow.
        thread_local! {
            static READY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        READY.with_borrow_mut(|ready| {
            if ready.len() < 4 {
                ready.resize(1024, 0);
                // Without random numbers there is no fair deal and no secret: nothing can go on.
                getrandom::fill(ready).expect("the system gives random numbers");
            }
            let at = ready.len() - 4;
            let bytes: [u8; 4] = ready[at..].try_into().unwrap_or_default();
            ready.truncate(at);
            u32::from_le_bytes(bytes)
        })
    }

    fn sleep(&self, time: Duration) -> BoxFuture {
        Box::pin(tokio::time::sleep(time))
    }

    fn spawn(&self, task: BoxFuture) -> Box<dyn Fn() + Send + Sync> {
        // Where tokio has ended, nothing is left that a task could do.
        let Ok(tokio) = tokio::runtime::Handle::try_current() else { return Box::new(|| ()) };
        let handle = tokio.spawn(task).abort_handle();
        Box::new(move || handle.abort())
    }

    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        drop(tokio::task::spawn_blocking(work));
    }

    fn search_nodes(&self) -> Option<u64> {
        None
    }
}
