use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use protocol::{Code, Person, Tell};
use rules::Viewer;

use super::slot::{Watcher, text};
use super::{Hub, Out, Outlet, Slot};
use crate::tables::{Access, Refusal, Stage};

/// Being told what happens at a table; ends when it is dropped.
pub(crate) struct Watch {
    pub(crate) slot: Arc<Slot>,
    number: u64,
    hub: Arc<Hub>,
}

impl Hub {
    /// Tells somebody about a table: what it is, what happened after event `seen`, and whatever happens from now on.
    pub(crate) async fn watch(
        self: &Arc<Self>,
        id: &str,
        who: &Person,
        seen: u32,
        out: &Outlet,
    ) -> Result<Watch, Refusal> {
        let slot = self.slot(id).await?;
        let mut inner = slot.inner.lock().await;
        self.sync(&slot, &mut inner).await?;
        if self.bus.is_shared() {
            // Who comes from another node must not find less here than there.
            self.read_tail(&slot, &mut inner).await?;
        }
        let viewer = inner.table.viewer(&who.id);
        let private = inner.table.spec.access == Access::Private && inner.table.stage() != Stage::Waiting;
        if private && viewer == Viewer::Spectator {
            return Err(Code::Private.into());
        }
        let number = self.number();
        let mut first: Vec<Utf8Bytes> = vec![text(&Tell::Table(inner.table.info(viewer)))];
        first.extend(inner.table.events_since(seen, viewer).iter().map(text));
        first.extend(inner.table.clocks(self.now()).map(|clocks| text(&Tell::Clocks(clocks))));
        if !out.tell(Out::Many(first)) {
            return Err(Code::TooFast.into());
        }
        inner.watchers.push(Watcher { number, person: who.id.clone(), out: out.clone() });
        inner.gone.remove(&who.id);
        inner.publish_around(self.now());
        self.tell_around(&inner);
        self.lobby.note(&inner);
        if self.bus.is_shared() {
            // A bot whose node died before it moved has been waiting for somebody to look.
            self.bots.wake(self, &slot, &mut inner, super::Whose::Theirs);
        }
        drop(inner);
        Ok(Watch { slot, number, hub: self.clone() })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let (slot, hub, number) = (self.slot.clone(), self.hub.clone(), self.number);
        // Where there is no runtime any more, nobody is left to be told.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let mut inner = slot.inner.lock().await;
            let now = hub.now();
            if let Some(index) = inner.watchers.iter().position(|watcher| watcher.number == number) {
                let watcher = inner.watchers.swap_remove(index);
                inner.note_gone(vec![watcher.person], now);
            }
            inner.changed = now;
            inner.publish_around(now);
            hub.tell_around(&inner);
            hub.lobby.note(&inner);
        });
    }
}
