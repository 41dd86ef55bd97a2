//! A caller's arrays, written in place while the interpreter is released.
//!
//! Unsafe because copying observations and masks into Python's memory afterwards would add 7 to 49 % to a step
//! (docs/python.md). An array is checked once, when it is handed in.

#![allow(unsafe_code)]

use std::ops::Range;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::bad_value;

/// An array of a fixed shape, held so that its memory stays where it is.
pub(crate) struct Array<T: Element> {
    name: &'static str,
    first: *mut T,
    length: usize,
    /// Rows are this long.
    width: usize,
    _held: PyBuffer<T>,
}

// The memory is held by the buffer, and which thread writes which rows is decided in `rows`.
unsafe impl<T: Element + Send> Send for Array<T> {}
unsafe impl<T: Element + Sync> Sync for Array<T> {}

impl<T: Element> Array<T> {
    /// An array of this shape that can be written; `TypeError` for another kind of number, `ValueError` otherwise.
    pub(crate) fn writable(object: &Bound<'_, PyAny>, name: &'static str, shape: &[usize]) -> PyResult<Array<T>> {
        let array = Array::readable(object, name, shape)?;
        if array._held.readonly() {
            return Err(bad_value(format_args!("{name} cannot be written to")));
        }
        Ok(array)
    }

    /// An array of this shape.
    pub(crate) fn readable(object: &Bound<'_, PyAny>, name: &'static str, shape: &[usize]) -> PyResult<Array<T>> {
        let kind = std::any::type_name::<T>();
        let wrong_kind = |_| PyTypeError::new_err(format!("{name} must be an array of {kind}"));
        let held = PyBuffer::<T>::get(object).map_err(wrong_kind)?;
        if held.shape() != shape {
            let found = held.shape();
            return Err(bad_value(format_args!("{name} must have the shape {shape:?}, not {found:?}")));
        }
        if !held.is_c_contiguous() {
            return Err(bad_value(format_args!("{name} must be contiguous, in the order of C")));
        }
        let length: usize = shape.iter().product();
        let width = shape.iter().skip(1).product();
        let first = held.buf_ptr().cast::<T>();
        if length > 0 && !first.is_aligned() {
            return Err(bad_value(format_args!("{name} must be aligned")));
        }
        Ok(Array { name, first, length, width, _held: held })
    }

    /// Where the array lies, and its name for a message.
    pub(crate) fn span(&self) -> (Range<usize>, &'static str) {
        let first = self.first.addr();
        (first..first + self.length * size_of::<T>(), self.name)
    }

    /// Some rows, to be written.
    ///
    /// # Safety
    /// No two threads may hold the same row, and no other array of the call may lie in the same memory (see
    /// [`check_apart`]). Python code that writes to the array meanwhile gets what it gets with any library that
    /// releases the interpreter.
    #[allow(clippy::mut_from_ref)] // The memory is Python's; the caller keeps rows apart.
    pub(crate) unsafe fn rows(&self, rows: Range<usize>) -> &mut [T] {
        let (start, end) = (rows.start * self.width, rows.end * self.width);
        assert!(start <= end && end <= self.length, "rows of the array");
        if start == end {
            return &mut [];
        }
        // In bounds by the assertion, aligned and held since `readable`.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(start), end - start) }
    }

    /// All numbers, to be read while the interpreter is held.
    pub(crate) fn copied(&self) -> Vec<T> {
        if self.length == 0 {
            return Vec::new();
        }
        // Held and aligned since `readable`; copied at once.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }.to_vec()
    }
}

/// Refuses arrays that lie in the same memory, which would be written by two threads at once.
pub(crate) fn check_apart(spans: &[(Range<usize>, &'static str)]) -> PyResult<()> {
    for (index, (one, name)) in spans.iter().enumerate() {
        let overlapping = |other: &&(Range<usize>, &'static str)| other.0.start < one.end && one.start < other.0.end;
        if let Some((_, other)) = spans[..index].iter().find(overlapping) {
            return Err(bad_value(format_args!("{name} and {other} must not share memory")));
        }
    }
    Ok(())
}
