//! A broker in this process that loses, delays and doubles messages as it is told to.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::mpsc;

use super::{Bus, Inbox, Transport};
use crate::{runtime, secret};

/// What may happen to a message, in per cent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// It does not arrive.
    pub lost: u32,
    /// It arrives after others that were sent later.
    pub late: u32,
    /// It arrives twice.
    pub doubled: u32,
}

/// The broker.
#[derive(Default)]
pub(crate) struct MemoryBus {
    subscribers: Mutex<Vec<(String, mpsc::UnboundedSender<Bytes>)>>,
    faults: Mutex<Faults>,
}

struct MemoryInbox(mpsc::UnboundedReceiver<Bytes>);

impl Inbox for MemoryInbox {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Option<Bytes>> + Send + '_>> {
        Box::pin(self.0.recv())
    }
}

impl MemoryBus {
    pub(crate) fn with(faults: Faults) -> Arc<MemoryBus> {
        Arc::new(MemoryBus { faults: Mutex::new(faults), ..MemoryBus::default() })
    }

    /// The connection of a node.
    pub(crate) fn node(self: &Arc<Self>, name: &str) -> Bus {
        Bus::with_transport(name, Box::new(self.clone()))
    }

    /// From now on this may happen.
    pub(crate) fn set(&self, faults: Faults) {
        *self.faults.lock().unwrap_or_else(PoisonError::into_inner) = faults;
    }
}

impl Transport for Arc<MemoryBus> {
    fn subscribe(&self, subject: &str) -> Box<dyn Inbox> {
        let (send, receive) = mpsc::unbounded_channel();
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push((subject.to_owned(), send));
        Box::new(MemoryInbox(receive))
    }

    fn send(&self, subject: &str, bytes: Vec<u8>) {
        let faults = *self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let happens = |percent: u32| secret::below(100) < percent;
        let bytes = Bytes::from(bytes);
        let mut subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.retain(|(_, send)| !send.is_closed());
        for (_, send) in subscribers.iter().filter(|(of, _)| of == subject) {
            if happens(faults.lost) {
                continue;
            }
            for _ in 0..=u32::from(happens(faults.doubled)) {
                let (send, bytes) = (send.clone(), bytes.clone());
                if happens(faults.late) {
                    let wait = Duration::from_millis(u64::from(secret::below(200)));
                    runtime::spawn(async move {
                        runtime::sleep(wait).await;
                        let _ = send.send(bytes);
                    });
                } else {
                    let _ = send.send(bytes);
                }
            }
        }
    }
}
