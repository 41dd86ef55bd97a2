//! What is deleted by itself: tables without players, guests who do not come back, old chat, and sessions that have ended.

use std::sync::Arc;

use super::Hub;
use crate::runtime;
use crate::store::StoreError;
use crate::tables::{read_entry, write_entry};

/// How many guests and tables are worked on at once, so that players do not wait for it.
const BATCH: i64 = 200;
/// How many times so many, each time: more than can come in between.
const MOST_BATCHES: u32 = 50;
/// In milliseconds.
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

impl Hub {
    /// Deletes what has expired by the settings.
    pub(super) async fn expire(self: &Arc<Self>) -> Result<(), StoreError> {
        let now = self.heartbeat.wall();
        let before = |count: u32, unit: i64| (count > 0).then(|| now - i64::from(count) * unit);
        if let Some(before) = before(self.config.empty_table_hours, HOUR) {
            for _ in 0..MOST_BATCHES {
                let expired = self.store.expire_empty(before).await?;
                for id in &expired {
                    self.close_deleted(id).await;
                }
                if expired.is_empty() {
                    break;
                }
            }
        }
        // Before the guests: one is kept while a bot of theirs has a token.
        self.store.remove_expired_sessions(runtime::wall()).await?;
        if let Some(before) = before(self.config.guest_days, DAY) {
            for _ in 0..MOST_BATCHES {
                let quiet = self.store.quiet_guests(before, BATCH).await?;
                for guest in &quiet {
                    // One that cannot be forgotten now will be the next time.
                    let _ = self.forget(guest).await;
                }
                if (quiet.len() as i64) < BATCH {
                    break;
                }
            }
        }
        if let Some(before) = before(self.config.chat_days, DAY) {
            for table in self.store.tables_with_old_chat(before, BATCH).await? {
                self.remove_chat(&table).await?;
            }
        }
        self.store.remove_old_challenges().await
    }

    async fn remove_chat(&self, table: &str) -> Result<(), StoreError> {
        let lines = self.store.lines_after(table, 0).await?;
        let without = |(seq, line): (i64, &String)| {
            let mut entry = read_entry(line).ok()?;
            entry.remove_chat().then(|| (seq, write_entry(&entry)))
        };
        self.store.remove_chat(table, (1..).zip(&lines).filter_map(without).collect()).await
    }
}
