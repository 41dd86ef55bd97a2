//! A board as it looks a few moves into a game, for menus that follow the options.

use game::MatchSettings;
use rules::{Seat, Turn, Viewer};
use search::Random;

/// How many moves are on the board: enough to show the pieces.
const MOVES: usize = 9;

/// The picture of a variant in play with the signs that were chosen. The same settings always give the same picture.
pub fn preview(settings: &MatchSettings) -> String {
    let game = &settings.game;
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
    art::picture(&position.scene(Viewer::Spectator).arranged(&settings.seating(Seat::ONE)), "")
}

#[cfg(test)]
mod tests {
    use game::{Game, GameId};

    use super::*;

    #[test]
    fn every_variant_can_be_shown() {
        for id in GameId::ALL {
            for options in id.variants() {
                let settings = MatchSettings::new(Game::with_options(id, options).unwrap());
                assert!(preview(&settings).contains("<svg"), "{id} {options}");
                assert_eq!(preview(&settings), preview(&settings));
            }
        }
    }
}
