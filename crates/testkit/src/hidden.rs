use std::collections::HashSet;

use rules::{ActionList, HiddenInformation, Position, Turn, Viewer};
use search::Random;

use crate::conformance::{Check, ensure};
use crate::walk::walk;
use crate::{Property, Report, Violation, Walks, viewers};

/// How many guesses are made from one view.
const GUESSES: usize = 3;

/// Checks that nothing leaks and that guesses are honest.
///
/// `disguise` gives a position that differs from its argument only in what the viewer cannot see, or `None` where there
/// is none. It must know what is hidden by itself, not from the game's views, or a leaking view would look sound.
pub fn conform_hidden<P: HiddenInformation>(
    options: &P::Options,
    mut disguise: impl FnMut(&P, Viewer, &mut Random) -> Option<P>,
    walks: Walks,
) -> Result<Report, Violation> {
    walk::<P>(options, walks, |position, random, _| {
        for viewer in viewers(position) {
            check_seen_by_chance(position, viewer)?;
            let redetermined = disguise(position, viewer, random).filter(|other| other != position);
            if let Some(other) = &redetermined {
                check_same_to(viewer, position, other)?;
            }
            check_guesses(position, viewer, redetermined.is_some(), random)?;
            check_redetermined(position, viewer, redetermined.as_ref(), random)?;
        }
        Ok(())
    })
}

/// Two positions that differ only in what is hidden from `viewer` must be one to that viewer.
fn check_same_to<P: HiddenInformation>(viewer: Viewer, position: &P, other: &P) -> Check {
    let (view, redetermined) = (position.view(viewer), other.view(viewer));
    // The debug text also shows fields that equality may leave out.
    let same = view == redetermined
        && view.to_string() == redetermined.to_string()
        && format!("{view:?}") == format!("{redetermined:?}");
    ensure(same, Property::ViewLeaks, || format!("{viewer:?} can tell it from {other}"))?;
    let (actions, others) = (legal(position), legal(other));
    for &action in actions.intersection(&others) {
        let (seen, redetermined) = (position.seen_action(action, viewer), other.seen_action(action, viewer));
        ensure(seen == redetermined, Property::SeenActionLeaks, || {
            format!("{viewer:?} sees {seen} or {redetermined}")
        })?;
    }
    let to_act = matches!((position.turn(), viewer), (Turn::Seat(seat), Viewer::Seat(own)) if seat == own);
    ensure(!to_act || actions == others, Property::ActionsLeak, || format!("{viewer:?} may do other things in {other}"))
}

/// Draws that leave the same view must look the same.
fn check_seen_by_chance<P: HiddenInformation>(position: &P, viewer: Viewer) -> Check {
    if position.turn() != Turn::Chance {
        return Ok(());
    }
    let mut seen: Vec<(P::View, String)> = Vec::new();
    for action in legal(position) {
        let mut next = position.clone();
        next.play_unchecked(action);
        let (view, text) = (next.view(viewer), position.seen_action(action, viewer));
        let other = seen.iter().find(|(same, _)| *same == view).map(|(_, text)| text);
        ensure(other.is_none_or(|other| *other == text), Property::SeenActionLeaks, || {
            format!("{viewer:?} sees {action} as {text}, another hidden one as {other:?}")
        })?;
        if other.is_none() {
            seen.push((view, text));
        }
    }
    Ok(())
}

fn check_guesses<P: HiddenInformation>(position: &P, viewer: Viewer, hidden: bool, random: &mut Random) -> Check {
    let view = position.view(viewer);
    let mut different = HashSet::new();
    for _ in 0..GUESSES {
        let guess = P::guess(&view, &mut |n| random.below(n));
        ensure(guess.view(viewer) == view, Property::GuessAgrees, || {
            format!("the guess {guess} looks different to {viewer:?}")
        })?;
        let public = guess.turn() == position.turn() && guess.options() == position.options();
        ensure(public, Property::GuessAgrees, || format!("the guess {guess} has another turn or other options"))?;
        let lawful = P::parse(&position.options(), &guess.to_string()).is_ok_and(|read| read == guess);
        ensure(lawful, Property::GuessIsLawful, || format!("the guess {guess} cannot arise"))?;
        let to_act = matches!((position.turn(), viewer), (Turn::Seat(seat), Viewer::Seat(own)) if seat == own);
        ensure(!to_act || legal(&guess) == legal(position), Property::ActionsLeak, || {
            format!("{viewer:?} may do other things in the guess {guess}")
        })?;
        different.insert(guess);
    }
    // Chance may repeat a guess where little is hidden; more tries tell chance from a fixed answer.
    for _ in 0..40 {
        if !hidden || different.len() > 1 {
            break;
        }
        different.insert(P::guess(&view, &mut |n| random.below(n)));
    }
    ensure(!hidden || different.len() > 1, Property::GuessVaries, || format!("{viewer:?} always guesses the same"))
}

/// A client that knows only its own view follows the game in a position of its own making (`Position::redetermined`): what
/// is hidden must not reach it, and what others play must be possible in it.
fn check_redetermined<P: HiddenInformation>(
    position: &P,
    viewer: Viewer,
    other: Option<&P>,
    random: &mut Random,
) -> Check {
    let known = position.redetermined(None, viewer);
    ensure(known.view(viewer) == position.view(viewer), Property::Redetermined, || {
        format!("redetermined for {viewer:?} it is {known}, which looks different")
    })?;
    ensure(other.is_none_or(|other| other.redetermined(None, viewer) == known), Property::Redetermined, || {
        format!("redetermined for {viewer:?} it is {known}, which depends on what is hidden")
    })?;
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    for _ in 0..GUESSES.min(actions.len()) {
        let action = actions[random.below(actions.len() as u32) as usize];
        let next = position.redetermined(Some(action), viewer);
        ensure(next.is_legal(action) && next.view(viewer) == position.view(viewer), Property::Redetermined, || {
            format!("redetermined for {viewer:?} and {action} it is {next}, which does not allow it or looks different")
        })?;
    }
    Ok(())
}

fn legal<P: Position>(position: &P) -> HashSet<P::Action> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    actions.iter().copied().collect()
}
