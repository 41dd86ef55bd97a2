//! The browser app, compiled to WebAssembly. It plays offline through `game`, with `search` in a worker.

#[cfg(any(target_family = "wasm", test))]
pub mod allocator;
pub mod app;
pub mod board;
pub mod browser;
pub mod chunks;
pub mod drags;
pub(crate) mod ending;
pub mod engine;
pub mod fitting_game;
pub mod local_table;
pub mod match_view;
pub mod move_text;
pub mod online;
pub mod pages;
pub mod parts;
pub mod route;
pub mod settings;
pub mod split;
pub mod top_bar;
pub mod views;
