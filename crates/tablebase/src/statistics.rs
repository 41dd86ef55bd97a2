//! How many positions are won, drawn and lost, and in how many plies.

use std::fmt::Write;

use crate::class::{Mover, Pair, Table};
use crate::row::Board;

/// Counts for the positions of one class, symmetric forms counted one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Cubes of the side to move.
    pub own: u32,
    /// Cubes of the other side.
    pub other: u32,
    /// Won for the side to move.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost for the side to move.
    pub lost: u64,
    /// How many are won in 0, 1, 2 … plies; all zero without depths.
    pub won_in: Vec<u64>,
    /// How many are lost in 0, 1, 2 … plies; all zero without depths.
    pub lost_in: Vec<u64>,
}

impl Counts {
    /// No positions counted yet.
    pub(crate) fn new(pair: Pair, mover: Mover) -> Counts {
        let (own, other) = match mover {
            Mover::Few => (pair.few, pair.many),
            Mover::Many => (pair.many, pair.few),
        };
        Counts { own, other, won: 0, drawn: 0, lost: 0, won_in: vec![0; 256], lost_in: vec![0; 256] }
    }

    /// Counts a table on the processor.
    pub(crate) fn of(board: &Board, pair: Pair, mover: Mover, table: &Table) -> Counts {
        let mut counts = Counts::new(pair, mover);
        let (words, states) = (pair.row_words(board.cells()), pair.row_states(board.cells()));
        for (row, &orbit) in board.keys.orbits(pair.few).iter().enumerate() {
            let orbit = u64::from(orbit);
            let row_words = &table.words[row * words..(row + 1) * words];
            let won: u32 = row_words.iter().map(|&word| (word as u32).count_ones()).sum();
            let lost: u32 = row_words.iter().map(|&word| ((word >> 32) as u32).count_ones()).sum();
            counts.won += orbit * u64::from(won);
            counts.lost += orbit * u64::from(lost);
            counts.drawn += orbit * (states as u64 - u64::from(won) - u64::from(lost));
            for (place, &plies) in table.depths.iter().skip(row * words * 32).take(states).enumerate() {
                let word = row_words[place / 32] >> (place % 32);
                counts.won_in[usize::from(plies)] += orbit * (word & 1);
                counts.lost_in[usize::from(plies)] += orbit * (word >> 32 & 1);
            }
        }
        counts
    }

    /// All positions of the class.
    pub fn all(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The names of the columns, then a line for each class: cubes of the side to move and of the other, the counts; then
    /// those won and lost by plies.
    pub fn csv(counts: &[Counts]) -> String {
        let mut text = "own,other,won,lost,drawn,plies,won_in,lost_in\n".to_owned();
        for class in counts {
            let Counts { own, other, won, lost, drawn, .. } = class;
            let _ = writeln!(text, "{own},{other},{won},{lost},{drawn},,,");
            for (plies, (won, lost)) in class.won_in.iter().zip(&class.lost_in).enumerate() {
                if won + lost > 0 {
                    let _ = writeln!(text, "{own},{other},,,,{plies},{won},{lost}");
                }
            }
        }
        text
    }
}
