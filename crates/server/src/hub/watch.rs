use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use protocol::{Person, ServerMessage};
use rules::Viewer;

use super::Hub;
use super::execute::Author;
use super::open_table::{OpenTable, TableState};
use super::outlet::{Out, Outlet, text};
use super::presence::Watcher;
use crate::runtime;
use crate::tables::{Access, Refusal, Stage};

/// A client's subscription to a table; it ends when it is dropped.
pub(crate) struct Watch {
    pub(crate) open: Arc<OpenTable>,
    number: u64,
    hub: Arc<Hub>,
}

impl Hub {
    /// Sends a client a table: what it is, the events after number `seen`, and all later ones as they happen.
    pub(crate) async fn watch(
        self: &Arc<Self>,
        id: &str,
        who: &Person,
        seen: u32,
        out: &Outlet,
    ) -> Result<Watch, Refusal> {
        let open = self.open_table(id).await?;
        let mut state = open.state.lock().await;
        self.sync(&open, &mut state).await?;
        if self.bus.is_shared() {
            // A client that comes from another node must not find less here than there.
            self.read_tail(&open, &mut state).await?;
        }
        let viewer = state.table.viewer(&who.id);
        let private = state.table.spec.access == Access::Private && state.table.stage() != Stage::Waiting;
        if private && viewer == Viewer::Spectator {
            return Err(Refusal::Private);
        }
        let number = self.connections.number();
        let mut first: Vec<Utf8Bytes> = vec![text(&ServerMessage::Table(state.table.info(viewer)))];
        first.extend(state.table.events_since(seen, viewer).iter().map(text));
        first.extend(state.table.clocks(self.now()).map(|clocks| text(&ServerMessage::Clocks(clocks))));
        if !out.push(Out::Many(first)) {
            return Err(Refusal::TooFast);
        }
        state.presence.add(Watcher { number, person: who.id.clone(), out: out.clone() });
        state.publish_presence(self);
        self.send_presence(&state);
        self.lobby.note(&state);
        if self.bus.is_shared() {
            // A bot whose node died before it moved has been waiting for another node to look.
            self.bots.wake(self, &open, &mut state, Author::OtherNode);
        }
        drop(state);
        Ok(Watch { open, number, hub: self.clone() })
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
        let (open, hub, number) = (self.open.clone(), self.hub.clone(), self.number);
        runtime::spawn(async move {
            let mut state = open.state.lock().await;
            let now = hub.now();
            let TableState { table, presence, .. } = &mut *state;
            presence.remove(number, now, |person| table.seat_of(person).is_some());
            state.changed = now;
            state.publish_presence(&hub);
            hub.send_presence(&state);
            hub.lobby.note(&state);
        });
    }
}
