//! The open connections: how many there may be, what each was authenticated by, and how they end. A connection whose
//! credential is revoked (logged out, token withdrawn, person forgotten) is closed on every node.

use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::Hub;
use crate::bus::ClusterMessage;
use crate::limit::{Counted, Network, NetworkCounts};
use crate::runtime::{self, Instant};
use crate::secret;
use crate::store::StoreError;
use crate::tables::Refusal;

/// The open connections of this process.
pub(super) struct Connections {
    most: usize,
    by_network: Arc<NetworkCounts>,
    open: Mutex<BTreeMap<u64, Connection>>,
    numbers: AtomicU64,
    /// Grows whenever a credential may have been revoked.
    auth_epoch: AtomicU64,
    draining: AtomicBool,
    /// Over how long clients are sent to other nodes, once they are.
    handover: watch::Sender<Option<Duration>>,
}

#[derive(Clone)]
struct Connection {
    person: String,
    network: Network,
    /// The hash of the token it came with; none for a guest.
    session: Option<String>,
    revoked: Arc<Notify>,
    /// Notified when there is news for the person.
    woken: Arc<Notify>,
}

/// What a connection is authenticated by.
#[derive(Clone, Debug)]
pub(crate) struct Credential {
    pub(crate) person: String,
    pub(crate) session: Option<String>,
    /// [`Hub::auth_epoch`] before the credential was checked.
    pub(crate) epoch: u64,
    pub(crate) address: IpAddr,
}

/// A connection that counts until it is dropped.
pub(crate) struct ConnectionGuard {
    hub: Arc<Hub>,
    number: u64,
    revoked: Arc<Notify>,
    woken: Arc<Notify>,
    _counted: Counted,
}

/// A handover takes no longer, however many clients there are: the server is to end.
const LONGEST_HANDOVER: Duration = Duration::from_secs(300);
/// How many sessions are checked in one query.
const BATCH: usize = 500;

impl Connections {
    pub(super) fn new(most: usize, per_network: usize) -> Connections {
        Connections {
            most,
            by_network: NetworkCounts::new(per_network),
            open: Mutex::default(),
            numbers: AtomicU64::new(1),
            auth_epoch: AtomicU64::new(0),
            draining: AtomicBool::new(false),
            handover: watch::Sender::new(None),
        }
    }

    /// A number that no other connection or watcher has.
    pub(super) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn count(&self) -> usize {
        self.open().len()
    }

