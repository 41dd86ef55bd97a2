//! The generated methods of [`Language`], one per message.

use std::fmt::Display;

use rules::GameId;

use crate::Language;

mod signs;
mod texts;

pub(crate) use texts::{Argument, filled, plain};
pub use texts::{OtherTexts, Part};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

#[cfg(test)]
mod tests;
