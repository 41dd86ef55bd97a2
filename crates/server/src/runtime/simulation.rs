//! A server's environment on simulated time, in one thread: which task goes on next, and every random number, follows
//! from one seed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use search::Random;

use super::{BoxFuture, Environment, enter};

/// A simulated system of several machines.
pub(crate) struct Simulation {
    state: Mutex<State>,
    /// The time in nanoseconds: it is read far more often than anything else, and without the lock.
    nanos: AtomicU64,
    this: Weak<Simulation>,
}

/// A simulated machine; tasks begin on the machine of the task that spawns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Machine(u32);

/// The machine on which everything begins: the world around the servers.
const WORLD: Machine = Machine(0);

struct State {
    random: Random,
    tasks: Slots<Task>,
    ready: Vec<Key>,
    /// The order of the timers, by their time in nanoseconds; those that are no longer waited for are skipped.
    order: BinaryHeap<Reverse<(u64, Key)>>,
    timers: Slots<Sleeper>,
    /// The task that goes on at the moment, and where its waker is in memory.
    running: Option<(Key, usize)>,
    /// The machine of that task.
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
    held: Vec<Key>,
}

/// Values in numbered places that are used again.
struct Slots<T> {
    values: Vec<(u64, Option<T>)>,
    free: Vec<u32>,
    numbers: u64,
}

/// A value of [`Slots`]: of those in the same place, only one has its number. Later ones have higher numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    number: u64,
    place: u32,
}

impl<T> Slots<T> {
    const fn new() -> Slots<T> {
        Slots { values: Vec::new(), free: Vec::new(), numbers: 0 }
    }

    fn add(&mut self, value: T) -> Key {
        self.numbers += 1;
        let entry = (self.numbers, Some(value));
        let place = match self.free.pop() {
            Some(place) => {
                self.values[place as usize] = entry;
                place
            }
            None => {
                self.values.push(entry);
                self.values.len() as u32 - 1
            }
        };
        Key { number: self.numbers, place }
    }

    fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        let (number, value) = self.values.get_mut(key.place as usize)?;
        value.as_mut().filter(|_| *number == key.number)
    }

    fn remove(&mut self, key: Key) -> Option<T> {
        let (number, value) = self.values.get_mut(key.place as usize)?;
        let removed = value.take_if(|_| *number == key.number);
        if removed.is_some() {
            self.free.push(key.place);
        }
        removed
    }

    fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    /// Takes out all values for which something holds.
    fn extract(&mut self, holds: impl Fn(&T) -> bool) -> Vec<T> {
        let mut extracted = Vec::new();
        for (place, (_, value)) in self.values.iter_mut().enumerate() {
            if let Some(value) = value.take_if(|value| holds(value)) {
                self.free.push(place as u32);
                extracted.push(value);
            }
        }
        extracted
    }
}

struct Task {
    /// None while the task goes on.
    going: Option<Going>,
    machine: Machine,
    is_queued: bool,
}

/// What goes on with a task.
struct Going {
    future: BoxFuture,
    waker: Waker,
}

/// What a timer wakes.
enum Sleeper {
    /// A task, without the detour by its waker.
    Task(Key),
    Waker(Waker),
}

/// Wakes a task of a simulation.
struct TaskWaker {
    simulation: Weak<Simulation>,
    task: Key,
}

/// Completes at a moment.
struct Sleep {
    /// Held until the simulation ends, which drops all tasks.
    simulation: Arc<Simulation>,
    /// In nanoseconds.
    until: u64,
    timer: Option<Key>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.simulation.nanos() >= self.until {
            return Poll::Ready(());
        }
        let (mut state, until) = (self.simulation.state(), self.until);
        let sleeper = state.sleeper(context.waker());
        let timer = match self.timer.and_then(|timer| state.timers.get_mut(timer)) {
            Some(before) => {
                let before = std::mem::replace(before, sleeper);
                drop(state);
                drop(before);
                return Poll::Pending;
            }
            None => state.add_timer(until, sleeper),
        };
        drop(state);
        self.timer = Some(timer);
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            // Dropped outside the lock: a waker may hold the last reference to something.
            let sleeper = self.simulation.state().timers.remove(timer);
            drop(sleeper);
        }
    }
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

/// From this many timers on, those of futures that were dropped are removed from the order.
const MANY_TIMERS: usize = 64;

impl State {
    /// What a timer of a future that is polled with this waker wakes.
    fn sleeper(&self, waker: &Waker) -> Sleeper {
        match self.running {
            Some((task, address)) if waker.data().addr() == address => Sleeper::Task(task),
            _ => Sleeper::Waker(waker.clone()),
        }
    }

    fn add_timer(&mut self, until: u64, sleeper: Sleeper) -> Key {
        let timer = self.timers.add(sleeper);
        if self.order.len() >= MANY_TIMERS + 2 * self.timers.len() {
            let timers = &mut self.timers;
            self.order.retain(|Reverse((_, timer))| timers.get_mut(*timer).is_some());
        }
        self.order.push(Reverse((until, timer)));
        timer
    }

