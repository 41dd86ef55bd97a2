//! Draw offers between the people and bots of a device.

use std::time::Duration;

use game::{Answer, MatchError, ProposalKind};
use rules::Seat;
use search::Value;

use super::LocalSession;
use crate::{OfferKind, OpenOffer, Reply, Standing};

impl LocalSession {
    /// The person who speaks now offers a draw: bots answer first, then the other people are asked.
    pub fn offer_draw(&mut self, now: Duration) -> Result<(), MatchError> {
        let by = self.speaker().ok_or(MatchError::NothingProposed)?;
        self.declined = false;
        if self.game.propose(by, ProposalKind::Draw, now)? == Answer::Done {
            self.changed(now);
            return Ok(());
        }
        let asked_bot = self.unanswered().find(|seat| !self.people.contains(seat));
        if let Some(bot) = asked_bot {
            if self.history.moves(self.history.len()) == 0 {
                // There is nothing to judge yet, and a game that has not begun is not drawn.
                self.declined = self.game.decline(bot).is_ok();
            } else {
                self.ask_about_draw(now);
            }
        }
        Ok(())
    }

    /// The reply of the person who is asked about the offer.
    pub fn answer_draw(&mut self, reply: Reply, now: Duration) -> Result<(), MatchError> {
        let Some(OpenOffer { standing: Standing::Asked(seat), .. }) = self.offer() else {
            return Err(MatchError::NothingProposed);
        };
        match reply {
            Reply::Decline => {
                self.game.decline(seat)?;
                self.declined = true;
            }
            Reply::Accept if self.game.agree(seat, now)? == Answer::Done => self.changed(now),
            Reply::Accept => {}
        }
        Ok(())
    }

    pub(super) fn offer(&self) -> Option<OpenOffer> {
        let by = self.game.proposal()?.by;
        let asked = self.unanswered().find(|seat| self.people.contains(seat));
        let bots_are_asked = self.unanswered().any(|seat| !self.people.contains(&seat));
        let standing = asked.filter(|_| !bots_are_asked).map_or(Standing::Agreed, Standing::Asked);
        Some(OpenOffer { kind: OfferKind::Draw, by, standing })
    }

    /// The seats whose sides have not answered.
    fn unanswered(&self) -> impl Iterator<Item = Seat> {
        let position = self.game.position();
        let agreed = self.game.proposal().map(|proposal| proposal.agreed.as_slice());
        let waits = move |seat: &Seat| {
            let side = position.side(*seat);
            agreed.is_some_and(|agreed| agreed.iter().all(|&other| position.side(other) != side))
                && !self.game.is_out(*seat)
        };
        Seat::all(position.seats()).filter(waits)
    }

    /// A bot takes a draw if it expects no more than that; `value` is what the seat to act can expect.
    pub(super) fn bots_answer_draw(&mut self, value: Value, now: Duration) {
        let position = self.game.position();
        let side_to_act = self.game.to_act().map(|seat| position.side(seat));
        let expects = |bot: Seat| {
            if Some(position.side(bot)) == side_to_act { value.score() } else { 1.0 - value.score() }
        };
        let bots: Vec<(Seat, f32)> =
            self.unanswered().filter(|seat| !self.people.contains(seat)).map(|bot| (bot, expects(bot))).collect();
        for (bot, expected) in bots {
            if expected > 0.5 {
                self.declined = self.game.decline(bot).is_ok();
                return;
            }
            if self.game.agree(bot, now) == Ok(Answer::Done) {
                self.changed(now);
                return;
            }
        }
    }
}
