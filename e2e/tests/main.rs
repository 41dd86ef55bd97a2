//! Everything that is tried in a real browser. `cargo xtask test --only web --only e2e` runs all of it, and
//! `cargo test --workspace --test browser -- --ignored together::` the tests of one file.

mod account;
mod addresses;
mod browser;
mod elsewhere;
mod everyone;
mod layout;
mod puzzles;
mod sheets;
mod study;
mod together;
mod trouble;
