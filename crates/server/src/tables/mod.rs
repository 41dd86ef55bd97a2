//! A table as a pure aggregate: `decide` says what a command leads to and changes nothing, `apply` changes the table by
//! one entry of its log. Between the two the entry is made durable, so a table in memory is always a prefix of its log.

mod command;
mod decide;
mod event;
mod log_format;
mod proposal;
mod rights;
mod seating;
mod spec;
mod table;
#[cfg(test)]
mod tests;
mod wire;

pub(crate) use command::{Command, Decision, DecisionContext, Request};
pub(crate) use decide::{is_invisible, one_line};
pub(crate) use event::{Event, LogEntry, Person, PersonKind, Sitting, Speech};
pub(crate) use log_format::{read_entry, write_entry};
pub(crate) use rights::Right;
pub(crate) use spec::{Access, FirstPlayer, TableSpec};
pub(crate) use table::{Stage, Table};

pub(crate) use protocol::Refusal;
