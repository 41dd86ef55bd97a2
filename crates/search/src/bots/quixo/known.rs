//! Exact knowledge: what tables say that somebody hands in, and what is known of the opening.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::node::Node;
use super::opening::Opening;
use super::search::WIN;
use crate::Value;

/// What is proved of a position for the side to act, with the actions to the end under best play if they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Won.
    Won(Option<u32>),
    /// Neither side can force a win.
    Drawn,
    /// Lost.
    Lost(Option<u32>),
}

impl Known {
    /// The same one action earlier, for the side that acts then.
    pub fn before(self) -> Known {
        let later = |plies: Option<u32>| plies.map(|plies| plies + 1);
        match self {
            Known::Won(plies) => Known::Lost(later(plies)),
            Known::Drawn => Known::Drawn,
            Known::Lost(plies) => Known::Won(later(plies)),
        }
    }

    /// 2 for a win, 1 for a draw, 0 for a loss.
    pub(super) fn points(self) -> u8 {
        match self {
            Known::Won(_) => 2,
            Known::Drawn => 1,
            Known::Lost(_) => 0,
        }
    }

    /// Whether nothing more can be found out: a draw, or an end whose distance is known.
    pub(super) fn is_final(self) -> bool {
        !matches!(self, Known::Won(None) | Known::Lost(None))
    }

    /// As a score of the search: `None` for a draw, about which the search still has an opinion.
    pub(super) fn score(self) -> Option<i32> {
        match self {
            Known::Won(plies) => Some(plies.map_or(SURE_WIN, |plies| WIN - plies as i32)),
            Known::Drawn => None,
            Known::Lost(plies) => Some(plies.map_or(-SURE_WIN, |plies| plies as i32 - WIN)),
        }
    }

    /// As an answer to people.
    pub(super) fn value(self) -> Value {
        match self {
            Known::Won(Some(plies)) => Value::Win(plies),
            Known::Won(None) => Value::SureWin,
            Known::Drawn => Value::Draw,
            Known::Lost(Some(plies)) => Value::Loss(plies),
            Known::Lost(None) => Value::SureLoss,
        }
    }
}

/// The score of a win whose length nobody knows: more than any evaluation, less than a win that was counted.
pub(super) const SURE_WIN: i32 = 25_000;

/// Somebody who knows positions of two players exactly, such as tables on disk.
pub trait Tables: Send + Sync {
    /// What is known of a position in which nobody has a line, for the side to act; `None` if nothing is.
    ///
    /// Sets of cubes have bit 5·row + column, `a1` is bit 0.
    fn look_up(&self, own: u32, other: u32) -> Option<Known>;
}

static CONSULTED: OnceLock<Arc<dyn Tables>> = OnceLock::new();

/// Lets every player that is made from now on ask these tables. Later calls change nothing and give `false`.
///
/// Programs call it once at their start; whoever wants tables for one player only uses
/// [`QuixoBrain::with_tables`](super::QuixoBrain::with_tables).
pub fn consult(tables: Arc<dyn Tables>) -> bool {
    CONSULTED.set(tables).is_ok()
}

/// All that one player can ask.
#[derive(Clone)]
pub(super) struct Knowledge {
    tables: Option<Arc<dyn Tables>>,
    opening: &'static Opening,
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        Knowledge { tables: CONSULTED.get().cloned(), opening: Opening::embedded() }
    }
}

impl Knowledge {
    pub(super) fn of(tables: Arc<dyn Tables>) -> Knowledge {
        Knowledge { tables: Some(tables), opening: Opening::embedded() }
    }

    /// Only what was learned, nothing that was handed in or compiled in.
    pub(super) fn none() -> Knowledge {
        Knowledge { tables: None, opening: Opening::empty() }
    }

    /// What is known of a position in which nobody has a line.
    pub(super) fn look_up<N: Node>(&self, node: &N) -> Option<Known> {
        let (own, other) = node.duel()?;
        let told = self.tables.as_ref().and_then(|tables| tables.look_up(own, other));
        told.or_else(|| self.opening.look_up(own, other))
    }

    /// The tables that were handed in, which know too much to be asked only about the root.
    pub(super) fn tables(&self) -> Option<&dyn Tables> {
        self.tables.as_deref()
    }
}

impl fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knowledge").field("tables", &self.tables.is_some()).finish_non_exhaustive()
    }
}
