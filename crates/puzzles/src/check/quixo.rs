//! Quixo: the sets come from a solver of their own, so the crate `rules` is the second opinion here.

use rules::Position;
use rules::quixo::Quixo;

use super::{Checked, Fault, Line};
use crate::{Puzzle, prove};

/// Wins and losses of at most so many plies are proved by search; longer ones are in the tables (docs/puzzles.md).
const PLIES: u32 = 3;

pub(super) fn check(line: &Line<'_>, text: &str) -> Result<Checked, Fault> {
    let puzzle = Puzzle::read(text).map_err(|bad| Fault(bad.to_string()))?;
    let start = Quixo::parse(&Default::default(), &puzzle.start).map_err(|bad| Fault(bad.to_string()))?;
    let values = prove(&puzzle, &start, PLIES).map_err(|wrong| Fault(wrong.to_string()))?;
    Ok(Checked { form: form(line)?, values })
}

/// The least of the eight forms of the board, with the seat to act.
fn form(line: &Line<'_>) -> Result<String, Fault> {
    let ranks: Vec<&[u8]> = line.field(0)?.split('/').map(str::as_bytes).collect();
    let turned = |symmetry: usize| -> Vec<u8> {
        let cell = |index: usize| {
            let (x, y) = if symmetry & 1 == 0 { (index % 5, index / 5) } else { (index / 5, index % 5) };
            let (x, y) = (if symmetry & 2 == 0 { x } else { 4 - x }, if symmetry & 4 == 0 { y } else { 4 - y });
            ranks.get(y).and_then(|rank| rank.get(x)).copied().unwrap_or(b'.')
        };
        (0..25).map(cell).collect()
    };
    let least = (0..8).map(turned).min().unwrap_or_default();
    Ok(format!("quixo {} {}", line.field(1)?, String::from_utf8_lossy(&least)))
}
