use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use game::AnyPosition;
use search::{Knowledge, Level, Limits, Value};

/// Thinks for the bots on a thread of its own, so that whoever shows the game never waits.
pub(crate) struct Thinker {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    /// The number of the job whose answer is awaited.
    awaited: Option<u64>,
    stop: Arc<AtomicBool>,
    count: u64,
}

struct Job {
    number: u64,
    positions: Vec<Box<dyn AnyPosition>>,
    level: Level,
    seed: u64,
    time: Duration,
    stop: Arc<AtomicBool>,
}

/// What a bot wants to do.
pub(crate) struct Answer {
    number: u64,
    /// The action; `None` if the bot found none.
    pub(crate) action: Option<String>,
    /// What the bot expects from the game.
    pub(crate) value: Option<Value>,
}

/// More tables than this make no bot better in the time it has here.
const MEMORY: usize = 64 << 20;

impl Thinker {
    /// Starts the thread, which ends when the thinker is dropped.
    pub(crate) fn new(knowledge: Knowledge) -> Thinker {
        let (jobs, todo) = channel::<Job>();
        let (done, answers) = channel();
        thread::spawn(move || work(&todo, &done, &knowledge));
        Thinker { jobs, answers, awaited: None, stop: Arc::default(), count: 0 }
    }

    /// Whether a bot is thinking.
    pub(crate) fn is_thinking(&self) -> bool {
        self.awaited.is_some()
    }

    /// Lets a bot think about the last of some positions.
    pub(crate) fn think(&mut self, positions: Vec<Box<dyn AnyPosition>>, level: Level, seed: u64, time: Duration) {
        self.cancel();
        self.count += 1;
        self.stop = Arc::default();
        let job = Job { number: self.count, positions, level, seed, time, stop: Arc::clone(&self.stop) };
        // The thread lives as long as the channel; if it died of a panic there is no answer, and no harm.
        if self.jobs.send(job).is_ok() {
            self.awaited = Some(self.count);
        }
    }

    /// Forgets what is being thought about.
    pub(crate) fn cancel(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.awaited = None;
    }

    /// The answer, if there is one by now.
    pub(crate) fn answer(&mut self) -> Option<Answer> {
        let answer = self.answers.try_iter().find(|answer| self.awaited == Some(answer.number))?;
        self.awaited = None;
        Some(answer)
    }

    /// Waits a while for the answer.
    pub(crate) fn wait(&mut self, most: Duration) -> Option<Answer> {
        let until = Instant::now() + most;
        while let Ok(answer) = self.answers.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if self.awaited == Some(answer.number) {
                self.awaited = None;
                return Some(answer);
            }
        }
        None
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn work(todo: &Receiver<Job>, done: &Sender<Answer>, knowledge: &Knowledge) {
    let began = Instant::now();
    let mut bot = None;
    while let Ok(job) = todo.recv() {
        let Some(last) = job.positions.last() else { continue };
        let bot = bot.get_or_insert_with(|| last.game().bot_with(knowledge));
        let now = || began.elapsed();
        let limits = Limits::until(&now, now() + job.time).with_stop(&job.stop).with_seed(job.seed).with_memory(MEMORY);
        let result = bot.choose(&job.positions, job.level, &limits);
        let (action, value) = result.map_or((None, None), |result| (Some(result.action), Some(result.value)));
        if done.send(Answer { number: job.number, action, value }).is_err() {
            return;
        }
    }
}
