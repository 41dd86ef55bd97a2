use protocol::Refusal;
use tokio::sync::{Semaphore, SemaphorePermit};

/// A queue for expensive requests: a few run at once, some may wait, and later ones are refused.
pub(crate) struct Turns {
    /// Its length, in the numbers.
    gauge: &'static str,
    most: usize,
    room: Semaphore,
    turns: Semaphore,
}

impl Turns {
    /// Passwords to be looked at: hashing one takes memory and time on purpose.
    pub(crate) fn for_passwords() -> Turns {
        Turns::new("fourfold_password_queue", 64, 2)
    }

    /// People who take everything along, for which every game of theirs is replayed.
    pub(crate) fn for_exports() -> Turns {
        Turns::new("fourfold_export_queue", 16, 1)
    }

    fn new(gauge: &'static str, most: usize, at_once: usize) -> Turns {
        Turns { gauge, most, room: Semaphore::new(most), turns: Semaphore::new(at_once) }
    }

    fn count(&self) {
        metrics::gauge!(self.gauge).set((self.most - self.room.available_permits()) as f64);
    }

    /// Waits for a turn, which ends when it is dropped.
    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        let place = self.room.try_acquire().map_err(|_| Refusal::TooFast)?;
        self.count();
        let turn = self.turns.acquire().await.map_err(|_| Refusal::Stopping);
        drop(place);
        self.count();
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn some_may_wait_and_later_ones_are_refused() {
        let turns = Turns::new("test_queue", 1, 1);
        let first = turns.turn().await.unwrap();
        let mut second = std::pin::pin!(turns.turn());
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), second.as_mut()).await.is_err(), "it waits");
        assert_eq!(turns.turn().await.err(), Some(Refusal::TooFast));
        drop(first);
        assert!(second.await.is_ok());
    }
}
