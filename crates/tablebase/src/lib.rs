//! Quixo for two, solved: the value of every position, and in how many plies it ends with best play.

pub mod class;
pub mod compare;
pub mod cpu;
pub mod file;
pub mod geometry;
pub mod gpu;
pub mod keys;
pub mod pace;
pub mod probe;
pub mod ranks;
pub mod row;
pub mod solve;
pub mod statistics;
pub mod verify;

#[cfg(test)]
mod tests;
