//! Bots think on a few threads, one table after another, and never hold a game up.
//!
//! There is one kind of job and one queue for it in each process. With a broker, jobs first go to a queue of all nodes and
//! workers, from which each process fills its own.

use std::collections::{BTreeSet, HashMap, VecDeque};
#[cfg(test)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use game::{AnyBot, AnyPosition};
use search::{Knowledge, Level, Limits};
use tokio::sync::{Notify, oneshot};

use super::Hub;
use super::bots_alone::{BotsAlone, are_alone};
use super::execute::{Author, Origin};
use super::open_table::{OpenTable, TableState};
use crate::bus::{Job, Offered, Queue, WorkQueue};
use crate::runtime::{self, Instant};
use crate::secret;
use crate::tables::Command;

/// The queue of this process. A table has at most one job in it, so first come is fair.
pub(super) struct BotPool {
    threads: usize,
    jobs: Mutex<Jobs>,
    more: Notify,
    /// The games among bots that go on.
    alone: Arc<BotsAlone>,
    #[cfg(test)]
    silent: AtomicBool,
}

/// The jobs that wait for a thread.
#[derive(Default)]
struct Jobs {
    /// Those for which a person waits.
    for_people: VecDeque<Queued>,
    /// Those of games among bots, which come after all others.
    alone: VecDeque<Queued>,
    /// The makers of games among bots that are being thought about.
    thinking: BTreeSet<String>,
}

/// A job that waits for a thread.
struct Queued {
    job: Job,
    /// How many more jobs wait in the queue of all nodes.
    elsewhere: usize,
    /// The maker of the table, for a game among bots.
    maker: Option<String>,
    /// Dropped when the move is made, or was not to be.
    _done: oneshot::Sender<()>,
}

/// What a thread needs to choose a move.
struct Task {
    level: Level,
    positions: Vec<Box<dyn AnyPosition>>,
    time: Duration,
}

/// The bots of a few games, kept ready for the next job of one thread.
type ReadyBots = HashMap<String, Box<dyn AnyBot>>;

/// The memory of one bot's tables; there may be several bots.
const MEMORY: usize = 16 << 20;
/// The same where a bot may look at a few positions only: to clear more would take longer than the search.
const SMALL_MEMORY: usize = 64 << 10;
/// A bot that has not moved this long after it should have is replaced by any legal action.
const WATCHDOG: Duration = Duration::from_secs(4);
/// How long the queue of all nodes has to bring a move before this node thinks for itself; a worker may die in between.
const REMOTE_PATIENCE: Duration = Duration::from_secs(4);
/// How often it is looked whether a game among bots that is watched and stands still may go on.
const AGAIN: Duration = Duration::from_secs(5);
/// So many jobs may wait here; the watchdog takes care of the rest.
const MOST: usize = 10_000;
/// Bots of this many games are kept ready in each thread.
const KEPT: usize = 4;

impl BotPool {
    pub(super) fn new(threads: usize) -> BotPool {
        BotPool {
            threads: threads.max(1),
            jobs: Mutex::default(),
            more: Notify::new(),
            alone: BotsAlone::new(threads.max(1)),
            #[cfg(test)]
            silent: AtomicBool::new(false),
        }
    }

    /// Starts the threads, and what fills their queue from that of all nodes.
    pub(super) fn start(self: &Arc<Self>, hub: &Arc<Hub>) {
        for _ in 0..self.threads {
            runtime::spawn(work(self.clone(), Arc::downgrade(hub)));
            if let Some(work) = hub.bus.work() {
                runtime::spawn(fetch_jobs(Arc::downgrade(hub), work.clone()));
            }
        }
    }

    /// Lets a bot think if one is to move at this table and none is thinking about it.
    pub(super) fn wake(&self, hub: &Arc<Hub>, open: &Arc<OpenTable>, state: &mut TableState, author: Author) {
        let Some(at) = bot_to_move_at(state) else {
            state.bot_asked = None;
            state.goes_on = state.goes_on.take().filter(|_| state.table.ending().is_none());
            return;
        };
        if state.bot_asked == Some(at) {
            return;
        }
        if are_alone(state) && state.goes_on.is_none() {
            state.goes_on = self.alone.take(&state.table.maker);
            if state.goes_on.is_none() {
                metrics::counter!("fourfold_bots_alone_refused_total").increment(1);
                state.bot_asked = None;
                if !state.presence.is_empty() {
                    let (now, flag) = (hub.now(), state.table.flag_falls_at(hub.now()));
                    let again = flag.map_or(now + AGAIN, |flag| flag.min(now + AGAIN));
                    hub.tables.alarms.set(&open.id, Some(again));
                }
                return;
            }
        }
        state.bot_asked = Some(at);
        let job = Job { table: open.id.clone(), at };
        let name = format!("{}.{}", open.id, state.table.seq());
        // The queue of all nodes is for those for whom a person waits.
        let queue = hub.bus.work().filter(|_| state.goes_on.is_none()).cloned();
        runtime::spawn(see_to_move(Arc::downgrade(hub), Arc::downgrade(open), (job, name), author, queue));
    }

