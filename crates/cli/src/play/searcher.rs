//! A thread that searches for bots and for advice, so that the screen never waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use game::AnyPosition;
use search::{Knowledge, Level, Limits};
use session::{Question, SearchAnswer};

/// The thread, which ends when this is dropped.
pub(super) struct Searcher {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    /// The number of the question whose answer is awaited.
    awaited: Option<u64>,
    stop: Arc<AtomicBool>,
}

struct Job {
    question: Question,
    positions: Vec<Box<dyn AnyPosition>>,
    stop: Arc<AtomicBool>,
}

/// The number of a question, and what was found.
type Answer = (u64, SearchAnswer);

/// More memory than this makes no bot better in the time it has here.
const MEMORY: usize = 64 << 20;

impl Searcher {
    /// Starts the thread.
    pub(super) fn new(knowledge: Knowledge) -> Searcher {
        let (jobs, todo) = channel::<Job>();
        let (done, answers) = channel();
        thread::spawn(move || work(&todo, &done, &knowledge));
        Searcher { jobs, answers, awaited: None, stop: Arc::default() }
    }

    /// Searches in the last of some positions.
    pub(super) fn search(&mut self, question: Question, positions: Vec<Box<dyn AnyPosition>>) {
        self.cancel();
        self.stop = Arc::default();
        // The thread lives as long as the channel; after a panic in it there is simply no answer.
        if self.jobs.send(Job { question, positions, stop: Arc::clone(&self.stop) }).is_ok() {
            self.awaited = Some(question.number);
        }
    }

    /// Stops the search.
    pub(super) fn cancel(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.awaited = None;
    }

    /// The answer, if there is one by now.
    pub(super) fn answer(&mut self) -> Option<Answer> {
        let answer = self.answers.try_iter().find(|(number, _)| self.awaited == Some(*number))?;
        self.awaited = None;
        Some(answer)
    }

    /// Waits a while for the answer.
    pub(super) fn wait(&mut self, most: Duration) -> Option<Answer> {
        let until = Instant::now() + most;
        while let Ok(answer) = self.answers.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if self.awaited == Some(answer.0) {
                self.awaited = None;
                return Some(answer);
            }
        }
        None
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn work(todo: &Receiver<Job>, done: &Sender<Answer>, knowledge: &Knowledge) {
    let began = Instant::now();
    let mut bot = None;
    while let Ok(Job { question, positions, stop }) = todo.recv() {
        let Some(last) = positions.last() else { continue };
        let bot = bot.get_or_insert_with(|| last.game().bot_with(knowledge));
        let now = || began.elapsed();
        let limits = Limits::until(&now, now() + question.time).with_stop(&stop);
        let limits = limits.with_seed(question.seed).with_memory(MEMORY);
        let result = bot.choose(&positions, question.level.unwrap_or(Level::HIGHEST), &limits);
        let answer = result
            .map_or(SearchAnswer::Nothing, |result| SearchAnswer::Found { action: result.action, value: result.value });
        if done.send((question.number, answer)).is_err() {
            return;
        }
    }
}
