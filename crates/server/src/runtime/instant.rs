use std::ops::Add;
use std::time::Duration;

use super::with;

/// A moment of the environment's steady time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instant(Duration);

impl Instant {
    /// This moment.
    pub(crate) fn now() -> Instant {
        Instant(with(|environment| environment.now()))
    }

    /// How long ago it was.
    pub(crate) fn elapsed(self) -> Duration {
        Instant::now().duration_since(self)
    }

    /// The time since an earlier moment; zero if it is later.
    pub(crate) fn duration_since(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0 + time)
    }
}
