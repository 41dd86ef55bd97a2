use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use protocol::{Person, ServerMessage};

use super::Hub;
use super::execute::Author;
use super::open_table::{OpenTable, TableState};
use super::outlet::{Feed, Out, Outlet, text};
use super::presence::Watcher;
use crate::runtime;
use crate::tables::{Refusal, Right};

/// A client's subscription to a table; it ends when it is dropped.
pub(crate) struct Watch {
    pub(crate) open: Arc<OpenTable>,
    number: u64,
    feed: Feed,
    hub: Arc<Hub>,
}

/// How many events are sent at once; the next ones are read when there is room for them.
const PAGE: usize = 100;

impl Hub {
    /// Sends a client a table: what it is, the events after number `seen`, and all later ones as they happen.
    ///
    /// The history goes out page by page, as fast as the client takes it; the client follows once it has all of it.
    pub(crate) async fn watch(
        self: &Arc<Self>,
        id: &str,
        who: &Person,
        seen: u32,
        out: &Outlet,
    ) -> Result<Watch, Refusal> {
        let open = self.open_table(id).await?;
        let blocked = self.blocked_by(&who.id).await?;
        let mut state = open.state.lock().await;
        self.sync(&open, &mut state).await?;
        if self.bus.is_shared() {
            // A client that comes from another node must not find less here than there.
            self.read_tail(&open, &mut state).await?;
        }
        state.table.check(&who.id, Right::See)?;
        let viewer = state.table.viewer(&who.id);
        let mut page: Vec<Utf8Bytes> = vec![text(&ServerMessage::Table(state.table.info(viewer)))];
        let mut sent = seen;
        loop {
            state.table.check(&who.id, Right::See)?;
            let viewer = state.table.viewer(&who.id);
            let events = state.table.events_without(&blocked, sent, viewer, PAGE);
            sent += events.len() as u32;
            page.extend(events.iter().map(text));
            if sent >= state.table.seq() {
                break;
            }
            drop(state);
            if !out.send(Out::Many(std::mem::take(&mut page))).await {
                return Err(Refusal::TooFast);
            }
            out.ready().await;
            state = open.state.lock().await;
        }
        page.extend(state.table.clocks(self.now()).map(|clocks| text(&ServerMessage::Clocks(clocks))));
        if !out.push(Out::Many(page)) {
            return Err(Refusal::TooFast);
        }
        let (number, feed) = (self.connections.number(), Feed::new(out));
        state.presence.add(Watcher { number, person: who.id.clone(), out: feed.clone(), blocked });
        state.publish_presence(self);
        self.send_presence(&state);
        self.lobby.note(&state);
        // A bot whose node died before it moved has been waiting for another node to look, or for this one after its start.
        let author = if self.bus.is_shared() { Author::OtherNode } else { Author::ThisNode };
        self.bots.wake(self, &open, &mut state, author);
        drop(state);
        Ok(Watch { open, number, feed, hub: self.clone() })
    }

    /// Notes a single request at a table: its sender is present for a while, as if connected.
    pub(crate) async fn note_request(self: &Arc<Self>, open: &OpenTable, who: &Person) {
        let mut state = open.state.lock().await;
        if state.table.seat_of(&who.id).is_some() && state.presence.note_request(&who.id, self.now()) {
            state.publish_presence(self);
            self.send_presence(&state);
            self.lobby.note(&state);
        }
    }

    /// Players who have sent no request for a while are away.
    pub(super) fn forget_requests(&self) {
        for open in self.tables.all() {
            let Ok(mut state) = open.state.try_lock() else { continue };
            let TableState { table, presence, .. } = &mut *state;
            if presence.forget_requests(self.now(), |person| table.seat_of(person).is_some()) {
                // As when a player's connection ends: how long the others have been away is known while the table is open.
                state.changed = self.now();
                state.publish_presence(self);
                self.send_presence(&state);
                self.lobby.note(&state);
            }
        }
    }

    /// Whether a person may see a table.
    pub(crate) async fn check_sight(self: &Arc<Self>, id: &str, who: &Person) -> Result<(), Refusal> {
        let open = self.open_table(id).await?;
        self.current(&open).await?.table.check(&who.id, Right::See)
    }
}

impl Watch {
    /// The number of the last event at the table.
    pub(crate) async fn seq(&self) -> u32 {
        self.open.state.lock().await.table.seq()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // At once: the table may be locked for as long as the database takes.
        self.feed.close();
        let (open, hub, number) = (self.open.clone(), self.hub.clone(), self.number);
        runtime::spawn(async move {
            let mut state = open.state.lock().await;
            let now = hub.now();
            let TableState { table, presence, .. } = &mut *state;
            // A spectator who goes keeps no table open: one client could look at thousands.
            if presence.remove(number, now, |person| table.seat_of(person).is_some()) {
                state.changed = now;
            }
            state.publish_presence(&hub);
            hub.send_presence(&state);
            hub.lobby.note(&state);
        });
    }
}
