//! Who has come in by which way. When a way is closed (logged out, a token withdrawn, somebody forgotten), whatever came
//! in by it goes out, on every node.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::Code;
use tokio::sync::Notify;

use super::{Hub, wall};
use crate::bus::News;
use crate::store::StoreError;
use crate::tables::Refusal;

/// The connections that are open.
#[derive(Default)]
pub(super) struct Doors {
    open: Mutex<HashMap<u64, Door>>,
    /// Grows whenever somebody's ways in may have changed.
    changes: AtomicU64,
}

#[derive(Clone)]
struct Door {
    person: String,
    /// The hash of the token they came in with; none for a guest.
    session: Option<String>,
    shut: Arc<Notify>,
}

/// Who wants to come in, as it was found when they were asked.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) person: String,
    pub(crate) session: Option<String>,
    /// What [`Hub::ways`] said before it was looked up.
    pub(crate) since: u64,
}

/// A connection that counts.
pub(crate) struct Connected {
    hub: Arc<Hub>,
    number: u64,
    shut: Arc<Notify>,
}

/// How many tokens are looked at at once.
const AT_ONCE: usize = 500;

impl Doors {
    fn open(&self) -> MutexGuard<'_, HashMap<u64, Door>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, person: &str) -> Vec<Door> {
        self.open().values().filter(|door| door.person == person).cloned().collect()
    }
}

impl Hub {
    /// Counts a connection; refused when there are too many.
    pub(crate) fn connect(self: &Arc<Self>, pass: Pass) -> Result<Connected, Refusal> {
        if self.is_stopping() {
            return Err(Code::Stopping.into());
        }
        if self.connections.fetch_add(1, Ordering::Relaxed) >= self.config.most_connections {
            self.connections.fetch_sub(1, Ordering::Relaxed);
            return Err(Code::Full.into());
        }
        let (number, shut) = (self.number(), Arc::new(Notify::new()));
        let Pass { person, session, since } = pass;
        self.doors.open().insert(number, Door { person: person.clone(), session, shut: shut.clone() });
        if self.ways() != since {
            // Something was closed while they were on their way in; it may have been theirs.
            let hub = self.clone();
            tokio::spawn(async move { hub.look_again(&person).await });
        }
        Ok(Connected { hub: self.clone(), number, shut })
    }

    /// How often ways in have changed; to be asked before somebody's is looked up.
    pub(crate) fn ways(&self) -> u64 {
        self.doors.changes.load(Ordering::SeqCst)
    }

    /// Somebody's ways in have changed: what came in by those that are closed now goes out, here and elsewhere.
    pub(crate) async fn let_out(&self, person: &str) {
        self.look_again(person).await;
        self.bus.announce(News::LetOut { person: person.to_owned() });
    }

    /// The same for this node alone.
    pub(super) async fn look_again(&self, person: &str) {
        self.doors.changes.fetch_add(1, Ordering::SeqCst);
        for door in self.doors.of(person) {
            // A database that does not answer lets nobody out; they are looked at again.
            if let Ok(false) = self.is_allowed(&door).await {
                door.shut.notify_one();
            }
        }
    }

    async fn is_allowed(&self, door: &Door) -> Result<bool, StoreError> {
        match &door.session {
            Some(session) => Ok(self.store.session(session, wall()).await?.is_some()),
            // A guest who has an account now, or is forgotten, is no guest any more.
            None => Ok(self.store.person(&door.person).await?.is_none_or(|row| row.kind == "guest")),
        }
    }

    /// Lets out whoever came in with a token that has expired, or was closed on a node whose word got lost.
    pub(super) async fn let_out_expired(&self) {
        let doors: Vec<Door> = self.doors.open().values().filter(|door| door.session.is_some()).cloned().collect();
        for some in doors.chunks(AT_ONCE) {
            let hashes: Vec<String> = some.iter().filter_map(|door| door.session.clone()).collect();
            let Ok(valid) = self.store.valid_of(&hashes, wall()).await else { return };
            let valid: std::collections::HashSet<String> = valid.into_iter().collect();
            let closed = |door: &&Door| door.session.as_ref().is_some_and(|session| !valid.contains(session));
            some.iter().filter(closed).for_each(|door| door.shut.notify_one());
        }
    }
}

impl Connected {
    /// Comes when the way in was closed.
    pub(crate) async fn shut(&self) {
        self.shut.notified().await;
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.hub.doors.open().remove(&self.number);
        self.hub.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
