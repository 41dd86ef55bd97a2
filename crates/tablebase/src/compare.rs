//! Solving the same pairs in two ways, and comparing every bit.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::class::Pair;
use crate::row::Board;
use crate::solve::{Engine, SolveError};

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Pairs solved by both.
    pub pairs: u64,
    /// Their positions, symmetric forms counted one by one.
    pub positions: u64,
    /// Pairs that were left out because they or one they lead to have too many positions.
    pub left_out: u64,
    /// Pairs in which some bit differs.
    pub different: Vec<Pair>,
    /// How long each took to solve them.
    pub took: [Duration; 2],
}

/// Solves on both engines, down to `least` cubes, every pair with at most `each` positions that leads only to such.
pub fn compare(
    board: &Board,
    engines: [&mut dyn Engine; 2],
    least: u32,
    each: u64,
    watch: &mut dyn FnMut(Pair, &Compared) -> Result<(), SolveError>,
) -> Result<Compared, SolveError> {
    let mut result = Compared::default();
    let mut solved: HashSet<Pair> = HashSet::new();
    let [one, other] = engines;
    for total in (least..=board.cells()).rev() {
        for pair in Pair::of_layer(total) {
            let positions = pair.movers().len() as u64 * pair.positions(board.cells());
            let leads_to = pair.movers().iter().filter_map(|&mover| pair.after_blank(mover));
            let is_ready = total == board.cells() || leads_to.into_iter().all(|(next, _)| solved.contains(&next));
            if !is_ready || positions > each {
                result.left_out += 1;
                continue;
            }
            for (engine, took) in [&mut *one, &mut *other].into_iter().zip(&mut result.took) {
                let began = Instant::now();
                engine.solve_pair(pair)?;
                *took += began.elapsed();
            }
            for &mover in pair.movers() {
                if one.table(pair, mover)? != other.table(pair, mover)? && !result.different.contains(&pair) {
                    result.different.push(pair);
                }
            }
            solved.insert(pair);
            result.pairs += 1;
            result.positions += positions;
            watch(pair, &result)?;
        }
        for pair in Pair::of_layer(total + 1) {
            one.forget(pair);
            other.forget(pair);
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::class::{Mover, Table};
    use crate::cpu::Depths;
    use crate::geometry::Size;
    use crate::solve::Cpu;
    use crate::statistics::Counts;

    /// Gets one bit wrong.
    struct Liar<'a>(Cpu<'a>);

    impl Engine for Liar<'_> {
        fn solve_pair(&mut self, pair: Pair) -> Result<Vec<Counts>, SolveError> {
            self.0.solve_pair(pair)
        }

        fn table(&self, pair: Pair, mover: Mover) -> Result<Cow<'_, Table>, SolveError> {
            let mut table = self.0.table(pair, mover)?;
            if pair == (Pair { few: 2, many: 3 }) && mover == Mover::Few {
                table.to_mut().words[1] ^= 1 << 40;
            }
            Ok(table)
        }

        fn load(&mut self, pair: Pair, mover: Mover, table: Table) -> Result<(), SolveError> {
            self.0.load(pair, mover, table)
        }

        fn forget(&mut self, pair: Pair) {
            self.0.forget(pair);
        }
    }

    #[test]
    fn equal_engines_are_equal_and_one_wrong_bit_is_found() {
        let board = Board::new(Size::Three);
        let stop = AtomicBool::new(false);
        let cpu = |threads| Cpu::new(&board, Depths::Yes, threads, &stop);
        let run = |one: &mut dyn Engine, other: &mut dyn Engine, each| {
            compare(&board, [one, other], 0, each, &mut |_, _| Ok(())).unwrap()
        };
        let equal = run(&mut cpu(1), &mut cpu(2), u64::MAX);
        assert_eq!((equal.positions, equal.left_out, equal.different), (19_683, 0, Vec::new()));
        let found = run(&mut cpu(1), &mut Liar(cpu(2)), u64::MAX);
        assert_eq!(found.different, [Pair { few: 2, many: 3 }]);
        // What leads to a pair that is left out is left out too.
        let part = run(&mut cpu(1), &mut cpu(1), 300);
        assert!(part.pairs > 5 && part.left_out > 5 && part.different.is_empty(), "{part:?}");
    }
}
