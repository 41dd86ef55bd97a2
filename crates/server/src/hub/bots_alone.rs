//! Games in which no person plays (any more) go on behind the others: no player waits for them, and their makers could start any
//! number of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::open_table::TableState;

/// So many of one maker's go on at once in this process.
const MOST_OF_MAKER: usize = 4;
/// So many go on at once in this process for each thread that thinks.
const MOST_FOR_THREAD: usize = 50;

/// Counts the games among bots that go on. A further one stands still; one that is watched goes on when another is over.
pub(super) struct BotsAlone {
    most: usize,
    by_maker: Mutex<BTreeMap<String, usize>>,
}

/// A game among bots that counts until it is dropped.
pub(super) struct GoesOn {
    counts: Arc<BotsAlone>,
    pub(super) maker: String,
}

impl BotsAlone {
    pub(super) fn new(threads: usize) -> Arc<BotsAlone> {
        Arc::new(BotsAlone { most: MOST_FOR_THREAD * threads, by_maker: Mutex::default() })
    }

    /// Counts one more of a maker, if it may go on.
    pub(super) fn take(self: &Arc<Self>, maker: &str) -> Option<GoesOn> {
        let mut by_maker = self.by_maker();
        let own = by_maker.get(maker).copied().unwrap_or(0);
        if own >= MOST_OF_MAKER || by_maker.values().sum::<usize>() >= self.most {
            return None;
        }
        by_maker.insert(maker.to_owned(), own + 1);
        Some(GoesOn { counts: self.clone(), maker: maker.to_owned() })
    }

    fn by_maker(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.by_maker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for GoesOn {
    fn drop(&mut self) {
        let mut by_maker = self.counts.by_maker();
        if let Some(own) = by_maker.get_mut(&self.maker) {
            *own -= 1;
            if *own == 0 {
                by_maker.remove(&self.maker);
            }
        }
    }
}

/// Whether no person plays at a table: each seat is a bot's, or its player is out of the game.
pub(super) fn are_alone(state: &TableState) -> bool {
    let Some(play) = state.table.play() else { return false };
    state.table.people().all(|(seat, _)| play.is_out(seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maker_has_so_many_and_all_together_have() {
        let counts = BotsAlone::new(1);
        let mut held: Vec<GoesOn> = (0..20).filter_map(|_| counts.take("ann")).collect();
        assert_eq!(held.len(), MOST_OF_MAKER);
        held.pop();
        assert!(counts.take("ann").is_some(), "one is over, another goes on");
        held.extend((0..200).filter_map(|number| counts.take(&format!("guest {number}"))));
        assert_eq!(held.len(), MOST_FOR_THREAD);
        drop(held);
        assert!(counts.by_maker().is_empty());
    }
}
