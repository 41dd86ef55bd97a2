//! What the `fourfold` program is made of, for its tests and for fuzzing.

pub mod arena;
pub mod bench;
pub mod bot;
pub mod json;
mod opening;
pub mod solve;
pub mod tablebase_bridge;
pub mod tablebase_command;
pub mod ugi;
pub mod value;
