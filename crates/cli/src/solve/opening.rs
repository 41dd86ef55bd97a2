//! `fourfold solve quixo --opening FILE`: what is known of classes of few cubes, small enough to be compiled in.

use std::collections::HashMap;
use std::path::Path;

use locale::Language;
use search::Value;
use search::bots::quixo::opening::Writer;
use tablebase::{BadFile, Board, Engine, Flaw, Mover, Pair, Progress, SolveError, Table};

/// Classes with more cubes are not asked about: no exact knowledge of them is small.
const MOST_CUBES: u32 = 9;

/// The tables of classes with few cubes, kept while the others come and go.
#[derive(Default)]
pub(super) struct Kept(HashMap<(Pair, Mover), Table>);

impl Kept {
    /// Takes the tables of a pair that was finished.
    pub(super) fn take(&mut self, progress: Progress, engine: &dyn Engine) -> Result<(), SolveError> {
        let pair = progress.pair;
        if pair.few + pair.many <= MOST_CUBES {
            for &mover in pair.movers() {
                self.0.insert((pair, mover), engine.table(pair, mover)?.into_owned());
            }
        }
        Ok(())
    }

    fn value(&self, board: &Board, own: u32, other: u32) -> Value {
        let (pair, mover, first, rank) = board.place(own, other);
        self.0.get(&(pair, mover)).map_or(Value::Draw, |table| table.value(first, rank))
    }

    /// Writes as many classes as fit into so many bytes, those with few cubes and equal sides first.
    pub(super) fn write(&self, board: &Board, path: &Path, bytes: usize, language: Language) -> Result<(), SolveError> {
        let mut writer = Writer::default();
        let mut left = bytes;
        for (own, other) in classes() {
            match writer.add(own, other, left, |own, other| self.value(board, own, other)) {
                Ok(written) => {
                    left -= written.bytes.min(left);
                    println!("{}", language.solved_opening(own, other, written.exceptions, written.bytes));
                }
                Err(_) => println!("{}", language.solved_opening_left_out(own, other)),
            }
        }
        let failed = |error| BadFile { path: path.to_owned(), flaw: Flaw::Unreadable(error) };
        Ok(std::fs::write(path, writer.finish()).map_err(failed)?)
    }
}

/// Own cubes and other cubes: by number, and where that is equal those first that a game is most likely to come to.
fn classes() -> Vec<(u32, u32)> {
    let mut classes: Vec<(u32, u32)> =
        (0..=MOST_CUBES).flat_map(|total| (0..=total).map(move |own| (own, total - own))).collect();
    classes.sort_by_key(|&(own, other)| (own + other, own.abs_diff(other), own));
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_comes_once_and_balanced_ones_first() {
        let classes = classes();
        assert_eq!(classes.len(), 55);
        assert_eq!(classes[..6], [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)]);
    }
}
