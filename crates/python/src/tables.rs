//! Solved tables of Quixo.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use tablebase::{BadFile, Board, Cpu, Depths, Folder, Size, SolveError, Tablebase};

use crate::errors::{Unsolved, bad_tables, bad_value};

/// Solved tables of two-player Quixo in a folder, as `fourfold solve quixo --out DIR` and `Tables.solve` write them.
///
/// A folder may hold any part of the game; positions of other parts are not known.
#[pyclass(frozen, module = "fourfold", from_py_object)]
#[derive(Clone)]
pub(crate) struct Tables(Arc<OnDisk>);

struct OnDisk {
    tables: Tablebase,
    /// Set once a part turned out to be damaged; then the bots search instead.
    damaged: AtomicBool,
}

impl search::solved::Tables for OnDisk {
    fn look_up(&self, own: u32, other: u32) -> Option<search::Value> {
        self.tables.value(own, other).unwrap_or_else(|_| {
            self.damaged.store(true, Ordering::Relaxed);
            None
        })
    }
}

/// Cubes on the board.
const CUBES: u32 = 25;
/// Fewer cubes would take a processor hours and most memories would not hold it.
const FEWEST_CUBES: u32 = 21;

impl Tables {
    /// The tables as the bots ask them.
    pub(crate) fn knowledge(self) -> Arc<dyn search::solved::Tables> {
        self.0
    }
}

#[pymethods]
impl Tables {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Tables> {
        py.detach(|| open(&folder)).map_err(|bad| bad_tables(&bad))
    }

    /// Solves every position with at least `cubes` marked cubes on the processor and keeps the tables in a folder, which
    /// is made if need be; what it holds already is not solved again. docs/python.md says what this takes.
    #[staticmethod]
    #[pyo3(signature = (folder, *, cubes=24, threads=1))]
    fn solve(py: Python<'_>, folder: PathBuf, cubes: u32, threads: usize) -> PyResult<Tables> {
        if !(FEWEST_CUBES..=CUBES).contains(&cubes) {
            return Err(bad_value(format_args!("cubes must be from {FEWEST_CUBES} to {CUBES}")));
        }
        if !(1..=1024).contains(&threads) {
            return Err(bad_value("threads must be from 1 to 1024"));
        }
        let mut raised = None;
        let solved = py.detach(|| -> Result<Tables, SolveError> {
            solve(&folder, cubes, threads, &mut || {
                let signals = Python::attach(|py| py.check_signals());
                signals.map_err(|error| {
                    raised = Some(error);
                    SolveError::Stopped
                })
            })?;
            Ok(open(&folder)?)
        });
        solved.map_err(|error| match (raised, error) {
            (Some(raised), _) => raised,
            (None, SolveError::File(bad)) => bad_tables(&bad),
            (None, other) => Unsolved::new_err(other.to_string()),
        })
    }

    /// Whether a part of the folder was found to be damaged since it was opened.
    #[getter]
    fn damaged(&self) -> bool {
        self.0.damaged.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        format!("Tables(damaged={})", if self.damaged() { "True" } else { "False" })
    }
}

fn open(folder: &Path) -> Result<Tables, BadFile> {
    let tables = Tablebase::open(folder, Size::Five)?;
    tables.check()?;
    // Making the board takes a while, which the first question should not wait for.
    tables.board();
    Ok(Tables(Arc::new(OnDisk { tables, damaged: AtomicBool::new(false) })))
}

fn solve(
    folder: &Path,
    cubes: u32,
    threads: usize,
    go_on: &mut dyn FnMut() -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let folder = Folder::open(folder, Size::Five, Depths::No)?;
    let (board, stop) = (Board::new(Size::Five), AtomicBool::new(false));
    let mut engine = Cpu::new(&board, Depths::No, threads, &stop);
    tablebase::solve(&board, &mut engine, cubes, Some(&folder), &mut |_, _| go_on()).map(drop)
}
