//! Bots think on a few threads of their own, one table after another, and never hold a game up.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use rules::Seat;
use search::{Level, Limits};
use table::{AnyBrain, AnyPosition};

use super::slot::Inner;
use super::{Hub, Slot};
use crate::secret;

/// Threads that think, and what waits for them. A table has at most one job here, so first come is fair.
pub(super) struct Pool {
    threads: usize,
    queue: Arc<Queue>,
    hub: OnceLock<Weak<Hub>>,
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<VecDeque<Job>>,
    more: Condvar,
    closed: AtomicBool,
}

struct Job {
    slot: Arc<Slot>,
    seat: Seat,
    at: usize,
    level: Level,
    positions: Vec<Box<dyn AnyPosition>>,
    time: Duration,
}

/// What one bot's tables may take; there may be several bots.
const MEMORY: usize = 16 << 20;
/// A bot that has not moved this long after it should have is not waited for.
const WATCHDOG: Duration = Duration::from_secs(4);
/// Brains of this many games are kept ready in each thread.
const KEPT: usize = 4;

impl Pool {
    pub(super) fn new(threads: usize) -> Pool {
        Pool { threads: threads.max(1), queue: Arc::default(), hub: OnceLock::new() }
    }

    /// Starts the threads.
    pub(super) fn start(&self, hub: &Arc<Hub>) {
        let _ = self.hub.set(Arc::downgrade(hub));
        let runtime = tokio::runtime::Handle::current();
        for _ in 0..self.threads {
            let (queue, hub, runtime) = (self.queue.clone(), Arc::downgrade(hub), runtime.clone());
            std::thread::spawn(move || work(&queue, &hub, &runtime));
        }
    }

    /// Lets a bot think if one is to move at this table and none is thinking about it.
    pub(super) fn wake(&self, hub: &Arc<Hub>, slot: &Arc<Slot>, inner: &mut Inner) {
        let Some((seat, level)) = inner.table.bot_to_act() else {
            inner.bot_asked = None;
            return;
        };
        let Some(play) = inner.table.play() else { return };
        let at = play.log().len();
        if inner.bot_asked == Some(at) {
            return;
        }
        let Some(level) = Level::new(level) else { return };
        let mut jobs = self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        // Many who wait get shorter answers, rather than late ones.
        let crowd = 1 + jobs.len() / self.threads;
        let mut time = Duration::from_millis(100 + 100 * u64::from(level.number())) / crowd as u32;
        if let Some(left) = play.clock().left(seat, hub.now()) {
            time = time.min(left / 20);
        }
        let time = time.max(Duration::from_millis(20));
        jobs.push_back(Job { slot: slot.clone(), seat, at, level, positions: play.positions(), time });
        metrics::gauge!("fourfold_bot_queue").set(jobs.len() as f64);
        drop(jobs);
        inner.bot_asked = Some(at);
        self.queue.more.notify_one();
        let left = play.clock().left(seat, hub.now());
        let patience = WATCHDOG + time * (crowd as u32 + 1);
        let patience = left.map_or(patience, |left| patience.min(left / 2));
        let (hub, slot) = (Arc::downgrade(hub), Arc::downgrade(slot));
        tokio::spawn(async move {
            tokio::time::sleep(patience).await;
            if let (Some(hub), Some(slot)) = (hub.upgrade(), slot.upgrade()) {
                hub.bot_moves(&slot, seat, at, None).await;
            }
        });
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.closed.store(true, Ordering::Relaxed);
        self.queue.more.notify_all();
    }
}

impl Hub {
    /// A bot has chosen, or has taken too long: then any legal action must do.
    async fn bot_moves(self: &Arc<Self>, slot: &Arc<Slot>, seat: Seat, at: usize, action: Option<String>) {
        let mut inner = slot.inner.lock().await;
        if self.refresh(slot, &mut inner).await.is_err() || inner.bot_asked != Some(at) {
            return;
        }
        let Some(play) = inner.table.play().filter(|play| play.log().len() == at && play.to_act() == Some(seat)) else {
            return;
        };
        let legal = play.legal();
        let action = action.filter(|action| legal.contains(action)).or_else(|| {
            metrics::counter!("fourfold_bot_fallbacks_total").increment(1);
            let any = secret::below(u32::try_from(legal.len()).ok()?) as usize;
            legal.get(any).cloned()
        });
        let Some(action) = action else { return };
        inner.bot_asked = None;
        let zero = Duration::ZERO;
        let flagged = inner.decide(self, zero, |table, moment| Ok(table.tick(moment))).unwrap_or_default();
        if self.keep(slot, &mut inner, flagged, None, None).await.is_err() {
            self.timer.set(&slot.id, Some(self.now() + Duration::from_secs(1)));
            return;
        }
        let acted = inner.decide(self, zero, |table, moment| Ok(table.bot_acts(seat, &action, at, moment)));
        if self.keep(slot, &mut inner, acted.unwrap_or_default(), None, None).await.is_err() {
            // The database did not take it: the alarm brings the bot back here.
            self.timer.set(&slot.id, Some(self.now() + Duration::from_secs(1)));
        }
    }
}

fn work(queue: &Queue, hub: &Weak<Hub>, runtime: &tokio::runtime::Handle) {
    let mut brains: HashMap<String, Box<dyn AnyBrain>> = HashMap::new();
    while let Some(job) = next(queue) {
        let Some(game) = job.positions.last().map(|position| position.game()) else { continue };
        if brains.len() >= KEPT && !brains.contains_key(&game.to_string()) {
            brains.clear();
        }
        let brain = brains.entry(game.to_string()).or_insert_with(|| game.brain());
        let action = think(brain.as_mut(), &job);
        if action.is_none() {
            // It may have been left in any state.
            brains.remove(&game.to_string());
        }
        let Some(hub) = hub.upgrade() else { return };
        runtime.spawn(async move { hub.bot_moves(&job.slot, job.seat, job.at, action).await });
    }
}

/// What a bot would do; nothing if it finds nothing or falls over.
fn think(brain: &mut dyn AnyBrain, job: &Job) -> Option<String> {
    let began = Instant::now();
    let now = move || began.elapsed();
    let stop = AtomicBool::new(false);
    let seed = u64::from(secret::below(u32::MAX));
    let limits =
        Limits { now: &now, deadline: Some(job.time), nodes: None, depth: None, stop: &stop, seed, memory: MEMORY };
    let choose = std::panic::AssertUnwindSafe(|| brain.choose(&job.positions, job.level, &limits));
    std::panic::catch_unwind(choose).ok().flatten().map(|thought| thought.action)
}

fn next(queue: &Queue) -> Option<Job> {
    let mut jobs = queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if queue.closed.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(job) = jobs.pop_front() {
            return Some(job);
        }
        jobs = queue.more.wait(jobs).unwrap_or_else(PoisonError::into_inner);
    }
}
