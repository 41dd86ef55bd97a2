//! The solver held against plain search on the rules: no packed state, no table, no ordering.

use rules::quarto::{Action, Quarto, QuartoOptions};
use rules::{ActionList, Outcome, Position, Turn};

use super::QuartoBot;
use crate::{Bot, Limits, Random, Situation, Value};

/// The value of a position for the seat to act, by trying everything.
///
/// Takes seconds with six empty squares and ages with seven.
pub fn brute_force(position: &Quarto) -> Value {
    let Turn::Seat(seat) = position.turn() else { return Value::Draw };
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let mut best = Value::loss_in(0);
    for &action in actions.iter() {
        let mut next = *position;
        next.play_unchecked(action);
        let value = match next.turn() {
            Turn::Over(Outcome::Win(side)) if side == position.side(seat) => Value::win_in(1),
            Turn::Over(Outcome::Win(_)) => Value::loss_in(1),
            Turn::Over(Outcome::Draw) => Value::Draw,
            Turn::Seat(other) if other == seat => brute_force(&next).add_plies(1),
            Turn::Seat(_) => -brute_force(&next).add_plies(1),
            Turn::Chance => Value::Draw,
        };
        best = best.max(value);
        if best == Value::win_in(1) {
            break;
        }
    }
    best
}

/// What a cross-check has covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrossCheck {
    /// Positions compared.
    pub positions: u64,
    /// Actions whose values were compared.
    pub actions: u64,
    /// How many of the positions are won, drawn and lost for the seat to act.
    pub won_drawn_lost: [u64; 3],
}

/// A position on which the solver and brute force do not agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The options and the position, as text.
    pub position: String,
    /// The action in question.
    pub action: Action,
    /// What analysis says.
    pub analysed: Value,
    /// What is true.
    pub brute: Value,
}

/// Compares analysis with brute force on random positions of every option, standing and lapsed rows included.
///
/// Positions have at most `most_empty` empty squares; five take a millisecond or so each, six a second.
pub fn cross_check(positions: u64, most_empty: u32, limits: &Limits<'_>) -> Result<CrossCheck, Box<Disagreement>> {
    let mut random = Random::new(limits.seed);
    let options: Vec<QuartoOptions> = QuartoOptions::all().collect();
    let mut bots: Vec<QuartoBot> = options.iter().map(|_| QuartoBot::default()).collect();
    let mut report = CrossCheck::default();
    while report.positions < positions {
        let number = report.positions as usize % options.len();
        let Some(position) = random_position(&options[number], most_empty, &mut random) else { continue };
        let result = bots[number].analyse(&Situation { view: &position, earlier: &[] }, limits);
        let mut best = Value::loss_in(0);
        for scored in &result.scored {
            let brute = brute_action(&position, scored.action);
            if scored.value != brute {
                let position = format!("{} {position}", options[number]);
                let (action, analysed) = (scored.action, scored.value);
                return Err(Box::new(Disagreement { position, action, analysed, brute }));
            }
            best = best.max(brute);
            report.actions += 1;
        }
        if best != result.value {
            let position = format!("{} {position}", options[number]);
            let (action, analysed) = (result.action, result.value);
            return Err(Box::new(Disagreement { position, action, analysed, brute: best }));
        }
        report.positions += 1;
        let index = [1.0, 0.5, 0.0].iter().position(|&score| best.score() == score).unwrap_or(1);
        report.won_drawn_lost[index] += 1;
    }
    Ok(report)
}

fn brute_action(position: &Quarto, action: Action) -> Value {
    let Turn::Seat(seat) = position.turn() else { return Value::Draw };
    let mut next = *position;
    next.play_unchecked(action);
    match next.turn() {
        Turn::Over(Outcome::Win(side)) if side == position.side(seat) => Value::win_in(1),
        Turn::Over(Outcome::Win(_)) => Value::loss_in(1),
        Turn::Seat(other) if other == seat => brute_force(&next).add_plies(1),
        Turn::Seat(_) => -brute_force(&next).add_plies(1),
        _ => Value::Draw,
    }
}

/// A position with few empty squares, reached by play that mostly avoids ending the game.
fn random_position(options: &QuartoOptions, most_empty: u32, random: &mut Random) -> Option<Quarto> {
    let empty = random.below(most_empty + 1);
    let mut position = Quarto::start(options);
    let mut actions = ActionList::new();
    // Half of them with the piece still to be given.
    let giving = random.below(2) == 0;
    loop {
        let Turn::Seat(_) = position.turn() else { return None };
        if position.empty().count_ones() == empty && position.hand().is_none() == (giving || empty == 0) {
            return Some(position);
        }
        position.actions(&mut actions);
        // Eight tries for an action that neither calls nor ends the game; then another game is begun.
        position = (0..8).find_map(|_| {
            let action = actions[random.below(actions.len() as u32) as usize];
            let mut next = position;
            next.play_unchecked(action);
            (action != Action::Call && matches!(next.turn(), Turn::Seat(_))).then_some(next)
        })?;
        if position.empty().count_ones() < empty {
            return None;
        }
    }
}
