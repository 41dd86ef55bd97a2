//! Quixo for two, solved: the value of every position, and in how many plies it ends with best play.

mod class;
mod compare;
mod cpu;
mod file;
mod geometry;
mod gpu;
mod keys;
mod pace;
mod probe;
mod ranks;
mod row;
mod solve;
mod statistics;
mod verify;

pub use class::{Mover, Pair, Table};
pub use compare::{Compared, compare};
pub use cpu::Depths;
pub use file::{BadFile, Flaw, Folder};
pub use geometry::{Geometry, Size};
pub use gpu::{Gpu, Keep};
pub use probe::Tablebase;
pub use row::Board;
pub use solve::{Cpu, Engine, Progress, SolveError, solve};
pub use statistics::Counts;
pub use verify::{Verified, verify};

#[cfg(test)]
mod tests;
