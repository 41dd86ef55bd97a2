//! Searching and counting in the background, so that `stop`, `isready` and `quit` are answered at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use game::{AnyBot, AnyPosition};
use rules::{Seat, Turn};
use search::{Level, Limits, Observer};

use super::command::Go;
use super::info::Reporter;
use super::parallel;

/// Time for a `go` that names no limit.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// What a search is asked for.
pub(super) struct Task {
    pub(super) positions: Vec<Box<dyn AnyPosition>>,
    /// One for each thread.
    pub(super) bots: Vec<Box<dyn AnyBot>>,
    pub(super) level: Level,
    /// How many actions to show, best first; more than one values every action instead of choosing by level.
    pub(super) lines: usize,
    pub(super) seed: u64,
    pub(super) memory: usize,
    pub(super) go: Go,
}

/// Work under way.
pub(super) struct Work {
    stop: Arc<AtomicBool>,
    /// Ends by itself; otherwise only `stop` ends it.
    pub(super) bounded: bool,
    thread: JoinHandle<Option<Vec<Box<dyn AnyBot>>>>,
}

impl Work {
    /// Starts a search; `say` prints its lines.
    pub(super) fn search(task: Task, say: impl Fn(&str) + Send + 'static) -> Work {
        let bounded = !task.go.infinite;
        Work::start(bounded, move |stop| Some(think(task, stop, say)))
    }

    /// Starts a count; `say` prints its line.
    pub(super) fn perft(
        position: Box<dyn AnyPosition>,
        depth: u32,
        threads: usize,
        say: impl Fn(&str) + Send + 'static,
    ) -> Work {
        Work::start(true, move |stop| {
            match parallel::perft(position.as_ref(), depth, threads, stop) {
                Some(count) => say(&format!("perft {depth} {count}")),
                None => say(&format!("error perft {depth} was stopped")),
            }
            None
        })
    }

    fn start(bounded: bool, work: impl FnOnce(&AtomicBool) -> Option<Vec<Box<dyn AnyBot>>> + Send + 'static) -> Work {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        Work { stop, bounded, thread: std::thread::spawn(move || work(&told)) }
    }

    pub(super) fn finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for work that ends by itself, but not for ever.
    pub(super) fn give_time(&self, most: Duration) {
        let began = Instant::now();
        while self.bounded && !self.finished() && began.elapsed() < most {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the end and gives the bots back; `None` for a count, or if the search failed.
    pub(super) fn join(self) -> Option<Vec<Box<dyn AnyBot>>> {
        self.thread.join().ok().flatten()
    }
}

fn think(task: Task, stop: &AtomicBool, say: impl Fn(&str) + Send) -> Vec<Box<dyn AnyBot>> {
    let Task { positions, mut bots, level, lines, seed, memory, go } = task;
    let began = Instant::now();
    let now = || began.elapsed();
    let seat = positions.last().map(|position| position.turn());
    let deadline = time_for(&go, seat);
    let reporter = Reporter::new(began, say);
    let observer = Some(&reporter as &dyn Observer);
    let limits = Limits { now: &now, deadline, nodes: go.nodes, depth: go.depth, stop, seed, memory, observer };
    let result = if lines > 1 {
        parallel::ask_all(&mut bots, &limits, |bot, limits| bot.analyse(&positions, limits))
    } else {
        // A weaker level would play too well if several of them agreed.
        let count = if level == Level::HIGHEST { bots.len() } else { 1 };
        parallel::ask_all(&mut bots[..count], &limits, |bot, limits| bot.choose(&positions, level, limits))
    };
    match result {
        Some(result) => {
            reporter.finish(&result, lines);
            // `infinite` means that the answer is not given before `stop`.
            while go.infinite && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            reporter.say(&format!("bestmove {}", result.action));
        }
        None => reporter.say("error no seat is to act"),
    }
    bots
}

/// The time for this action: what was asked for, or a share of the seat's clock.
fn time_for(go: &Go, turn: Option<Turn>) -> Option<Duration> {
    if go.infinite {
        return None;
    }
    if go.movetime.is_some() {
        return go.movetime;
    }
    let clock = match turn {
        Some(Turn::Seat(seat)) => share(go, seat),
        _ => None,
    };
    let unlimited = go.nodes.is_some() || go.depth.is_some();
    clock.or(if unlimited { None } else { Some(USUAL_TIME) })
}

/// The turns that are reckoned with where `movestogo` does not say how many are to come.
const USUAL_TURNS: u32 = 30;

/// An even share of what is left and most of the increment, but never the last of the clock.
fn share(go: &Go, seat: Seat) -> Option<Duration> {
    let (left, increment) = go.clocks[seat.index()];
    let left = left?;
    // A turn may take several actions, so the last turn too leaves some time.
    let turns = go.moves_to_go.unwrap_or(USUAL_TURNS).min(USUAL_TURNS);
    Some((left / turns + increment * 4 / 5).min(left / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out_over_the_turns_to_come() {
        let time = |words: &str| match words.parse() {
            Ok(super::super::command::Command::Go(go)) => time_for(&go, Some(Turn::Seat(Seat::ONE))),
            other => panic!("{words}: {other:?}"),
        };
        let ms = |number| Some(Duration::from_millis(number));
        assert_eq!(time("go p1time 30000 p1inc 1000"), ms(1800));
        assert_eq!(time("go p1time 30000 movestogo 5"), ms(6000));
        assert_eq!(time("go p1time 30000 movestogo 1"), ms(15_000));
        assert_eq!(time("go p1time 30000 movestogo 900"), ms(1000));
        assert_eq!(time("go p1time 0 p1inc 1000"), ms(0));
        assert_eq!(time("go p1time -40 p2time 900"), ms(0));
        assert_eq!(time("go p2time 900"), Some(USUAL_TIME));
        assert_eq!(time("go movetime -1"), ms(0));
        assert_eq!((time("go nodes 5"), time("go infinite p1time 10")), (None, None));
        assert!("go nodes -1".parse::<super::super::command::Command>().is_err());
    }
}
