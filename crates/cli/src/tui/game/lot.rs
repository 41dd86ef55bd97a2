//! The draw of lots before the first move: a light goes round the players and stops at the one who begins.

use std::time::{Duration, Instant};

use rules::Seat;
use session::words;

use super::GameScreen;
use crate::play::Session;
use crate::tui::picture::Notice;

/// How long the light goes round, and how long it stays at a player.
const SHOWN: Duration = Duration::from_millis(1800);
const STEP: Duration = Duration::from_millis(150);

/// A draw that is being shown; until its end no clock runs and no bot acts.
pub(super) struct Lot {
    began: Instant,
}

impl Lot {
    /// The draw to show before a match, if its first player was drawn.
    pub(super) fn before(session: &mut Session) -> Option<Lot> {
        if !session.view().shows_lot() {
            return None;
        }
        session.pause();
        Some(Lot { began: Instant::now() })
    }

    fn is_over(&self) -> bool {
        self.began.elapsed() >= SHOWN
    }
}

impl GameScreen {
    /// The seat at which the light is.
    pub(super) fn lit_seat(&self) -> Option<Seat> {
        let lot = self.lot.as_ref()?;
        let steps = lot.began.elapsed().as_millis() / STEP.as_millis();
        let seats = self.session.game().position().seats();
        Some(Seat::from_index((steps % u128::from(seats)) as usize))
    }

    /// Ends the draw once it was shown; whether it goes on.
    pub(super) fn poll_lot(&mut self) -> bool {
        if self.lot.as_ref().is_some_and(Lot::is_over) {
            self.end_lot();
        }
        self.lot.is_some()
    }

    /// Says who begins, and lets the match begin; whether there was a draw to end.
    pub(super) fn end_lot(&mut self) -> bool {
        let was_shown = self.lot.take().is_some();
        if was_shown {
            self.session.resume();
            self.notify(Notice::Done(words::lot(self.look.language, &self.session.names())));
        }
        was_shown
    }
}
