//! Messages between nodes. Nothing depends on them but speed: what a node misses it finds in the log.

mod jetstream;
pub(crate) mod memory_bus;
mod memory_queue;
mod nats;
mod work_queue;

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use protocol::LobbyTable;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::config::{BusAddress, BusPrefix};
use crate::runtime::Instant;
use crate::tables::LogEntry;
pub(crate) use work_queue::{Job, Offered, Queue, WorkQueue};

/// The connection to the other nodes, and whether it delivers.
pub(crate) struct Bus {
    /// The name of this node, new with every start.
    pub(crate) node: String,
    /// None for a node that is alone.
    transport: Option<Box<dyn Transport>>,
    /// What this node sends to itself each second, and the subject.
    beat: (String, Bytes),
    /// How this node's messages begin.
    beginning: Bytes,
    echo: Mutex<Echo>,
}

/// A broker.
pub(crate) trait Transport: Send + Sync {
    /// Sends a message without waiting. It may get lost.
    fn send(&self, subject: &str, bytes: Bytes);

    /// What is sent under a subject from now on.
    fn subscribe(&self, subject: &str) -> Box<dyn Inbox>;

    /// The queue for work that any process may do, where there is one.
    fn work(&self) -> Option<&WorkQueue> {
        None
    }
}

/// Where messages of one subject arrive.
pub(crate) trait Inbox: Send {
    /// The next message; none when there will be no more. Nothing is lost if the caller stops waiting.
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Option<Bytes>> + Send + '_>>;
}

/// When this node last received a message of its own, and since when without a pause.
struct Echo {
    last: Instant,
    since: Instant,
}

/// A broker that delivers nothing for so long is lost; until then it may only be slow.
const SILENCE: Duration = Duration::from_millis(2500);
/// How many messages about one table may wait for this node.
const MOST_WAITING: usize = 256;

/// Something about one table, for the nodes where it is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableMessage {
    /// The log, which had `after` entries, has these too.
    Appended {
        after: u32,
        entries: Vec<LogEntry>,
        /// When they became durable, in milliseconds since 1970: the clock of the next turn runs from then on. A node of
        /// an older version leaves it out.
        #[serde(default)]
        durable_at: i64,
    },
    /// The players who are connected to the sending node, and how many spectators are.
    Presence { players: Vec<String>, spectators: u32 },
    /// The sending node has opened the table and asks the others who is connected.
    PresenceWanted,
}

/// Something for every node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClusterMessage {
    /// Sent by a node to itself, to learn whether the broker delivers. Nodes of older versions send it to every node.
    Beat,
    /// Every table that the sending node lists in the lobby.
    Lobby { tables: Vec<LobbyTable> },
    /// A person's name is to be removed.
    Forgotten { person: String },
    /// A person's credentials have changed: connections with a revoked one are to be closed.
    CredentialsChanged { person: String },
    /// Bans were added or lifted.
    BansChanged,
    /// A person's block list has changed.
    BlocksChanged { person: String },
    /// Challenges to a person or by them have changed.
    ChallengesChanged { person: String },
}

/// A message with the node that sent it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Envelope<M> {
    pub(crate) node: String,
    pub(crate) message: M,
}

/// The messages of one subject.
pub(crate) struct Subscription {
    inbox: Box<dyn Inbox>,
    /// What arrived while earlier messages were worked on. A broker's client has a short queue of its own, which is kept
    /// empty, so that messages wait here, where they are counted.
    waiting: VecDeque<Bytes>,
    /// How the messages begin that are not wanted, if any.
    unwanted: Option<Bytes>,
}

impl Subscription {
    fn new(inbox: Box<dyn Inbox>, unwanted: Option<Bytes>) -> Subscription {
        Subscription { inbox, waiting: VecDeque::new(), unwanted }
    }

    /// The next message; one that cannot be read is from another version, and is skipped.
    pub(crate) async fn next<M: DeserializeOwned>(&mut self) -> Option<Envelope<M>> {
        loop {
            let bytes = match self.waiting.pop_front() {
                Some(bytes) => {
                    metrics::gauge!("fourfold_bus_unheard").decrement(1.0);
                    bytes
                }
                None => self.inbox.next().await?,
            };
            if self.unwanted.as_ref().is_some_and(|beginning| bytes.starts_with(beginning)) {
                continue;
            }
            if let Ok(envelope) = serde_json::from_slice(&bytes) {
                return Some(envelope);
            }
        }
    }

    /// Waits for a message, whatever it says; whether one came.
    pub(crate) async fn arrives(&mut self) -> bool {
        self.waiting.pop_front().is_some() || self.inbox.next().await.is_some()
    }

    /// Waits for work, and receives meanwhile.
    pub(crate) async fn receive_during<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            let bytes = tokio::select! {
                biased;
                done = &mut work => return done,
                bytes = self.inbox.next() => bytes,
            };
            match bytes {
                None => return work.await,
                Some(_) if self.waiting.len() >= MOST_WAITING => {
                    metrics::counter!("fourfold_bus_dropped_total").increment(1);
                }
                Some(bytes) => {
                    self.waiting.push_back(bytes);
                    metrics::gauge!("fourfold_bus_unheard").increment(1.0);
                }
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        metrics::gauge!("fourfold_bus_unheard").decrement(self.waiting.len() as f64);
    }
}

