//! Tables out of their logs.

use std::time::Duration;

use protocol::Code;

use super::{Hub, Role, storage};
use crate::store::StoreError;
use crate::tables::{LogEntry, Refusal, Stage, Table, TableSpec, read_entry};

/// A node that said so not longer ago lives, in milliseconds: twice its heartbeat.
const ALIVE: i64 = 4_000;

impl Hub {
    /// Reads a table out of its log, with the clock as if the server had never stopped, and as if it had not run.
    pub(crate) async fn load(&self, id: &str) -> Result<Table, Refusal> {
        let stored = self.store.table(id).await.map_err(storage)?.ok_or(Code::NoTable)?;
        let broken = |problem: String| {
            tracing::error!(table = id, problem, "a log cannot be replayed");
            metrics::counter!("fourfold_broken_logs_total").increment(1);
            Refusal::from(Code::Storage)
        };
        let spec = TableSpec::read(&stored.row.wish).map_err(broken)?;
        let entries: Result<Vec<LogEntry>, String> = stored.lines.iter().map(|line| read_entry(line)).collect();
        let table = Table::new(id.to_owned(), spec, stored.row.maker);
        let mut table = table.replay(entries.map_err(broken)?, self.now()).map_err(broken)?;
        if table.stage() == Stage::Playing {
            let passed = self.passed_since(table.clock_set_at()).await.map_err(storage)?;
            table.set_clock(passed, self.now());
        }
        Ok(table)
    }

    /// How much of the time since a moment some server ran.
    pub(super) async fn passed_since(&self, moment: i64) -> Result<Duration, StoreError> {
        let (began_at, now) = (self.life.started_at(), self.life.wall());
        let mut runs = if moment >= began_at && self.life.role == Role::Node {
            Vec::new()
        } else {
            self.store.runs_since(moment).await?
        };
        runs.retain(|&(started, _)| started != began_at);
        match self.life.role {
            Role::Node => runs.push((began_at, now)),
            // A node that has just said that it lives does.
            Role::Worker => {
                runs.extend(runs.iter().map(|run| run.1).max().filter(|at| now - at < ALIVE).map(|at| (at, now)))
            }
        }
        runs.sort_unstable();
        let (mut passed, mut covered) = (0, moment);
        for (from, to) in runs {
            let from = from.max(covered);
            passed += (to - from).max(0);
            covered = covered.max(to);
        }
        Ok(Duration::from_millis(passed.unsigned_abs()))
    }
}
