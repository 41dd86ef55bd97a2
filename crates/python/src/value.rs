//! What a position or an action is worth.

use pyo3::basic::CompareOp;
use pyo3::prelude::*;

/// What a position or an action is worth to the seat that acts: proved, or estimated.
///
/// Values are ordered: a sooner win is better than a later one, a later loss better than a sooner one.
#[pyclass(frozen, module = "fourfold", from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct Value(pub(crate) search::Value);

#[pymethods]
impl Value {
    /// `"win"`, `"draw"`, `"loss"`, or `"estimate"` if nothing is proved.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            search::Value::Win(_) => "win",
            search::Value::Draw => "draw",
            search::Value::Loss(_) => "loss",
            search::Value::Estimate(_) => "estimate",
        }
    }

    /// In how many actions of all seats the game ends with best play, if that is proved.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.0.plies()
    }

    /// The expected score from 0 (lost) to 1 (won).
    #[getter]
    fn score(&self) -> f32 {
        self.0.score()
    }

    /// Whether the value is proved.
    #[getter]
    fn exact(&self) -> bool {
        self.0.is_exact()
    }

    fn __neg__(&self) -> Value {
        Value(-self.0)
    }

    fn __richcmp__(&self, other: &Value, op: CompareOp) -> bool {
        op.matches(self.0.cmp(&other.0))
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.0.score().to_bits()) << 32 | u64::from(self.0.plies().unwrap_or(0))
    }

    pub(crate) fn __repr__(&self) -> String {
        match (self.0, self.0.plies()) {
            (search::Value::Estimate(_), _) => format!("Value(estimate, score={:.3})", self.0.score()),
            (_, Some(plies)) => format!("Value({} in {plies})", self.kind()),
            (_, None) => format!("Value({})", self.kind()),
        }
    }
}
