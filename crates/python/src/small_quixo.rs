//! Quixo on boards of three and four cubes a side, solved when they are made.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use tablebase::{Board, Cpu, Depths, Mover, Pair, Size, SolveError, Table, solve};

use crate::errors::{IllegalAction, Unsolved, bad_value};
use crate::value::Value;

/// Quixo for two on a board of 3 or 4 cubes a side, with the exact value of every position.
///
/// A position is a pair of sets, the cubes of the side to move and those of the other side: bit `size * row + column`.
/// A push is a number; the position after it is seen by the side that moves next.
///
/// >>> import fourfold
/// >>> board = fourfold.SmallQuixo(3)
/// >>> own, other = board.start
/// >>> board.value(own, other).kind
/// 'win'
/// >>> board.text(*board.after(own, other, 0))
/// '.../.../..o'
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct SmallQuixo {
    board: Board,
    tables: HashMap<(Pair, Mover), Table>,
}

#[pymethods]
impl SmallQuixo {
    #[new]
    fn new(py: Python<'_>, size: u8) -> PyResult<SmallQuixo> {
        let size = Size::new(size).filter(|&size| size != Size::Five);
        let size = size.ok_or_else(|| bad_value("size must be 3 or 4"))?;
        py.detach(|| solved(size)).map_err(|failure| Unsolved::new_err(failure.to_string()))
    }

    /// Cubes a side.
    #[getter]
    fn size(&self) -> u8 {
        self.board.geometry.size.side()
    }

    /// How many pushes have a number.
    #[getter]
    fn num_actions(&self) -> usize {
        self.board.geometry.legal(0).count()
    }

    /// The empty board.
    #[getter]
    fn start(&self) -> (u32, u32) {
        (0, 0)
    }

    /// The numbers of the legal pushes; none once a line stands.
    fn legal(&self, own: u32, other: u32) -> PyResult<Vec<usize>> {
        let over = self.result(own, other)?.is_some();
        Ok(if over { Vec::new() } else { self.board.geometry.legal(other).collect() })
    }

    /// The position after a push, seen by the side that moves next.
    fn after(&self, own: u32, other: u32, push: usize) -> PyResult<(u32, u32)> {
        if !self.legal(own, other)?.contains(&push) {
            return Err(IllegalAction::new_err(format!("push {push} is not legal here")));
        }
        Ok(self.board.geometry.after(own, other, push))
    }

    /// 1 if the side to move has won, -1 if it has lost, `None` while no line stands.
    fn result(&self, own: u32, other: u32) -> PyResult<Option<i8>> {
        self.check(own, other)?;
        // A line of the side that moves next counts first, for its opponent made it (QX5).
        let geometry = &self.board.geometry;
        Ok(if geometry.has_line(own) { Some(1) } else { geometry.has_line(other).then_some(-1) })
    }

    /// The exact value of a position for the side to move.
    fn value(&self, own: u32, other: u32) -> PyResult<Value> {
        Ok(Value(match self.result(own, other)? {
            Some(1) => search::Value::win_in(0),
            Some(_) => search::Value::loss_in(0),
            None => {
                let (pair, mover, first, rank) = self.board.place(own, other);
                self.tables.get(&(pair, mover)).map_or(search::Value::Draw, |table| table.value(first, rank))
            }
        }))
    }

    /// The rows from the top: `x` for the side to move, `o` for the other, `.` for a blank cube.
    fn text(&self, own: u32, other: u32) -> PyResult<String> {
        self.check(own, other)?;
        let side = u32::from(self.size());
        let cell = |cell: u32| match (own >> cell & 1, other >> cell & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        };
        let row = |row: u32| (0..side).map(|column| cell(side * row + column)).collect::<String>();
        Ok((0..side).rev().map(row).collect::<Vec<_>>().join("/"))
    }

    fn __repr__(&self) -> String {
        format!("SmallQuixo({})", self.size())
    }
}

impl SmallQuixo {
    fn check(&self, own: u32, other: u32) -> PyResult<()> {
        if own & other == 0 && (own | other) >> self.board.cells() == 0 {
            return Ok(());
        }
        Err(bad_value("the two sets must not share a cube, and must lie on the board"))
    }
}

fn solved(size: Size) -> Result<SmallQuixo, SolveError> {
    let (board, stop) = (Board::new(size), AtomicBool::new(false));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tables = HashMap::new();
    let mut engine = Cpu::new(&board, Depths::Yes, threads, &stop);
    solve(&board, &mut engine, 0, None, &mut |progress, engine| {
        for &mover in progress.pair.movers() {
            tables.insert((progress.pair, mover), engine.table(progress.pair, mover)?.into_owned());
        }
        Ok(())
    })?;
    drop(engine);
    Ok(SmallQuixo { board, tables })
}
