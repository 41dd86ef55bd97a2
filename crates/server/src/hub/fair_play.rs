//! No help for a rated game that is still being played.

use std::sync::Arc;

use super::Hub;
use crate::tables::{Refusal, TableSpec};

/// How many of a person's latest tables are looked at; the running ones are among them.
const LATEST: i64 = 50;

impl Hub {
    /// Whether a position stands in a rated game that the person is playing. The start of a game belongs to everyone.
    pub(crate) async fn is_in_rated_game(
        self: &Arc<Self>,
        person: &str,
        game: &str,
        position: &str,
    ) -> Result<bool, Refusal> {
        for row in self.store.tables_of(person, LATEST).await.map_err(super::storage)? {
            let is_same = |spec: TableSpec| spec.rated && spec.game.to_string() == game;
            if row.state != "playing" || !TableSpec::read(&row.spec).is_ok_and(is_same) {
                continue;
            }
            let table = self.open_table(&row.id).await?;
            let state = table.state.lock().await;
            let played = state.table.play().map(|play| play.history()).unwrap_or_default();
            if played.iter().skip(1).any(|one| one.to_string() == position) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