    /// Never moves again, as if every thought went on for ever.
    #[cfg(test)]
    pub(super) fn fall_silent(&self) {
        self.silent.store(true, Ordering::Relaxed);
    }

    /// Queues a job; how long it may take, and what completes when it is done.
    fn push(&self, job: Job, elsewhere: usize, state: &TableState, now: Duration) -> (Duration, oneshot::Receiver<()>) {
        let (done, is_done) = oneshot::channel();
        let mut jobs = self.jobs();
        let maker = state.goes_on.as_ref().map(|goes_on| goes_on.maker.clone());
        let (waiting, crowd) = match maker {
            None => (jobs.for_people.len(), self.crowd(jobs.for_people.len() + elsewhere)),
            // No player gains by a hurried answer.
            Some(_) => (jobs.alone.len(), 1),
        };
        if waiting < MOST {
            let queue = if maker.is_none() { &mut jobs.for_people } else { &mut jobs.alone };
            queue.push_back(Queued { job, elsewhere, maker, _done: done });
        }
        jobs.note_length();
        drop(jobs);
        self.more.notify_one();
        let before = if state.goes_on.is_some() { waiting as u32 } else { crowd };
        let patience = WATCHDOG + thinking_time(state, crowd, now) * (before + 1);
        (time_left(state, now).map_or(patience, |left| patience.min(left / 2)), is_done)
    }

    /// The next job, as soon as there is one; none for ever in a pool that fell silent.
    async fn next(&self) -> Queued {
        loop {
            let more = self.more.notified();
            #[cfg(test)]
            if self.silent.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
            let next = {
                let mut jobs = self.jobs();
                let next = jobs.next(self.threads.div_ceil(2));
                jobs.note_length();
                if next.is_some() && jobs.len() > 0 {
                    // One notification may stand for several jobs.
                    self.more.notify_one();
                }
                next
            };
            match next {
                Some(queued) => return queued,
                None => more.await,
            }
        }
    }

    /// By how much thinking is shortened: many who wait get quicker answers rather than late ones.
    fn crowd(&self, waiting: usize) -> u32 {
        u32::try_from(1 + waiting / self.threads).unwrap_or(u32::MAX)
    }

