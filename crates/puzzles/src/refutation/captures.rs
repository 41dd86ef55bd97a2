//! What a wrong movement in Four leaves to capture.

use rules::four::{Action, Figure, Four, MAX_SIZE};
use rules::{ActionList, Position, Seat, Square, Turn};

use crate::sorting::sorted_by;

/// Movements without a capture that a line may have.
const MOST_QUIET: usize = 3;

/// The opponent's stone that captures most.
pub(super) fn most_at_once(position: &Four) -> Option<String> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let best = actions.iter().max_by_key(|action| position.captures_by(**action).len())?;
    Some(best.to_string())
}

/// Movements that capture so many stones in the rest of the turn; empty if none are found within so many positions.
///
/// The number is proved elsewhere: this looks for one line, and only where a stone becomes the corner of a square.
pub(super) fn rest_of_turn(position: &Four, wanted: i32, mut budget: usize) -> Vec<String> {
    let Turn::Seat(solver) = position.turn() else { return Vec::new() };
    let line = (0..=MOST_QUIET).find_map(|quiet| search(position, solver, wanted, quiet, &mut budget));
    line.unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn search(position: &Four, solver: Seat, wanted: i32, quiet: usize, budget: &mut usize) -> Option<Vec<Action>> {
    if wanted <= 0 {
        return Some(Vec::new());
    }
    if position.turn() != Turn::Seat(solver) {
        return None;
    }
    *budget = budget.checked_sub(1)?;
    let gaps = gaps(position, solver);
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let mut tries = Vec::new();
    for action in actions.iter().filter(|action| matches!(action, Action::Move { .. })) {
        let Some(to) = action.destination() else { continue };
        let gap = gaps[to.index(MAX_SIZE)];
        let count = if gap == 1 { position.captures_by(*action).len() as i32 } else { 0 };
        if count > 0 || (usize::from(gap) <= quiet + 1 && quiet > 0) {
            tries.push((count, gap, *action));
        }
    }
    // The largest captures first, then what is closest to one.
    let tries =
        sorted_by(tries, |(one, one_gap, _), (other, other_gap, _)| other.cmp(one).then(one_gap.cmp(other_gap)));
    for (count, _, action) in tries {
        if position.movements_left() <= 1 && count < wanted {
            break;
        }
        let mut next = *position;
        next.play_unchecked(action);
        let quiet = if count == 0 { quiet - 1 } else { quiet };
        if let Some(mut line) = search(&next, solver, wanted - count, quiet, budget) {
            line.insert(0, action);
            return Some(line);
        }
    }
    None
}

/// For each empty cell, how many corners the square lacks that it would help most to close; 255 if there is none.
fn gaps(position: &Four, solver: Seat) -> [u8; MAX_SIZE as usize * MAX_SIZE as usize] {
    let size = position.size();
    let mut gaps = [u8::MAX; MAX_SIZE as usize * MAX_SIZE as usize];
    let cells = (0..size).flat_map(|row| (0..size).map(move |column| Square { column, row }));
    for centre in cells.filter(|cell| position.stone(*cell) == Some(solver.next(2))) {
        for figure in Figure::around(centre, size) {
            let missing = || figure.corners().filter(|corner| position.stone(*corner) != Some(solver));
            let lacks = missing().count() as u8;
            for corner in missing().map(|corner| corner.index(MAX_SIZE)) {
                gaps[corner] = gaps[corner].min(lacks);
            }
        }
    }
    gaps
}
