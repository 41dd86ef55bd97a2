//! Which exception says what.

use std::fmt::Display;

use game::{MatchError, Refused};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};
use tablebase::{BadFile, Flaw};

create_exception!(fourfold, IllegalAction, PyValueError, "The rules do not allow the action now.");
create_exception!(fourfold, Unsolved, PyRuntimeError, "The value could not be proved within the limits.");

/// A text or number that cannot be used.
pub(crate) fn bad_value(problem: impl Display) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// An action that cannot be played: unreadable is a plain `ValueError`, illegal an [`IllegalAction`].
pub(crate) fn refused(refused: &Refused) -> PyErr {
    match refused {
        Refused::Unreadable(_) => bad_value(refused),
        Refused::Illegal { .. } => IllegalAction::new_err(refused.to_string()),
    }
}

/// What a match does not do.
pub(crate) fn match_error(error: &MatchError) -> PyErr {
    match error {
        MatchError::Refused(why) => refused(why),
        other => IllegalAction::new_err(other.to_string()),
    }
}

/// Tables that cannot be used: `OSError` if the file cannot be read, `ValueError` if it holds something else.
pub(crate) fn bad_tables(bad: &BadFile) -> PyErr {
    match bad.flaw {
        Flaw::Unreadable(_) | Flaw::Empty => PyOSError::new_err(bad.to_string()),
        Flaw::Foreign | Flaw::Misplaced | Flaw::Damaged => bad_value(bad),
    }
}