    /// Whether a job of a game among bots waits for a thread.
    fn waits_behind_others(&self, job: &Job) -> bool {
        self.jobs().alone.iter().any(|queued| queued.job == *job)
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Jobs {
    /// Takes out the job to think about next. Games among bots have so many threads at most, and one for each maker.
    fn next(&mut self, most_alone: usize) -> Option<Queued> {
        if let Some(queued) = self.for_people.pop_front() {
            return Some(queued);
        }
        if self.thinking.len() >= most_alone {
            return None;
        }
        let is_free = |queued: &Queued| queued.maker.as_ref().is_none_or(|maker| !self.thinking.contains(maker));
        let queued = self.alone.iter().position(is_free).and_then(|place| self.alone.remove(place))?;
        self.thinking.extend(queued.maker.clone());
        Some(queued)
    }

    fn len(&self) -> usize {
        self.for_people.len() + self.alone.len()
    }

    fn note_length(&self) {
        metrics::gauge!("fourfold_bot_queue").set(self.len() as f64);
    }
}

/// A job that a thread has taken; the next of the same maker may be taken when it is dropped.
struct Taken {
    pool: Arc<BotPool>,
    queued: Queued,
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(maker) = &self.queued.maker {
            self.pool.jobs().thinking.remove(maker);
            self.pool.more.notify_one();
        }
    }
}

/// How long the match's log is, if a bot is to move.
fn bot_to_move_at(state: &TableState) -> Option<usize> {
    state.table.bot_to_act()?;
    Some(state.table.play()?.log().len())
}

/// What the bot to move has left on its clock.
fn time_left(state: &TableState, now: Duration) -> Option<Duration> {
    let (seat, _) = state.table.bot_to_act()?;
    state.table.play()?.clock().left(seat, now)
}

fn thinking_time(state: &TableState, crowd: u32, now: Duration) -> Duration {
    let level = state.table.bot_to_act().map_or(1, |(_, level)| level);
    let time = Duration::from_millis(100 + 100 * u64::from(level)) / crowd;
    let time = time_left(state, now).map_or(time, |left| time.min(left / 20));
    time.max(Duration::from_millis(20))
}

/// Offers a bot's move to all nodes where there are any, thinks about it here if that brings nothing, and plays any legal
/// action if that brings nothing either.
async fn see_to_move(
    hub: Weak<Hub>,
    open: Weak<OpenTable>,
    (job, name): (Job, String),
    author: Author,
    queue: Option<WorkQueue>,
) {
    let patience = match (author, queue) {
        (Author::ThisNode, None) => Duration::ZERO,
        (Author::ThisNode, Some(work)) => match work.offer(Queue::Bots, &name, &job).await {
            Offered::Taken => REMOTE_PATIENCE,
            Offered::No => Duration::ZERO,
        },
        // The other node sees to it, unless it dies.
        (Author::OtherNode, _) => REMOTE_PATIENCE,
    };
    if !patience.is_zero() {
        runtime::sleep(patience).await;
    }
    let at = job.at;
    let (patience, mut may_wait) = {
        let (Some(hub), Some(open)) = (hub.upgrade(), open.upgrade()) else { return };
        let state = open.state.lock().await;
        if state.bot_asked != Some(at) || bot_to_move_at(&state) != Some(at) {
            return;
        }
        let may_wait = state.goes_on.is_some() && time_left(&state, hub.now()).is_none();
        (hub.bots.push(job.clone(), 0, &state, hub.now()).0, may_wait)
    };
    // While people's bots have all threads, a game among bots stands still rather than go on with moves at random.
    while may_wait {
        runtime::sleep(patience).await;
        may_wait = hub.upgrade().is_some_and(|hub| hub.bots.waits_behind_others(&job));
    }
    runtime::sleep(patience).await;
    if let (Some(hub), Some(open)) = (hub.upgrade(), open.upgrade()) {
        // In a box, as it comes to this seldom and takes much room.
        Box::pin(hub.bot_moves(&open, at, None)).await;
    }
}

/// Fills the queue of this process from that of all nodes, one job at a time.
async fn fetch_jobs(hub: Weak<Hub>, work: WorkQueue) {
    while hub.strong_count() > 0 {
        let Some(consumer) = work.consumer(Queue::Bots).await else {
            runtime::sleep(Duration::from_secs(1)).await;
            continue;
        };
        while let Ok(next) = consumer.next().await {
            let Some(hub) = hub.upgrade() else { return };
            let Some(delivery) = next else { continue };
            let waiting = delivery.pending();
            metrics::gauge!("fourfold_work_queue").set(waiting as f64);
            hub.do_remote_job(delivery.job.clone(), waiting).await;
            delivery.done().await;
        }
        runtime::sleep(Duration::from_millis(200)).await;
    }
}

/// One thread: takes jobs from the queue and thinks about them.
async fn work(pool: Arc<BotPool>, hub: Weak<Hub>) {
    let mut ready = ReadyBots::new();
    while hub.strong_count() > 0 {
        // Not longer than this, so that the task ends with the hub, which it must not keep alive while it waits.
        let Ok(queued) = runtime::timeout(Duration::from_secs(5), pool.next()).await else { continue };
        let taken = Taken { pool: pool.clone(), queued };
        let Some(strong) = hub.upgrade() else { return };
        let Some((open, task)) = strong.task_for(&taken.queued).await else { continue };
        let knowledge = strong.config.knowledge.clone();
        drop(strong);
        let thought = runtime::blocking(move || {
            let action = think(&mut ready, &task, &knowledge);
            (ready, action)
        });
        let action;
        (ready, action) = thought.await.unwrap_or_default();
        let Some(hub) = hub.upgrade() else { return };
        hub.bot_moves(&open, taken.queued.job.at, action).await;
    }
}

impl Hub {
    /// Thinks for a bot of a table that may be open anywhere; a late job does no harm.
    async fn do_remote_job(self: &Arc<Self>, job: Job, waiting: usize) {
        let Ok(open) = self.open_table(&job.table).await else { return };
        let (patience, done) = {
            let mut state = open.state.lock().await;
            if bot_to_move_at(&state) != Some(job.at) && self.read_tail(&open, &mut state).await.is_err() {
                return;
            }
            if bot_to_move_at(&state) != Some(job.at) {
                return;
            }
            state.bot_asked = Some(job.at);
            self.bots.push(job, waiting, &state, self.now())
        };
        let _ = runtime::timeout(patience, done).await;
    }

