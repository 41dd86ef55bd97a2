//! Several nodes on one database: what the others did, who is connected to them, and what no node has noticed.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::Hub;
use super::open_table::{OpenTable, TableState, Tail};
use super::presence::RemotePresence;
use super::registry::Added;
use crate::bus::{ClusterMessage, Envelope, Subscription, TableMessage};
use crate::runtime::{self, Instant};
use crate::tables::LogEntry;

/// How often a node sends a message that it receives itself, to know whether the broker delivers.
const BEAT: Duration = Duration::from_secs(1);
/// How often a node repeats who is connected and what it lists, in case the message got lost.
const REPEAT: Duration = Duration::from_secs(5);
/// The presence and lobby of a node are dropped if it has not repeated them for so long.
const FORGOTTEN: Duration = Duration::from_secs(12);
/// How often logs are checked for missed entries, while the broker delivers and while it does not.
const CHECK: (Duration, Duration) = (Duration::from_secs(2), Duration::from_millis(250));
/// How often all of this is looked at, while the broker delivers and while it does not.
const TEND: (Duration, Duration) = (Duration::from_millis(500), Duration::from_millis(250));
/// How long changes of the lobby are gathered before they are announced.
const GATHER: Duration = Duration::from_millis(100);
/// How many log lengths one query reads.
const BATCH: usize = 500;
/// How often fallen flags are looked for that no node's alarm has noticed.
const SWEEP: Duration = Duration::from_secs(2);
/// A flag must have fallen this long ago, in milliseconds: a node that has the table open is given time to notice.
const UNNOTICED: i64 = 1500;

impl Hub {
    /// Opens a table here, and subscribes to other nodes' messages about it.
    pub(super) fn open(self: &Arc<Self>, table: OpenTable) -> Arc<OpenTable> {
        let (open, added) = self.tables.add(table);
        if added == Added::Now
            && let Some(subscription) = self.bus.subscribe_to_table(&open.id)
        {
            let task = runtime::spawn(follow_table(Arc::downgrade(self), Arc::downgrade(&open), subscription));
            let _ = open.listening.set(task);
            self.bus.publish(&open.id, TableMessage::PresenceWanted);
        }
        open
    }

    async fn receive_table_message(self: &Arc<Self>, open: &Arc<OpenTable>, envelope: Envelope<TableMessage>) {
        let mut state = open.state.lock().await;
        match envelope.message {
            TableMessage::Appended { after, entries, durable_at } => {
                self.receive_entries(open, &mut state, after, (entries, durable_at)).await;
            }
            TableMessage::Presence { players, spectators } => {
                self.receive_presence(&mut state, envelope.node, players, spectators);
            }
            TableMessage::PresenceWanted => self.send_presence(&state),
        }
    }

    /// Notes who is connected to another node.
    fn receive_presence(&self, state: &mut TableState, node: String, players: Vec<String>, spectators: u32) {
        let now = self.now();
        let remote = RemotePresence { players, spectators, received: now };
        // Nodes repeat it every few seconds.
        let Some((node, remote)) = state.presence.repeat_remote(node, remote) else { return };
        let before = state.presence_message(self);
        let TableState { table, presence, .. } = state;
        presence.note_remote(node, remote, now, |person| table.seat_of(person).is_some());
        if state.presence_message(self) != before {
            state.publish_presence(self);
        }
    }

    async fn receive_entries(
        self: &Arc<Self>,
        open: &Arc<OpenTable>,
        state: &mut TableState,
        after: u32,
        (entries, durable_at): (Vec<LogEntry>, i64),
    ) {
        let known = state.table.seq();
        let end = after + entries.len() as u32;
        let sets_clock = entries.iter().any(|entry| entry.event.sets_clock());
        if state.tail == Tail::Unknown || after > known {
            // Something was missed before this.
            metrics::counter!("fourfold_gaps_total").increment(1);
            let _ = self.read_tail(open, state).await;
        } else if known < end {
            let fresh: Vec<LogEntry> = entries.into_iter().skip((known - after) as usize).collect();
            // What cannot be applied now counts as missed, and is found by the length of the log.
            let _ = self.follow(open, state, fresh, Some(durable_at)).await;
            return;
        }
        if sets_clock && state.table.seq() == end {
            // They were read from the database, which may not have known yet when they became durable.
            self.set_clock_from(open, state, Some(durable_at), self.now()).await;
        }
    }

    /// Tells the other nodes who is connected here.
    pub(super) fn send_presence(&self, state: &TableState) {
        if self.bus.is_shared() {
            let (players, spectators) = state.local_presence();
            self.bus.publish(&state.table.id, TableMessage::Presence { players, spectators });
        }
    }

    /// Reads logs that have grown without a message.
    async fn read_missed(self: &Arc<Self>) {
        for batch in self.tables.all().chunks(BATCH) {
            let ids: Vec<String> = batch.iter().map(|open| open.id.clone()).collect();
            let Ok(lengths) = self.store.lengths(&ids).await else { return };
            for (id, length) in lengths {
                let Some(open) = self.tables.get(&id) else { continue };
                // A task that is busy with the table will notice by itself.
                let Ok(mut state) = open.state.try_lock() else { continue };
                if i64::from(state.table.seq()) < length {
                    metrics::counter!("fourfold_gaps_total").increment(1);
                    let _ = self.read_tail(&open, &mut state).await;
                }
            }
        }
    }

