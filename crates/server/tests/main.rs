//! A server as clients see it. One program for all files, because each would weigh as much as the server; a part of them
//! runs with `cargo test --workspace --test over_network limits::`.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod again;
mod api;
mod common;
mod credentials;
mod flooding;
mod hostile;
mod limits;
mod moderation;
mod nodes;
mod persons;
mod play;
mod pressure;
mod puzzles;
mod rare;
mod sharing;
mod tls;
