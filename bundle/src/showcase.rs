//! A position of each game in the middle of play, drawn once for menus.

use game::{GameId, showcase};
use rules::Viewer;

/// The markup of the picture of every game, in the order of menus.
pub(crate) fn pictures() -> Vec<String> {
    GameId::ALL.into_iter().filter_map(picture).collect()
}

fn picture(game: GameId) -> Option<String> {
    let (position, marks) = showcase(game)?;
    let mut scene = position.scene(Viewer::Spectator);
    scene.highlights.extend(marks.into_iter().filter(|mark| mark.is_lasting()));
    Some(art::picture(&scene, ""))
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
