//! Four.
