//! The generated methods of [`Language`], one per message.

use std::fmt::{Display, Write};

use crate::{Language, Plural};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

fn put(text: &mut String, argument: &dyn Display) {
    // Writing to a `String` cannot fail; an argument that refuses to be shown is left out.
    let _ = write!(text, "{argument}");
}

#[cfg(test)]
mod tests;
