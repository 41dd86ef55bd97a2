//! Taking back and playing again.

use std::time::Duration;

use game::{Consent, MatchError};

use super::LocalSession;

impl LocalSession {
    /// Takes back the last action of a person, with the bots' answers to it.
    ///
    /// A bot agrees to everything. Where several people share the device, and something was seen that cannot be unseen,
    /// they are asked: without their consent the answer is [`MatchError::NeedsConsent`].
    pub fn undo(&mut self, consent: Consent, now: Duration) -> Result<(), MatchError> {
        let consent = self.consent(consent);
        let mut done = self.game.undo(consent, now);
        while done.is_ok() && self.person_to_act().is_none() && !self.people.is_empty() {
            match self.game.undo(consent, now) {
                // Nothing of a person is left to take back: the bots that began play again.
                Err(MatchError::NothingToUndo) => break,
                next => done = next,
            }
        }
        self.rewound(done, now)
    }

    /// Plays again what was taken back last, with the bots' answers to it.
    pub fn redo(&mut self, consent: Consent, now: Duration) -> Result<(), MatchError> {
        let consent = self.consent(consent);
        let mut done = self.game.redo(consent, now);
        while done.is_ok() && self.person_to_act().is_none() && self.game.can_redo() {
            done = self.game.redo(consent, now);
        }
        self.rewound(done, now)
    }

    fn consent(&self, asked: Consent) -> Consent {
        if self.people.len() <= 1 { Consent::All } else { asked }
    }

    /// The log may have changed even if the last step was refused.
    fn rewound(&mut self, done: Result<(), MatchError>, now: Duration) -> Result<(), MatchError> {
        if self.history.len() != self.game.log().len() {
            self.changed(now);
        }
        done
    }
}