    fn queue(&mut self, key: Key) {
        let Some(task) = self.tasks.get_mut(key).filter(|task| !task.is_queued) else { return };
        task.is_queued = true;
        let machine = &mut self.machines[task.machine.0 as usize];
        if machine.power == Power::Frozen { &mut machine.held } else { &mut self.ready }.push(key);
    }
}

impl Simulation {
    pub(crate) fn new(seed: u64) -> Arc<Simulation> {
        let state = State {
            random: Random::new(seed),
            tasks: Slots::new(),
            ready: Vec::new(),
            order: BinaryHeap::new(),
            timers: Slots::new(),
            running: None,
            current: WORLD,
            machines: vec![MachineState::default()],
        };
        Arc::new_cyclic(|this| Simulation { state: Mutex::new(state), nanos: AtomicU64::new(0), this: this.clone() })
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
        let all = catch_unwind(AssertUnwindSafe(|| {
            let mut state = self.state();
            while Arc::strong_count(&result) > 1 {
                state = self.step(state);
            }
        }));
        // What is left ends within the simulation, as dropping it may ask for the time.
        self.clear();
        if let Err(panic) = all {
            resume_unwind(panic);
        }
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
        let dropped = state.tasks.extract(|task| task.machine == machine);
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
            let tasks = &mut state.tasks;
            let here = |key: &mut Key| tasks.get_mut(*key).is_some_and(|task| task.machine == machine);
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
        let dropped = (state.tasks.extract(|_| true), state.timers.extract(|_| true));
        drop(state);
        drop(dropped);
    }

    fn nanos(&self) -> u64 {
        self.nanos.load(Ordering::Relaxed)
    }

    /// Lets a random task of those that can go on do so, or lets time pass until one can.
    fn step<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if state.ready.is_empty() {
            return self.pass_time(state);
        }
        let count = state.ready.len() as u32;
        let chosen = if count == 1 { 0 } else { state.random.below(count) as usize };
        let key = state.ready.swap_remove(chosen);
        let Some(task) = state.tasks.get_mut(key) else { return state };
        task.is_queued = false;
        let machine = task.machine;
        let Some(Going { mut future, waker }) = task.going.take() else { return state };
        (state.current, state.running) = (machine, Some((key, waker.data().addr())));
        drop(state);
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        let mut state = self.state();
        let going = Going { future, waker };
        match state.tasks.get_mut(key) {
            Some(task) if polled.is_pending() => task.going = Some(going),
            // It is done, or its machine was switched off meanwhile.
            _ => {
                let ended = (state.tasks.remove(key), going);
                drop(state);
                drop(ended);
                state = self.state();
            }
        }
        (state.current, state.running) = (WORLD, None);
        state
    }

    /// Lets time pass until the next timer.
    fn pass_time<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let Reverse((when, timer)) = state.order.pop().expect("no task can ever go on");
        let Some(sleeper) = state.timers.remove(timer) else { return state };
        self.nanos.store(self.nanos().max(when), Ordering::Relaxed);
        match sleeper {
            Sleeper::Task(task) => state.queue(task),
            Sleeper::Waker(waker) => {
                drop(state);
                waker.wake();
                state = self.state();
            }
        }
        state
    }
}

impl Environment for Simulation {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanos())
    }

    fn wall(&self) -> i64 {
        let state = self.state();
        BEGINNING
            + Duration::from_nanos(self.nanos()).as_millis() as i64
            + state.machines[state.current.0 as usize].ahead
    }

    fn random(&self) -> u32 {
        self.state().random.below(u32::MAX)
    }

    fn sleep(&self, time: Duration) -> BoxFuture {
        let until = self.nanos().saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let simulation = self.this.upgrade().expect("this simulation is there");
        Box::pin(Sleep { simulation, until, timer: None })
    }

    fn spawn(&self, task: BoxFuture) -> Box<dyn Fn() + Send + Sync> {
        let mut state = self.state();
        let machine = state.current;
        if state.machines[machine.0 as usize].power == Power::Off {
            drop(state);
            drop(task);
            return Box::new(|| ());
        }
        let key = state.tasks.add(Task { going: None, machine, is_queued: false });
        if let Some(added) = state.tasks.get_mut(key) {
            let waker = Waker::from(Arc::new(TaskWaker { simulation: self.this.clone(), task: key }));
            added.going = Some(Going { future: task, waker });
        }
        state.queue(key);
        drop(state);
        let simulation = self.this.clone();
        Box::new(move || {
            let Some(simulation) = simulation.upgrade() else { return };
            // Dropped outside the lock: what it holds may itself ask the simulation for something.
            let task = simulation.state().tasks.remove(key);
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
