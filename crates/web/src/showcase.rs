//! A position of each game in the middle of play, drawn once by the bundler for menus.

use game::{Game, GameId};
use rules::{Square, Viewer};
use scene::{Highlight, Scene};

use crate::board::{self, Marks};

/// The markup of the picture of every game, in the order of menus.
pub fn pictures() -> Vec<String> {
    GameId::ALL.into_iter().filter_map(position).map(|(scene, marks)| board::picture(&scene, &marks)).collect()
}

/// A position that shows what a game looks like in the middle of it.
fn position(game: GameId) -> Option<(Scene, Marks)> {
    let (name, text) = match game {
        GameId::Quarto => ("quarto", "5..b/.a2./.f.6/c..9 - 1 d1"),
        GameId::Quixo => ("quixo", "x.o.x/..x.o/.ox../o...x/.xo.o 1"),
        GameId::Sequence => (
            "sequence(players=4)",
            "*4....*/.....3./...143./..3...1/21..4../*.2...* -2 \
             bear+elephant|lion+owl+whale|cat+frog+giraffe|fox+lion+whale \
             camel+penguin+tiger+dragon|cat+giraffe+unicorn|camel+unicorn+gorilla|elephant+hippo+cow 0 0",
        ),
        GameId::Four => ("four(size=9)", "9/2o3x2/4x4/1o4o2/2x3x2/3o2ox1/4x4/1x1o3o1/5x3 1 opening 1,0 22,22 0 0 - -"),
    };
    let position = name.parse::<Game>().ok()?.parse_position(text).ok()?;
    let mut marks = Marks::default();
    if game == GameId::Four {
        // The square that has just captured is what Four is about.
        let corners = [(2, 4), (4, 6), (6, 4), (4, 2)].map(|(column, row)| Square::new(column, row));
        marks.highlights = vec![Highlight::Capture { corners: corners.to_vec(), centre: Square::new(4, 4) }];
    }
    Some((position.scene(Viewer::Spectator), marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_picture() {
        assert_eq!(pictures().len(), GameId::ALL.len());
        assert!(
            pictures()
                .iter()
                .all(|picture| picture.contains("class=\"board") && !picture.contains(routes::PICTURES_SEPARATOR))
        );
    }
}
