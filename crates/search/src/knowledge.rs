use std::fmt;
use std::sync::Arc;

use crate::solved::Tables;

/// Exact knowledge that a program hands to the bots it makes, such as tables on disk; empty by default.
///
/// What is small enough is compiled into the bots and need not be handed in.
#[derive(Clone, Default)]
pub struct Knowledge {
    /// The tables of the solved game.
    pub solved: Option<Arc<dyn Tables>>,
}

impl fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knowledge").field("solved", &self.solved.is_some()).finish()
    }
}
