//! A broker in this process that loses, delays and doubles messages as its settings say.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::mpsc;

use super::memory_queue::MemoryQueue;
use super::{Bus, Inbox, Transport, WorkQueue};
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
    /// It arrives as a node of another version would have sent it, after a message of a kind that is not known here.
    pub skewed: u32,
}

/// The broker.
#[derive(Default)]
pub(crate) struct MemoryBus {
    subscribers: Mutex<BTreeMap<String, Vec<mpsc::UnboundedSender<Bytes>>>>,
    faults: Mutex<Faults>,
    work: Option<WorkQueue>,
}

struct MemoryInbox(mpsc::UnboundedReceiver<Bytes>);

impl Inbox for MemoryInbox {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Option<Bytes>> + Send + '_>> {
        Box::pin(self.0.recv())
    }
}

impl MemoryBus {
    #[cfg(test)]
    pub(crate) fn with(faults: Faults) -> Arc<MemoryBus> {
        Arc::new(MemoryBus { faults: Mutex::new(faults), ..MemoryBus::default() })
    }

    /// A broker that also has a queue of work.
    pub(crate) fn with_work() -> Arc<MemoryBus> {
        Arc::new(MemoryBus { work: Some(WorkQueue::Memory(Arc::new(MemoryQueue::default()))), ..MemoryBus::default() })
    }

    /// The connection of a node.
    pub(crate) fn node(self: &Arc<Self>, name: &str) -> Bus {
        Bus::with_transport(name, Box::new(self.clone()))
    }

    /// From now on this may happen.
    pub(crate) fn set(&self, faults: Faults) {
        *self.faults.lock().unwrap_or_else(PoisonError::into_inner) = faults;
        if let Some(WorkQueue::Memory(work)) = &self.work {
            work.set_out(faults.lost >= 100);
        }
    }
}

impl Transport for Arc<MemoryBus> {
    fn subscribe(&self, subject: &str) -> Box<dyn Inbox> {
        let (send, receive) = mpsc::unbounded_channel();
        let mut subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.entry(subject.to_owned()).or_default().push(send);
        Box::new(MemoryInbox(receive))
    }

    fn send(&self, subject: &str, bytes: Bytes) {
        let faults = *self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let happens = |percent: u32| percent > 0 && secret::below(100) < percent;
        let mut subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(of_subject) = subscribers.get_mut(subject) else { return };
        of_subject.retain(|send| !send.is_closed());
        for send in of_subject.iter() {
            if happens(faults.lost) {
                continue;
            }
            let mut bytes = bytes.clone();
            if happens(faults.skewed) {
                let _ = send.send(UNKNOWN.into());
                bytes = of_another_version(&bytes);
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
        if of_subject.is_empty() {
            subscribers.remove(subject);
        }
    }

    fn work(&self) -> Option<&WorkQueue> {
        self.work.as_ref()
    }
}

/// A message of a kind that only a newer version knows.
const UNKNOWN: &[u8] = br#"{"node":"newer","message":{"not_known_yet":{"some":"thing"}}}"#;

/// A message as another version would send it: with a field that is not known here, and without one that is newer than it.
fn of_another_version(bytes: &[u8]) -> Bytes {
    let Ok(mut envelope) = serde_json::from_slice::<serde_json::Value>(bytes) else {
        return Bytes::copy_from_slice(bytes);
    };
    envelope["not_known_yet"] = 1.into();
    let appended = envelope.get_mut("message").and_then(|message| message.get_mut("appended"));
    if let Some(fields) = appended.and_then(serde_json::Value::as_object_mut) {
        fields.remove("durable_at");
    }
    envelope.to_string().into()
}
