//! Bots and searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{AnyBot, AnyPosition};
use pyo3::prelude::*;
use search::{Knowledge, Level, Limits, Observer, Progress};

use crate::errors::{Unsolved, bad_value};
use crate::game::GameOrText;
use crate::position::Position;
use crate::tables::Tables;
use crate::value::Value;

/// What a search found.
#[pyclass(frozen, get_all, module = "fourfold")]
pub(crate) struct SearchResult {
    /// The action to play.
    action: String,
    /// What the seat to act can expect.
    value: Value,
    /// The expected continuation, `action` first.
    line: Vec<String>,
    /// Every legal action with its value, best first; empty where only a choice was asked for.
    scored: Vec<(String, Value)>,
    /// Nodes searched.
    nodes: u64,
    /// How many actions ahead the search looked.
    depth: u32,
}

#[pymethods]
impl SearchResult {
    /// The actions that are as good as the best one, by what is proved: a win, a draw or a loss.
    #[getter]
    fn optimal(&self) -> Vec<String> {
        let best = self.value.0;
        let alike = |value: search::Value| match (best.is_exact(), value.is_exact()) {
            (true, true) => value.score() == best.score(),
            _ => value == best,
        };
        self.scored.iter().filter(|(_, value)| alike(value.0)).map(|(action, _)| action.clone()).collect()
    }

    fn __repr__(&self) -> String {
        format!("SearchResult({}, {})", self.action, self.value.__repr__())
    }
}

impl From<search::SearchResult<String>> for SearchResult {
    fn from(found: search::SearchResult<String>) -> SearchResult {
        SearchResult {
            action: found.action,
            value: Value(found.value),
            line: found.line,
            scored: found.scored.into_iter().map(|scored| (scored.action, Value(scored.value))).collect(),
            nodes: found.nodes,
            depth: found.depth,
        }
    }
}

/// A player of one game at a level from 1 (a beginner beats it) to 8 (as well as it can).
///
/// It sees of a position what the seat to act may see. With `nodes` the same seed always gives the same action.
///
/// >>> import fourfold
/// >>> bot = fourfold.Bot("quarto", level=3)
/// >>> bot.choose(fourfold.Game("quarto").start(), nodes=100) in "0123456789abcdef"
/// True
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct Bot {
    game: game::Game,
    level: Level,
    seed: u64,
    /// Threads that share a bot search one after the other.
    bot: Mutex<Box<dyn AnyBot>>,
}

/// What bounds a search; a second unless told otherwise.
#[derive(Clone, Copy)]
struct Bounds {
    seconds: Option<f64>,
    nodes: Option<u64>,
}

/// The first try of [`Bot::solve`], in seconds.
const FIRST_SLICE: f64 = 0.002;
/// A search may be asked to take this many seconds at most.
const LONGEST: f64 = 1e9;
/// Enough memory for the solvers to keep what they find.
const MEMORY: usize = 256 << 20;

impl Bounds {
    fn new(seconds: Option<f64>, nodes: Option<u64>) -> PyResult<Bounds> {
        if seconds.is_some_and(|seconds| !(0.0..=LONGEST).contains(&seconds)) {
            return Err(bad_value("seconds must be a number from 0 to 1e9"));
        }
        Ok(Bounds { seconds: seconds.or(if nodes.is_none() { Some(1.0) } else { None }), nodes })
    }

    fn run<T>(self, seed: u64, work: impl FnOnce(&Limits<'_>) -> T) -> PyResult<T> {
        let began = Instant::now();
        let now = || began.elapsed();
        let signals = Signals::default();
        let limits = Limits {
            now: &now,
            deadline: self.seconds.map(Duration::from_secs_f64),
            nodes: self.nodes,
            observer: Some(&signals),
            stop: &signals.stop,
            ..Limits::unlimited()
        };
        let found = work(&limits.with_seed(seed).with_memory(MEMORY));
        signals.raised.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(found), Err)
    }
}

/// Stops a search when its user does (Ctrl-C, or a notebook's button).
#[derive(Default)]
struct Signals {
    /// When the interpreter was asked last.
    asked: Mutex<Option<Instant>>,
    stop: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

/// The interpreter is asked for signals this often.
const ASK: Duration = Duration::from_millis(100);

impl Observer for Signals {
    fn searched(&self, _nodes: u64) {
        let Ok(mut asked) = self.asked.try_lock() else { return };
        if asked.get_or_insert_with(Instant::now).elapsed() < ASK {
            return;
        }
        *asked = Some(Instant::now());
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn deepened(&self, _progress: &Progress) {}
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (game, level=8, *, seed=1, tables=None))]
    fn new(game: GameOrText, level: u8, seed: u64, tables: Option<Tables>) -> PyResult<Bot> {
        let game = game.game()?;
        let level = Level::new(level).ok_or_else(|| bad_value(search::NoSuchLevel))?;
        let knowledge = Knowledge { solved: tables.map(Tables::knowledge) };
        Ok(Bot { bot: Mutex::new(game.bot_with(&knowledge)), game, level, seed })
    }

