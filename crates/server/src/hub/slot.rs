use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use protocol::{Around, Code, Event, Sitting, Tell};
use rules::Viewer;
use tokio::sync::{Mutex, Notify, mpsc};

use super::{Hub, wall};
use crate::secret;
use crate::tables::{Moment, Refusal, Table};

/// A table and those who watch it.
pub(crate) struct Slot {
    pub(crate) id: String,
    pub(crate) inner: Mutex<Inner>,
}

/// What only one may touch at a time.
pub(crate) struct Inner {
    pub(crate) table: Table,
    /// What is in memory may not be what is kept: read it again.
    pub(super) dirty: bool,
    pub(super) changed: Duration,
    pub(super) watchers: Vec<Watcher>,
    /// Since when people who had been there are not any more.
    pub(super) gone: HashMap<String, Duration>,
    /// Since when the table is open here: who never came is away since then.
    opened: Duration,
    /// For how long a log a bot has been asked to move.
    pub(super) bot_asked: Option<usize>,
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
        }
        told
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
    pub(super) fn new(id: String, table: Table, now: Duration) -> Slot {
        let inner = Inner {
            table,
            dirty: false,
            changed: now,
            watchers: Vec::new(),
            gone: HashMap::new(),
            opened: now,
            bot_asked: None,
        };
        Slot { id, inner: Mutex::new(inner) }
    }
}

impl Inner {
    /// Lets the table decide. It counts as changed until what came of it is kept.
    pub(super) fn decide<T>(
        &mut self,
        hub: &Arc<Hub>,
        lag: Duration,
        decision: impl FnOnce(&mut Table, &mut Moment<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.dirty = true;
        let now = hub.now();
        let mut random = secret::below;
        let Inner { table, watchers, gone, opened, .. } = self;
        let away = |person: &str| absence(watchers, gone, *opened, person, now);
        let grace = hub.config.grace;
        let mut moment = Moment { now, at: wall(), random: &mut random, away: &away, lag, grace };
        decision(table, &mut moment)
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

    /// Tells everybody who is there.
    pub(super) fn publish_around(&mut self, now: Duration) {
        let out = Out::One(text(&Tell::Around(self.around(now))));
        self.watchers.retain(|watcher| watcher.out.tell(out.clone()));
    }

    pub(super) fn around(&self, now: Duration) -> Around {
        let away = |who: &Option<Sitting>| match who {
            Some(Sitting::Person(person)) => {
                let absence = absence(&self.watchers, &self.gone, self.opened, &person.id, now);
                if absence.is_zero() { 0 } else { u32::try_from(absence.as_secs()).unwrap_or(u32::MAX).max(1) }
            }
            _ => 0,
        };
        let spectators = self.watchers.iter().filter(|watcher| self.table.seat_of(&watcher.person).is_none());
        Around { away: self.table.seats().iter().map(away).collect(), watching: spectators.count() as u32 }
    }

    /// Whether anybody with a seat is there.
    pub(super) fn is_attended(&self) -> bool {
        self.watchers.iter().any(|watcher| self.table.seat_of(&watcher.person).is_some())
    }
}

fn is_seating(tell: &Tell) -> bool {
    matches!(tell, Tell::Event { what: Event::Sat { .. } | Event::Stood { .. }, .. })
}

fn absence(
    watchers: &[Watcher],
    gone: &HashMap<String, Duration>,
    opened: Duration,
    person: &str,
    now: Duration,
) -> Duration {
    if watchers.iter().any(|watcher| watcher.person == person) {
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
        assert!(!outlet.tell(out()), "there is no room for a third");
        cut.notified().await;
    }
}
