//! What the `fourfold` program is made of, for its tests and for fuzzing.

pub mod arena;
pub mod bench;
pub mod bot;
pub mod consulted;
mod opening;
pub mod solve;
pub mod tables;
pub mod ugi;
pub mod value;