    /// The level, from 1 to 8.
    #[getter]
    fn level(&self) -> u8 {
        self.level.number()
    }

    /// The action that a player of this level chooses; `earlier` are the positions of the game before, oldest first.
    #[pyo3(signature = (position, *, earlier=Vec::new(), seconds=None, nodes=None))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Position,
        earlier: Vec<PyRef<'_, Position>>,
        seconds: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<String> {
        self.search(py, position, earlier, seconds, nodes).map(|found| found.action)
    }

    /// Chooses like `choose` and tells what the bot found.
    #[pyo3(signature = (position, *, earlier=Vec::new(), seconds=None, nodes=None))]
    fn search(
        &self,
        py: Python<'_>,
        position: &Position,
        earlier: Vec<PyRef<'_, Position>>,
        seconds: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<SearchResult> {
        let positions = self.line_up(position, &earlier)?;
        let bounds = Bounds::new(seconds, nodes)?;
        let found = self.with_bot(py, bounds, |bot, limits| bot.choose(&positions, self.level, limits))?;
        found.map(SearchResult::from).ok_or_else(not_to_act)
    }

    /// Values every legal action as well as the limits allow, whatever the level is.
    #[pyo3(signature = (position, *, earlier=Vec::new(), seconds=None, nodes=None))]
    fn analyse(
        &self,
        py: Python<'_>,
        position: &Position,
        earlier: Vec<PyRef<'_, Position>>,
        seconds: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<SearchResult> {
        let positions = self.line_up(position, &earlier)?;
        let bounds = Bounds::new(seconds, nodes)?;
        let found = self.with_bot(py, bounds, |bot, limits| bot.analyse(&positions, limits))?;
        found.map(SearchResult::from).ok_or_else(not_to_act)
    }

    /// Values every legal action exactly, or raises `Unsolved` if that takes longer than `seconds`.
    #[pyo3(signature = (position, *, seconds=10.0))]
    fn solve(&self, py: Python<'_>, position: &Position, seconds: f64) -> PyResult<SearchResult> {
        let positions = self.line_up(position, &[])?;
        Bounds::new(Some(seconds), None)?;
        // An analysis goes on to count plies once all is proved; short ones after each other end soon after the proof,
        // and the bot remembers what it found.
        let (began, mut slice) = (Instant::now(), FIRST_SLICE);
        loop {
            let left = seconds - began.elapsed().as_secs_f64();
            let bounds = Bounds { seconds: Some(left.clamp(0.0, slice)), nodes: None };
            let found = self.with_bot(py, bounds, |bot, limits| bot.analyse(&positions, limits))?;
            let found = SearchResult::from(found.ok_or_else(not_to_act)?);
            if found.value.0.is_exact() && found.scored.iter().all(|(_, value)| value.0.is_exact()) {
                return Ok(found);
            }
            if left <= slice {
                return Err(Unsolved::new_err("not proved within the time: allow more seconds, or hand in tables"));
            }
            slice *= 2.0;
        }
    }

    fn __repr__(&self) -> String {
        format!("Bot(\"{}\", level={})", self.game, self.level)
    }
}

impl Bot {
    /// Searches with the interpreter released.
    fn with_bot<T: Send>(
        &self,
        py: Python<'_>,
        bounds: Bounds,
        work: impl FnOnce(&mut dyn AnyBot, &Limits<'_>) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            bounds.run(self.seed, |limits| work(&mut **bot, limits))
        })
    }

    fn line_up(&self, position: &Position, earlier: &[PyRef<'_, Position>]) -> PyResult<Vec<Box<dyn AnyPosition>>> {
        let positions: Vec<Box<dyn AnyPosition>> =
            earlier.iter().map(|earlier| &**earlier).chain([position]).map(|position| position.0.clone()).collect();
        if let Some(other) = positions.iter().find(|position| position.game() != self.game) {
            return Err(bad_value(format_args!("this bot plays {}, the position is of {}", self.game, other.game())));
        }
        Ok(positions)
    }
}

fn not_to_act() -> PyErr {
    bad_value("no seat is to act: the game is over, or chance is to act")
}
