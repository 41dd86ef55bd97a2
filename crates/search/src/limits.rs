use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Value;

/// How long a bot may search, and how it is stopped.
///
/// The clock is handed in because a browser has no `Instant`. With `nodes` set and `deadline` unset the same
/// seed always gives the same action, on every machine.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use search::Limits;
///
/// let repeatable = Limits::nodes(10_000).with_seed(7);
/// let began = Instant::now();
/// let now = || began.elapsed();
/// let timed = Limits::until(&now, Duration::from_millis(100)).with_memory(64 << 20);
/// # assert!(repeatable.deadline.is_none() && timed.nodes.is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The clock: time passed since some fixed moment.
    pub now: &'a (dyn Fn() -> Duration + Sync),
    /// Stop when the clock shows this much; `None` for no limit.
    pub deadline: Option<Duration>,
    /// Stop after this many nodes; `None` for no limit.
    pub nodes: Option<u64>,
    /// Look no further ahead than this many actions; `None` for no limit.
    pub depth: Option<u32>,
    /// The caller sets it to stop the search at once.
    pub stop: &'a AtomicBool,
    /// The seed of every random choice.
    pub seed: u64,
    /// The most memory tables may take, in bytes.
    pub memory: usize,
    /// Receives what the search has found so far.
    pub observer: Option<&'a dyn Observer>,
}

/// Receives what a search has found while it goes on.
pub trait Observer: Sync {
    /// So many nodes were searched; called whenever the search looks at its clock.
    fn searched(&self, _nodes: u64) {}

    /// The search has looked one action further.
    fn deepened(&self, progress: &Progress);
}

/// What a search has found after looking so far ahead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many actions ahead every line was looked at.
    pub depth: u32,
    /// How many actions ahead the furthest line was looked at.
    pub selective_depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// How many of a thousand entries of the table are in use.
    pub hash_permille: u32,
    /// What the seat to act can expect.
    pub value: Option<Value>,
    /// The expected continuation, as texts.
    pub line: Vec<String>,
}

/// Enough tables for every bot to answer a person.
const USUAL_MEMORY: usize = 16 << 20;

static NEVER: AtomicBool = AtomicBool::new(false);

impl Limits<'static> {
    /// No limit at all but 16 MB of memory; a search without end must be given something that stops it.
    pub fn unlimited() -> Limits<'static> {
        let now: &'static (dyn Fn() -> Duration + Sync) = &|| Duration::ZERO;
        Limits {
            now,
            deadline: None,
            nodes: None,
            depth: None,
            stop: &NEVER,
            seed: 0,
            memory: USUAL_MEMORY,
            observer: None,
        }
    }

    /// So many nodes, however long they take: repeatable on every machine.
    pub fn nodes(nodes: u64) -> Limits<'static> {
        Limits { nodes: Some(nodes), ..Limits::unlimited() }
    }
}

impl<'a> Limits<'a> {
    /// Until the clock `now` shows `deadline`.
    pub fn until(now: &'a (dyn Fn() -> Duration + Sync), deadline: Duration) -> Limits<'a> {
        Limits { now, deadline: Some(deadline), ..Limits::unlimited() }
    }

    /// The same limits with a flag that stops the search at once.
    pub fn with_stop(self, stop: &'a AtomicBool) -> Limits<'a> {
        Limits { stop, ..self }
    }

    /// The same limits with another seed.
    pub fn with_seed(self, seed: u64) -> Limits<'a> {
        Limits { seed, ..self }
    }

    /// The same limits with so many bytes for tables.
    pub fn with_memory(self, memory: usize) -> Limits<'a> {
        Limits { memory, ..self }
    }

    /// Whether the caller asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Starts counting nodes against these limits.
    pub fn meter(&self) -> Meter<'_> {
        Meter { limits: self, nodes: 0, next_look: 0, exhausted: false }
    }
}

/// Counts nodes and looks at the clock now and then.
pub struct Meter<'a> {
    limits: &'a Limits<'a>,
    nodes: u64,
    next_look: u64,
    exhausted: bool,
}

/// Nodes between two looks at the clock: well under a millisecond of work for every bot.
const LOOK_EVERY: u64 = 512;

impl Meter<'_> {
    /// Counts one node; `true` once the limits are used up, and ever after. Nothing is counted then: a bot only
    /// finishes what it is at.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.exhausted {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.exhausted
    }

    /// Looks at the clock now, for work that is not counted in small nodes; `true` once the limits are used up.
    pub fn look(&mut self) -> bool {
        let limits = self.limits;
        self.next_look = self.nodes + LOOK_EVERY;
        if let Some(most) = limits.nodes {
            self.next_look = self.next_look.min(most);
            self.exhausted |= self.nodes >= most;
        }
        if let Some(observer) = limits.observer {
            observer.searched(self.nodes);
        }
        self.exhausted |= limits.stopped() || limits.deadline.is_some_and(|deadline| (limits.now)() >= deadline);
        self.exhausted
    }

    /// Whether the limits are used up.
    #[inline]
    pub fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
