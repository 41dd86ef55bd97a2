//! The boards of the first page, which play by themselves while a visitor looks at them.

use std::time::Duration;

use game::{AnyPosition, GameId, showcase};
use rules::{Turn, Viewer};
use search::Random;
use ui::prelude::*;

use crate::local_table::seed;

/// How long a board rests while the others have their turn.
const PAUSE: Duration = Duration::from_millis(2200);
/// After so many actions a board begins anew.
const ACTIONS: usize = 9;

/// A game that is played for looking at.
struct Demo {
    game: GameId,
    position: Option<Box<dyn AnyPosition>>,
    played: usize,
    picture: RwSignal<String>,
}

/// Lets the boards play, one after the other, until the page is left.
pub(crate) fn enliven(boards: Vec<(GameId, RwSignal<String>)>) {
    let demo = |(game, picture)| Demo { game, position: None, played: 0, picture };
    turn(boards.into_iter().map(demo).collect(), 0, Random::new(seed()));
}

fn turn(mut demos: Vec<Demo>, place: usize, mut random: Random) {
    let next = move || {
        let count = demos.len().max(1);
        let is_left = match demos.get_mut(place % count) {
            Some(demo) if !document().hidden() => demo.play(&mut random),
            Some(_) => false,
            None => true,
        };
        if !is_left {
            turn(demos, place + 1, random);
        }
    };
    set_timeout(next, PAUSE);
}

impl Demo {
    /// Plays an action and shows it; whether the page has been left.
    fn play(&mut self, random: &mut Random) -> bool {
        let fresh =
            self.position.as_ref().is_none_or(|it| self.played >= ACTIONS || matches!(it.turn(), Turn::Over(_)));
        if fresh {
            let began = self.position.is_some();
            self.position = showcase(self.game).map(|(position, _)| position);
            self.played = 0;
            // It is shown already when the page opens.
            if began {
                return self.show(Vec::new());
            }
        }
        let Some(position) = &mut self.position else { return true };
        let choices = match position.turn() {
            Turn::Chance => position.chances().into_iter().map(|(action, _)| action).collect(),
            _ => position.legal(),
        };
        if choices.is_empty() {
            return true;
        }
        let action = &choices[random.below(choices.len() as u32) as usize];
        let marks = position.happening(action, Viewer::Spectator).map(|it| it.highlights).unwrap_or_default();
        let _ = position.play(action);
        self.played += 1;
        self.show(marks)
    }

    fn show(&self, marks: Vec<scene::Highlight>) -> bool {
        let Some(position) = &self.position else { return true };
        let mut scene = position.scene(Viewer::Spectator);
        scene.highlights.extend(marks.into_iter().filter(|mark| mark.is_lasting()));
        self.picture.try_set(art::picture(&scene, "")).is_some()
    }
}
