//! What an operator does to tables.

use std::sync::Arc;

use protocol::ServerMessage;

use super::open_table::TableState;
use super::outlet::{Out, text};
use super::{Hub, storage};
use crate::store::StoreError;
use crate::tables::{Command, Refusal, Stage};

impl Hub {
    /// Ends a table: a game is abandoned without a result, a table that waits is deleted.
    pub(crate) async fn end_table(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        let open = self.open_table(id).await?;
        let mut state = open.state.lock().await;
        self.sync(&open, &mut state).await?;
        match state.table.stage() {
            Stage::Over => Err(Refusal::Over),
            Stage::Playing => Ok(self.execute(&open, &mut state, Command::Abandon, Default::default()).await?),
            Stage::Waiting => {
                self.store.delete_waiting(id).await.map_err(|problem| match problem {
                    // It has begun, or another node has deleted it.
                    StoreError::Conflict => Refusal::Stale,
                    problem => storage(problem),
                })?;
                self.close_table(&mut state);
                Ok(())
            }
        }
    }

    /// Closes a table that was deleted from the store, if it is open here.
    pub(super) async fn close_deleted(&self, id: &str) {
        if let Some(open) = self.tables.get(id) {
            let mut state = open.state.lock().await;
            self.close_table(&mut state);
        }
    }

    /// Tells the clients of a table that it is no more, and forgets it.
    fn close_table(&self, state: &mut TableState) {
        let gone = ServerMessage::Refused { id: None, reason: Refusal::NoTable };
        state.presence.send_to_all(&Out::One(text(&gone)));
        state.presence.clear();
        self.lobby.remove(&state.table.id);
        self.tables.remove(&state.table.id);
    }
}
