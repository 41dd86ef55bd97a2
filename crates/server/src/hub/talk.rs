//! How much may be said at a table: what is said stands in its log, and everybody who comes has to read it.

use std::collections::HashMap;

use rules::Seat;

use crate::limit::Bucket;
use crate::tables::{Request, Table};

/// What each seat, and all spectators together, may still say.
#[derive(Default)]
pub(super) struct Talk(HashMap<u8, Bucket>);

/// Lines a second, and for how many seconds at once.
const SEAT: (u32, u32) = (2, 10);
const SPECTATORS: (u32, u32) = (4, 10);
/// Who seats bots, with or without a seat.
const MAKER: u8 = u8::MAX;

impl Talk {
    /// Whether somebody may ask this now. Play is not limited: the rules and the clock do that.
    pub(super) fn allows(&mut self, table: &Table, person: &str, request: &Request) -> bool {
        let of = match request {
            // Whoever stands up has sat down before: that is limited with it, and no flood keeps others from a seat.
            Request::Say(_) | Request::Stand => table.seat_of(person).map_or(0, Seat::number),
            Request::SeatBot { .. } => MAKER,
            _ => return true,
        };
        let (rate, seconds) = if of == 0 { SPECTATORS } else { SEAT };
        self.0.entry(of).or_insert_with(|| Bucket::new(rate, seconds)).take()
    }
}
