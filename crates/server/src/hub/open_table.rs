use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use protocol::{Event, ServerMessage};
use rules::Viewer;
use tokio::sync::Mutex;

use super::Hub;
use super::bots_alone::GoesOn;
use super::chat_limit::ChatLimit;
use super::outlet::{Out, text};
use super::presence::Presence;
use crate::runtime::Task;
use crate::secret;
use crate::tables::{Command, Decision, DecisionContext, Refusal, Right, Sitting, Table};

/// A table that is open in this process.
pub(crate) struct OpenTable {
    pub(crate) id: String,
    pub(crate) state: Mutex<TableState>,
    /// Receives other nodes' messages about the table.
    pub(super) listening: OnceLock<Task<()>>,
}

impl Drop for OpenTable {
    fn drop(&mut self) {
        if let Some(task) = self.listening.get() {
            task.abort();
        }
    }
}

/// What one task at a time may touch.
pub(crate) struct TableState {
    pub(crate) table: Table,
    /// Whether the end of the stored log is known. The table itself is always a prefix of it.
    pub(super) tail: Tail,
    /// How often the database had been lost when the clock was set.
    pub(super) losses: u64,
    pub(super) changed: Duration,
    /// When it was read from the database; none for one that was made here.
    pub(super) read: Option<Duration>,
    pub(super) presence: Presence,
    /// The length of the match's log for which a bot has been asked to move.
    pub(super) bot_asked: Option<usize>,
    /// Counts a game among bots while it goes on.
    pub(super) goes_on: Option<GoesOn>,
    pub(super) chat: ChatLimit,
}

/// Whether a table in memory is all of its log, or may be only the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// It was when this node last read or wrote the log.
    Known,
    /// A write of this node was lost to another, or its outcome is not known.
    Unknown,
}

impl OpenTable {
    pub(super) fn new(table: Table, losses: u64, now: Duration) -> OpenTable {
        let id = table.id.clone();
        let state = TableState {
            table,
            tail: Tail::Known,
            losses,
            changed: now,
            read: None,
            presence: Presence::new(now),
            bot_asked: None,
            goes_on: None,
            chat: ChatLimit::default(),
        };
        OpenTable { id, state: Mutex::new(state), listening: OnceLock::new() }
    }

    /// The same for a table that is read from the database.
    pub(super) fn read(table: Table, losses: u64, now: Duration) -> OpenTable {
        let mut open = OpenTable::new(table, losses, now);
        open.state.get_mut().read = Some(now);
        open
    }
}

impl TableState {
    /// Lets the table decide; nothing changes by it.
    pub(super) fn decide(
        &self,
        hub: &Arc<Hub>,
        command: Command<'_>,
        lag: Duration,
        ratings: Vec<(String, u32)>,
        now: Duration,
    ) -> Result<Decision, Refusal> {
        let mut random = secret::below;
        // Absence is only known for as long as the broker has been delivering.
        let known = hub.bus.delivering_for();
        let absence = |person: &str| self.presence.absence(person, now).min(known);
        let context = DecisionContext::new(now, hub.heartbeat.wall(), &mut random, &absence);
        self.table.decide(command, &mut DecisionContext { lag, grace: hub.config.grace, ratings, ..context })
    }

    /// Sends the events after number `seen` to every client, to each as it may know them.
    pub(super) fn publish(&mut self, seen: u32, hub: &Hub) {
        let (now, table) = (hub.now(), &self.table);
        if self.presence.watchers().is_empty() || table.seq() == seen {
            return;
        }
        let clocks = table.clocks(now).map(|clocks| text(&ServerMessage::Clocks(clocks)));
        let mut seated = false;
        let mut written: Vec<(Viewer, Out)> = Vec::new();
        let mut dropped = Vec::new();
        for watcher in self.presence.watchers() {
            if let Err(reason) = table.check(&watcher.person, Right::See) {
                // The game of a private table has begun without this person.
                watcher.out.push(Out::One(text(&ServerMessage::Refused { id: None, reason })));
                dropped.push(watcher.number);
                continue;
            }
            let viewer = table.viewer(&watcher.person);
            // The same for all who may know the same, but for the few with a block list.
            let shared = watcher.blocked.is_empty();
            let known = written.iter().find(|(other, _)| *other == viewer).map(|(_, out)| out.clone());
            let out = known.filter(|_| shared).unwrap_or_else(|| {
                let events = table.events_without(&watcher.blocked, seen, viewer, usize::MAX);
                seated |= events.iter().any(is_seating);
                let mut texts: Vec<Utf8Bytes> = events.iter().map(text).collect();
                texts.extend(clocks.clone());
                let out = Out::Many(texts);
                if shared {
                    written.push((viewer, out.clone()));
                }
                out
            });
            watcher.out.push(out);
        }
        self.presence.drop_watchers(&dropped);
        if seated {
            self.publish_presence(hub);
        }
    }

    /// Sends the clocks as they stand to every client.
    pub(super) fn publish_clocks(&mut self, now: Duration) {
        if let Some(clocks) = self.table.clocks(now) {
            self.presence.send_to_all(&Out::One(text(&ServerMessage::Clocks(clocks))));
        }
    }

    /// Tells every client which players are there.
    pub(super) fn publish_presence(&mut self, hub: &Hub) {
        let presence = self.presence_message(hub);
        self.presence.send_to_all(&Out::One(text(&ServerMessage::Presence(presence))));
    }

    /// Which players are there, and how many spectators.
    pub(super) fn presence_message(&self, hub: &Hub) -> protocol::Presence {
        let now = hub.now();
        let away = |who: &Option<Sitting>| {
            let absence = self.presence.absence(&who.as_ref().and_then(Sitting::person)?.id, now);
            (!absence.is_zero()).then(|| u32::try_from(absence.as_secs()).unwrap_or(u32::MAX))
        };
        let (_, here) = self.local_presence();
        let claim_after = u32::try_from(hub.config.grace.as_secs()).unwrap_or(u32::MAX);
        protocol::Presence {
            away: self.table.seats().iter().map(away).collect(),
            watching: here + self.presence.remote_spectators(),
            claim_after: (!self.table.is_by_post()).then_some(claim_after),
        }
    }

    /// The players who are connected to this node, and how many spectators are.
    pub(super) fn local_presence(&self) -> (Vec<String>, u32) {
        self.presence.local(|person| self.table.seat_of(person).is_some())
    }

    /// Whether a player is connected to this node.
    pub(super) fn is_attended(&self) -> bool {
        !self.local_presence().0.is_empty()
    }
}

fn is_seating(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Event { event: Event::Sat { .. } | Event::Stood { .. }, .. })
}
