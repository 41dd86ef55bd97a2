//! Sequence.
