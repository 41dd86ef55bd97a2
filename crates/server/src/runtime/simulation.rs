//! A server's environment on simulated time, in one thread: which task goes on next, and every random number, follows
//! from one seed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use search::Random;

use super::{BoxFuture, Environment, enter};

/// A simulated system of several machines.
pub(crate) struct Simulation {
    state: Mutex<State>,
    this: Weak<Simulation>,
}

/// A simulated machine; tasks begin on the machine of the task that spawns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Machine(u32);

/// The machine on which everything begins: the world around the servers.
const WORLD: Machine = Machine(0);

struct State {
    now: Duration,
    random: Random,
    tasks: BTreeMap<u64, Task>,
    ready: Vec<u64>,
    timers: BTreeMap<(Duration, u64), Waker>,
    numbers: u64,
    /// The machine of the task that goes on at the moment.
    current: Machine,
    machines: Vec<MachineState>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Power {
    #[default]
    On,
    /// No task goes on, and time passes.
    Frozen,
    /// All tasks are gone, and no task begins.
    Off,
}

#[derive(Default)]
struct MachineState {
    power: Power,
    /// How far the clock is ahead, in milliseconds.
    ahead: i64,
    /// Tasks that could go on if the machine were not frozen.
    held: Vec<u64>,
}

struct Task {
    /// None while the task goes on.
    future: Option<BoxFuture>,
    waker: Waker,
    machine: Machine,
    is_queued: bool,
}

/// Wakes a task of a simulation.
struct TaskWaker {
    simulation: Weak<Simulation>,
    task: u64,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if let Some(simulation) = self.simulation.upgrade() {
            simulation.state().queue(self.task);
        }
    }
}

/// When simulated time begins, in milliseconds since 1970.
pub(crate) const BEGINNING: i64 = 1_800_000_000_000;
/// The most positions a bot looks at for one move.
const SEARCH_NODES: u64 = 20;

impl State {
    fn queue(&mut self, number: u64) {
        let Some(task) = self.tasks.get_mut(&number).filter(|task| !task.is_queued) else { return };
        task.is_queued = true;
        let machine = &mut self.machines[task.machine.0 as usize];
        if machine.power == Power::Frozen { &mut machine.held } else { &mut self.ready }.push(number);
    }
}

impl Simulation {
    pub(crate) fn new(seed: u64) -> Arc<Simulation> {
        let state = State {
            now: Duration::ZERO,
            random: Random::new(seed),
            tasks: BTreeMap::new(),
            ready: Vec::new(),
            timers: BTreeMap::new(),
            numbers: 0,
            current: WORLD,
            machines: vec![MachineState::default()],
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
        while Arc::strong_count(&result) > 1 {
            self.step();
        }
        // What is left ends within the simulation, as dropping it may ask for the time.
        self.clear();
        let done = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.expect("the task has ended with a result")
    }

    /// Adds a machine, whose clock is ahead by so many milliseconds.
    pub(crate) fn add_machine(&self, ahead: i64) -> Machine {
        let mut state = self.state();
        state.machines.push(MachineState { ahead, ..MachineState::default() });
        Machine(state.machines.len() as u32 - 1)
    }

    /// Begins a task on a machine.
    pub(crate) fn spawn_on(&self, machine: Machine, task: BoxFuture) {
        let before = std::mem::replace(&mut self.state().current, machine);
        drop(self.spawn(task));
        self.state().current = before;
    }

    /// Stops a machine at once: its tasks are gone, and what they hold is dropped without further effect.
    pub(crate) fn switch_off(&self, machine: Machine) {
        let mut state = self.state();
        state.machines[machine.0 as usize].power = Power::Off;
        let ended = |_: &u64, task: &mut Task| task.machine == machine;
        let dropped: Vec<(u64, Task)> = state.tasks.extract_if(.., ended).collect();
        let before = std::mem::replace(&mut state.current, machine);
        drop(state);
        drop(dropped);
        self.state().current = before;
    }

    /// Lets no task of a machine go on, or lets them go on again.
    pub(crate) fn freeze(&self, machine: Machine, frozen: bool) {
        let mut state = self.state();
        let state = &mut *state;
        let about = &mut state.machines[machine.0 as usize];
        if about.power != Power::Off {
            about.power = if frozen { Power::Frozen } else { Power::On };
        }
        if frozen {
            let tasks = &state.tasks;
            let here = |number: &mut u64| tasks.get(number).is_some_and(|task| task.machine == machine);
            about.held.extend(state.ready.extract_if(.., here));
        } else {
            state.ready.append(&mut about.held);
        }
    }

    /// Sets a machine's clock.
    pub(crate) fn set_ahead(&self, machine: Machine, ahead: i64) {
        self.state().machines[machine.0 as usize].ahead = ahead;
    }

    /// How many tasks there are.
    pub(crate) fn tasks(&self) -> usize {
        self.state().tasks.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clear(&self) {
        let mut state = self.state();
        state.machines.iter_mut().for_each(|machine| machine.power = Power::Off);
        let dropped = (std::mem::take(&mut state.tasks), std::mem::take(&mut state.timers));
        drop(state);
        drop(dropped);
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
        let chosen = if count == 1 { 0 } else { state.random.below(count) as usize };
        let number = state.ready.swap_remove(chosen);
        let Some(task) = state.tasks.get_mut(&number) else { return };
        task.is_queued = false;
        let (waker, machine) = (task.waker.clone(), task.machine);
        let Some(mut future) = task.future.take() else { return };
        state.current = machine;
        drop(state);
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        let mut state = self.state();
        let ended = match state.tasks.get_mut(&number) {
            Some(task) if polled.is_pending() => {
                task.future = Some(future);
                None
            }
            // It is done, or its machine was switched off meanwhile.
            _ => Some((state.tasks.remove(&number), future)),
        };
        drop(state);
        drop(ended);
        self.state().current = WORLD;
    }
}

impl Environment for Simulation {
    fn now(&self) -> Duration {
        self.state().now
    }

    fn wall(&self) -> i64 {
        let state = self.state();
        BEGINNING + state.now.as_millis() as i64 + state.machines[state.current.0 as usize].ahead
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
        let machine = state.current;
        if state.machines[machine.0 as usize].power == Power::Off {
            drop(state);
            drop(task);
            return Box::new(|| ());
        }
        state.numbers += 1;
        let number = state.numbers;
        let waker = Waker::from(Arc::new(TaskWaker { simulation: self.this.clone(), task: number }));
        state.tasks.insert(number, Task { future: Some(task), waker, machine, is_queued: false });
        state.queue(number);
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
