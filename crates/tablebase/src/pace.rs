//! How long solving will still take, from what it took so far.
//!
//! A pair costs something for each of its rows and something for each position in them. Full boards have rows of one
//! position, later ones rows of hundreds of thousands, so a mean over positions would be wrong by far; both costs are
//! fitted to what was measured. How many passes a pair takes cannot be known before, so the fit is corrected by how the
//! latest pairs compared with it, and gets better with every layer.

use crate::class::Pair;
use crate::row::Board;

/// Pairs to solve before an estimate is given.
const FEWEST: usize = 12;
/// Positions in the longest row before that: full boards have one in each, which tells rows and positions
/// not apart.
const LONG_ROW: f64 = 50.0;
/// Pairs that say how the fit is off now.
const LATEST: usize = 6;

/// What was measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    samples: Vec<([f64; 2], f64)>,
}

impl Pace {
    /// Takes note of how many seconds a pair took.
    pub(crate) fn note(&mut self, board: &Board, pair: Pair, seconds: f64) {
        self.samples.push((size(board, pair), seconds.max(1e-6)));
    }

    /// The seconds that these pairs will take; `None` before enough is known.
    pub(crate) fn seconds_for(&self, board: &Board, pairs: impl Iterator<Item = Pair>) -> Option<f64> {
        let longest = self.samples.iter().map(|(size, _)| size[1] / size[0].max(1.0)).fold(0.0, f64::max);
        if self.samples.len() < FEWEST || longest < LONG_ROW {
            return None;
        }
        let cost = self.fitted();
        let expected = |size: [f64; 2]| cost[0] * size[0] + cost[1] * size[1];
        let latest = &self.samples[self.samples.len() - LATEST..];
        let off: f64 = latest.iter().map(|sample| sample.1).sum::<f64>()
            / latest.iter().map(|sample| expected(sample.0)).sum::<f64>().max(1e-9);
        Some(off * pairs.map(|pair| expected(size(board, pair))).sum::<f64>())
    }

    /// Seconds for a row and for a position, least in the squares of relative errors.
    fn fitted(&self) -> [f64; 2] {
        let sum = |term: &dyn Fn([f64; 2]) -> f64| {
            self.samples.iter().map(|(size, seconds)| term([size[0] / seconds, size[1] / seconds])).sum::<f64>()
        };
        let (rr, rp, pp) = (sum(&|[r, _]| r * r), sum(&|[r, p]| r * p), sum(&|[_, p]| p * p));
        let (r, p) = (sum(&|[r, _]| r), sum(&|[_, p]| p));
        let determinant = rr * pp - rp * rp;
        let [row, position] = [(r * pp - p * rp) / determinant, (p * rr - r * rp) / determinant];
        if determinant > 0.0 && row >= 0.0 && position >= 0.0 {
            return [row, position];
        }
        // One of them alone explains what was measured.
        if row < 0.0 { [0.0, p / pp] } else { [r / rr, 0.0] }
    }
}

/// Rows and positions of a pair's tables, as they are kept.
fn size(board: &Board, pair: Pair) -> [f64; 2] {
    let rows = (board.rows(pair) * pair.movers().len()) as f64;
    [rows, rows * pair.row_states(board.cells()) as f64]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    #[test]
    fn the_upper_layers_tell_how_long_the_rest_takes() {
        let board = Board::new(Size::Four);
        let took = |pair: Pair| {
            let [rows, positions] = size(&board, pair);
            // Pairs with many draws take more passes; nothing tells beforehand.
            let passes = 1.0 + 0.3 * f64::from(pair.few % 3);
            passes * (3e-6 * rows + 1e-7 * positions)
        };
        let all: Vec<Pair> = (0..=16).rev().flat_map(Pair::of_layer).collect();
        let whole: f64 = all.iter().map(|&pair| took(pair)).sum();
        let mut pace = Pace::default();
        for (number, &pair) in all.iter().enumerate() {
            let left = pace.seconds_for(&board, all[number..].iter().copied());
            // Full boards and those with one blank say nothing.
            assert_eq!(left.is_some(), pair.few + pair.many < 15 && pair != Pair { few: 0, many: 14 }, "{pair:?}");
            if let Some(left) = left.filter(|_| pair.few + pair.many < 12) {
                let truth: f64 = all[number..].iter().map(|&pair| took(pair)).sum();
                assert!((left - truth).abs() < 0.4 * truth, "{pair:?}: {left} for {truth} of {whole}");
            }
            pace.note(&board, pair, took(pair));
        }
    }
}
