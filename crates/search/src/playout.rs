use rules::{ActionList, Position, Turn};

use crate::Random;

/// Plays uniformly random actions, and chance by its odds, until the game is over or `most` actions were played.
///
/// Returns how many were played. With a list that was used before, nothing is allocated.
///
/// ```
/// use rules::{ActionList, Position, Turn, quixo::Quixo};
/// use search::{Random, random_game};
///
/// let mut game = Quixo::start(&Default::default());
/// let played = random_game(&mut game, &mut Random::new(1), &mut ActionList::new(), 10_000);
/// assert!(played >= 9 && matches!(game.turn(), Turn::Over(_)));
/// ```
pub fn random_game<P: Position>(
    position: &mut P,
    random: &mut Random,
    actions: &mut ActionList<P::Action>,
    most: u32,
) -> u32 {
    for played in 0..most {
        let action = match position.turn() {
            Turn::Over(_) => None,
            Turn::Chance => {
                position.actions(actions);
                Some(weighted(position, random, actions))
            }
            Turn::Seat(_) => position.pick(actions, |count| random.below(count as u32) as usize),
        };
        let Some(action) = action else { return played };
        position.play_unchecked(action);
    }
    most
}

/// Draws one of the chance actions in `actions` by its odds.
///
/// # Panics
/// If `actions` is empty, which no position at chance allows (G3).
pub fn weighted<P: Position>(position: &P, random: &mut Random, actions: &[P::Action]) -> P::Action {
    let total = actions.iter().map(|&action| position.weight(action)).sum();
    let mut left = random.below(total);
    for &action in actions {
        let weight = position.weight(action);
        if left < weight {
            return action;
        }
        left -= weight;
    }
    actions[actions.len() - 1]
}
