//! Block lists: a blocked person's chat does not reach the person who blocked them, nor are the two paired or asked for
//! a rematch.

use std::sync::Arc;

use super::{Hub, storage};
use crate::bus::ClusterMessage;
use crate::runtime::wall;
use crate::store::StoreError;
use crate::tables::{Refusal, Table};

/// The longest block list.
const MOST: i64 = 500;

impl Hub {
    /// Adds to a person's block list, also at the tables that they watch.
    pub(crate) async fn block(self: &Arc<Self>, person: &str, blocked: &str) -> Result<(), Refusal> {
        self.store.block(person, blocked, wall(), MOST).await.map_err(|problem| match problem {
            StoreError::Conflict => Refusal::Full,
            _ => Refusal::Storage,
        })?;
        self.blocks_changed(person).await
    }

    /// Takes a person from a block list.
    pub(crate) async fn unblock(self: &Arc<Self>, person: &str, blocked: &str) -> Result<(), Refusal> {
        self.store.unblock(person, blocked).await.map_err(storage)?;
        self.blocks_changed(person).await
    }

    async fn blocks_changed(self: &Arc<Self>, person: &str) -> Result<(), Refusal> {
        self.bus.announce(ClusterMessage::BlocksChanged { person: person.to_owned() });
        self.read_blocks(person).await
    }

    /// Reads a person's block list again, for the tables that they watch through this node.
    pub(super) async fn read_blocks(self: &Arc<Self>, person: &str) -> Result<(), Refusal> {
        let blocked = self.blocked_by(person).await?;
        for open in self.tables.all() {
            open.state.lock().await.presence.set_blocked(person, &blocked);
        }
        Ok(())
    }

    /// The ids on a person's block list, with those of the bots of blocked people.
    pub(super) async fn blocked_by(&self, person: &str) -> Result<Vec<String>, Refusal> {
        self.store.blocked_ids(person).await.map_err(storage)
    }

    /// Whether a player at a table, or its maker, has blocked a person.
    pub(super) async fn is_blocked_at(&self, table: &Table, person: &str) -> Result<bool, Refusal> {
        let blockers = self.store.blockers_of(person).await.map_err(storage)?;
        Ok(blockers.iter().any(|blocker| *blocker == table.maker || table.seat_of(blocker).is_some()))
    }

    /// Whether a person has blocked a player at a table, or a player has blocked the person.
    pub(super) async fn is_block_between(&self, table: &Table, person: &str) -> Result<bool, Refusal> {
        let blockers = self.store.blockers_of(person).await.map_err(storage)?;
        let is_player = |other: &String| table.seat_of(other).is_some();
        Ok(blockers.iter().any(is_player) || self.has_blocked_at(table, person).await?)
    }

    /// Whether a person has blocked a player at a table.
    pub(super) async fn has_blocked_at(&self, table: &Table, person: &str) -> Result<bool, Refusal> {
        Ok(self.blocked_by(person).await?.iter().any(|blocked| table.seat_of(blocked).is_some()))
    }
}
