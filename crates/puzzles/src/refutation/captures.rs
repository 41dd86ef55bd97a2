//! What a wrong movement in Four leaves to capture.

use rules::four::Four;
use rules::{ActionList, Position};

/// The opponent's stone that captures most.
pub(super) fn most_at_once(position: &Four) -> Option<String> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let best = actions.iter().max_by_key(|action| position.captures_by(**action).len())?;
    Some(best.to_string())
}

/// Movements that capture so many stones in the rest of the turn; empty if none are found soon enough.
pub(super) fn rest_of_turn(position: &Four, wanted: i32, mut budget: usize) -> Vec<String> {
    search(position, wanted, &mut budget)
}

fn search(position: &Four, wanted: i32, budget: &mut usize) -> Vec<String> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let mut captures: Vec<_> =
        actions.iter().map(|action| (position.captures_by(*action).len() as i32, *action)).collect();
    captures.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    for (count, action) in captures {
        let Some(left) = budget.checked_sub(1) else { break };
        *budget = left;
        if wanted <= 0 || (position.movements_left() <= 1 && count < wanted) {
            break;
        }
        let mut next = *position;
        next.play_unchecked(action);
        if count == wanted {
            return vec![action.to_string()];
        }
        if next.turn() == position.turn() {
            let mut line = search(&next, wanted - count, budget);
            if !line.is_empty() {
                line.insert(0, action.to_string());
                return line;
            }
        }
    }
    Vec::new()
}
