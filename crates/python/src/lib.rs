//! Fourfold for Python: the extension module `fourfold._core`.
//!
//! Python's classes stand in `python/fourfold`; here is what they rest on. Nothing that a caller hands in may panic:
//! whatever is wrong with it becomes an exception with a sentence.

mod bits;
mod bot;
mod drawing;
mod encoding;
mod erased;
mod errors;
mod game;
mod matches;
mod position;
mod puzzles;
mod small_quixo;
mod tables;
mod value;
mod vector;

use pyo3::prelude::*;

/// The compiled part of `fourfold`; use that package instead.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("IllegalAction", py.get_type::<errors::IllegalAction>())?;
    module.add("Unsolved", py.get_type::<errors::Unsolved>())?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<position::View>()?;
    module.add_class::<matches::Match>()?;
    module.add_class::<matches::Record>()?;
    module.add_class::<value::Value>()?;
    module.add_class::<bot::SearchResult>()?;
    module.add_class::<bot::Bot>()?;
    module.add_class::<tables::Tables>()?;
    module.add_class::<small_quixo::SmallQuixo>()?;
    module.add_class::<vector::VectorCore>()?;
    module.add_class::<puzzles::Puzzle>()?;
    module.add_function(wrap_pyfunction!(puzzles::puzzles, module)?)?;
    Ok(())
}
