//! A server's environment on simulated time, in one thread: which task goes on next, and every random number, follows
//! from one seed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use search::Random;

use super::{BoxFuture, Environment, enter};

/// A simulated system.
pub(crate) struct Simulation {
    state: Mutex<State>,
    this: Weak<Simulation>,
}

struct State {
    now: Duration,
    random: Random,
    tasks: BTreeMap<u64, BoxFuture>,
    ready: Vec<u64>,
    timers: BTreeMap<(Duration, u64), Waker>,
    numbers: u64,
}

/// Wakes a task of a simulation.
struct TaskWaker {
    simulation: Weak<Simulation>,
    task: u64,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        let Some(simulation) = self.simulation.upgrade() else { return };
        let mut state = simulation.state();
        if !state.ready.contains(&self.task) {
            state.ready.push(self.task);
        }
    }
}

/// When simulated time begins, in milliseconds since 1970.
const BEGINNING: i64 = 1_800_000_000_000;
/// The most positions a bot looks at for one move.
const SEARCH_NODES: u64 = 500;

impl Simulation {
    pub(crate) fn new(seed: u64) -> Arc<Simulation> {
        let state = State {
            now: Duration::ZERO,
            random: Random::new(seed),
            tasks: BTreeMap::new(),
            ready: Vec::new(),
            timers: BTreeMap::new(),
            numbers: 0,
        };
        Arc::new_cyclic(|this| Simulation { state: Mutex::new(state), this: this.clone() })
    }

    /// Runs everything until a task is done; time passes only while no task can go on.
    pub(crate) fn run<T: Send + 'static>(self: &Arc<Self>, task: impl Future<Output = T> + Send + 'static) -> T {
        let _entered = enter(self.clone());
        let result = Arc::new(Mutex::new(None));
        let slot = result.clone();
        drop(self.spawn(Box::pin(async move {
            let done = task.await;
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        })));
        loop {
            if let Some(done) = result.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return done;
            }
            self.step();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a random task of those that can go on do so, or lets time pass until one can.
    fn step(&self) {
        let mut state = self.state();
        if state.ready.is_empty() {
            let ((when, _), waker) = state.timers.pop_first().expect("no task can ever go on");
            state.now = state.now.max(when);
            drop(state);
            waker.wake();
            return;
        }
        let count = state.ready.len() as u32;
        let chosen = state.random.below(count) as usize;
        let number = state.ready.swap_remove(chosen);
        let Some(mut task) = state.tasks.remove(&number) else { return };
        drop(state);
        let waker = Waker::from(Arc::new(TaskWaker { simulation: self.this.clone(), task: number }));
        if task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            self.state().tasks.insert(number, task);
        }
    }
}

impl Environment for Simulation {
    fn now(&self) -> Duration {
        self.state().now
    }

    fn wall(&self) -> i64 {
        BEGINNING + self.state().now.as_millis() as i64
    }

    fn random(&self) -> u32 {
        self.state().random.below(u32::MAX)
    }

    fn sleep(&self, time: Duration) -> BoxFuture {
        let simulation = self.this.clone();
        let mut state = self.state();
        state.numbers += 1;
        let timer = (state.now + time, state.numbers);
        drop(state);
        Box::pin(std::future::poll_fn(move |context| {
            let Some(simulation) = simulation.upgrade() else { return Poll::Pending };
            let mut state = simulation.state();
            if state.now >= timer.0 {
                state.timers.remove(&timer);
                return Poll::Ready(());
            }
            state.timers.insert(timer, context.waker().clone());
            Poll::Pending
        }))
    }

    fn spawn(&self, task: BoxFuture) -> Box<dyn Fn() + Send + Sync> {
        let mut state = self.state();
        state.numbers += 1;
        let number = state.numbers;
        state.tasks.insert(number, task);
        state.ready.push(number);
        let simulation = self.this.clone();
        Box::new(move || {
            let Some(simulation) = simulation.upgrade() else { return };
            // Dropped outside the lock: what it holds may itself ask the simulation for something.
            let task = simulation.state().tasks.remove(&number);
            drop(task);
        })
    }

    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn search_nodes(&self) -> Option<u64> {
        Some(SEARCH_NODES)
    }
}
