//! Chance decided beforehand, so that both seatings of a pair get the same cards.

use std::collections::HashMap;

use search::Random;

/// Gives every copy of every outcome a place in a fixed random order; the legal one that stands first is drawn.
///
/// This is a shuffled deck, whatever the game: the same number gives the same cards in the same order as long as the
/// same cards are there to be drawn.
pub(super) struct Deal {
    random: Random,
    /// Places of the copies not yet drawn, the next one last.
    order: HashMap<String, Vec<u64>>,
}

impl Deal {
    pub(super) fn new(number: u64) -> Deal {
        Deal { random: Random::new(number), order: HashMap::new() }
    }

    /// The outcome among these, with their copies.
    pub(super) fn draw(&mut self, chances: Vec<(String, u32)>) -> Option<String> {
        for (action, copies) in &chances {
            // New copies come back when discards are shuffled; they get places of their own.
            let places = self.order.entry(action.clone()).or_default();
            if places.len() < *copies as usize {
                places.clear();
                places.extend((0..*copies).map(|_| self.random.next_u64()));
                places.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        let first =
            chances.into_iter().map(|(action, _)| action).min_by_key(|action| self.order[action].last().copied())?;
        self.order.get_mut(&first)?.pop();
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck() -> Vec<(String, u32)> {
        vec![("a".into(), 2), ("b".into(), 1), ("c".into(), 1)]
    }

    fn draw_all(number: u64) -> String {
        let (mut deal, mut left) = (Deal::new(number), deck());
        let mut drawn = String::new();
        while !left.is_empty() {
            let card = deal.draw(left.clone()).unwrap();
            drawn.push_str(&card);
            left.iter_mut().find(|(name, _)| *name == card).unwrap().1 -= 1;
            left.retain(|(_, copies)| *copies > 0);
        }
        drawn
    }

    #[test]
    fn the_same_number_gives_the_same_order() {
        assert_eq!(draw_all(5), draw_all(5));
    }

    #[test]
    fn every_order_of_the_deck_is_equally_likely() {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for number in 0..12_000 {
            *counts.entry(draw_all(number)).or_default() += 1;
        }
        // Twelve orders of a, a, b, c; a thousand each, give or take five standard deviations.
        assert_eq!(counts.len(), 12);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
