//! The people at a table: who is connected here, who to another node, and since when a player is away.

use std::collections::BTreeMap;
use std::time::Duration;

use super::outlet::{Feed, Out};

/// The people at one table.
pub(super) struct Presence {
    watchers: Vec<Watcher>,
    /// Who is connected to other nodes, by node.
    remote: BTreeMap<String, RemotePresence>,
    /// Since when players who were connected are not any more.
    left_at: BTreeMap<String, Duration>,
    /// When the table was opened here: a player who never came is away since then.
    opened: Duration,
    /// The last single request of each person: a player over plain HTTP is there without a connection.
    requests: BTreeMap<String, Duration>,
}

/// How long a single request makes a person present.
const PRESENT: Duration = Duration::from_secs(30);

/// A client that is sent what happens.
pub(super) struct Watcher {
    pub(super) number: u64,
    pub(super) person: String,
    pub(super) out: Feed,
    /// The people whose chat this client is not sent.
    pub(super) blocked: Vec<String>,
}

/// Who is connected to another node, by its last message.
#[derive(Clone, Debug)]
pub(super) struct RemotePresence {
    pub(super) players: Vec<String>,
    pub(super) spectators: u32,
    pub(super) received: Duration,
}

impl Presence {
    pub(super) fn new(now: Duration) -> Presence {
        Presence {
            watchers: Vec::new(),
            remote: BTreeMap::new(),
            left_at: BTreeMap::new(),
            opened: now,
            requests: BTreeMap::new(),
        }
    }

    pub(super) fn watchers(&self) -> &[Watcher] {
        &self.watchers
    }

    /// A client comes.
    pub(super) fn add(&mut self, watcher: Watcher) {
        self.left_at.remove(&watcher.person);
        self.watchers.push(watcher);
    }

    /// All clients go.
    pub(super) fn clear(&mut self) {
        self.watchers.clear();
        self.requests.clear();
    }

    /// Changes the block list of a person's clients.
    pub(super) fn set_blocked(&mut self, person: &str, blocked: &[String]) {
        for watcher in self.watchers.iter_mut().filter(|watcher| watcher.person == person) {
            watcher.blocked = blocked.to_vec();
        }
    }

    /// A client goes; `is_player` says whether a person has a seat. Whether it was a player's.
    pub(super) fn remove(&mut self, number: u64, now: Duration, is_player: impl Fn(&str) -> bool) -> bool {
        let Some(index) = self.watchers.iter().position(|watcher| watcher.number == number) else { return false };
        let watcher = self.watchers.swap_remove(index);
        let was_player = is_player(&watcher.person);
        self.note_left(vec![watcher.person], now, is_player);
        was_player
    }

    /// A person has sent a single request; whether they were away.
    pub(super) fn note_request(&mut self, person: &str, now: Duration) -> bool {
        let away = !self.is_connected(person);
        self.left_at.remove(person);
        self.requests.insert(person.to_owned(), now);
        away
    }

    /// Forgets requests from long ago; whether there were any.
    pub(super) fn forget_requests(&mut self, now: Duration, is_player: impl Fn(&str) -> bool) -> bool {
        let old = |last: Duration| now.saturating_sub(last) > PRESENT;
        let gone: Vec<String> =
            self.requests.iter().filter(|(_, last)| old(**last)).map(|(person, _)| person.clone()).collect();
        self.requests.retain(|_, last| !old(*last));
        let any = !gone.is_empty();
        self.note_left(gone, now, is_player);
        any
    }

    /// Whether no client of this node is at the table, so that other nodes need no message about it.
    pub(super) fn is_empty(&self) -> bool {
        self.watchers.is_empty() && self.requests.is_empty()
    }

    /// Sends the same to every client.
    pub(super) fn send_to_all(&self, out: &Out) {
        self.watchers.iter().for_each(|watcher| watcher.out.push(out.clone()));
    }

    /// Drops clients by their numbers.
    pub(super) fn drop_watchers(&mut self, numbers: &[u64]) {
        self.watchers.retain(|watcher| !numbers.contains(&watcher.number));
    }

    /// The players who are connected to this node, and how many spectators are.
    pub(super) fn local(&self, is_player: impl Fn(&str) -> bool) -> (Vec<String>, u32) {
        let people = self.watchers.iter().map(|watcher| &watcher.person);
        let mut players: Vec<String> = people.filter(|person| is_player(person)).cloned().collect();
        let spectators = (self.watchers.len() - players.len()) as u32;
        players.extend(self.requests.keys().filter(|person| is_player(person)).cloned());
        (players, spectators)
    }

    /// How many spectators are connected to other nodes.
    pub(super) fn remote_spectators(&self) -> u32 {
        self.remote.values().map(|node| node.spectators).sum()
    }

    /// Notes that a node has repeated who is connected to it; what it says, if that is not what it said before.
    pub(super) fn repeat_remote(&mut self, node: String, says: RemotePresence) -> Option<(String, RemotePresence)> {
        match self.remote.get_mut(&node) {
            Some(before) if before.players == says.players && before.spectators == says.spectators => {
                before.received = says.received;
                None
            }
            _ => Some((node, says)),
        }
    }

    /// Notes who is connected to another node.
    pub(super) fn note_remote(
        &mut self,
        node: String,
        says: RemotePresence,
        now: Duration,
        is_player: impl Fn(&str) -> bool,
    ) {
        for person in &says.players {
            self.left_at.remove(person);
        }
        if let Some(before) = self.remote.insert(node, says) {
            self.note_left(before.players, now, is_player);
        }
    }

    /// Forgets nodes that have been silent for long; whether there were any.
    pub(super) fn forget_nodes(
        &mut self,
        now: Duration,
        after: Duration,
        is_player: impl Fn(&str) -> bool + Copy,
    ) -> bool {
        let silent = |says: &RemotePresence| now.saturating_sub(says.received) > after;
        let gone: Vec<String> =
            self.remote.iter().filter(|(_, says)| silent(says)).map(|(node, _)| node.clone()).collect();
        for node in &gone {
            if let Some(says) = self.remote.remove(node) {
                self.note_left(says.players, now, is_player);
            }
        }
        !gone.is_empty()
    }

    /// How long a person has been away; zero while connected anywhere.
    pub(super) fn absence(&self, person: &str, now: Duration) -> Duration {
        if self.is_connected(person) {
            return Duration::ZERO;
        }
        // A player who left this very moment is away too, and the others are notified now.
        now.saturating_sub(self.left_at.get(person).copied().unwrap_or(self.opened)).max(Duration::from_millis(1))
    }

    /// How many messages wait for the slowest client.
    pub(super) fn unsent(&self) -> usize {
        self.watchers.iter().map(|watcher| watcher.out.unsent()).max().unwrap_or(0)
    }

    fn is_connected(&self, person: &str) -> bool {
        self.watchers.iter().any(|watcher| watcher.person == person)
            || self.requests.contains_key(person)
            || self.remote.values().any(|node| node.players.iter().any(|other| other == person))
    }

    fn note_left(&mut self, people: Vec<String>, now: Duration, is_player: impl Fn(&str) -> bool) {
        for person in people {
            if !self.is_connected(&person) && is_player(&person) {
                self.left_at.entry(person).or_insert(now);
            }
        }
    }
}
