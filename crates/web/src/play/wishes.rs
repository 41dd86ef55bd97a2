//! What people at this device wish for: another try, an end, a file.

use game::{Consent, Match, MatchError, ProposalKind};
use leptos::prelude::*;
use rules::Seat;

use super::Play;
use crate::sight::now;

impl Play {
    /// Takes back to a person's last decision, as far as the rules of the table allow.
    pub fn undo(self) {
        self.stop_thinking();
        let people = untrack(|| self.people());
        let undone = self.game.try_update(|game| {
            let mut done = game.undo(Consent::NotAsked, now());
            while done.is_ok() && !game.to_act().is_some_and(|seat| people.contains(&seat)) {
                done = game.undo(Consent::NotAsked, now());
            }
            done
        });
        self.after_change();
        if let Some(Err(refused)) = undone {
            let language = self.settings.language.get_untracked();
            self.tell(match refused {
                MatchError::NeedsConsent => language.match_needs_consent(),
                _ => language.match_nothing_to_undo(),
            });
            self.go_on();
        }
    }

    /// Plays again what was taken back.
    pub fn redo(self) {
        let people = untrack(|| self.people());
        self.game.update(|game| {
            while game.can_redo() && game.redo(Consent::NotAsked, now()).is_ok() {
                if game.to_act().is_some_and(|seat| people.contains(&seat)) {
                    break;
                }
            }
        });
        self.after_change();
        self.go_on();
    }

    /// The person whose page this is gives up.
    pub fn resign(self) {
        let people = untrack(|| self.people());
        let acting = self.game.with_untracked(Match::to_act).filter(|seat| people.contains(seat));
        if let Some(seat) = acting.or(people.first().copied()) {
            self.stop_thinking();
            self.game.update(|game| drop(game.resign(seat, now())));
            self.after_change();
            self.go_on();
        }
    }

    /// Offers a draw: another person here is asked, a computer player asks itself what it can expect.
    pub fn offer_draw(self) {
        let people = untrack(|| self.people());
        let Some(seat) = self.game.with_untracked(Match::to_act).filter(|seat| people.contains(seat)) else {
            return;
        };
        let offered = self.game.try_update(|game| game.propose(seat, ProposalKind::Draw, now()));
        if matches!(offered, Some(Ok(_))) && people.len() == 1 {
            self.ask(None, 600, move |found| {
                // What is good for the person who offers is bad for the one who is asked.
                let hopeful = found.is_some_and(|found| found.value.score() < 0.5);
                self.answer_draw(!hopeful);
                if hopeful {
                    self.tell(self.settings.language.get_untracked().offer_declined());
                }
            });
        }
    }

    /// The seat that offers a draw to another person here.
    pub fn offered(&self) -> Option<Seat> {
        let several = self.people().len() > 1;
        self.game.with(|game| game.proposal().filter(|_| several).map(|proposal| proposal.by))
    }

    /// All others answer an offer.
    pub fn answer_draw(self, accept: bool) {
        self.game.update(|game| {
            let Some(by) = game.proposal().map(|proposal| proposal.by) else { return };
            for seat in Seat::all(game.position().seats()).filter(|seat| *seat != by) {
                if accept {
                    let _ = game.agree(seat, now());
                } else {
                    let _ = game.decline(seat);
                }
            }
        });
        self.save();
    }
}
