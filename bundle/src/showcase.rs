//! A position of each game in the middle of play, drawn once for menus.

use game::{Game, GameId};
use rules::Viewer;
use scene::{Highlight, Scene};

/// A game, a position, and the action before it whose capture is shown, if one is.
const POSITIONS: [(&str, &str, &str); 4] = [
    ("quarto", "5..b/.a2./.f.6/c..9 - 1 d1", ""),
    ("quixo", "x.o.x/..x.o/.ox../o...x/.xo.o 1", ""),
    (
        "sequence(players=4)",
        "*4....*/.....3./...143./..3...1/21..4../*.2...* -2 \
         bear+elephant|lion+owl+whale|cat+frog+giraffe|fox+lion+whale \
         camel+penguin+tiger+dragon|cat+giraffe+unicorn|camel+unicorn+gorilla|elephant+hippo+cow 0 0",
        "",
    ),
    // The square that captures is what Four is about.
    ("four(size=9)", "9/2o3x2/9/1o4o2/2x1o1x2/6ox1/4x4/1x1o3o1/5x3 1 opening 0,0 23,23 0 0 - -", "e7"),
];

/// The markup of the picture of every game, in the order of menus.
pub(crate) fn pictures() -> Vec<String> {
    GameId::ALL.into_iter().filter_map(scene).map(|scene| art::picture(&scene, "")).collect()
}

/// What a game looks like in the middle of it.
fn scene(game: GameId) -> Option<Scene> {
    let parse = |name: &str| name.parse::<Game>().ok().filter(|parsed| parsed.id() == game);
    let (shown, (_, text, action)) = POSITIONS.into_iter().find_map(|row| Some((parse(row.0)?, row)))?;
    let mut position = shown.parse_position(text).ok()?;
    if action.is_empty() {
        return Some(position.scene(Viewer::Spectator));
    }
    let happening = position.happening(action, Viewer::Spectator).ok()?;
    position.play(action).ok()?;
    let mut scene = position.scene(Viewer::Spectator);
    let captures = happening.highlights.into_iter().filter(|mark| matches!(mark, Highlight::Capture { .. }));
    scene.highlights.extend(captures);
    Some(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_picture() {
        assert_eq!(pictures().len(), GameId::ALL.len());
        assert!(pictures().iter().all(|picture| !picture.contains(routes::PICTURES_SEPARATOR)));
    }
}
