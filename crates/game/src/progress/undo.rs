use std::time::Duration;

use rules::Seat;

use super::{Match, MatchError};
use crate::Event;

/// Whether all sides have agreed to take something back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// No consent: nothing that was revealed is undone.
    NotAsked,
    /// All sides agreed.
    All,
}

impl Match {
    /// Takes back the last action of a seat, with the cards drawn since.
    ///
    /// Without consent nothing that a player has learnt by it is taken back: no draw by chance, no action in a
    /// game with hidden hands, no resignation. The clock stands again as it did then.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use game::{Consent, Match, MatchSettings};
    /// let mut game = Match::new(MatchSettings::new("quixo".parse()?))?;
    /// game.play("a3e3", Duration::ZERO)?;
    /// game.undo(Consent::NotAsked, Duration::ZERO)?;
    /// assert!(game.log().is_empty());
    /// game.redo(Consent::NotAsked, Duration::ZERO)?;
    /// assert_eq!(game.log().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self, consent: Consent, now: Duration) -> Result<(), MatchError> {
        let last = self.state.steps.iter().rposition(|step| step.actor.is_some());
        self.rewind(last.ok_or(MatchError::NothingToUndo)?, consent, now)
    }

    /// Takes back everything since a seat last acted, that action included: its move and the answers to it.
    pub fn undo_action_of(&mut self, seat: Seat, consent: Consent, now: Duration) -> Result<(), MatchError> {
        self.rewind(self.takeback_length(seat, consent)?, consent, now)
    }

    /// Goes back to when the log had `length` entries.
    pub fn rewind(&mut self, length: usize, consent: Consent, now: Duration) -> Result<(), MatchError> {
        self.check_undo(length, consent)?;
        self.undone.extend(self.log.drain(length..).rev());
        self.rebuild(now)
    }

    pub(super) fn check_undo(&self, length: usize, consent: Consent) -> Result<(), MatchError> {
        if length >= self.log.len() {
            return Err(MatchError::NothingToUndo);
        }
        if consent == Consent::NotAsked && self.state.steps[length..].iter().any(|step| step.binding) {
            return Err(MatchError::NeedsConsent);
        }
        Ok(())
    }

    /// Whether something was taken back that can be played again.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Plays the last action that was taken back again, with the same cards drawn after it.
    pub fn redo(&mut self, consent: Consent, now: Duration) -> Result<(), MatchError> {
        let next = self.undone.last().ok_or(MatchError::NothingToRedo)?;
        let hidden = self.chance_is_due() || self.state.position.hides() || !matches!(next.event, Event::Action(_));
        if hidden && consent == Consent::NotAsked {
            return Err(MatchError::NeedsConsent);
        }
        let mut goes_on = true;
        while goes_on {
            let Some(entry) = self.undone.pop() else { break };
            self.log.push(entry);
            self.rebuild(now)?;
            goes_on = self.chance_is_due();
        }
        Ok(())
    }
}
