//! Finds puzzles and writes them as lines of a set; the same seed finds the same puzzles.
//!
//! Nothing here is used to check them: [`crate::check`] has rules of its own.

mod four;
mod four_turn;
mod quarto;
mod sequence;

use std::collections::{HashMap, HashSet};

use rules::GameId;
use search::Random;

use crate::{HEADER, Theme};

/// A part of the work with random numbers of its own, so that what it finds does not depend on the others.
pub struct Job(Box<dyn FnOnce() -> Vec<Found> + Send>);

/// A puzzle's line, and what all its symmetric forms share.
#[derive(Clone, Debug)]
pub struct Found {
    form: Vec<u8>,
    line: String,
}

impl Job {
    fn new(work: impl FnOnce() -> Vec<Found> + Send + 'static) -> Job {
        Job(Box::new(work))
    }

    /// Finds puzzles; takes seconds to minutes.
    pub fn run(self) -> Vec<Found> {
        (self.0)()
    }
}

/// The work that makes a set of a game's puzzles with this seed, or `None` for a game that has no puzzles or whose
/// puzzles need more than this machine: those of Quixo come from all values of the solved game (docs/puzzles.md).
///
/// Jobs may run in any order and on any number of threads; [`assemble`] takes what they found in the order given here.
pub fn jobs(game: GameId, seed: u64) -> Option<Vec<Job>> {
    match game {
        GameId::Quarto => Some(quarto::jobs(seed)),
        GameId::Four => Some(four::jobs(seed)),
        GameId::Sequence => Some(sequence::jobs(seed)),
        _ => None,
    }
}

/// The set of what the jobs found, without those that are alike up to symmetry.
pub fn assemble(seed: u64, found: Vec<Vec<Found>>) -> String {
    let mut forms = HashSet::new();
    let new = found.into_iter().flatten().filter(|found| forms.insert(found.form.clone()));
    let mut lines: Vec<String> = new.map(|found| found.line).collect();
    let mut random = Random::new(seed);
    for last in (1..lines.len()).rev() {
        lines.swap(last, random.below(last as u32 + 1) as usize);
    }
    std::iter::once(HEADER.to_owned()).chain(lines).map(|line| line + "\n").collect()
}

/// How many puzzles of each kind are still wanted.
#[derive(Debug)]
struct Quota(HashMap<(Theme, u32), usize>);

impl Quota {
    /// So many puzzles of each theme and length.
    fn new(wanted: impl IntoIterator<Item = (Theme, u32, usize)>) -> Quota {
        Quota(wanted.into_iter().map(|(theme, plies, count)| ((theme, plies), count)).collect())
    }

    fn wants(&self, theme: Theme, plies: u32) -> bool {
        self.0.get(&(theme, plies)).is_some_and(|count| *count > 0)
    }

    fn take(&mut self, theme: Theme, plies: u32) {
        if let Some(count) = self.0.get_mut(&(theme, plies)) {
            *count = count.saturating_sub(1);
        }
    }

    fn is_filled(&self) -> bool {
        self.0.values().all(|count| *count == 0)
    }
}

/// One ply as a set has it: the action played, and the value of every action in alphabetical order.
fn ply(played: &str, mut values: Vec<(String, i32)>) -> String {
    values.sort();
    let mut text = format!("{played}:");
    let mut comma = "";
    for run in values.chunk_by(|(_, one), (_, other)| one == other) {
        text += &format!("{comma}{}", run[0].1);
        if run.len() > 1 {
            text += &format!("*{}", run.len());
        }
        comma = ",";
    }
    text
}
