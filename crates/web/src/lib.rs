//! The browser app, compiled to WebAssembly. It plays offline through `game`, with `search` in a worker.

pub mod app;
pub mod board;
pub mod browser;
pub mod chunks;
pub mod drags;
pub mod engine;
pub mod lean;
pub mod messages;
pub mod online;
pub mod pages;
pub mod parts;
pub mod play;
pub mod route;
pub mod settings;
pub mod sight;
pub mod words;

pub use ::art;