    fn is_handing_over(&self) -> bool {
        self.handover.borrow().is_some()
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Connection>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hub {
    /// Counts a connection; refused when there are too many.
    pub(crate) fn connect(self: &Arc<Self>, credential: Credential) -> Result<ConnectionGuard, Refusal> {
        if self.connections.is_handing_over() {
            return Err(Refusal::Stopping);
        }
        let (number, revoked, woken) = (self.connections.number(), Arc::new(Notify::new()), Arc::new(Notify::new()));
        let Credential { person, session, epoch, address } = credential;
        let counted = self.connections.by_network.take(Network::of(address)).ok_or(Refusal::TooFast)?;
        {
            let mut open = self.connections.open();
            if open.len() >= self.connections.most {
                return Err(Refusal::Full);
            }
            let network = Network::of(address);
            let (person, revoked, woken) = (person.clone(), revoked.clone(), woken.clone());
            open.insert(number, Connection { person, network, session, revoked, woken });
        }
        if self.auth_epoch() != epoch {
            // A credential was revoked after this one was checked; it may have been the same.
            let hub = self.clone();
            runtime::spawn(async move { hub.recheck_connections(&person).await });
        }
        Ok(ConnectionGuard { hub: self.clone(), number, revoked, woken, _counted: counted })
    }

    /// How often credentials have been revoked; to be read before one is checked.
    pub(crate) fn auth_epoch(&self) -> u64 {
        self.connections.auth_epoch.load(Ordering::SeqCst)
    }

    /// Closes a person's connections whose credentials are revoked, on all nodes.
    pub(crate) async fn close_revoked(&self, person: &str) {
        self.recheck_connections(person).await;
        self.bus.announce(ClusterMessage::CredentialsChanged { person: person.to_owned() });
    }

    /// The same for a person and their bots.
    pub(crate) async fn close_all_of(&self, person: &str) {
        for bot in self.store.made_by(person).await.unwrap_or_default() {
            self.close_revoked(&bot).await;
        }
        self.close_revoked(person).await;
    }

    /// The same for this node alone.
    pub(super) async fn recheck_connections(&self, person: &str) {
        self.connections.auth_epoch.fetch_add(1, Ordering::SeqCst);
        let own: Vec<Connection> =
            self.connections.open().values().filter(|open| open.person == person).cloned().collect();
        for connection in own {
            // If the database does not answer, the connection stays and is checked again later.
            if let Ok(false) = self.is_authenticated(&connection).await {
                connection.revoked.notify_one();
            }
        }
    }

    async fn is_authenticated(&self, connection: &Connection) -> Result<bool, StoreError> {
        match &connection.session {
            Some(session) => Ok(self.store.session(session, runtime::wall()).await?.is_some()),
            // A guest who has an account by now, or is forgotten, is no guest any more.
            None => Ok(self.store.person(&connection.person).await?.is_none_or(|row| row.kind == "guest")),
        }
    }

    /// Closes connections whose token has expired, or was revoked on a node whose message got lost.
    pub(super) async fn close_expired_connections(&self) {
        let open: Vec<Connection> =
            self.connections.open().values().filter(|open| open.session.is_some()).cloned().collect();
        for batch in open.chunks(BATCH) {
            let hashes: Vec<String> = batch.iter().filter_map(|open| open.session.clone()).collect();
            let Ok(valid) = self.store.valid_of(&hashes, runtime::wall()).await else { return };
            let valid: HashSet<String> = valid.into_iter().collect();
            let revoked = |open: &&Connection| open.session.as_ref().is_some_and(|session| !valid.contains(session));
            batch.iter().filter(revoked).for_each(|open| open.revoked.notify_one());
        }
    }

    /// Wakes what waits for news for a person on this node.
    pub(super) fn wake_listeners(&self, person: &str) {
        let open = self.connections.open();
        open.values().filter(|open| open.person == person).for_each(|open| open.woken.notify_one());
    }

    /// Which of some people are connected to this node.
    pub(crate) fn connected(&self, people: &[&str]) -> HashSet<String> {
        let wanted: HashSet<&str> = people.iter().copied().collect();
        // One pass: there may be hundreds of people and tens of thousands of connections.
        let open = self.connections.open();
        open.values().map(|open| &open.person).filter(|person| wanted.contains(person.as_str())).cloned().collect()
    }

    /// Closes the connections of this node for which something holds, by their network and person.
    pub(super) fn close_connections(&self, holds: impl Fn(Network, &str) -> bool) {
        self.connections.auth_epoch.fetch_add(1, Ordering::SeqCst);
        let open = self.connections.open();
        open.values().filter(|open| holds(open.network, &open.person)).for_each(|open| open.revoked.notify_one());
    }

    /// Accepts no new tables any more and says so to load balancers by `/ready`; running games go on.
    pub(crate) fn drain(&self) {
        self.connections.draining.store(true, Ordering::Relaxed);
    }

    /// Whether a load balancer should send clients to other nodes.
    pub(crate) fn is_leaving(&self) -> bool {
        self.connections.draining.load(Ordering::Relaxed) || self.connections.is_handing_over()
    }

    /// Begins to hand the clients over to other nodes; how long that takes.
    pub(crate) fn stop(&self) -> Duration {
        let clients = u32::try_from(self.connections.count()).unwrap_or(u32::MAX);
        let over = match self.config.handover_per_second {
            0 => Duration::ZERO,
            rate => Duration::from_secs_f64(f64::from(clients) / f64::from(rate)).min(LONGEST_HANDOVER),
        };
        self.connections.handover.send_replace(Some(over));
        over
    }

    /// Waits until all connections are closed, but not longer than `most`.
    pub(crate) async fn emptied(&self, most: Duration) {
        let until = Instant::now() + most;
        while self.connections.count() > 0 && Instant::now() < until {
            runtime::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Completes when a client is to go to another node: at a random moment of the handover, so that the others do not
    /// have to take all of them in at once.
    pub(crate) fn handed_over(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut handover = self.connections.handover.subscribe();
        async move {
            let Ok(over) = handover.wait_for(Option::is_some).await.map(|over| over.unwrap_or_default()) else {
                return;
            };
            let most = u32::try_from(over.as_millis()).unwrap_or(u32::MAX - 1);
            runtime::sleep(Duration::from_millis(secret::below(most + 1).into())).await;
        }
    }
}

impl ConnectionGuard {
    /// Completes when the credential is revoked.
    pub(crate) async fn revoked(&self) {
        self.revoked.notified().await;
    }

    /// Completes when there is news for the person.
    pub(crate) async fn woken(&self) {
        self.woken.notified().await;
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.hub.connections.open().remove(&self.number);
    }
}
