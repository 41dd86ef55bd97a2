//! What nodes tell each other. Nothing depends on it but speed: who misses a word finds it in the log.

mod nats;
#[cfg(test)]
pub(crate) mod room;
mod work;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use protocol::LobbyTable;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::tables::LogEntry;
pub(crate) use work::{Job, Kind, Offered, Work};

/// A way to the other nodes, and how well it goes.
pub(crate) struct Bus {
    /// The name of this node, new with every start.
    pub(crate) node: String,
    way: Way,
    echo: Mutex<Echo>,
}

enum Way {
    /// There is no other node.
    Inside,
    Nats(Box<nats::Nats>),
    #[cfg(test)]
    Room(std::sync::Arc<room::Room>),
}

/// When this node last heard itself, and since when it has without a pause.
struct Echo {
    last: Instant,
    since: Option<Instant>,
}

/// A broker that brings nothing back for so long is lost; until then it may only be slow.
const SILENCE: Duration = Duration::from_millis(2500);

/// Something about one table, for the nodes where it is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    /// The log, which had `after` lines, has these too.
    Told { after: u32, lines: Vec<LogEntry> },
    /// Who of the seated is connected to the speaking node, and how many others.
    Around { people: Vec<String>, watching: u32 },
    /// Somebody opened the table and would like to hear who is there.
    WhoIsThere,
}

/// Something for every node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum News {
    /// The speaking node lives.
    Beat,
    /// Every table that the speaking node lists in the lobby.
    Lobby { tables: Vec<LobbyTable> },
    /// Somebody's name is to be forgotten.
    Forgotten { person: String },
    /// Somebody's ways in have changed: who came in by one that is closed goes out.
    LetOut { person: String },
}

/// What was said, and by which node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Heard<W> {
    pub(crate) node: String,
    pub(crate) word: W,
}

/// Where words come out.
pub(crate) enum Ears {
    Nats(Box<nats::Ears>),
    #[cfg(test)]
    Room(room::Ears),
}

impl Ears {
    /// The next word; what cannot be read was meant for another version, and is passed over.
    pub(crate) async fn next<W: DeserializeOwned>(&mut self) -> Option<Heard<W>> {
        loop {
            let bytes = match self {
                Ears::Nats(ears) => ears.next().await,
                #[cfg(test)]
                Ears::Room(ears) => ears.next().await,
            }?;
            if let Ok(heard) = serde_json::from_slice(&bytes) {
                return Some(heard);
            }
        }
    }
}

impl Ears {
    /// Waits for something, and takes in meanwhile what comes, so that it waits here, where it is counted.
    pub(crate) async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> T {
        match self {
            Ears::Nats(ears) => ears.meanwhile(work).await,
            #[cfg(test)]
            Ears::Room(_) => work.await,
        }
    }
}

/// Where a broker is and under which names to speak there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusPlace {
    /// Such as `nats://127.0.0.1:4222`.
    pub address: String,
    /// Two clusters on one broker have different ones.
    pub prefix: String,
}

impl fmt::Display for BusPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A password is nobody's business who reads a log.
        match self.address.split_once("://").zip(self.address.rsplit_once('@')) {
            Some(((scheme, _), (_, host))) => write!(f, "{scheme}://…@{host}"),
            None => f.write_str(&self.address),
        }
    }
}

/// Why a broker cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusError {
    /// Nobody answers there.
    Unreachable(String),
    /// It does not let us in.
    Refused,
    /// It has no JetStream.
    NoJetStream,
    /// Nodes of another database speak under the same prefix.
    OtherCluster,
    /// SQLite is for one process.
    NeedsPostgres,
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
    fn new(node: String, way: Way) -> Bus {
        Bus { node, way, echo: Mutex::new(Echo { last: Instant::now(), since: Some(Instant::now()) }) }
    }

    /// For one node alone.
    pub(crate) fn inside(node: String) -> Bus {
        Bus::new(node, Way::Inside)
    }

    /// Connects to a broker, and makes the queue for work there. `cluster` tells databases apart.
    pub(crate) async fn connect(place: &BusPlace, cluster: &str, node: String) -> Result<Bus, BusError> {
        let nats = nats::Nats::connect(place, cluster, &node).await?;
        Ok(Bus::new(node, Way::Nats(Box::new(nats))))
    }

    #[cfg(test)]
    pub(crate) fn in_room(room: std::sync::Arc<room::Room>, node: &str) -> Bus {
        Bus::new(node.to_owned(), Way::Room(room))
    }

    /// Whether there may be other nodes.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self.way, Way::Inside)
    }

    /// Says something about a table. It may get lost.
    pub(crate) fn tell(&self, table: &str, word: Word) {
        self.send(|| format!("t.{table}"), word);
    }

    /// Says something to every node. It may get lost.
    pub(crate) fn announce(&self, news: News) {
        self.send(|| "news".to_owned(), news);
    }

    fn send<W: Serialize>(&self, subject: impl FnOnce() -> String, word: W) {
        let bytes = |node: &str| serde_json::to_vec(&Heard { node: node.to_owned(), word }).unwrap_or_default();
        match &self.way {
            Way::Inside => {}
            Way::Nats(nats) => nats.send(&subject(), bytes(&self.node)),
            #[cfg(test)]
            Way::Room(room) => room.send(&subject(), &bytes(&self.node)),
        }
    }

    /// What is said about a table from now on; nothing where nobody could say anything.
    pub(crate) fn ears(&self, table: &str) -> Option<Ears> {
        self.listen(&format!("t.{table}"))
    }

    /// What is said to every node from now on.
    pub(crate) fn news(&self) -> Option<Ears> {
        self.listen("news")
    }

    fn listen(&self, subject: &str) -> Option<Ears> {
        match &self.way {
            Way::Inside => None,
            Way::Nats(nats) => Some(Ears::Nats(Box::new(nats.ears(subject)))),
            #[cfg(test)]
            Way::Room(room) => Some(Ears::Room(room.ears(subject))),
        }
    }

    /// The queue for work, where there is one.
    pub(crate) fn work(&self) -> Option<&Work> {
        match &self.way {
            Way::Nats(nats) => Some(nats.work()),
            _ => None,
        }
    }

    /// This node has heard itself.
    pub(crate) fn note_echo(&self) {
        let mut echo = self.echo.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if echo.since.is_none() || now.duration_since(echo.last) > SILENCE {
            echo.since = Some(now);
        }
        echo.last = now;
    }

    /// Whether what is said arrives.
    pub(crate) fn is_well(&self) -> bool {
        !self.is_shared() || self.echo.lock().unwrap_or_else(PoisonError::into_inner).last.elapsed() < SILENCE
    }

    /// For how long what was said has arrived; who is away cannot be known for longer.
    pub(crate) fn well_for(&self) -> Duration {
        if !self.is_shared() {
            return Duration::MAX;
        }
        let echo = self.echo.lock().unwrap_or_else(PoisonError::into_inner);
        match echo.since {
            Some(since) if echo.last.elapsed() < SILENCE => since.elapsed(),
            _ => Duration::ZERO,
        }
    }
}
