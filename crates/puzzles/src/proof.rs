use std::fmt;

use rules::{ActionList, Outcome, Position, Side, Turn};
use search::Value;

use crate::{Puzzle, Step, Worth};

/// An action whose stored value a search refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disproved {
    /// The ply of the solution, counted from 1.
    pub ply: usize,
    /// The action.
    pub action: String,
    /// What the puzzle says it is worth.
    pub stored: Value,
}

/// Proves again, by searching the tree of the game, every stored win and loss of at most so many plies.
///
/// It uses nothing but the rules. A win in `n` must be forced in `n` plies and in no fewer; values further away, and draws,
/// are left to the tables.
pub fn prove<P>(puzzle: &Puzzle, start: &P, most_plies: u32) -> Result<usize, Disproved>
where
    P: Position,
{
    let mut position = start.clone();
    let mut proved = 0;
    for (index, step) in puzzle.steps.iter().enumerate() {
        proved += prove_step(&position, index + 1, step, most_plies)?;
        let played = actions(&position).into_iter().find(|action| action.to_string() == step.played);
        let disproved = || Disproved { ply: index + 1, action: step.played.clone(), stored: Value::Draw };
        position.play_unchecked(played.ok_or_else(disproved)?);
    }
    Ok(proved)
}

fn prove_step<P: Position>(position: &P, ply: usize, step: &Step, most_plies: u32) -> Result<usize, Disproved> {
    let Turn::Seat(seat) = position.turn() else { return Ok(0) };
    let side = position.side(seat);
    let mut proved = 0;
    for action in actions(position) {
        let name = action.to_string();
        let Some(Worth::Result(stored)) = step.value_of(&name) else { continue };
        let mut next = position.clone();
        next.play_unchecked(action);
        let holds = match stored {
            Value::Win(Some(plies)) if plies <= most_plies => {
                wins(&next, side, plies - 1) && (plies < 2 || !wins(&next, side, plies - 2))
            }
            Value::Loss(Some(plies)) if plies <= most_plies => {
                loses(&next, side, plies - 1) && (plies < 2 || !loses(&next, side, plies - 2))
            }
            _ => continue,
        };
        if !holds {
            return Err(Disproved { ply, action: name, stored });
        }
        proved += 1;
    }
    Ok(proved)
}

fn actions<P: Position>(position: &P) -> Vec<P::Action> {
    let mut list = ActionList::new();
    position.actions(&mut list);
    list.iter().copied().collect()
}

/// Whether `side` forces a win within so many plies.
fn wins<P: Position>(position: &P, side: Side, plies: u32) -> bool {
    match position.turn() {
        Turn::Over(outcome) => outcome == Outcome::Win(side),
        Turn::Seat(seat) if plies > 0 => {
            let mut results = actions(position).into_iter().map(|action| after(position, action));
            if position.side(seat) == side {
                results.any(|next| wins(&next, side, plies - 1))
            } else {
                results.all(|next| wins(&next, side, plies - 1))
            }
        }
        _ => false,
    }
}

/// Whether `side` cannot avoid losing within so many plies.
fn loses<P: Position>(position: &P, side: Side, plies: u32) -> bool {
    match position.turn() {
        Turn::Over(outcome) => outcome != Outcome::Draw && outcome != Outcome::Win(side),
        Turn::Seat(seat) if plies > 0 => {
            let mut results = actions(position).into_iter().map(|action| after(position, action));
            if position.side(seat) == side {
                results.all(|next| loses(&next, side, plies - 1))
            } else {
                results.any(|next| loses(&next, side, plies - 1))
            }
        }
        _ => false,
    }
}

fn after<P: Position>(position: &P, action: P::Action) -> P {
    let mut next = position.clone();
    next.play_unchecked(action);
    next
}

impl fmt::Display for Disproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: {} is not {:?}", self.ply, self.action, self.stored)
    }
}

impl std::error::Error for Disproved {}
