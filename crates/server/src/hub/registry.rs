//! The tables that are open in this process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::alarms::Alarms;
use super::open_table::OpenTable;
use crate::tables::Stage;

/// The open tables by name, and when each is to be looked at.
#[derive(Default)]
pub(super) struct Registry {
    tables: Mutex<BTreeMap<String, Arc<OpenTable>>>,
    pub(super) alarms: Alarms,
}

/// A table that has no clients and where nothing happens is closed after this.
const IDLE: Duration = Duration::from_secs(180);
/// The same for a table whose game is over, or at which nothing has happened since it was read from the database. One client that
/// reads many old games must not fill the server with them.
const IDLE_READ: Duration = Duration::from_secs(10);

impl Registry {
    pub(super) fn get(&self, id: &str) -> Option<Arc<OpenTable>> {
        self.tables().get(id).cloned()
    }

    /// Adds a table unless another task was faster; the one that counts, and whether it is this one.
    pub(super) fn add(&self, table: OpenTable) -> (Arc<OpenTable>, Added) {
        let mut tables = self.tables();
        if let Some(known) = tables.get(&table.id) {
            return (known.clone(), Added::Before);
        }
        let table = Arc::new(table);
        tables.insert(table.id.clone(), table.clone());
        (table, Added::Now)
    }

    pub(super) fn remove(&self, id: &str) {
        self.alarms.set(id, None);
        self.tables().remove(id);
    }

    pub(super) fn len(&self) -> usize {
        self.tables().len()
    }

    /// All of them, to go through without holding the lock.
    pub(super) fn all(&self) -> Vec<Arc<OpenTable>> {
        self.tables().values().cloned().collect()
    }

    /// Closes tables that have been idle for long.
    pub(super) fn close_idle(&self, now: Duration) {
        // No task holds a table whose only owner is the map.
        let idle = |table: &Arc<OpenTable>| {
            Arc::strong_count(table) == 1
                && table.state.try_lock().is_ok_and(|state| {
                    let is_read_only = state.table.stage() == Stage::Over || state.read == Some(state.changed);
                    let longest = if is_read_only { IDLE_READ } else { IDLE };
                    state.presence.is_empty()
                        && now.saturating_sub(state.changed) > longest
                        && state.bot_asked.is_none()
                })
        };
        self.tables().retain(|_, table| !idle(table));
    }

    /// How many messages wait for the slowest client of any table.
    pub(super) fn unsent(&self) -> usize {
        // A table that is busy counts the next time.
        let unsent = |table: &Arc<OpenTable>| Some(table.state.try_lock().ok()?.presence.unsent());
        self.tables().values().filter_map(unsent).max().unwrap_or(0)
    }

    #[cfg(test)]
    pub(super) fn clear(&self) {
        self.tables().clear();
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<OpenTable>>> {
        // A panic elsewhere leaves the map whole: every change of it is one call.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a table was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    Now,
    /// It was there already.
    Before,
}
