//! The value of the whole game.

use rules::quarto::{Call, QuartoOptions, Squares};

use super::packed::{Board, Class};
use super::solver::{Run, Solver, Stopped};
use crate::{Limits, Value};

/// The whole game, solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// What the game is worth to the seat that begins; a win or loss counts the actions at most.
    pub value: Value,
    /// Nodes it took.
    pub nodes: u64,
    /// What the table took of the memory allowed.
    pub table_bytes: usize,
}

/// The limits did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolved {
    /// Nodes looked at.
    pub nodes: u64,
}

impl std::fmt::Display for Unsolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not solved after {} nodes", self.nodes)
    }
}

impl std::error::Error for Unsolved {}

/// Proves the value of the game from its first gift, without the book.
///
/// How rows are called does not matter to the value, for a row that can be called is called. The first piece does not
/// matter either: a symmetry turns any piece into any other. `progress` is called with the share of the work done, from
/// 0 to 1 and never less than before, and the nodes so far. A smaller table makes it slower, never wrong.
///
/// ```
/// use search::{Limits, Value, bots::quarto};
///
/// let limits = Limits::nodes(100).with_memory(1 << 20);
/// assert!(quarto::solve(&Default::default(), &limits, &mut |_, _| {}).is_err(), "not with 100 nodes");
/// ```
pub fn solve(
    options: &QuartoOptions,
    limits: &Limits<'_>,
    progress: &mut dyn FnMut(f64, u64),
) -> Result<Solution, Unsolved> {
    let class = Class::of(options);
    let call_takes = u32::from(options.call != Call::Auto);
    match class.squares {
        Squares::No => prove::<2>(class, call_takes, limits, progress),
        Squares::Yes => prove::<3>(class, call_takes, limits, progress),
    }
}

/// The share of the work that the first of the two proofs takes, as measured.
const FIRST_PROOF: f64 = 0.2;

fn prove<const WORDS: usize>(
    class: Class,
    call_takes: u32,
    limits: &Limits<'_>,
    progress: &mut dyn FnMut(f64, u64),
) -> Result<Solution, Unsolved> {
    let mut solver = Solver::<WORDS>::new(class, limits.memory);
    let mut meter = limits.meter();
    let mut proof = |alpha: i8, beta: i8, from: f64, share: f64| -> Result<i8, Stopped> {
        // Move ordering makes the share done jump back now and then; only increases are reported.
        let mut furthest = from;
        let mut watch = |done: f64, nodes: u64| {
            furthest = furthest.max(from + share * done);
            progress(furthest, nodes);
        };
        solver.score(&Board::EMPTY, 0, alpha, beta, &mut Run::watched(&mut meter, &mut watch))
    };
    // The seat that places first does not lose, then it does not win: two questions are answered sooner than one.
    let score = proof(-1, 0, 0.0, FIRST_PROOF).and_then(|score| match score {
        0.. => proof(0, 1, FIRST_PROOF, 1.0 - FIRST_PROOF),
        lost => Ok(lost),
    });
    let (nodes, table_bytes) = (meter.nodes(), solver.table.bytes());
    let Ok(score) = score else { return Err(Unsolved { nodes }) };
    let value = match i32::from(score) {
        0 => Value::Draw,
        won @ 1.. => Value::loss_in((34 - 4 * won) as u32 + call_takes),
        lost => Value::win_in((36 + 4 * lost) as u32 + call_takes),
    };
    progress(1.0, nodes);
    Ok(Solution { value, nodes, table_bytes })
}