    /// What is to be thought about for a job, if its move is still to be made.
    async fn task_for(self: &Arc<Self>, queued: &Queued) -> Option<(Arc<OpenTable>, Task)> {
        let open = self.open_table(&queued.job.table).await.ok()?;
        let state = open.state.lock().await;
        if bot_to_move_at(&state) != Some(queued.job.at) {
            return None;
        }
        let level = Level::new(state.table.bot_to_act()?.1)?;
        let waiting = self.bots.jobs().for_people.len();
        let crowd = if queued.maker.is_some() { 1 } else { self.bots.crowd(waiting + queued.elsewhere) };
        let time = thinking_time(&state, crowd, self.now());
        let positions = state.table.play()?.positions();
        drop(state);
        Some((open, Task { level, positions, time }))
    }

    /// Plays what a bot has chosen, or any legal action if it has taken too long.
    async fn bot_moves(self: &Arc<Self>, open: &Arc<OpenTable>, at: usize, action: Option<String>) {
        let mut state = open.state.lock().await;
        if self.sync(open, &mut state).await.is_err() || state.bot_asked != Some(at) {
            return;
        }
        let Some((seat, _)) = state.table.bot_to_act().filter(|_| bot_to_move_at(&state) == Some(at)) else { return };
        let legal = state.table.play().map(|play| play.legal()).unwrap_or_default();
        let action = action.filter(|action| legal.contains(action)).or_else(|| {
            metrics::counter!("fourfold_bot_fallbacks_total").increment(1);
            let any = secret::below(u32::try_from(legal.len()).ok()?) as usize;
            legal.get(any).cloned()
        });
        let Some(action) = action else { return };
        state.bot_asked = None;
        for command in [Command::Tick, Command::BotAct { seat, action: &action, at }] {
            if self.execute(open, &mut state, command, Origin::default()).await.is_err() {
                // The database did not take it, or another node was faster: the alarm brings the bot back here.
                self.tables.alarms.set(&open.id, Some(self.now() + Duration::from_secs(1)));
                return;
            }
        }
    }
}

/// What a bot would play; nothing if it finds nothing or panics.
fn think(ready: &mut ReadyBots, task: &Task, knowledge: &Knowledge) -> Option<String> {
    let game = task.positions.last()?.game();
    let name = game.to_string();
    if ready.len() >= KEPT && !ready.contains_key(&name) {
        ready.clear();
    }
    let mut bot = ready.remove(&name).unwrap_or_else(|| game.bot_with(knowledge));
    let began = Instant::now();
    let now = move || began.elapsed();
    let seed = u64::from(secret::below(u32::MAX));
    let limits = Limits { nodes: runtime::search_nodes(), ..Limits::until(&now, task.time) };
    let memory = if limits.nodes.is_some() { SMALL_MEMORY } else { MEMORY };
    let limits = limits.with_seed(seed).with_memory(memory);
    let choose = std::panic::AssertUnwindSafe(|| bot.choose(&task.positions, task.level, &limits));
    // A bot that panicked may be in any state and is not kept.
    let chosen = std::panic::catch_unwind(choose).ok()?;
    ready.insert(name, bot);
    chosen.map(|result| result.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queued(table: &str, maker: Option<&str>) -> Queued {
        let job = Job { table: table.to_owned(), at: 0 };
        Queued { job, elsewhere: 0, maker: maker.map(str::to_owned), _done: oneshot::channel().0 }
    }

    #[test]
    fn people_come_before_games_among_bots_and_each_maker_has_one_thread() {
        let mut jobs = Jobs::default();
        for (table, maker) in [("a1", "ann"), ("a2", "ann"), ("b1", "bob"), ("c1", "cat")] {
            jobs.alone.push_back(queued(table, Some(maker)));
        }
        jobs.for_people.push_back(queued("p1", None));
        let mut next = || jobs.next(2).map(|queued| queued.job.table);
        assert_eq!(next().as_deref(), Some("p1"));
        assert_eq!((next().as_deref(), next().as_deref()), (Some("a1"), Some("b1")), "one thread for each maker");
        assert_eq!(next(), None, "and two in all");
        jobs.thinking.remove("bob");
        assert_eq!(jobs.next(2).map(|queued| queued.job.table).as_deref(), Some("c1"));
        jobs.for_people.push_back(queued("p2", None));
        assert_eq!(jobs.next(2).map(|queued| queued.job.table).as_deref(), Some("p2"), "people never wait for that");
    }
}
