//! What an operator does to tables.

use std::sync::Arc;

use protocol::ServerMessage;

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
                let gone = ServerMessage::Refused { id: None, reason: Refusal::NoTable };
                state.presence.send_to_all(&Out::One(text(&gone)));
                state.presence.clear();
                self.lobby.remove(id);
                self.tables.remove(id);
                Ok(())
            }
        }
    }
}
