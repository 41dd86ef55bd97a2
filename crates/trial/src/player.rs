//! What the random players of all tests have in common.

use client::Connection;
use game::GameId;
use search::Random;

/// Any game of the catalogue, with its usual options.
pub(crate) fn random_game(random: &mut Random) -> &'static str {
    GameId::ALL[random.below(GameId::ALL.len() as u32) as usize].name()
}

/// Whether it is this client's turn.
pub(crate) fn is_to_act(client: &Connection) -> bool {
    let Some(follower) = &client.follower else { return false };
    let turn = follower.game.as_ref().and_then(|game| game.to_act());
    turn.is_some() && turn == follower.seat()
}

/// How many entries a client's log of the match has.
pub(crate) fn log_length(client: &Connection) -> usize {
    client.follower.as_ref().and_then(|follower| follower.game.as_ref()).map_or(0, |game| game.log().len())
}

/// Any legal action in the position that the client sees.
pub(crate) fn random_action(client: &Connection, random: &mut Random) -> Option<String> {
    let mut legal = client.follower.as_ref()?.game.as_ref()?.legal();
    let count = u32::try_from(legal.len()).ok().filter(|count| *count > 0)?;
    Some(legal.swap_remove(random.below(count) as usize))
}
