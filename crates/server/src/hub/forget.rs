//! A person's name is removed from the store, the logs and memory.

use super::{Hub, storage};
use crate::bus::ClusterMessage;
use crate::tables::{Refusal, read_entry, write_entry};

impl Hub {
    /// Forgets a person: in the store, and in the logs of the tables where they sat or spoke.
    pub(crate) async fn forget(&self, person: &str) -> Result<(), Refusal> {
        // Their bots first: a break in between would otherwise leave bots without an owner to withdraw them.
        for bot in self.store.made_by(person).await.map_err(storage)? {
            self.forget_one(&bot).await?;
        }
        self.forget_one(person).await
    }

    async fn forget_one(&self, person: &str) -> Result<(), Refusal> {
        let around = self.store.lines_around(person).await.map_err(storage)?;
        let without = |(table, seq, text): (String, i64, String)| {
            let mut entry = read_entry(&text).ok()?;
            entry.forget(person).then(|| (table, seq, write_entry(&entry)))
        };
        let lines = around.into_iter().filter_map(without).collect();
        self.store.forget(person, lines).await.map_err(storage)?;
        self.forget_in_memory(person).await;
        self.bus.announce(ClusterMessage::Forgotten { person: person.to_owned() });
        self.close_revoked(person).await;
        Ok(())
    }

    /// Removes a person's name from the tables in memory, whose stored logs have lost it.
    pub(super) async fn forget_in_memory(&self, person: &str) {
        for open in self.tables.all() {
            let mut state = open.state.lock().await;
            state.table.forget(person);
            self.lobby.note(&state);
        }
    }
}
