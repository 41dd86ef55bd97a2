//! What an opponent of Sequence may answer with cards that the solver does not see.

use rules::sequence::{Action, Card, Sequence, squares};
use rules::{ActionList, Outcome, Position, Seat, Turn, Viewer};
use search::Value;

use crate::Worth;

/// An answer that wins, or one that spoils the solver's win: the position's text in which it is possible, and the action.
pub(super) fn answer(after: &Sequence, solver: Seat, worth: Worth) -> Option<(String, String)> {
    let mut position = *after;
    draw(&mut position);
    let Turn::Seat(opponent) = position.turn() else { return None };
    let viewer = Viewer::Seat(solver);
    let seen = position.view(viewer);
    let mut answers = Vec::new();
    for card in Card::ALL {
        for square in squares(position.targets(opponent, card)) {
            let action = Action::Play { card, square };
            let held = position.redetermined(Some(action), viewer);
            let mut next = held;
            if held.view(viewer) == seen && next.play(action).is_ok() {
                answers.push((held, action, next));
            }
        }
    }
    let won = |next: &Sequence, seat: Seat| next.turn() == Turn::Over(Outcome::Win(next.side(seat)));
    let found = match worth {
        Worth::Result(Value::Loss(_)) => answers.iter().find(|(_, _, next)| won(next, opponent)),
        _ => {
            let solver_wins = |next: &Sequence| {
                let mut next = *next;
                draw(&mut next);
                let mut actions = ActionList::new();
                next.actions(&mut actions);
                actions.iter().any(|action| {
                    let mut last = next;
                    last.play_unchecked(*action);
                    won(&last, solver)
                })
            };
            // An answer spoils something only if others do not.
            let spoiled = answers.iter().find(|(_, _, next)| !solver_wins(next));
            spoiled.filter(|_| answers.iter().any(|(_, _, next)| solver_wins(next)))
        }
    };
    found.map(|(held, action, _)| (held.to_string(), action.to_string()))
}

/// Chance deals the first card that it may.
fn draw(position: &mut Sequence) {
    let mut actions = ActionList::new();
    while position.turn() == Turn::Chance {
        position.actions(&mut actions);
        let Some(action) = actions.first() else { return };
        position.play_unchecked(*action);
    }
}
