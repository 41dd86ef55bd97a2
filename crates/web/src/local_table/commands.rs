//! What people at this device can do besides playing.

use game::{Consent, MatchError};
use session::{OpenOffer, Reply, Standing};

use super::{LocalTable, Rewind};
use crate::match_view::now;

impl LocalTable {
    /// Takes back a person's last action, or plays it again; where cards were seen, everybody here is asked first.
    pub fn rewind(self, way: Rewind, consent: Consent) {
        self.consent.set(None);
        let done = self.update(|session| match way {
            Rewind::Undo => session.undo(consent, now()),
            Rewind::Redo => session.redo(consent, now()),
        });
        match done {
            Err(MatchError::NeedsConsent) => self.consent.set(Some(way)),
            Err(error) => self.refuse(&error),
            Ok(()) => {}
        }
    }

    /// The device has been passed on. What was told to the person before is not for the one who looks now.
    pub fn reveal(self) {
        self.update(|session| session.open_curtain(now()));
        self.match_view.settle();
    }

    /// The person whose page this is gives up.
    pub fn resign(self) {
        self.report(|play| play.update(|session| session.resign(now())));
    }

    /// Offers a draw: another person here is asked, a computer player asks itself what it can expect.
    pub fn offer_draw(self) {
        self.report(|play| play.update(|session| session.offer_draw(now())));
        self.tell_answer();
    }

    /// The offer that a person here must answer.
    pub fn asked(&self) -> Option<OpenOffer> {
        self.match_view.with(|view| view.offer.filter(|offer| matches!(offer.standing, Standing::Asked(_))))
    }

    /// That person answers.
    pub fn answer_draw(self, reply: Reply) {
        self.report(|play| play.update(|session| session.answer_draw(reply, now())));
        self.tell_answer();
    }

    fn report(self, command: impl FnOnce(LocalTable) -> Result<(), MatchError>) {
        if let Err(error) = command(self) {
            self.refuse(&error);
        }
    }
}
