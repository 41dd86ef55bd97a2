//! How much chat a table takes: chat is part of the log, and every client that comes has to read it.

use std::collections::HashMap;

use rules::Seat;

use crate::limit::Limit;
use crate::tables::{Request, Table};

/// What each seat, all spectators together, and the maker of the table may still ask for.
#[derive(Default)]
pub(super) struct ChatLimit(HashMap<Speaker, Limit>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Speaker {
    Seat(Seat),
    Spectators,
    /// Who seats bots, with or without a seat.
    Maker,
}

/// Requests a second, and for how many seconds at once.
const PLAYER: (u32, u32) = (2, 10);
const SPECTATORS: (u32, u32) = (4, 10);

impl ChatLimit {
    /// Whether a person may ask this now. Play is not limited: the rules and the clock do that.
    pub(super) fn allows(&mut self, table: &Table, person: &str, request: &Request) -> bool {
        let speaker = match request {
            // A person who stands up has sat down before: both are limited together, and no flood blocks a seat.
            Request::Say(_) | Request::Stand => table.seat_of(person).map_or(Speaker::Spectators, Speaker::Seat),
            Request::SeatBot { .. } => Speaker::Maker,
            _ => return true,
        };
        let (rate, seconds) = if speaker == Speaker::Spectators { SPECTATORS } else { PLAYER };
        self.0.entry(speaker).or_insert_with(|| Limit::new(rate, seconds)).take()
    }
}
