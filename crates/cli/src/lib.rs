//! What the `fourfold` program is made of, for its tests and for fuzzing.

pub mod arena;
pub mod bench;
pub mod bot;
pub mod consulted;
pub mod crashtest;
pub mod faults;
pub mod loadtest;
mod opening;
pub mod remote;
pub mod services;
pub mod solve;
pub mod tables;
pub mod ugi;
pub mod value;
