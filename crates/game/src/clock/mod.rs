//! Clocks that count turns, not actions (G8), on time that is handed in.

mod rule;
#[cfg(test)]
mod tests;

use std::time::Duration;

use rules::Seat;

pub use rule::{BadClock, ClockRule};
pub(crate) use rule::{Seconds, seconds_from};

/// The clock of a match.
///
/// It is derived from the record: the same rule and the same times per action give the same clock. Whole
/// milliseconds count, because that is what a record keeps.
#[derive(Clone, Debug)]
pub struct Clock {
    rule: ClockRule,
    /// What each seat had left when its last turn ended.
    banks: Vec<Duration>,
    /// Whose turn it is, also while chance draws for that seat.
    turn_of: Option<Seat>,
    /// Whether that seat is to act at all.
    ticking: bool,
    /// Time used in this turn.
    used: Duration,
    /// Time used since the last action, which the next one will be written with.
    unwritten: Duration,
    /// When time was last looked at; `None` while the clock stands.
    looked: Option<Duration>,
}

impl Clock {
    pub(crate) fn new(rule: ClockRule, seats: u8) -> Clock {
        let bank = match rule {
            ClockRule::None => Duration::ZERO,
            ClockRule::PerTurn(time) => time,
            ClockRule::Fischer { base, .. } | ClockRule::Delay { base, .. } => base,
        };
        Clock {
            rule,
            banks: vec![bank; seats.into()],
            turn_of: None,
            ticking: false,
            used: Duration::ZERO,
            unwritten: Duration::ZERO,
            looked: None,
        }
    }

    /// Whether time passes.
    pub fn is_running(&self) -> bool {
        self.looked.is_some()
    }

    /// The seat whose time passes, if any.
    pub fn running_for(&self) -> Option<Seat> {
        self.turn_of.filter(|_| self.ticking && self.looked.is_some())
    }

    /// What a seat has left at a moment; `None` where there is no limit.
    pub fn left(&self, seat: Seat, now: Duration) -> Option<Duration> {
        if self.rule == ClockRule::None {
            return None;
        }
        let used = if self.turn_of == Some(seat) { self.used.saturating_add(self.unseen(now)) } else { Duration::ZERO };
        let bank = self.banks.get(seat.index()).copied().unwrap_or_default();
        Some(bank.saturating_sub(self.counted(used)))
    }

    /// The seat whose time is up at a moment, if any: what a tick would find.
    pub fn fallen(&self, now: Duration) -> Option<Seat> {
        let seat = self.running_for()?;
        self.left(seat, now)?.is_zero().then_some(seat)
    }

    /// When the running seat's time will be up, if nothing happens before: when to call `tick` next.
    pub fn falls_at(&self, now: Duration) -> Option<Duration> {
        let seat = self.running_for()?;
        let free = match self.rule {
            ClockRule::Delay { delay, .. } => delay.saturating_sub(self.used.saturating_add(self.unseen(now))),
            _ => Duration::ZERO,
        };
        Some(now.saturating_add(free).saturating_add(self.left(seat, now)?))
    }

    pub(crate) fn start(&mut self, now: Duration) {
        self.looked = Some(now);
    }

    pub(crate) fn stop(&mut self, now: Duration) {
        self.look(now);
        self.looked = None;
    }

    /// Lets time pass up to `now`; the seat whose time is up, if it is.
    pub(crate) fn look(&mut self, now: Duration) -> Option<Seat> {
        let passed = self.unseen(now);
        if let Some(looked) = &mut self.looked {
            // What is less than a millisecond waits for the next look, or many looks would lose time.
            *looked = if self.ticking { *looked + passed } else { now.max(*looked) };
        }
        self.used = self.used.saturating_add(passed);
        self.unwritten = self.unwritten.saturating_add(passed);
        self.fallen(now)
    }

    /// The time since the last action, to be written with the next; `None` if the clock has not run.
    pub(crate) fn spent(&self) -> Option<Duration> {
        (self.looked.is_some() || !self.unwritten.is_zero()).then_some(self.unwritten)
    }

    /// Says that the time since the last action is written down.
    pub(crate) fn spent_is_written(&mut self) {
        self.unwritten = Duration::ZERO;
    }

    /// Counts the time of an action that is read from a record.
    pub(crate) fn charge(&mut self, spent: Duration) {
        self.used = self.used.saturating_add(spent);
    }

    /// Counts time that has passed for the seat to act and is not written down yet.
    pub(crate) fn charge_unwritten(&mut self, time: Duration) {
        if self.ticking {
            let time = whole_millis(time);
            self.used = self.used.saturating_add(time);
            self.unwritten = self.unwritten.saturating_add(time);
        }
    }

    /// Gives back time that is not written down yet; how much it was.
    pub(crate) fn forgive(&mut self, time: Duration) -> Duration {
        let time = whole_millis(time).min(self.unwritten);
        self.unwritten -= time;
        self.used = self.used.saturating_sub(time);
        time
    }

    /// Says who is to act now; `None` for chance or at the end.
    pub(crate) fn hand_to(&mut self, seat: Option<Seat>) {
        self.ticking = seat.is_some();
        if seat.is_none() || seat == self.turn_of {
            return;
        }
        if let Some(last) = self.turn_of {
            self.end_turn(last);
        }
        self.turn_of = seat;
        self.used = Duration::ZERO;
        self.unwritten = Duration::ZERO;
    }

    fn end_turn(&mut self, seat: Seat) {
        let left = self.banks[seat.index()].saturating_sub(self.counted(self.used));
        self.banks[seat.index()] = match self.rule {
            ClockRule::None => Duration::ZERO,
            ClockRule::PerTurn(time) => time,
            ClockRule::Fischer { increment, .. } => left + increment,
            ClockRule::Delay { .. } => left,
        };
    }

    /// The part of a turn's time that is taken from the bank.
    fn counted(&self, used: Duration) -> Duration {
        match self.rule {
            ClockRule::Delay { delay, .. } => used.saturating_sub(delay),
            _ => used,
        }
    }

    /// Whole milliseconds since the last look that are charged to a seat.
    fn unseen(&self, now: Duration) -> Duration {
        match self.looked {
            Some(looked) if self.ticking => whole_millis(now.saturating_sub(looked)),
            _ => Duration::ZERO,
        }
    }
}

fn whole_millis(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
