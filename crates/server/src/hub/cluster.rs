//! Several nodes on one database: what the others did, who is with them, and what nobody has noticed.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::slot::{Elsewhere, Inner, Tail};
use super::{Hub, Slot};
use crate::bus::{Ears, Heard, News, Word};
use crate::tables::LogEntry;

/// How often a node says that it lives, and hears itself.
const BEAT: Duration = Duration::from_secs(1);
/// How often it says who is there and what it lists, in case somebody has missed it.
const REPEAT: Duration = Duration::from_secs(5);
/// A node that has not repeated what it said for so long has nothing to say any more.
const FORGOTTEN: Duration = Duration::from_secs(12);
/// How often logs are looked at for what was missed, when the broker is well and when it is not.
const LOOK: (Duration, Duration) = (Duration::from_secs(2), Duration::from_millis(250));
/// How many logs are asked for at once.
const AT_ONCE: usize = 500;
/// How often fallen flags are looked for that no node's alarm has noticed.
const SWEEP: Duration = Duration::from_secs(2);
/// A flag must have fallen this long ago: whoever has the table open is given the time to notice.
const UNNOTICED: i64 = 1500;

impl Hub {
    /// Makes a table known here, and listens to what others say about it.
    pub(super) fn open(self: &Arc<Self>, slot: Slot) -> Arc<Slot> {
        let mut slots = self.slots();
        // Somebody else may have been faster; then theirs counts.
        if let Some(known) = slots.get(&slot.id) {
            return known.clone();
        }
        let slot = Arc::new(slot);
        slots.insert(slot.id.clone(), slot.clone());
        drop(slots);
        if let Some(ears) = self.bus.ears(&slot.id) {
            let task = tokio::spawn(listen(Arc::downgrade(self), Arc::downgrade(&slot), ears));
            let _ = slot.listening.set(task.abort_handle());
            self.bus.tell(&slot.id, Word::WhoIsThere);
        }
        slot
    }

    async fn hear(self: &Arc<Self>, slot: &Arc<Slot>, heard: Heard<Word>) {
        let mut inner = slot.inner.lock().await;
        match heard.word {
            Word::Told { after, lines } => self.hear_lines(slot, &mut inner, after, lines).await,
            Word::Around { people, watching } => {
                let now = self.now();
                let before = inner.around(now);
                inner.note_elsewhere(heard.node, Elsewhere { people, watching, heard: now }, now);
                if inner.around(now) != before {
                    inner.publish_around(now);
                }
            }
            Word::WhoIsThere => self.tell_around(&inner),
        }
    }

    async fn hear_lines(self: &Arc<Self>, slot: &Arc<Slot>, inner: &mut Inner, after: u32, lines: Vec<LogEntry>) {
        let known = inner.table.seq();
        if inner.tail == Tail::Unknown || after > known {
            // Something was missed before this.
            metrics::counter!("fourfold_gaps_total").increment(1);
            let _ = self.read_tail(slot, inner).await;
            return;
        }
        let fresh: Vec<LogEntry> = lines.into_iter().skip((known - after) as usize).collect();
        // What cannot be taken in now is missed, and found by looking at the length of the log.
        let _ = self.follow(slot, inner, fresh).await;
    }

    /// Tells the other nodes who is here.
    pub(super) fn tell_around(&self, inner: &Inner) {
        if self.bus.is_shared() {
            let (people, watching) = inner.around_here();
            self.bus.tell(&inner.table.id, Word::Around { people, watching });
        }
    }

    /// Looks whether logs have grown without a word.
    async fn look_for_missed(self: &Arc<Self>) {
        let slots: Vec<Arc<Slot>> = self.slots().values().cloned().collect();
        for some in slots.chunks(AT_ONCE) {
            let ids: Vec<String> = some.iter().map(|slot| slot.id.clone()).collect();
            let Ok(lengths) = self.store.lengths(&ids).await else { return };
            for (id, length) in lengths {
                let Some(slot) = some.iter().find(|slot| slot.id == id) else { continue };
                // Who is busy with the table will notice by itself.
                let Ok(mut inner) = slot.inner.try_lock() else { continue };
                if i64::from(inner.table.seq()) < length {
                    metrics::counter!("fourfold_gaps_total").increment(1);
                    let _ = self.read_tail(slot, &mut inner).await;
                }
            }
        }
    }

