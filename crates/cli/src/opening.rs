//! Random play that leads into the middle of a game.

use game::Match;
use rules::Turn;
use search::Random;

/// A random action that does not end the game, if there is one; otherwise any.
pub(crate) fn quiet_action(game: &Match, random: &mut Random) -> Option<String> {
    let quiet = |action: &String| {
        let mut after = game.position().boxed();
        after.play(action).is_ok() && !matches!(after.turn(), Turn::Over(_))
    };
    let legal = game.legal();
    let mut calm: Vec<String> = legal.iter().filter(|action| quiet(action)).cloned().collect();
    if calm.is_empty() {
        calm = legal;
    }
    let count = u32::try_from(calm.len()).ok().filter(|count| *count > 0)?;
    Some(calm.swap_remove(random.below(count) as usize))
}
