use std::time::Duration;

use rules::Seat;

use super::state::State;
use super::{Consent, Match, MatchError};
use crate::{AnyPosition, Clock, Departure, Ending, Entry, Event};

/// The next events of a match, tried on a copy of its position and clock.
///
/// The log is not copied, so a draft costs the same however long the match is. A server decides with it what a request
/// leads to, and changes the match only when that is durable.
///
/// ```
/// use rules::Seat;
/// use std::time::Duration;
/// use game::{Match, MatchSettings};
///
/// let game = Match::new(MatchSettings::new("quixo".parse()?))?;
/// let mut draft = game.draft();
/// draft.act(Seat::ONE, "a3e3", Duration::ZERO)?;
/// assert_eq!(draft.entries().len(), 1);
/// assert!(game.log().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Draft {
    state: State,
    entries: Vec<Entry>,
}

impl Match {
    /// A draft of what happens next.
    pub fn draft(&self) -> Draft {
        Draft { state: self.state.draft(), entries: Vec::new() }
    }

    /// A draft of what happens after the log is cut back to `length` entries.
    pub fn draft_after_takeback(&self, length: usize, now: Duration) -> Result<Draft, MatchError> {
        Ok(Draft { state: self.state_after(length, now)?.draft(), entries: Vec::new() })
    }

    /// How many entries are left if a seat takes back its last action; an error if it may not.
    pub fn takeback_length(&self, seat: Seat, consent: Consent) -> Result<usize, MatchError> {
        let last = self.state.steps.iter().rposition(|step| step.actor == Some(seat));
        let length = last.ok_or(MatchError::NothingToUndo)?;
        self.check_undo(length, consent)?;
        Ok(length)
    }
}

impl Draft {
    /// What has happened in the draft.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The position now, with full knowledge.
    pub fn position(&self) -> &dyn AnyPosition {
        self.state.position.as_ref()
    }

    /// How the match ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.state.ending
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// As [`Match::forgive`].
    pub fn forgive(&mut self, time: Duration, now: Duration) -> Duration {
        self.state.forgive(time, now)
    }

    /// As [`Match::tick`].
    pub fn tick(&mut self, now: Duration) -> Option<Seat> {
        self.state.tick(&mut self.entries, now)
    }

    /// As [`Match::act`].
    pub fn act(&mut self, seat: Seat, action: &str, now: Duration) -> Result<(), MatchError> {
        self.state.act(&mut self.entries, seat, action, now)
    }

    /// As [`Match::draw`], without the list of what was drawn.
    pub fn draw(&mut self, random: &mut dyn FnMut(u32) -> u32, now: Duration) -> Result<(), MatchError> {
        while self.state.draw_one(&mut self.entries, random, now)?.is_some() {}
        Ok(())
    }

    /// As [`Match::resign`].
    pub fn resign(&mut self, seat: Seat, now: Duration) -> Result<(), MatchError> {
        self.state.depart(&mut self.entries, seat, Departure::Resigned, now)
    }

    /// As [`Match::leave`].
    pub fn leave(&mut self, seat: Seat, now: Duration) -> Result<(), MatchError> {
        self.state.depart(&mut self.entries, seat, Departure::Left, now)
    }

    /// All sides have agreed to a draw.
    pub fn agree(&mut self) -> Result<(), MatchError> {
        self.end_with(Event::Agreed)
    }

    /// The match ends without a result.
    pub fn abandon(&mut self) -> Result<(), MatchError> {
        self.end_with(Event::Abandoned)
    }

    fn end_with(&mut self, event: Event) -> Result<(), MatchError> {
        self.state.check_not_over()?;
        let entry = Entry::new(event);
        self.state.advance(&entry)?;
        self.entries.push(entry);
        Ok(())
    }
}