    /// Repeats who is where, and forgets nodes that do not.
    async fn repeat(self: &Arc<Self>) {
        let slots: Vec<Arc<Slot>> = self.slots().values().cloned().collect();
        let now = self.now();
        for slot in slots {
            let Ok(mut inner) = slot.inner.try_lock() else { continue };
            if !inner.watchers.is_empty() {
                self.tell_around(&inner);
            }
            if inner.forget_nodes(now, FORGOTTEN) {
                inner.publish_around(now);
            }
        }
        self.bus.announce(News::Lobby { tables: self.lobby.own() });
        self.lobby.forget_nodes(FORGOTTEN);
    }

    fn hear_news(self: &Arc<Self>, heard: Heard<News>) {
        if heard.node == self.bus.node {
            self.bus.note_echo();
            return;
        }
        match heard.word {
            News::Beat => {}
            News::Lobby { tables } => self.lobby.note_node(heard.node, tables),
            News::Forgotten { person } => {
                let hub = self.clone();
                tokio::spawn(async move { hub.forget_in_memory(&person).await });
            }
            News::LetOut { person } => {
                let hub = self.clone();
                tokio::spawn(async move { hub.look_again(&person).await });
            }
        }
    }
}

/// Hears what is said about a table for as long as it is open here.
async fn listen(hub: Weak<Hub>, slot: Weak<Slot>, mut ears: Ears) {
    while let Some(heard) = ears.next::<Word>().await {
        let (Some(hub), Some(slot)) = (hub.upgrade(), slot.upgrade()) else { return };
        if heard.node != hub.bus.node {
            ears.meanwhile(hub.hear(&slot, heard)).await;
        }
    }
}

/// Hears what is said to every node.
pub(super) async fn listen_to_news(hub: Weak<Hub>, mut ears: Ears) {
    while let Some(heard) = ears.next::<News>().await {
        let Some(hub) = hub.upgrade() else { return };
        hub.hear_news(heard);
    }
}

/// What a node of several does again and again.
pub(super) async fn tend(hub: Weak<Hub>) {
    let long_ago = Instant::now().checked_sub(REPEAT).unwrap_or_else(Instant::now);
    let (mut beat, mut repeat, mut look, mut sweep, mut listed) =
        (long_ago, long_ago, Instant::now(), Instant::now(), 0);
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let Some(hub) = hub.upgrade() else { return };
        if beat.elapsed() >= BEAT {
            beat = Instant::now();
            hub.bus.announce(News::Beat);
            metrics::gauge!("fourfold_bus_well").set(if hub.bus.is_well() { 1.0 } else { 0.0 });
        }
        let changes = hub.lobby.own_changes();
        if repeat.elapsed() >= REPEAT {
            repeat = Instant::now();
            listed = changes;
            hub.repeat().await;
        } else if changes != listed {
            listed = changes;
            hub.bus.announce(News::Lobby { tables: hub.lobby.own() });
        }
        let pause = if hub.bus.is_well() { LOOK.0 } else { LOOK.1 };
        if look.elapsed() >= pause && !hub.life.is_lost() {
            look = Instant::now();
            hub.look_for_missed().await;
        }
        if sweep.elapsed() >= SWEEP && !hub.life.is_lost() {
            sweep = Instant::now();
            for id in hub.store.due(hub.life.wall() - UNNOTICED, 100).await.unwrap_or_default() {
                let hub = hub.clone();
                tokio::spawn(async move { hub.look(&id).await });
            }
        }
    }
}