/// Why a broker cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusError {
    /// Nothing answers there.
    Unreachable(String),
    /// It refuses the name and password.
    Refused,
    /// It has no JetStream.
    NoJetStream,
    /// Nodes of another database use the same prefix.
    OtherCluster,
    /// SQLite is for one process.
    NeedsPostgres,
}

/// A message as it is sent.
fn written<M: Serialize>(node: &str, message: M) -> Bytes {
    serde_json::to_vec(&Envelope { node: node.to_owned(), message }).unwrap_or_default().into()
}

impl fmt::Display for BusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BusError::Unreachable(problem) => write!(f, "the broker cannot be reached: {problem}"),
            BusError::Refused => f.write_str("the broker does not accept the name and password"),
            BusError::NoJetStream => f.write_str("the broker has no JetStream: start nats-server with --jetstream"),
            BusError::OtherCluster => f.write_str(
                "another cluster with another database uses this prefix on the broker: choose another bus_prefix",
            ),
            BusError::NeedsPostgres => f.write_str("several nodes need a PostgreSQL database; SQLite is for one"),
        }
    }
}

impl std::error::Error for BusError {}

impl Bus {
    /// For one node alone.
    pub(crate) fn alone(node: String) -> Bus {
        Bus::new(node, None)
    }

    /// Connects to a broker, and makes the queue for work there. `cluster` tells databases apart.
    pub(crate) async fn connect(
        address: &BusAddress,
        prefix: &BusPrefix,
        cluster: &str,
        node: String,
    ) -> Result<Bus, BusError> {
        let nats = nats::Nats::connect(address, prefix.as_str(), cluster, &node).await?;
        Ok(Bus::new(node, Some(Box::new(nats))))
    }

    /// A node on any transport, such as a simulated one.
    pub(crate) fn with_transport(node: &str, transport: Box<dyn Transport>) -> Bus {
        Bus::new(node.to_owned(), Some(transport))
    }

    fn new(node: String, transport: Option<Box<dyn Transport>>) -> Bus {
        let now = Instant::now();
        let beat = (format!("n.{node}"), written(&node, ClusterMessage::Beat));
        let beginning = format!(r#"{{"node":"{node}","#).into();
        Bus { node, transport, beat, beginning, echo: Mutex::new(Echo { last: now, since: now }) }
    }

    /// Whether there may be other nodes.
    pub(crate) fn is_shared(&self) -> bool {
        self.transport.is_some()
    }

    /// Sends something about a table. It may get lost.
    pub(crate) fn publish(&self, table: &str, message: TableMessage) {
        self.send(|| format!("t.{table}"), message);
    }

    /// Sends something to every node. It may get lost.
    pub(crate) fn announce(&self, message: ClusterMessage) {
        self.send(|| "news".to_owned(), message);
    }

    /// Sends something to this node itself. It may get lost.
    pub(crate) fn beat(&self) {
        if let Some(transport) = &self.transport {
            transport.send(&self.beat.0, self.beat.1.clone());
        }
    }

    fn send<M: Serialize>(&self, subject: impl FnOnce() -> String, message: M) {
        if let Some(transport) = &self.transport {
            transport.send(&subject(), written(&self.node, message));
        }
    }

    /// The messages of other nodes about a table from now on; none for a node that is alone.
    pub(crate) fn subscribe_to_table(&self, table: &str) -> Option<Subscription> {
        self.subscribe(&format!("t.{table}"), Some(self.beginning.clone()))
    }

    /// The messages to every node from now on.
    pub(crate) fn subscribe_to_cluster(&self) -> Option<Subscription> {
        self.subscribe("news", None)
    }

    /// The messages of this node to itself from now on.
    pub(crate) fn subscribe_to_self(&self) -> Option<Subscription> {
        self.subscribe(&self.beat.0, None)
    }

    fn subscribe(&self, subject: &str, unwanted: Option<Bytes>) -> Option<Subscription> {
        Some(Subscription::new(self.transport.as_ref()?.subscribe(subject), unwanted))
    }

    /// The queue for work, where there is one.
    pub(crate) fn work(&self) -> Option<&WorkQueue> {
        self.transport.as_ref()?.work()
    }

    /// This node has received a message of its own.
    pub(crate) fn note_echo(&self) {
        let mut echo = self.echo();
        let now = Instant::now();
        if now.duration_since(echo.last) > SILENCE {
            echo.since = now;
        }
        echo.last = now;
    }

    /// Whether the broker delivers.
    pub(crate) fn is_delivering(&self) -> bool {
        !self.is_shared() || self.echo().last.elapsed() < SILENCE
    }

    /// How long the broker has been delivering. Presence older than this is unknown.
    pub(crate) fn delivering_for(&self) -> Duration {
        if !self.is_shared() {
            return Duration::MAX;
        }
        let echo = self.echo();
        if echo.last.elapsed() < SILENCE { echo.since.elapsed() } else { Duration::ZERO }
    }

    fn echo(&self) -> MutexGuard<'_, Echo> {
        self.echo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
