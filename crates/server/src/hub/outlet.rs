//! The queue of messages that wait to be sent to one client, bounded in bytes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use protocol::{Refusal, ServerMessage};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};

/// The sending end of a client's queue.
#[derive(Clone)]
pub(crate) struct Outlet {
    queue: mpsc::UnboundedSender<Queued>,
    /// A permit for each byte that may wait.
    room: Arc<Semaphore>,
    cut: Arc<Notify>,
}

/// What one table sends to a client. It closes when the client stops watching, so that no event can follow the first message of
/// another table, and when the client is too slow, so that none can follow a gap.
#[derive(Clone)]
pub(super) struct Feed {
    out: Outlet,
    is_open: Arc<Mutex<bool>>,
}

/// The receiving end.
pub(crate) struct Inlet {
    queue: mpsc::UnboundedReceiver<Queued>,
    room: Arc<Semaphore>,
    cut: Arc<Notify>,
}

/// Something that waits, with the room that it takes until it is dropped.
pub(crate) struct Queued {
    pub(crate) out: Out,
    _room: OwnedSemaphorePermit,
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

/// How many bytes may wait for one client.
const ROOM: u32 = 256 << 10;
/// A short message takes this much, for it costs more than its bytes: so 256 of them may wait.
const LEAST: u32 = 1 << 10;

impl Out {
    fn size(&self) -> u32 {
        let bytes = match self {
            Out::One(text) => text.len(),
            Out::Many(texts) => texts.iter().map(|text| text.len()).sum(),
            Out::Close(_) => 0,
        };
        // A longer one has to wait until nothing else does.
        u32::try_from(bytes).unwrap_or(ROOM).clamp(LEAST, ROOM)
    }
}

impl Outlet {
    /// A client's queue: its two ends.
    pub(crate) fn new() -> (Outlet, Inlet) {
        let (send, receive) = mpsc::unbounded_channel();
        let (room, cut) = (Arc::new(Semaphore::new(ROOM as usize)), Arc::new(Notify::new()));
        (Outlet { queue: send, room: room.clone(), cut: cut.clone() }, Inlet { queue: receive, room, cut })
    }

    /// Sends without waiting. A client that is too slow to follow is cut off rather than hold up the rest; it may
    /// reconnect and ask for what it missed.
    pub(super) fn push(&self, out: Out) -> bool {
        let room = self.room.clone().try_acquire_many_owned(out.size());
        let sent = room.is_ok_and(|room| self.queue.send(Queued { out, _room: room }).is_ok());
        if !sent {
            self.cut.notify_one();
            metrics::counter!("fourfold_clients_cut_total").increment(1);
        }
        sent
    }

    /// How many bytes wait to be sent.
    pub(super) fn unsent(&self) -> usize {
        ROOM as usize - self.room.available_permits()
    }

    /// Sends, and waits for room; whether the client is still there.
    pub(crate) async fn send(&self, out: Out) -> bool {
        let Ok(room) = self.room.clone().acquire_many_owned(out.size()).await else { return false };
        self.queue.send(Queued { out, _room: room }).is_ok()
    }

    /// Waits until half of the room is free.
    pub(super) async fn ready(&self) {
        // Closed when the client is gone, which the next message finds out.
        drop(self.room.acquire_many(ROOM / 2).await);
    }

    /// Waits until the client is gone.
    pub(crate) async fn closed(&self) {
        self.queue.closed().await;
    }
}

impl Feed {
    /// A table's way to a client.
    pub(super) fn new(out: &Outlet) -> Feed {
        Feed { out: out.clone(), is_open: Arc::new(Mutex::new(true)) }
    }

    /// Sends without waiting, unless it is closed.
    pub(super) fn push(&self, out: Out) {
        let mut is_open = self.is_open();
        *is_open = *is_open && self.out.push(out);
    }

    /// Sends nothing from now on.
    pub(super) fn close(&self) {
        *self.is_open() = false;
    }

    /// How many bytes wait to be sent to the client.
    pub(super) fn unsent(&self) -> usize {
        self.out.unsent()
    }

    fn is_open(&self) -> MutexGuard<'_, bool> {
        self.is_open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inlet {
    /// The next thing to be sent; its room is free when it is dropped.
    pub(crate) async fn next(&mut self) -> Option<Queued> {
        self.queue.recv().await
    }

    /// Notified when the client is too slow.
    pub(crate) fn cut(&self) -> Arc<Notify> {
        self.cut.clone()
    }
}

impl Drop for Inlet {
    fn drop(&mut self) {
        // A sender that waits for room learns that there will be none.
        self.room.close();
    }
}

/// A message as it is sent.
pub(crate) fn text(message: &ServerMessage) -> Utf8Bytes {
    protocol::write(message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_that_is_too_slow_is_cut_off() {
        let (outlet, inlet) = Outlet::new();
        let fits = (0..1000).take_while(|_| outlet.push(Out::One("x".into()))).count();
        assert_eq!(fits, 256);
        inlet.cut().notified().await;
    }

    #[tokio::test]
    async fn few_bytes_wait_however_long_the_messages_are() {
        let (outlet, mut inlet) = Outlet::new();
        let long = || Out::Many(vec!["x".repeat(50_000).into(); 2]);
        assert!(outlet.push(long()) && outlet.push(long()));
        assert!(!outlet.push(long()), "there is no room for a third");
        assert!(outlet.unsent() <= 256 << 10);
        // One that waits gets room when another was sent.
        let waits = tokio::spawn({
            let outlet = outlet.clone();
            async move { outlet.send(long()).await }
        });
        drop(inlet.next().await);
        assert!(waits.await.unwrap());
        // And learns that the client is gone.
        let waits = tokio::spawn(async move { outlet.send(long()).await });
        tokio::task::yield_now().await;
        drop(inlet);
        assert!(!waits.await.unwrap());
    }
}
