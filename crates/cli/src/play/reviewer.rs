//! A thread that values every action of a match, so that the screen never waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use game::Match;
use search::{Limits, Review, review};

/// The thread; it ends when this is dropped.
pub(crate) struct Reviewer {
    stop: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
    all: usize,
    told: AtomicUsize,
    result: Receiver<Review<String>>,
}

/// Time for each action: a long game is reviewed in half a minute.
const TIME: Duration = Duration::from_millis(400);

/// For the tables of the search.
const MEMORY: usize = 64 << 20;

impl Reviewer {
    /// Begins to review a match.
    pub(crate) fn start(game: &Match) -> Reviewer {
        let (stop, done): (Arc<AtomicBool>, Arc<AtomicUsize>) = Default::default();
        let (sender, result) = channel();
        let (steps, positions) = (game.review_steps(), game.positions());
        let all = steps.len();
        let mut bot = game.settings().game.bot();
        let (stopped, counted) = (Arc::clone(&stop), Arc::clone(&done));
        std::thread::spawn(move || {
            let found = review(steps, |step| {
                counted.fetch_add(1, Ordering::Relaxed);
                if stopped.load(Ordering::Relaxed) {
                    return None;
                }
                let began = Instant::now();
                let now = || began.elapsed();
                let limits = Limits::until(&now, TIME).with_seed(1).with_memory(MEMORY).with_stop(&stopped);
                bot.analyse(&positions[..=step.ply], &limits)
            });
            // If the screen is gone, the result has no reader.
            let _ = sender.send(found);
        });
        Reviewer { stop, done, all, told: AtomicUsize::new(0), result }
    }

    /// How many actions are reviewed, and how many there are.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed).min(self.all), self.all)
    }

    /// Whether there is more progress than at the last call.
    pub(crate) fn has_changed(&self) -> bool {
        let done = self.done.load(Ordering::Relaxed);
        self.told.swap(done, Ordering::Relaxed) != done
    }

    /// The review, once it is there.
    pub(crate) fn result(&self) -> Option<Review<String>> {
        self.result.try_recv().ok()
    }
}

impl Drop for Reviewer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
