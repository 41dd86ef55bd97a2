//! Quarto: solved outright, so that the best player makes no mistake and the others make human ones.

pub mod book;
mod bot;
mod brute;
mod judge;
mod key;
mod levels;
mod packed;
mod solver;
mod table;
#[cfg(test)]
mod tests;
mod whole;

pub use bot::QuartoBot;
pub use brute::{CrossCheck, Disagreement, brute_force, cross_check};
pub use packed::Class;
pub use whole::{Solution, Unsolved, solve};
