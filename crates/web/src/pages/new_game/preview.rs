//! A board as it looks a few moves into a game, for menus that follow the options.

use game::Game;
use rules::{Turn, Viewer};
use search::Random;

use art;

/// How many moves are on the board: enough to show the pieces.
const MOVES: usize = 9;

/// The picture of a variant in play. The same variant always gives the same picture.
pub fn preview(game: &Game) -> String {
    let (mut position, mut random, mut moves) = (game.start(), Random::new(4), 0);
    while moves < MOVES {
        if matches!(position.turn(), Turn::Over(_)) {
            break;
        }
        moves += usize::from(matches!(position.turn(), Turn::Seat(_)));
        let actions = position.legal();
        let mut next = position.boxed();
        let played = next.play(&actions[random.below(actions.len() as u32) as usize]).is_ok();
        // A game that has ended would show a winner, not the board.
        if !played || matches!(next.turn(), Turn::Over(_)) {
            break;
        }
        position = next;
    }
    art::picture(&position.scene(Viewer::Spectator), "")
}

#[cfg(test)]
mod tests {
    use game::GameId;

    use super::*;

    #[test]
    fn every_variant_can_be_shown() {
        for id in GameId::ALL {
            for options in id.variants() {
                let game = Game::with_options(id, options).unwrap();
                assert!(preview(&game).contains("<svg"), "{game}");
                assert_eq!(preview(&game), preview(&game));
            }
        }
    }
}
