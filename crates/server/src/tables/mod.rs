//! Tables: what happens at one, who is told, when somebody's time is up, and what bots do.

mod ask;
mod begin;
mod line;
mod offer;
mod project;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use line::Line;
pub(crate) use table::{Moment, Stage, Table};

use protocol::Code;

/// Something that was refused, with what the reason needs to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) args: Vec<String>,
}

impl Refusal {
    /// A refusal with one argument.
    pub(crate) fn with(code: Code, argument: impl ToString) -> Refusal {
        Refusal { code, args: vec![argument.to_string()] }
    }
}

impl From<Code> for Refusal {
    fn from(code: Code) -> Refusal {
        Refusal { code, args: Vec::new() }
    }
}
