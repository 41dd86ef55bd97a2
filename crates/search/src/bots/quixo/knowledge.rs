//! Exact knowledge: the tables that a program hands in, and what is known of the opening.

use std::fmt;
use std::sync::Arc;

use super::node::Node;
use super::opening::Opening;
use super::search::WIN;
use crate::Value;

/// A proved value as a score of the search: `None` for a draw, about which the search still has an opinion.
pub(super) fn search_score(value: Value) -> Option<i32> {
    match value {
        Value::Win(plies) => Some(plies.map_or(SURE_WIN, |plies| WIN - plies as i32)),
        Value::Draw | Value::Estimate(_) => None,
        Value::Loss(plies) => Some(plies.map_or(-SURE_WIN, |plies| plies as i32 - WIN)),
    }
}

/// The score of a win whose length is not known: more than any evaluation, less than a win that was counted.
pub(super) const SURE_WIN: i32 = 25_000;

/// Exact values of positions of two players, such as tables on disk.
pub trait Tables: Send + Sync {
    /// The proved value of a position without a line, for the side to act; `None` if it is not known.
    ///
    /// Sets of cubes have bit 5·row + column, `a1` is bit 0.
    fn look_up(&self, own: u32, other: u32) -> Option<Value>;
}

/// All that one player can ask.
#[derive(Clone)]
pub(super) struct ExactKnowledge {
    tables: Option<Arc<dyn Tables>>,
    opening: &'static Opening,
}

impl Default for ExactKnowledge {
    fn default() -> ExactKnowledge {
        ExactKnowledge { tables: None, opening: Opening::embedded() }
    }
}

impl ExactKnowledge {
    pub(super) fn of(tables: Arc<dyn Tables>) -> ExactKnowledge {
        ExactKnowledge { tables: Some(tables), opening: Opening::embedded() }
    }

    /// Only what was learned, nothing that was handed in or compiled in.
    pub(super) fn none() -> ExactKnowledge {
        ExactKnowledge { tables: None, opening: Opening::empty() }
    }

    /// What is known of a position without a line.
    pub(super) fn look_up<N: Node>(&self, node: &N) -> Option<Value> {
        let (own, other) = node.duel()?;
        let known = self.tables.as_ref().and_then(|tables| tables.look_up(own, other));
        known.or_else(|| self.opening.look_up(own, other))
    }

    /// The tables that were handed in, which know too much to be asked only about the root.
    pub(super) fn tables(&self) -> Option<&dyn Tables> {
        self.tables.as_deref()
    }
}

impl fmt::Debug for ExactKnowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExactKnowledge").field("tables", &self.tables.is_some()).finish_non_exhaustive()
    }
}
