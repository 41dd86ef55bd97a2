//! How a server stops: it lets a load balancer notice, hands its clients over a few at a time, and goes.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Hub;
use crate::secret;

impl Hub {
    /// Takes no new tables any more, and says so to a load balancer; running games go on.
    pub(crate) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether a load balancer had better send people elsewhere.
    pub(crate) fn is_leaving(&self) -> bool {
        self.draining.load(Ordering::Relaxed) || self.is_stopping()
    }

    /// Whether clients are being handed over.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.borrow().is_some()
    }

    /// Says that the server is about to stop, to everybody who asks and to who listens; how long it takes to say.
    pub(crate) fn stop(&self) -> Duration {
        let clients = u32::try_from(self.connections.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        let over = match self.config.handover_per_second {
            0 => Duration::ZERO,
            rate => Duration::from_secs_f64(f64::from(clients) / f64::from(rate)),
        };
        self.stopping.send_replace(Some(over));
        over
    }

    /// Waits a while for everybody to have heard that the server stops.
    pub(crate) async fn emptied(&self, most: Duration) {
        let until = Instant::now() + most;
        while self.connections.load(Ordering::Relaxed) > 0 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Comes when a client is to go elsewhere: at some moment while all are handed over, or others would have to take
    /// all of them in at once.
    pub(crate) fn handed_over(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stopping = self.stopping.subscribe();
        async move {
            let Ok(over) = stopping.wait_for(Option::is_some).await.map(|over| over.unwrap_or_default()) else {
                return;
            };
            let most = u32::try_from(over.as_millis()).unwrap_or(u32::MAX - 1);
            tokio::time::sleep(Duration::from_millis(secret::below(most + 1).into())).await;
        }
    }
}
