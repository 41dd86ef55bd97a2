//! What the `fourfold` program is made of, for its tests and for fuzzing.

pub mod arena;
pub mod bench;
pub mod loadtest;
pub mod remote;
pub mod solve;
pub mod ugi;
