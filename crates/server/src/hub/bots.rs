//! Bots think on a few threads, one table after another, and never hold a game up. With a broker the threads of all
//! nodes and workers take their jobs from one queue.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use game::{AnyBot, AnyPosition};
use search::{Knowledge, Level, Limits};

use tokio::sync::oneshot;

use super::ask::Origin;
use super::slot::Inner;
use super::{Hub, Slot, Whose};
use crate::bus::{self, Kind, Offered, Work};
use crate::secret;
use crate::tables::Command;

/// Threads that think, and what waits for them. A table has at most one job here, so first come is fair.
pub(super) struct Pool {
    threads: usize,
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<VecDeque<Job>>,
    more: Condvar,
    closed: AtomicBool,
}

struct Job {
    slot: Arc<Slot>,
    at: usize,
    level: Level,
    positions: Vec<Box<dyn AnyPosition>>,
    time: Duration,
    /// Dropped when the move is made, or was not to be.
    _done: oneshot::Sender<()>,
}

/// What one bot's tables may take; there may be several bots.
const MEMORY: usize = 16 << 20;
/// A bot that has not moved this long after it should have is not waited for.
const WATCHDOG: Duration = Duration::from_secs(4);
/// How long a queue has to bring a move, with a worker that dies in between, before a node thinks for itself.
const QUEUE: Duration = Duration::from_secs(4);
/// So many jobs may wait here; a bot beyond that is the watchdog's.
const MOST: usize = 10_000;
/// Bots of this many games are kept ready in each thread.
const KEPT: usize = 4;

impl Pool {
    pub(super) fn new(threads: usize) -> Pool {
        Pool { threads: threads.max(1), queue: Arc::default() }
    }

    /// Starts the threads.
    pub(super) fn start(&self, hub: &Arc<Hub>) {
        let runtime = tokio::runtime::Handle::current();
        for _ in 0..self.threads {
            let (queue, weak, runtime) = (self.queue.clone(), Arc::downgrade(hub), runtime.clone());
            let knowledge = hub.config.knowledge.clone();
            std::thread::spawn(move || work(&queue, &weak, &knowledge, &runtime));
            if let Some(work) = hub.bus.work() {
                tokio::spawn(take_jobs(Arc::downgrade(hub), work.clone()));
            }
        }
    }

    /// Lets a bot think if one is to move at this table and none is thinking about it.
    pub(super) fn wake(&self, hub: &Arc<Hub>, slot: &Arc<Slot>, inner: &mut Inner, whose: Whose) {
        let Some(at) = inner.bot_is_to_move_at() else {
            inner.bot_asked = None;
            return;
        };
        if inner.bot_asked == Some(at) {
            return;
        }
        inner.bot_asked = Some(at);
        let Some(work) = hub.bus.work() else {
            let patience = match whose {
                Whose::Ours => Duration::ZERO,
                Whose::Theirs => QUEUE,
            };
            tokio::spawn(think_here(Arc::downgrade(hub), Arc::downgrade(slot), at, patience));
            return;
        };
        let (weak, weak_slot) = (Arc::downgrade(hub), Arc::downgrade(slot));
        let offer = (whose == Whose::Ours).then(|| (work.clone(), format!("{}.{}", slot.id, inner.table.seq())));
        let job = bus::Job { table: slot.id.clone(), at };
        tokio::spawn(async move {
            let taken = match offer {
                Some((work, name)) => work.offer(Kind::Bot, &name, &job).await,
                None => Offered::Taken,
            };
            let patience = if taken == Offered::Taken { QUEUE } else { Duration::ZERO };
            think_here(weak, weak_slot, at, patience).await;
        });
    }

    /// Lets the threads end, as if every thought went on for ever.
    #[cfg(test)]
    pub(super) fn fall_silent(&self) {
        self.queue.closed.store(true, Ordering::Relaxed);
        self.queue.more.notify_all();
    }

    /// Puts a bot's turn into the queue of this process; how long to wait for it, and what tells when it is done.
    fn push(
        &self,
        hub: &Hub,
        slot: &Arc<Slot>,
        inner: &Inner,
        others: usize,
    ) -> Option<(Duration, oneshot::Receiver<()>)> {
        let (seat, level) = inner.table.bot_to_act()?;
        let (play, level) = (inner.table.play()?, Level::new(level)?);
        let mut jobs = self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        // Many who wait get shorter answers, rather than late ones.
        let crowd = 1 + (jobs.len() + others) / self.threads;
        let mut time = Duration::from_millis(100 + 100 * u64::from(level.number())) / crowd as u32;
        let left = play.clock().left(seat, hub.now());
        if let Some(left) = left {
            time = time.min(left / 20);
        }
        let time = time.max(Duration::from_millis(20));
        let (done, is_done) = oneshot::channel();
        if jobs.len() < MOST {
            let (at, positions) = (play.log().len(), play.positions());
            jobs.push_back(Job { slot: slot.clone(), at, level, positions, time, _done: done });
        }
        metrics::gauge!("fourfold_bot_queue").set(jobs.len() as f64);
        drop(jobs);
        self.queue.more.notify_one();
        let patience = WATCHDOG + time * (crowd as u32 + 1);
        Some((left.map_or(patience, |left| patience.min(left / 2)), is_done))
    }
}

