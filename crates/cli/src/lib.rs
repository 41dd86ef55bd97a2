//! What the `fourfold` program is made of, for its tests and for fuzzing.

pub mod arena;
pub mod bench;
pub mod solve;
pub mod ugi;
