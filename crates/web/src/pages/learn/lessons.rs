//! When a lesson of a rules page is done; the game itself describes what there is to try.

use game::{AnyPosition, Event, Match};
use rules::{Goal, Outcome, Reason, Seat, Viewer};
use scene::CounterKind;

/// How far one has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is still something to try.
    Open,
    /// It is done.
    Done,
    /// Something else was done.
    Missed,
}

/// Looks at what was played so far. A refusal leaves no trace in a match, so `refused` is handed in.
pub fn progress(goal: Goal, game: &Match, seat: Seat, refused: Option<Reason>) -> Progress {
    let mut played = game.log().iter().filter_map(|entry| match &entry.event {
        Event::Action(action) => Some(&**action),
        _ => None,
    });
    let outcome = game.ending().and_then(|ending| ending.outcome);
    let mine = Outcome::Win(game.position().side(seat));
    let over = game.ending().is_some() || game.to_act().is_some_and(|actor| actor != seat);
    let (done, missed) = match goal {
        Goal::Plays(part) => (played.any(|action| rules::find(action, part).is_some()), over),
        // One action is enough for each of these.
        Goal::Win => (outcome == Some(mine), played.next().is_some()),
        Goal::Lose => (outcome.is_some_and(|outcome| outcome != mine), played.next().is_some()),
        Goal::Draw => (outcome == Some(Outcome::Draw), played.next().is_some()),
        Goal::Turn => (over, false),
        Goal::Capture => (points(game.position(), seat) > starting_points(game, seat), over),
        Goal::Refused(reason) => (refused == Some(reason), played.next().is_some()),
        Goal::Answer(answers) => match played.next() {
            Some(first) => (answers.split(' ').any(|answer| answer == first), true),
            None => (false, false),
        },
    };
    match (done, missed) {
        (true, _) => Progress::Done,
        (false, true) => Progress::Missed,
        (false, false) => Progress::Open,
    }
}

fn points(position: &dyn AnyPosition, seat: Seat) -> u16 {
    let counters = position.scene(Viewer::Seat(seat)).counters;
    let own = counters.iter().find(|counter| counter.kind == CounterKind::Points && counter.seat == Some(seat));
    own.map_or(0, |counter| counter.value)
}

fn starting_points(game: &Match, seat: Seat) -> u16 {
    game.settings().start_position().map_or(0, |start| points(start.as_ref(), seat))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::{Game, GameId, MatchSettings, Refused};
    use locale::Language;
    use rules::{Lesson, Turn};

    use super::*;

    fn sit_down(id: GameId, lesson: &Lesson) -> Match {
        let mut setup = MatchSettings::new(Game::with_options(id, lesson.options).unwrap());
        setup.start = Some(lesson.position.to_owned());
        Match::new(setup).unwrap_or_else(|bad| panic!("{}: {bad}", lesson.position))
    }

    /// Every touch of up to three spots, and whether the rules answer it with this reason.
    fn can_be_refused(game: &Match, seat: Seat, reason: Reason) -> bool {
        let position = game.position();
        let scene = position.scene(Viewer::Seat(seat));
        let mut spots: Vec<scene::Spot> = scene.board.cells.iter().map(|cell| cell.square.into()).collect();
        spots.extend(scene.buttons.iter().map(|&button| scene::Spot::from(button)));
        spots.extend(scene.hands.iter().flat_map(|hand| hand.cards.iter().filter_map(scene::HandCard::spot)));
        let choices = position.choices();
        let refused = |touches: &[scene::Spot]| {
            let mut picker = scene::Picker::new();
            touches.iter().any(|&spot| match picker.touch(&choices, spot) {
                scene::Touched::Nowhere(tried) => {
                    let meant = position.meant(Viewer::Seat(seat), &tried);
                    let answer = meant.and_then(|action| position.boxed().play(&action).err());
                    matches!(answer, Some(Refused::Illegal { reason: other, .. }) if other == reason)
                }
                _ => false,
            })
        };
        let calls = spots.iter().filter(|spot| spot.is_quiet());
        let mut calls =
            calls.map(|&call| [call, scene.board.cells[0].square.into(), scene.board.cells[1].square.into()]);
        calls.any(|call| refused(&call))
            || spots.iter().any(|&first| refused(&[first]) || spots.iter().any(|&second| refused(&[first, second])))
    }

    /// Looks for actions of one turn that reach the goal.
    fn can_be_done(game: &Match, goal: Goal, seat: Seat, depth: u32) -> bool {
        if progress(goal, game, seat, None) == Progress::Done {
            return true;
        }
        depth > 0
            && game.legal().iter().any(|action| {
                let mut next = game.clone();
                next.play(action, Duration::ZERO).is_ok() && can_be_done(&next, goal, seat, depth - 1)
            })
    }

    #[test]
    fn every_lesson_stands_beside_a_part_of_the_rules_and_can_be_done() {
        for id in GameId::ALL {
            let page = locale::rules_page(Language::English, id);
            for lesson in id.lessons() {
                let name = format!("{id} {}: {}", lesson.section, lesson.position);
                assert!(page.iter().any(|section| section.id == lesson.section), "{name}");
                let game = sit_down(id, lesson);
                assert!(locale::lesson_task(Language::English, id, lesson.task).is_some(), "{name} has no task");
                let Turn::Seat(seat) = game.position().turn() else { panic!("{name}: nobody is to act") };
                assert_eq!(progress(lesson.goal, &game, seat, None), Progress::Open, "{name}");
                match lesson.goal {
                    Goal::Refused(reason) => assert!(can_be_refused(&game, seat, reason), "{name}"),
                    goal => assert!(can_be_done(&game, goal, seat, 2), "{name}"),
                }
            }
        }
    }

    #[test]
    fn something_else_is_missed() {
        let win = &GameId::Quixo.lessons()[1];
        let mut game = sit_down(GameId::Quixo, win);
        game.play("a1a5", Duration::ZERO).unwrap();
        assert_eq!(progress(win.goal, &game, Seat::ONE, None), Progress::Missed);
        assert_eq!(progress(Goal::Answer("a1e1 a1a5"), &game, Seat::ONE, None), Progress::Done);
        assert_eq!(progress(Goal::Answer("a1e1"), &game, Seat::ONE, None), Progress::Missed);
    }
}
