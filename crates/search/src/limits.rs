use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a bot may think, and how it is told to stop.
///
/// The clock is handed in because a browser has no `Instant`. With `nodes` set and `time` unset the same
/// seed always gives the same action, on every machine.
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
    /// Set by somebody else to stop at once.
    pub stop: &'a AtomicBool,
    /// The seed of every random choice.
    pub seed: u64,
    /// The most memory tables may take, in bytes.
    pub memory: usize,
}

impl Limits<'_> {
    /// Whether somebody asked to stop.
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
    /// Counts one node; `true` once the limits are used up, and ever after.
    #[inline]
    pub fn tick(&mut self) -> bool {
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
