use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use protocol::{Around, Code, Event, Tell};
use rules::Viewer;
use tokio::sync::{Mutex, Notify, mpsc};

use super::Hub;
use crate::secret;
use crate::tables::{Command, Decision, DecisionContext, Refusal, Sitting, Table};

/// A table and those who watch it.
pub(crate) struct Slot {
    pub(crate) id: String,
    pub(crate) inner: Mutex<Inner>,
    /// What hears other nodes speak about the table.
    pub(super) listening: OnceLock<tokio::task::AbortHandle>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(task) = self.listening.get() {
            task.abort();
        }
    }
}

/// What only one may touch at a time.
pub(crate) struct Inner {
    pub(crate) table: Table,
    /// Whether the end of the stored log is known. The table itself is always a prefix of it.
    pub(super) tail: Tail,
    /// How often the database had been lost when the clock was set.
    pub(super) losses: u64,
    pub(super) changed: Duration,
    pub(super) watchers: Vec<Watcher>,
    /// Who is connected to other nodes, by node.
    elsewhere: HashMap<String, Elsewhere>,
    /// Since when people who had been there are not any more.
    pub(super) gone: HashMap<String, Duration>,
    /// Since when the table is open here: who never came is away since then.
    opened: Duration,
    /// How long somebody must be away before others may claim the game.
    grace: Duration,
    /// For how long a log a bot has been asked to move.
    pub(super) bot_asked: Option<usize>,
    pub(super) talk: super::talk::Talk,
}

/// Whether a table in memory is all of its log, or may be only the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// It was when this node last read or wrote the log.
    Known,
    /// A write of this node was lost to another, or its outcome is not known.
    Unknown,
}

/// Who is connected to another node, as it said.
#[derive(Clone, Debug)]
pub(super) struct Elsewhere {
    pub(super) people: Vec<String>,
    pub(super) watching: u32,
    pub(super) heard: Duration,
}

/// Somebody who is told what happens.
pub(crate) struct Watcher {
    pub(super) number: u64,
    pub(super) person: String,
    pub(super) out: Outlet,
}

/// Where to send what somebody is told.
#[derive(Clone)]
pub(crate) struct Outlet {
    queue: mpsc::Sender<Out>,
    cut: Arc<Notify>,
}

impl Outlet {
    /// An outlet, what comes out of it, and what tells that its owner is too slow.
    pub(crate) fn new(waiting: usize) -> (Outlet, mpsc::Receiver<Out>, Arc<Notify>) {
        let (queue, comes) = mpsc::channel(waiting);
        let cut = Arc::new(Notify::new());
        (Outlet { queue, cut: cut.clone() }, comes, cut)
    }

    /// Sends without waiting. Who is too slow to follow is cut off, and may reconnect and ask for what is missing,
    /// rather than hold up the rest.
    pub(super) fn tell(&self, out: Out) -> bool {
        let told = self.queue.try_send(out).is_ok();
        if !told {
            self.cut.notify_one();
            metrics::counter!("fourfold_clients_cut_total").increment(1);
        }
        told
    }

    /// How much waits to be sent.
    fn unsent(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Sends, and waits for room; whether anybody is there.
    pub(crate) async fn send(&self, out: Out) -> bool {
        self.queue.send(out).await.is_ok()
    }

    /// Waits until nobody is there.
    pub(crate) async fn closed(&self) {
        self.queue.closed().await;
    }
}

/// Something to be sent.
#[derive(Clone, Debug)]
pub(crate) enum Out {
    /// One message.
    One(Utf8Bytes),
    /// Several in a row.
    Many(Vec<Utf8Bytes>),
    /// Nothing more after this.
    Close(Code),
}

impl Slot {
    pub(super) fn new(id: String, table: Table, now: Duration, grace: Duration) -> Slot {
        let inner = Inner {
            table,
            tail: Tail::Known,
            losses: 0,
            changed: now,
            watchers: Vec::new(),
            elsewhere: HashMap::new(),
            gone: HashMap::new(),
            opened: now,
            grace,
            bot_asked: None,
            talk: super::talk::Talk::default(),
        };
        Slot { id, inner: Mutex::new(inner), listening: OnceLock::new() }
    }
}

impl Inner {
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
        let Inner { watchers, elsewhere, gone, opened, .. } = self;
        // Absence is only known for as long as the broker has been delivering.
        let known = hub.bus.well_for();
        let absence = |person: &str| absence(watchers, elsewhere, gone, *opened, person, now).min(known);
        let context = DecisionContext::new(now, hub.life.wall(), &mut random, &absence);
        self.table.decide(command, &mut DecisionContext { lag, grace: hub.config.grace, ratings, ..context })
    }

    /// Tells everybody who watches what happened after event `seen`, each what they may know.
    pub(super) fn publish(&mut self, seen: u32, now: Duration) {
        if self.watchers.is_empty() || self.table.seq() == seen {
            return;
        }
        let clocks = self.table.clocks(now).map(|clocks| text(&Tell::Clocks(clocks)));
        let mut told: Vec<(Viewer, Out)> = Vec::new();
        let mut lost = Vec::new();
        for watcher in &self.watchers {
            let viewer = self.table.viewer(&watcher.person);
            let known = told.iter().find(|(other, _)| *other == viewer).map(|(_, out)| out.clone());
            let out = known.unwrap_or_else(|| {
                let events = self.table.events_since(seen, viewer);
                let mut texts: Vec<Utf8Bytes> = events.iter().map(text).collect();
                texts.extend(clocks.clone());
                let out = Out::Many(texts);
                told.push((viewer, out.clone()));
                out
            });
            if !watcher.out.tell(out) {
                lost.push(watcher.number);
            }
        }
        self.watchers.retain(|watcher| !lost.contains(&watcher.number));
        if self.table.events_since(seen, Viewer::Spectator).iter().any(is_seating) {
            self.publish_around(now);
        }
    }