    /// Repeats who is connected where, and forgets nodes that do not.
    fn repeat(self: &Arc<Self>) {
        let now = self.now();
        for open in self.tables.all() {
            let Ok(mut state) = open.state.try_lock() else { continue };
            if !state.presence.is_empty() {
                self.send_presence(&state);
            }
            let TableState { table, presence, .. } = &mut *state;
            if presence.forget_nodes(now, FORGOTTEN, |person: &str| table.seat_of(person).is_some()) {
                state.publish_presence(self);
            }
        }
        self.bus.announce(ClusterMessage::Lobby { tables: self.lobby.own() });
        self.lobby.forget_nodes(FORGOTTEN);
    }

    fn receive_cluster_message(self: &Arc<Self>, envelope: Envelope<ClusterMessage>) {
        if envelope.node == self.bus.node {
            self.bus.note_echo();
            return;
        }
        let hub = self.clone();
        match envelope.message {
            ClusterMessage::Beat => {}
            ClusterMessage::Lobby { tables } => self.lobby.note_node(envelope.node, tables),
            ClusterMessage::Forgotten { person } => {
                runtime::spawn(async move { hub.forget_in_memory(&person).await });
            }
            ClusterMessage::CredentialsChanged { person } => {
                runtime::spawn(async move { hub.recheck_connections(&person).await });
            }
            ClusterMessage::BansChanged => {
                // A node that cannot read them now reads them with the next check of its connections.
                runtime::spawn(async move { hub.read_bans().await });
            }
            ClusterMessage::BlocksChanged { person } => {
                runtime::spawn(async move { hub.read_blocks(&person).await });
            }
            ClusterMessage::ChallengesChanged { person } => self.wake_listeners(&person),
        }
    }
}

/// Receives the messages about a table for as long as it is open here.
async fn follow_table(hub: Weak<Hub>, open: Weak<OpenTable>, mut subscription: Subscription) {
    while let Some(envelope) = subscription.next::<TableMessage>().await {
        let (Some(hub), Some(open)) = (hub.upgrade(), open.upgrade()) else { return };
        if envelope.node == hub.bus.node {
            continue;
        }
        // Most messages only repeat who is connected; without waiting they cost much less.
        match (envelope, open.state.try_lock()) {
            (Envelope { node, message: TableMessage::Presence { players, spectators } }, Ok(mut state)) => {
                hub.receive_presence(&mut state, node, players, spectators);
            }
            (envelope, state) => {
                drop(state);
                subscription.receive_during(hub.receive_table_message(&open, envelope)).await;
            }
        }
    }
}

/// Receives the messages to every node.
pub(super) async fn receive(hub: Weak<Hub>, mut subscription: Subscription) {
    while let Some(envelope) = subscription.next::<ClusterMessage>().await {
        let Some(hub) = hub.upgrade() else { return };
        hub.receive_cluster_message(envelope);
    }
}

/// Receives the messages of this node to itself, which say that the broker delivers.
pub(super) async fn receive_own(hub: Weak<Hub>, mut subscription: Subscription) {
    while subscription.arrives().await {
        let Some(hub) = hub.upgrade() else { return };
        hub.bus.note_echo();
    }
}

/// What a node of several does again and again.
pub(super) async fn tend(hub: Weak<Hub>) {
    let start = Instant::now();
    let (mut beat, mut repeated): (Option<Instant>, Option<Instant>) = (None, None);
    let (mut checked, mut swept) = (start, start);
    let is_due = |last: Option<Instant>, pause: Duration| last.is_none_or(|last| last.elapsed() >= pause);
    let Some(mut changes) = hub.upgrade().map(|hub| hub.lobby.own_changes()) else { return };
    let mut wait = TEND.1;
    loop {
        let changed = tokio::select! {
            // In a fixed order, so that a simulation can be repeated.
            biased;
            changed = changes.changed() => changed.is_ok(),
            () = runtime::sleep(wait) => false,
        };
        if changed {
            runtime::sleep(GATHER).await;
            changes.mark_unchanged();
        }
        let Some(hub) = hub.upgrade() else { return };
        let is_delivering = hub.bus.is_delivering();
        wait = if is_delivering { TEND.0 } else { TEND.1 };
        if is_due(beat, BEAT) {
            beat = Some(Instant::now());
            hub.bus.beat();
            metrics::gauge!("fourfold_bus_well").set(if is_delivering { 1.0 } else { 0.0 });
        }
        if is_due(repeated, REPEAT) {
            repeated = Some(Instant::now());
            hub.repeat();
        } else if changed {
            hub.bus.announce(ClusterMessage::Lobby { tables: hub.lobby.own() });
        }
        if hub.heartbeat.is_lost() {
            continue;
        }
        if checked.elapsed() >= if is_delivering { CHECK.0 } else { CHECK.1 } {
            checked = Instant::now();
            hub.read_missed().await;
        }
        if swept.elapsed() >= SWEEP {
            swept = Instant::now();
            for id in hub.store.due(hub.heartbeat.wall() - UNNOTICED, 100).await.unwrap_or_default() {
                let hub = hub.clone();
                runtime::spawn(async move { hub.look(&id).await });
            }
        }
    }
}
