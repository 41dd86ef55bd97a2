//! How hard a puzzle is, measured by how the eight levels fare.

use game::AnyBot;
use search::{Level, Limits};

use crate::Puzzle;

/// How often each level tries: the gentle ones play differently each time, the strong ones hardly do.
const TRIES: [u64; 8] = [10, 10, 10, 10, 8, 6, 4, 2];

/// Nodes that a level may look at for each action.
const NODES: u64 = 5000;

/// The rating that a solver of level 1 has by definition, and how much more each further level has.
const LOWEST_LEVEL: f64 = 600.0;
const BETWEEN_LEVELS: f64 = 200.0;

/// What is believed of a puzzle before any level has tried it: the mean and the deviation.
const EXPECTED: (f64, f64) = (1200.0, 450.0);

/// The rating that the levels are taken to have as solvers.
pub fn level_rating(level: Level) -> f64 {
    LOWEST_LEVEL + BETWEEN_LEVELS * f64::from(level.number() - 1)
}

/// Measures a puzzle: every level tries it a few times, and the most likely rating follows from who solved it.
///
/// The same puzzle gets the same rating on every machine.
pub fn grade(puzzle: &Puzzle) -> u16 {
    let mut bot = puzzle.game.bot();
    let mut results = Vec::new();
    for (level, tries) in Level::all().zip(TRIES) {
        let solved = (0..tries).filter(|number| solves(puzzle, &mut *bot, level, 1 + number)).count();
        results.push((level_rating(level), tries as f64, solved as f64));
    }
    most_likely(&results).round() as u16
}

/// Whether a bot of this level finds a right action at every ply of the solver, the replies being those of the solution.
fn solves(puzzle: &Puzzle, bot: &mut dyn AnyBot, level: Level, seed: u64) -> bool {
    let Ok(mut position) = puzzle.game.parse_position(&puzzle.start) else { return false };
    let solver = puzzle.solver();
    for step in &puzzle.steps {
        if step.seat == solver {
            let limits = Limits::nodes(NODES).with_seed(seed).with_memory(1 << 20);
            let chosen = bot.choose(&[position.boxed()], level, &limits).map(|found| found.action);
            if !chosen.is_some_and(|action| step.right(puzzle.theme).contains(&action.as_str())) {
                return false;
            }
        }
        if position.play(&step.played).is_err() {
            return false;
        }
    }
    true
}

/// The rating for which the results are as likely as the belief before them allows.
fn most_likely(results: &[(f64, f64, f64)]) -> f64 {
    // The slope of the logarithm of the probability falls as the rating rises.
    let slope = |rating: f64| {
        let surprise: f64 = results
            .iter()
            .map(|(solver, tries, solved)| tries / (1.0 + 10f64.powf((rating - solver) / 400.0)) - solved)
            .sum();
        surprise * std::f64::consts::LN_10 / 400.0 + (EXPECTED.0 - rating) / EXPECTED.1.powi(2)
    };
    let (mut low, mut high) = (0.0, 3500.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_that_only_strong_levels_solve_is_rated_above_one_that_all_solve() {
        let results = |solvers: std::ops::RangeInclusive<u8>| -> f64 {
            let result = |level: Level| {
                let solved = if solvers.contains(&level.number()) { 3.0 } else { 0.0 };
                (level_rating(level), 3.0, solved)
            };
            most_likely(&Level::all().map(result).collect::<Vec<_>>())
        };
        let (easy, middling, hard) = (results(1..=8), results(5..=8), results(9..=9));
        assert!(easy < 500.0 && (1200.0..1500.0).contains(&middling) && hard > 2100.0, "{easy} {middling} {hard}");
    }
}
