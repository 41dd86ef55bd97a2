//! The browser app that `cargo xtask web` made, embedded for programs that serve it.
//!
//! A crate of its own, so that the server need not be compiled again when a page changes, and can be compiled while the
//! pages are.

/// Every file of the app in the order of names: its name, a tag that differs whenever the content does, and the content,
/// compressed with brotli. Empty if `cargo xtask web` did not run before.
pub static FILES: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));
