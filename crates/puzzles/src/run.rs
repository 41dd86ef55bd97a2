/// A row of puzzles one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    kind: RunKind,
    begun: u64,
    solved: u32,
    mistakes: u32,
    over: bool,
}

/// When a row of puzzles ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunKind {
    /// With the first mistake.
    Streak,
    /// After three minutes.
    Storm,
}

/// How long a storm lasts, in milliseconds.
pub const STORM: u64 = 180_000;

/// A mistake in a storm costs so many milliseconds.
const PENALTY: u64 = 10_000;

/// How hard a row begins.
const FIRST: u32 = 600;

/// How much harder each solved puzzle makes it.
const STEP: u32 = 40;

/// How hard it gets at most.
const HARDEST: u32 = 2400;

impl Run {
    /// Begins at a moment in milliseconds.
    pub fn new(kind: RunKind, now: u64) -> Run {
        Run { kind, begun: now, solved: 0, mistakes: 0, over: false }
    }

    /// Which kind it is.
    pub fn kind(&self) -> RunKind {
        self.kind
    }

    /// How many were solved.
    pub fn solved(&self) -> u32 {
        self.solved
    }

    /// How many were not.
    pub fn mistakes(&self) -> u32 {
        self.mistakes
    }

    /// How hard the next puzzle should be.
    pub fn target(&self) -> u32 {
        (FIRST + STEP * self.solved).min(HARDEST)
    }

    /// Takes in whether a puzzle was solved without a mistake. After the end nothing counts.
    pub fn result(&mut self, solved: bool, now: u64) {
        if self.is_over(now) {
            return;
        }
        if solved {
            self.solved += 1;
        } else {
            self.mistakes += 1;
            self.over |= self.kind == RunKind::Streak;
        }
    }

    /// Ends it.
    pub fn stop(&mut self) {
        self.over = true;
    }

    /// Milliseconds left; `None` where time does not count.
    pub fn left(&self, now: u64) -> Option<u64> {
        let spent = now.saturating_sub(self.begun) + PENALTY * u64::from(self.mistakes);
        (self.kind == RunKind::Storm).then(|| STORM.saturating_sub(spent))
    }

    /// Whether it has ended.
    pub fn is_over(&self, now: u64) -> bool {
        self.over || self.left(now) == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_streak_ends_with_the_first_mistake() {
        let mut run = Run::new(RunKind::Streak, 0);
        run.result(true, 1);
        run.result(true, 2);
        assert!(!run.is_over(u64::MAX) && run.target() > FIRST);
        run.result(false, 3);
        run.result(true, 4);
        assert!(run.is_over(5));
        assert_eq!((run.solved(), run.mistakes(), run.left(5)), (2, 1, None));
    }

    #[test]
    fn a_storm_lasts_three_minutes_and_mistakes_cost_time() {
        let mut run = Run::new(RunKind::Storm, 1000);
        assert_eq!(run.left(1000), Some(STORM));
        run.result(false, 2000);
        assert_eq!(run.left(2000), Some(STORM - 1000 - PENALTY));
        run.result(true, 1000 + STORM);
        assert_eq!((run.solved(), run.is_over(1000 + STORM)), (0, true));
    }
}
