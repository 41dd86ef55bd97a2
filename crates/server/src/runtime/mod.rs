//! Everything the server takes from outside its own code besides the store and the bus: time, random numbers, tasks and
//! threads.
//!
//! Nothing else in this crate may ask the system for them; clippy's `disallowed-methods` sees to that. A thread that has
//! entered an [`Environment`] of its own gets them from there, so a simulator can run several nodes unchanged, in one
//! thread, on simulated time and from one seed.

mod instant;
pub(crate) mod simulation;
mod system;

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::oneshot;

pub(crate) use instant::Instant;
use system::System;

/// A task or timer without its type.
pub(crate) type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a server runs in: the system, or a simulation of it.
pub(crate) trait Environment: Send + Sync {
    /// The time since some fixed moment; it never goes backwards.
    fn now(&self) -> Duration;

    /// What this machine takes for the time, in milliseconds since 1970.
    fn wall(&self) -> i64;

    /// A random number, unpredictable outside a simulation.
    fn random(&self) -> u32;

    /// Completes after a while.
    fn sleep(&self, time: Duration) -> BoxFuture;

    /// Runs a task beside the others; the answer ends it early when called.
    fn spawn(&self, task: BoxFuture) -> Box<dyn Fn() + Send + Sync>;

    /// Runs work that takes long where it holds up no task.
    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>);

    /// The most positions a bot may look at for one move. A simulation has a limit, as its time stands still meanwhile.
    fn search_nodes(&self) -> Option<u64>;
}

thread_local! {
    static ENTERED: RefCell<Option<Arc<dyn Environment>>> = const { RefCell::new(None) };
}

fn with<T>(ask: impl FnOnce(&dyn Environment) -> T) -> T {
    ENTERED.with_borrow(|entered| match entered {
        Some(environment) => ask(environment.as_ref()),
        None => ask(&System),
    })
}

/// Lets this thread take everything from an environment until the guard is dropped.
pub(crate) fn enter(environment: Arc<dyn Environment>) -> Entered {
    Entered(ENTERED.replace(Some(environment)))
}

/// See [`enter`].
pub(crate) struct Entered(Option<Arc<dyn Environment>>);

impl Drop for Entered {
    fn drop(&mut self) {
        ENTERED.set(self.0.take());
    }
}

/// What this machine takes for the time, in milliseconds since 1970.
pub(crate) fn wall() -> i64 {
    with(|environment| environment.wall())
}

/// A random number.
pub(crate) fn random() -> u32 {
    with(|environment| environment.random())
}

/// The most positions a bot may look at for one move, if there is a limit.
pub(crate) fn search_nodes() -> Option<u64> {
    with(|environment| environment.search_nodes())
}

/// Completes after a while.
pub(crate) fn sleep(time: Duration) -> BoxFuture {
    with(|environment| environment.sleep(time))
}

/// The time was up before the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimedOut;

/// Waits for work, but not longer than `limit`.
pub(crate) async fn timeout<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, TimedOut> {
    tokio::select! {
        biased;
        done = work => Ok(done),
        () = sleep(limit) => Err(TimedOut),
    }
}

/// Runs a task beside the others. It goes on when the handle is dropped.
pub(crate) fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> Task<T> {
    let (send, result) = oneshot::channel();
    let task = Box::pin(async move {
        // Most tasks are not waited for.
        let _ = send.send(task.await);
    });
    Task { result, abort: with(|environment| environment.spawn(task)) }
}

/// Runs work that takes long where it holds up no task; nothing if it panicked.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (send, result) = oneshot::channel();
    with(|environment| {
        environment.run_blocking(Box::new(move || {
            let _ = send.send(work());
        }));
    });
    result.await.ok()
}

/// A task that runs beside the others.
pub(crate) struct Task<T> {
    result: oneshot::Receiver<T>,
    abort: Box<dyn Fn() + Send + Sync>,
}

/// A task was ended before it was done, or panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended;

impl<T> Task<T> {
    /// Ends the task at its next await.
    pub(crate) fn abort(&self) {
        (self.abort)();
    }
}

impl<T> Future for Task<T> {
    type Output = Result<T, Ended>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.result).poll(context).map(|result| result.map_err(|_| Ended))
    }
}
