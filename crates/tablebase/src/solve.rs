//! Solving a whole board, layer by layer: from the full board down to the empty one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::class::{Mover, Pair, Table};
use crate::cpu::{Depths, TooDeep, solve_pair};
use crate::file::{BadFile, Folder};
use crate::pace::Pace;
use crate::row::Board;
use crate::statistics::Counts;

/// Why solving broke off.
#[derive(Debug)]
pub enum SolveError {
    /// It was stopped; what was finished is kept if a folder was given.
    Stopped,
    /// There is no graphics card, or no driver for it.
    NoCard,
    /// The card has too little free memory, in bytes.
    CardMemory {
        /// What is needed.
        needed: u64,
        /// What is free.
        free: u64,
    },
    /// The card or its driver failed.
    Card(String),
    /// A game takes more plies than the tables can hold.
    TooDeep,
    /// A file could not be read or written.
    File(BadFile),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Stopped => f.write_str("stopped"),
            SolveError::NoCard => f.write_str("no NVIDIA graphics card with its driver was found"),
            SolveError::CardMemory { needed, free } => write!(
                f,
                "the graphics card has {:.1} GB free and {:.1} GB are needed",
                *free as f64 / 1e9,
                *needed as f64 / 1e9
            ),
            SolveError::Card(reason) => write!(f, "the graphics card failed: {reason}"),
            SolveError::TooDeep => f.write_str("a game takes more plies than a table can hold"),
            SolveError::File(bad) => bad.fmt(f),
        }
    }
}

impl std::error::Error for SolveError {}

impl From<BadFile> for SolveError {
    fn from(bad: BadFile) -> SolveError {
        SolveError::File(bad)
    }
}

/// Something that solves pairs and keeps their tables as long as they are needed.
pub trait Engine {
    /// Solves a pair whose pairs above are solved or loaded.
    fn solve_pair(&mut self, pair: Pair) -> Result<Vec<Counts>, SolveError>;
    /// A solved table; where it is elsewhere, a copy of it.
    fn table(&self, pair: Pair, mover: Mover) -> Result<Cow<'_, Table>, SolveError>;
    /// Takes a table that was solved before.
    fn load(&mut self, pair: Pair, mover: Mover, table: Table) -> Result<(), SolveError>;
    /// Lets go of a pair that is not needed to go on.
    fn forget(&mut self, pair: Pair);
}

/// Solves on the processor.
pub struct Cpu<'a> {
    board: &'a Board,
    depths: Depths,
    threads: usize,
    stop: &'a AtomicBool,
    solved: HashMap<(Pair, Mover), Table>,
}

impl<'a> Cpu<'a> {
    /// With so many threads, until `stop` is set.
    pub fn new(board: &'a Board, depths: Depths, threads: usize, stop: &'a AtomicBool) -> Cpu<'a> {
        Cpu { board, depths, threads: threads.max(1), stop, solved: HashMap::new() }
    }
}

impl Engine for Cpu<'_> {
    fn solve_pair(&mut self, pair: Pair) -> Result<Vec<Counts>, SolveError> {
        let solved = &self.solved;
        let above = |pair, mover| solved.get(&(pair, mover));
        let tables = solve_pair(self.board, pair, self.depths, &above, self.threads, self.stop);
        let tables = tables.ok_or(SolveError::Stopped)?.map_err(|TooDeep| SolveError::TooDeep)?;
        let mut counts = Vec::new();
        for (mover, table) in Mover::BOTH.into_iter().zip(tables) {
            if pair.movers().contains(&mover) {
                counts.push(Counts::of(self.board, pair, mover, &table));
                self.solved.insert((pair, mover), table);
            }
        }
        Ok(counts)
    }

    fn table(&self, pair: Pair, mover: Mover) -> Result<Cow<'_, Table>, SolveError> {
        Ok(self.solved.get(&(pair, mover)).map_or_else(Cow::default, Cow::Borrowed))
    }

    fn load(&mut self, pair: Pair, mover: Mover, table: Table) -> Result<(), SolveError> {
        self.solved.insert((pair, mover), table);
        Ok(())
    }

    fn forget(&mut self, pair: Pair) {
        self.solved.retain(|&(other, _), _| other != pair);
    }
}

/// How far solving is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The pair that was finished last.
    pub pair: Pair,
    /// Positions solved, symmetric forms counted one by one, and all of them.
    pub done: u64,
    /// All positions.
    pub all: u64,
    /// How long the rest takes, judged by what was solved; `None` at first.
    pub left: Option<Duration>,
}

/// Solves the board down to the layer with `least` cubes and returns the counts of every class.
///
/// With a folder every finished pair is written, and pairs that are there already are not solved again. `watch` is called
/// for every finished pair while its tables are in memory, and may stop the solver with an error.
pub fn solve(
    board: &Board,
    engine: &mut dyn Engine,
    least: u32,
    folder: Option<&Folder>,
    watch: &mut dyn FnMut(Progress, &dyn Engine) -> Result<(), SolveError>,
) -> Result<Vec<Counts>, SolveError> {
    let mut all_counts = Vec::new();
    let tables = |total| Pair::of_layer(total).map(|pair| pair.movers().len() as u64 * pair.positions(board.cells()));
    let all = (least..=board.cells()).flat_map(tables).sum();
    let pairs: Vec<Pair> = (least..=board.cells()).rev().flat_map(Pair::of_layer).collect();
    let (mut done, mut number) = (0, 0);
    let mut pace = Pace::default();
    for total in (least..=board.cells()).rev() {
        for pair in Pair::of_layer(total) {
            let mut counts = Vec::new();
            let kept = match folder {
                Some(folder) => folder.read_pair(board, pair)?,
                None => None,
            };
            match kept {
                Some(tables) => {
                    for (&mover, table) in pair.movers().iter().zip(tables) {
                        counts.push(Counts::of(board, pair, mover, &table));
                        engine.load(pair, mover, table)?;
                    }
                }
                None => {
                    let began = Instant::now();
                    counts = engine.solve_pair(pair)?;
                    if let Some(folder) = folder {
                        let tables: Result<Vec<Cow<'_, Table>>, SolveError> =
                            pair.movers().iter().map(|&mover| engine.table(pair, mover)).collect();
                        folder.write_pair(pair, &tables?)?;
                    }
                    pace.note(board, pair, began.elapsed().as_secs_f64());
                }
            }
            done += pair.movers().len() as u64 * pair.positions(board.cells());
            all_counts.extend(counts);
            number += 1;
            let left = pace.seconds_for(board, pairs[number..].iter().copied());
            let left = left.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            watch(Progress { pair, done, all, left }, engine)?;
        }
        for pair in Pair::of_layer(total + 1) {
            engine.forget(pair);
        }
    }
    Ok(all_counts)
}
