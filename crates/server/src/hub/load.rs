//! Tables from their stored logs.

use super::{Hub, storage};
use crate::tables::{LogEntry, Refusal, Stage, Table, TableSpec, read_entry};

impl Hub {
    /// Reads a table from its log. Its clock is charged for the time in which some node was alive, whichever it was.
    pub(crate) async fn load(&self, id: &str) -> Result<Table, Refusal> {
        let stored = self.store.table(id).await.map_err(storage)?.ok_or(Refusal::NoTable)?;
        let broken = |problem: String| {
            tracing::error!(table = id, problem, "a log cannot be replayed");
            metrics::counter!("fourfold_broken_logs_total").increment(1);
            Refusal::Storage
        };
        let spec = TableSpec::read(&stored.row.spec).map_err(broken)?;
        let entries: Result<Vec<LogEntry>, String> = stored.lines.iter().map(|line| read_entry(line)).collect();
        let table = Table::new(id.to_owned(), spec, stored.row.maker);
        let now = self.now();
        let mut table = table.replay(entries.map_err(broken)?, now).map_err(broken)?;
        if table.stage() == Stage::Playing {
            // If a turn began later than its entry says, the stored moment of the flag shows it.
            if let Some(began_at) = table.clock_began_at(stored.row.due_at, now) {
                table.set_clock_later(began_at);
            }
            let passed = self.heartbeat.passed_since(&self.store, table.clock_set_at()).await.map_err(storage)?;
            table.set_clock(passed, self.now());
        }
        Ok(table)
    }
}