/// If a bot is still to move after a while, it thinks in this process; and if that brings nothing either, any legal
/// action must do.
async fn think_here(hub: Weak<Hub>, slot: Weak<Slot>, at: usize, patience: Duration) {
    tokio::time::sleep(patience).await;
    let (Some(strong), Some(strong_slot)) = (hub.upgrade(), slot.upgrade()) else { return };
    let pushed = {
        let inner = strong_slot.inner.lock().await;
        if inner.bot_asked != Some(at) || inner.bot_is_to_move_at() != Some(at) {
            return;
        }
        strong.bots.push(&strong, &strong_slot, &inner, 0)
    };
    drop((strong, strong_slot));
    let Some((patience, _)) = pushed else { return };
    tokio::time::sleep(patience).await;
    if let (Some(hub), Some(slot)) = (hub.upgrade(), slot.upgrade()) {
        hub.bot_moves(&slot, at, None).await;
    }
}

/// Takes jobs from the queue of all nodes, one at a time, for as long as there is a hub.
async fn take_jobs(hub: Weak<Hub>, work: Work) {
    loop {
        if hub.strong_count() == 0 {
            return;
        }
        let Some(consumer) = work.consumer(Kind::Bot).await else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        while let Ok(next) = Work::next(&consumer).await {
            let Some(hub) = hub.upgrade() else { return };
            let Some((job, message)) = next else { continue };
            let waiting = message.info().map_or(0, |info| info.pending as usize);
            metrics::gauge!("fourfold_work_queue").set(waiting as f64);
            hub.do_bot_job(&job, waiting).await;
            let _ = message.ack().await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.closed.store(true, Ordering::Relaxed);
        self.queue.more.notify_all();
    }
}

impl Hub {
    /// Thinks for a bot of a table that may be open anywhere; too late is no harm.
    async fn do_bot_job(self: &Arc<Self>, job: &bus::Job, waiting: usize) {
        let Ok(slot) = self.slot(&job.table).await else { return };
        let pushed = {
            let mut inner = slot.inner.lock().await;
            if inner.bot_is_to_move_at() != Some(job.at) && self.read_tail(&slot, &mut inner).await.is_err() {
                return;
            }
            if inner.bot_is_to_move_at() != Some(job.at) {
                return;
            }
            inner.bot_asked = Some(job.at);
            self.bots.push(self, &slot, &inner, waiting)
        };
        if let Some((patience, done)) = pushed {
            let _ = tokio::time::timeout(patience, done).await;
        }
    }

    /// A bot has chosen, or has taken too long: then any legal action must do.
    async fn bot_moves(self: &Arc<Self>, slot: &Arc<Slot>, at: usize, action: Option<String>) {
        let mut inner = slot.inner.lock().await;
        if self.sync(slot, &mut inner).await.is_err() || inner.bot_asked != Some(at) {
            return;
        }
        let Some((seat, _)) = inner.table.bot_to_act().filter(|_| inner.bot_is_to_move_at() == Some(at)) else {
            return;
        };
        let legal = inner.table.play().map(|play| play.legal()).unwrap_or_default();
        let action = action.filter(|action| legal.contains(action)).or_else(|| {
            metrics::counter!("fourfold_bot_fallbacks_total").increment(1);
            let any = secret::below(u32::try_from(legal.len()).ok()?) as usize;
            legal.get(any).cloned()
        });
        let Some(action) = action else { return };
        inner.bot_asked = None;
        for command in [Command::Tick, Command::BotAct { seat, action: &action, at }] {
            if self.execute(slot, &mut inner, command, Origin::default()).await.is_err() {
                // The database did not take it, or another node was faster: the alarm brings the bot back here.
                self.timer.set(&slot.id, Some(self.now() + Duration::from_secs(1)));
                return;
            }
        }
    }
}

impl Inner {
    /// How many entries the match has, if a bot is to move.
    fn bot_is_to_move_at(&self) -> Option<usize> {
        self.table.bot_to_act()?;
        Some(self.table.play()?.log().len())
    }
}

fn work(queue: &Queue, hub: &Weak<Hub>, knowledge: &Knowledge, runtime: &tokio::runtime::Handle) {
    let mut bots: HashMap<String, Box<dyn AnyBot>> = HashMap::new();
    while let Some(job) = next(queue) {
        let Some(game) = job.positions.last().map(|position| position.game()) else { continue };
        if bots.len() >= KEPT && !bots.contains_key(&game.to_string()) {
            bots.clear();
        }
        let bot = bots.entry(game.to_string()).or_insert_with(|| game.bot_with(knowledge));
        let action = think(bot.as_mut(), &job);
        if action.is_none() {
            // It may have been left in any state.
            bots.remove(&game.to_string());
        }
        let Some(hub) = hub.upgrade() else { return };
        runtime.spawn(async move {
            hub.bot_moves(&job.slot, job.at, action).await;
            drop(job);
        });
    }
}

/// What a bot would do; nothing if it finds nothing or falls over.
fn think(bot: &mut dyn AnyBot, job: &Job) -> Option<String> {
    let began = Instant::now();
    let now = move || began.elapsed();
    let seed = u64::from(secret::below(u32::MAX));
    let limits = Limits::until(&now, job.time).with_seed(seed).with_memory(MEMORY);
    let choose = std::panic::AssertUnwindSafe(|| bot.choose(&job.positions, job.level, &limits));
    std::panic::catch_unwind(choose).ok().flatten().map(|thought| thought.action)
}

fn next(queue: &Queue) -> Option<Job> {
    let mut jobs = queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if queue.closed.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(job) = jobs.pop_front() {
            metrics::gauge!("fourfold_bot_queue").set(jobs.len() as f64);
            return Some(job);
        }
        jobs = queue.more.wait(jobs).unwrap_or_else(PoisonError::into_inner);
    }
}
