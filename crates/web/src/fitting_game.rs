//! Which board a game has on the screen at hand, unless the player has chosen one.

use game::{Game, GameId};
use rules::{OptionValues, Viewer};
use ui::window;

/// The most columns whose squares can be hit with a finger on a phone.
const MOST_COLUMNS: u8 = 9;

/// A game with its usual options; on a narrow screen with a board whose squares can be touched, if there is one.
pub fn fitting_game(id: GameId) -> Game {
    let usual = Game::by_default(id);
    if is_narrow() { smaller_board(usual) } else { usual }
}

/// Whether the squares of large boards are too small on this screen.
pub fn is_narrow() -> bool {
    let narrow = window().match_media("(max-width: 36rem), (max-height: 30rem)").ok().flatten();
    narrow.is_some_and(|narrow| narrow.matches())
}

/// The same game with one option changed, so that the board has few columns; unchanged where that is not possible.
fn smaller_board(usual: Game) -> Game {
    let id = usual.id();
    if columns(&usual) <= MOST_COLUMNS {
        return usual;
    }
    let one_of = id.options().iter().filter_map(|spec| match spec.values {
        OptionValues::OneOf(words) => Some(words.iter().map(|word| format!("{}={word}", spec.name))),
        _ => None,
    });
    let mut changed = one_of.flatten().filter_map(|option| Game::with_options(id, &option).ok());
    changed.find(|game| columns(game) <= MOST_COLUMNS).unwrap_or(usual)
}

fn columns(game: &Game) -> u8 {
    game.start().scene(Viewer::Spectator).board.columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_begins_with_squares_too_small_for_a_finger() {
        for id in GameId::ALL {
            let game = smaller_board(Game::by_default(id));
            assert!(columns(&game) <= MOST_COLUMNS, "{game}");
            assert_eq!(game == Game::by_default(id), columns(&Game::by_default(id)) <= MOST_COLUMNS, "{game}");
        }
    }
}
