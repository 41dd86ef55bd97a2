//! The queue of messages that wait to be sent to one client.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use protocol::{Refusal, ServerMessage};
use tokio::sync::{Notify, mpsc};

/// The sending end of a client's queue.
#[derive(Clone)]
pub(crate) struct Outlet {
    queue: mpsc::Sender<Out>,
    cut: Arc<Notify>,
}

/// Something to be sent.
#[derive(Clone, Debug)]
pub(crate) enum Out {
    /// One message.
    One(Utf8Bytes),
    /// Several in a row.
    Many(Vec<Utf8Bytes>),
    /// Nothing more after this.
    Close(Refusal),
}

impl Outlet {
    /// A queue for `waiting` messages: its two ends, and what says that the client is too slow.
    pub(crate) fn new(waiting: usize) -> (Outlet, mpsc::Receiver<Out>, Arc<Notify>) {
        let (queue, comes) = mpsc::channel(waiting);
        let cut = Arc::new(Notify::new());
        (Outlet { queue, cut: cut.clone() }, comes, cut)
    }

    /// Sends without waiting. A client that is too slow to follow is cut off rather than hold up the rest; it may
    /// reconnect and ask for what it missed.
    pub(super) fn push(&self, out: Out) -> bool {
        let sent = self.queue.try_send(out).is_ok();
        if !sent {
            self.cut.notify_one();
            metrics::counter!("fourfold_clients_cut_total").increment(1);
        }
        sent
    }

    /// How much waits to be sent.
    pub(super) fn unsent(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Sends, and waits for room; whether the client is still there.
    pub(crate) async fn send(&self, out: Out) -> bool {
        self.queue.send(out).await.is_ok()
    }

    /// Waits until the client is gone.
    pub(crate) async fn closed(&self) {
        self.queue.closed().await;
    }
}

/// A message as it is sent.
pub(crate) fn text(tell: &ServerMessage) -> Utf8Bytes {
    protocol::write(tell).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_that_is_too_slow_is_cut_off() {
        let (outlet, _comes, cut) = Outlet::new(2);
        let out = || Out::One("x".into());
        assert!(outlet.push(out()) && outlet.push(out()));
        assert_eq!(outlet.unsent(), 2);
        assert!(!outlet.push(out()), "there is no room for a third");
        cut.notified().await;
    }
}
