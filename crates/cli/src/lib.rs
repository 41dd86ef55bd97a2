//! What the `fourfold` program is made of, for its tests and for fuzzing.

pub mod bench;
pub mod ugi;
