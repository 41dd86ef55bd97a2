//! A broker in this process that loses, delays and doubles what it is told to, for tests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::mpsc;

use crate::secret;

/// What may happen to a word, in per cent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mischief {
    pub(crate) lost: u32,
    pub(crate) late: u32,
    pub(crate) doubled: u32,
}

#[derive(Default)]
pub(crate) struct Room {
    listeners: Mutex<Vec<(String, mpsc::UnboundedSender<Bytes>)>>,
    mischief: Mutex<Mischief>,
}

pub(crate) struct Ears(mpsc::UnboundedReceiver<Bytes>);

impl Ears {
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        self.0.recv().await
    }
}

impl Room {
    pub(crate) fn with(mischief: Mischief) -> Arc<Room> {
        Arc::new(Room { mischief: Mutex::new(mischief), ..Room::default() })
    }

    /// From now on this may happen.
    pub(crate) fn set(&self, mischief: Mischief) {
        *self.mischief.lock().unwrap_or_else(PoisonError::into_inner) = mischief;
    }

    pub(super) fn ears(&self, subject: &str) -> Ears {
        let (tell, heard) = mpsc::unbounded_channel();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push((subject.to_owned(), tell));
        Ears(heard)
    }

    pub(super) fn send(&self, subject: &str, bytes: &[u8]) {
        let mischief = *self.mischief.lock().unwrap_or_else(PoisonError::into_inner);
        let happens = |percent: u32| secret::below(100) < percent;
        let bytes = Bytes::copy_from_slice(bytes);
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|(_, tell)| !tell.is_closed());
        for (_, tell) in listeners.iter().filter(|(of, _)| of == subject) {
            if happens(mischief.lost) {
                continue;
            }
            for _ in 0..=u32::from(happens(mischief.doubled)) {
                let (tell, bytes) = (tell.clone(), bytes.clone());
                if happens(mischief.late) {
                    let wait = Duration::from_millis(u64::from(secret::below(200)));
                    tokio::spawn(async move {
                        tokio::time::sleep(wait).await;
                        let _ = tell.send(bytes);
                    });
                } else {
                    let _ = tell.send(bytes);
                }
            }
        }
    }
}
