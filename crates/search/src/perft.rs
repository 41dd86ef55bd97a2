use std::sync::atomic::{AtomicBool, Ordering};

use rules::{ActionList, Position};

/// Counts the lists of exactly `depth` legal actions (G6); lists that end sooner do not count.
///
/// ```
/// use rules::{Position, quixo::Quixo};
///
/// let start = Quixo::start(&Default::default());
/// assert_eq!(search::perft(&start, 0), 1);
/// assert_eq!(search::perft(&start, 1), 44);
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    perft_until(position, depth, &AtomicBool::new(false)).unwrap_or_default()
}

/// Like [`perft`], but gives up with `None` soon after `stop` is set.
pub fn perft_until<P: Position>(position: &P, depth: u32, stop: &AtomicBool) -> Option<u64> {
    let mut buffers = vec![ActionList::new(); depth as usize];
    count(position, &mut buffers, stop)
}

fn count<P: Position>(position: &P, buffers: &mut [ActionList<P::Action>], stop: &AtomicBool) -> Option<u64> {
    let Some((actions, deeper)) = buffers.split_first_mut() else { return Some(1) };
    position.actions(actions);
    if deeper.is_empty() {
        return Some(actions.len() as u64);
    }
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut total = 0;
    for &action in actions.iter() {
        let mut next = position.clone();
        next.play_unchecked(action);
        total += count(&next, deeper, stop)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use rules::quarto::Quarto;
    use rules::sequence::Sequence;

    use super::*;

    #[test]
    fn g6_counts_lists_of_exactly_so_many_actions_and_chance_unweighted() {
        let last = Quarto::parse(&Default::default(), "1e46/f5c0/a2bd/793. 8 1 c1").unwrap();
        assert_eq!((perft(&last, 0), perft(&last, 1), perft(&last, 2)), (1, 1, 0), "a list that ends sooner is none");
        let start = Sequence::start(&Default::default());
        assert_eq!(perft(&start, 1), 21, "each card once, however many copies there are");
        assert_eq!(perft(&start, 2), 21 * 21);
    }
}