    /// Tells everybody how the clocks stand.
    pub(super) fn publish_clocks(&mut self, now: Duration) {
        if let Some(clocks) = self.table.clocks(now) {
            let out = Out::One(text(&Tell::Clocks(clocks)));
            self.watchers.retain(|watcher| watcher.out.tell(out.clone()));
        }
    }

    /// Tells everybody who is there.
    pub(super) fn publish_around(&mut self, now: Duration) {
        let out = Out::One(text(&Tell::Around(self.around(now))));
        self.watchers.retain(|watcher| watcher.out.tell(out.clone()));
    }

    pub(super) fn around(&self, now: Duration) -> Around {
        let away = |who: &Option<Sitting>| {
            let Some(person) = who.as_ref().and_then(Sitting::person) else { return 0 };
            let absence = absence(&self.watchers, &self.elsewhere, &self.gone, self.opened, &person.id, now);
            if absence.is_zero() { 0 } else { u32::try_from(absence.as_secs()).unwrap_or(u32::MAX).max(1) }
        };
        let (_, here) = self.around_here();
        let watching = here + self.elsewhere.values().map(|node| node.watching).sum::<u32>();
        // Zero would mean that nothing can ever be claimed.
        let grace = u32::try_from(self.grace.as_secs()).unwrap_or(u32::MAX).max(1);
        let grace = if self.table.is_by_post() { 0 } else { grace };
        Around { away: self.table.seats().iter().map(away).collect(), watching, grace }
    }

    /// Who of the seated is connected to this node, and how many others.
    pub(super) fn around_here(&self) -> (Vec<String>, u32) {
        let seated = |watcher: &&Watcher| self.table.seat_of(&watcher.person).is_some();
        let people: Vec<String> = self.watchers.iter().filter(seated).map(|watcher| watcher.person.clone()).collect();
        let watching = (self.watchers.len() - people.len()) as u32;
        (people, watching)
    }

    /// Notes who is connected to another node.
    pub(super) fn note_elsewhere(&mut self, node: String, says: Elsewhere, now: Duration) {
        for person in &says.people {
            self.gone.remove(person);
        }
        if let Some(before) = self.elsewhere.insert(node, says) {
            self.note_gone(before.people, now);
        }
    }

    /// Forgets nodes that have said nothing for long; whether there were any.
    pub(super) fn forget_nodes(&mut self, now: Duration, after: Duration) -> bool {
        let silent = |says: &Elsewhere| now.saturating_sub(says.heard) > after;
        let gone: Vec<String> =
            self.elsewhere.iter().filter(|(_, says)| silent(says)).map(|(node, _)| node.clone()).collect();
        for node in &gone {
            if let Some(says) = self.elsewhere.remove(node) {
                self.note_gone(says.people, now);
            }
        }
        !gone.is_empty()
    }

    /// Notes since when seated people are away who were there.
    pub(super) fn note_gone(&mut self, people: Vec<String>, now: Duration) {
        for person in people {
            let there = is_there(&self.watchers, &self.elsewhere, &person);
            if !there && self.table.seat_of(&person).is_some() {
                self.gone.entry(person).or_insert(now);
            }
        }
    }

    /// How much waits to be sent to whom most waits for.
    pub(super) fn unsent(&self) -> usize {
        self.watchers.iter().map(|watcher| watcher.out.unsent()).max().unwrap_or(0)
    }

    /// Whether anybody with a seat is there.
    pub(super) fn is_attended(&self) -> bool {
        self.watchers.iter().any(|watcher| self.table.seat_of(&watcher.person).is_some())
    }
}

fn is_seating(tell: &Tell) -> bool {
    matches!(tell, Tell::Event { what: Event::Sat { .. } | Event::Stood { .. }, .. })
}

fn is_there(watchers: &[Watcher], elsewhere: &HashMap<String, Elsewhere>, person: &str) -> bool {
    watchers.iter().any(|watcher| watcher.person == person)
        || elsewhere.values().any(|node| node.people.iter().any(|other| other == person))
}

fn absence(
    watchers: &[Watcher],
    elsewhere: &HashMap<String, Elsewhere>,
    gone: &HashMap<String, Duration>,
    opened: Duration,
    person: &str,
    now: Duration,
) -> Duration {
    if is_there(watchers, elsewhere, person) {
        return Duration::ZERO;
    }
    // Whoever has gone this very moment is away too, and the others are told now.
    now.saturating_sub(gone.get(person).copied().unwrap_or(opened)).max(Duration::from_millis(1))
}

/// A message as it is sent.
pub(crate) fn text(tell: &Tell) -> Utf8Bytes {
    protocol::write(tell).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_is_too_slow_is_cut_off_and_nobody_waits() {
        let (outlet, _comes, cut) = Outlet::new(2);
        let out = || Out::One("x".into());
        assert!(outlet.tell(out()) && outlet.tell(out()));
        assert_eq!(outlet.unsent(), 2);
        assert!(!outlet.tell(out()), "there is no room for a third");
        cut.notified().await;
    }
}
