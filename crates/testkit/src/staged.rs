use rules::{ActionList, HiddenInformation, Turn, Viewer};
use scene::{Place, Scene, Spot, Staged, choices, narrow};
use search::Random;

use crate::conformance::{Check, ensure};
use crate::walk::walk;
use crate::{Property, Report, Violation, Walks, viewers};

/// Checks that a game can be shown to everybody and spelt by touches.
pub fn conform_staged<P: Staged>(options: &P::Options, walks: Walks) -> Result<Report, Violation> {
    walk::<P>(options, walks, |position, random, _| {
        check_touches(position, random)?;
        check_touches_are_shown(position)?;
        check_motions(position, random)
    })
}

/// Checks that scenes and happenings tell a viewer nothing hidden; `disguise` as in [`conform_hidden`](crate::conform_hidden).
pub fn conform_hidden_scenes<P: Staged + HiddenInformation>(
    options: &P::Options,
    mut disguise: impl FnMut(&P, Viewer, &mut Random) -> Option<P>,
    walks: Walks,
) -> Result<Report, Violation> {
    walk::<P>(options, walks, |position, random, _| {
        for viewer in viewers(position) {
            let Some(other) = disguise(position, viewer, random) else { continue };
            let scene = |position: &P| P::scene(&position.view(viewer), viewer);
            ensure(scene(position) == scene(&other), Property::SceneLeaks, || {
                format!("{viewer:?} is shown something else in {other}")
            })?;
            let mut actions = ActionList::new();
            position.actions(&mut actions);
            for &action in actions.iter().filter(|action| other.is_legal(**action)) {
                let same = position.happening(action, viewer) == other.happening(action, viewer);
                ensure(same, Property::SceneLeaks, || {
                    format!("{viewer:?} is told something else of {action} in {other}")
                })?;
            }
            check_told_of_chance(position, viewer, &actions)?;
        }
        Ok(())
    })
}

/// Draws that leave the same view must be told alike.
fn check_told_of_chance<P: Staged>(position: &P, viewer: Viewer, actions: &[P::Action]) -> Check {
    if position.turn() != Turn::Chance {
        return Ok(());
    }
    let mut told: Vec<(P::View, scene::Happening)> = Vec::new();
    for &action in actions {
        let mut next = position.clone();
        next.play_unchecked(action);
        let (view, happening) = (next.view(viewer), position.happening(action, viewer));
        match told.iter().find(|(same, _)| *same == view) {
            Some((_, other)) => ensure(*other == happening, Property::SceneLeaks, || {
                format!("{viewer:?} is told of {action}: {:?}", happening.message)
            })?,
            None => told.push((view, happening)),
        }
    }
    Ok(())
}

fn check_touches<P: Staged>(position: &P, random: &mut Random) -> Check {
    let choices = choices(position);
    let mut lists: Vec<(&[Spot], &P::Action)> =
        choices.iter().map(|choice| (choice.touches.as_slice(), &choice.action)).collect();
    lists.sort_by_key(|(touches, _)| *touches);
    for pair in lists.windows(2) {
        let [(first, action), (second, other)] = pair else { continue };
        ensure(first != second, Property::TouchesDistinct, || format!("{action} and {other} are touched alike"))?;
        // In sorted order a list comes right before those that it begins.
        ensure(!second.starts_with(first), Property::TouchesPrefixFree, || format!("{action} begins {other}"))?;
    }
    ensure(lists.iter().all(|(touches, _)| !touches.is_empty()), Property::TouchesDistinct, || {
        "an action has no touches".to_owned()
    })?;
    if choices.is_empty() {
        return Ok(());
    }
    let choice = &choices[random.below(choices.len() as u32) as usize];
    for length in 0..choice.touches.len() {
        let next = narrow(&choices, &choice.touches[..length]).next;
        let offered = next.contains(&choice.touches[length]);
        ensure(offered, Property::TouchesDistinct, || format!("{} cannot be touched to its end", choice.action))?;
    }
    let complete = narrow(&choices, &choice.touches).complete;
    ensure(complete == Some(choice.action), Property::TouchesDistinct, || {
        format!("{} comes out as {complete:?}", choice.action)
    })
}

fn check_touches_are_shown<P: Staged>(position: &P) -> Check {
    let shown = |viewer| P::scene(&position.view(viewer), viewer).spots();
    for viewer in viewers(position) {
        let spots = shown(viewer);
        for touched in spots.iter().take(60) {
            // Any touch may be asked about; what matters is that the answer comes.
            let _ = P::meant(&position.view(viewer), &[*touched]);
            let _ = P::prompt(&position.view(viewer), viewer, &[*touched]);
        }
    }
    let Turn::Seat(seat) = position.turn() else { return Ok(()) };
    let spots = shown(Viewer::Seat(seat));
    for choice in choices(position) {
        for spot in &choice.touches {
            ensure(spots.contains(spot), Property::TouchesAreShown, || {
                format!("{} needs {spot}, which is not shown to {seat}", choice.action)
            })?;
        }
    }
    Ok(())
}

/// The motions of an action lead from the board before to the board after.
fn check_motions<P: Staged>(position: &P, random: &mut Random) -> Check {
    let Some(action) = crate::random_action(position, random) else { return Ok(()) };
    let viewer = Viewer::Spectator;
    let scene = |position: &P| -> Scene { P::scene(&position.view(viewer), viewer) };
    let motions = position.happening(action, viewer).motions;
    let mut next = position.clone();
    next.play_unchecked(action);
    let (before, after) = (scene(position).board, scene(&next).board);
    for (old, new) in before.cells.iter().zip(&after.cells) {
        let here = Place::Square(old.square);
        let arrived = motions.iter().filter(|motion| motion.to == here).max_by_key(|motion| motion.step);
        let left = motions.iter().filter(|motion| motion.from == here).map(|motion| motion.step).max();
        let expected = match arrived {
            // What arrives may be taken away by a later step of the same action.
            Some(motion) if left.is_none_or(|step| step <= motion.step) => Some(motion.piece),
            _ if left.is_some() => None,
            _ => old.piece,
        };
        ensure(expected == new.piece, Property::MotionsLeadOn, || {
            format!("after {action} the motions leave {expected:?} on {}, the scene shows {:?}", old.square, new.piece)
        })?;
    }
    Ok(())
}
