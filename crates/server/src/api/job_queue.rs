use std::sync::Arc;

use protocol::Refusal;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::runtime;

/// A queue for expensive requests: a few run at once, some may wait, and later ones are refused.
pub(crate) struct JobQueue {
    /// The metric with its length.
    gauge: &'static str,
    most: usize,
    room: Semaphore,
    slots: Arc<Semaphore>,
}

impl JobQueue {
    /// For password hashes, which take memory and time on purpose.
    pub(crate) fn for_passwords() -> JobQueue {
        JobQueue::new("fourfold_password_queue", 64, 2)
    }

    /// For exports, which replay every game of a person.
    pub(crate) fn for_exports() -> JobQueue {
        JobQueue::new("fourfold_export_queue", 16, 1)
    }

    fn new(gauge: &'static str, most: usize, at_once: usize) -> JobQueue {
        JobQueue { gauge, most, room: Semaphore::new(most), slots: Arc::new(Semaphore::new(at_once)) }
    }

    fn count(&self) {
        metrics::gauge!(self.gauge).set((self.most - self.room.available_permits()) as f64);
    }

    /// Waits for a slot, which is free again when it is dropped.
    pub(super) async fn slot(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let place = self.room.try_acquire().map_err(|_| Refusal::TooFast)?;
        self.count();
        let slot = self.slots.clone().acquire_owned().await.map_err(|_| Refusal::Stopping);
        drop(place);
        self.count();
        slot
    }

    /// Waits for a slot and does work on another thread. The slot belongs to the work: a client that hangs up meanwhile does
    /// not let the next one begin.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        let slot = self.slot().await?;
        let work = move || {
            let done = work();
            drop(slot);
            done
        };
        runtime::blocking(work).await.ok_or(Refusal::Stopping)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn some_may_wait_and_later_ones_are_refused() {
        let slots = JobQueue::new("test_queue", 1, 1);
        let first = slots.slot().await.unwrap();
        let mut second = std::pin::pin!(slots.slot());
        assert!(tokio::time::timeout(Duration::from_millis(20), second.as_mut()).await.is_err(), "it waits");
        assert_eq!(slots.slot().await.err(), Some(Refusal::TooFast));
        drop(first);
        assert!(second.await.is_ok());
    }

    #[tokio::test]
    async fn work_keeps_its_turn_when_the_client_hangs_up() {
        let slots = JobQueue::new("test_queue", 4, 2);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        for _ in 0..10 {
            let (running, most) = (running.clone(), most.clone());
            let work = move || {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(50));
                running.fetch_sub(1, Ordering::SeqCst);
            };
            let _ = tokio::time::timeout(Duration::from_millis(5), slots.run(work)).await;
        }
        assert_eq!(slots.run(|| ()).await, Ok(()));
        assert!(most.load(Ordering::SeqCst) <= 2, "{most:?} at once");
    }
}
