use game::{Consent, Match, MatchError, MatchSettings};
use rules::{Outcome, Seat, Signs};

use super::decide::{check_playing, refusal};
use super::event::ProposalKind;
use super::table::Table;
use super::{Decision, DecisionContext, Event, FirstPlayer, Person, Refusal, Sitting};

/// A proposal that waits for answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) what: ProposalKind,
    pub(super) by: Seat,
    pub(super) agreed: Vec<Seat>,
}

impl Table {
    /// A player proposes something; the same proposal from another seat is an agreement, except for takebacks.
    pub(super) fn propose(
        &self,
        who: &Person,
        what: ProposalKind,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        let seat = self.seat_of_person(who)?;
        self.check_proposal(what, seat)?;
        match &self.proposal {
            Some(open) if open.what == what && what != ProposalKind::Takeback => return self.agree(who, what, context),
            Some(_) => return Err(Refusal::AnotherProposal),
            None => {}
        }
        let length = self.play.as_ref().map_or(0, |play| play.log().len());
        if self.declined == Some((what, seat, length)) {
            // Declined in this very position: it is not asked again.
            return Err(Refusal::AnotherProposal);
        }
        if let (ProposalKind::Draw, Some(bot)) = (what, self.bot_without_human_partner(seat)) {
            // A bot plays on rather than judge a draw.
            let events = vec![Event::Proposed { what, seat }, Event::Declined { what, seat: bot }];
            return Ok(self.without_the_match(events, context));
        }
        self.conclude_proposal(&self.with_agreement(what, seat), seat, context)
    }

    /// A player agrees to a proposal.
    pub(super) fn agree(
        &self,
        who: &Person,
        what: ProposalKind,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        let seat = self.seat_of_person(who)?;
        self.check_proposal(what, seat)?;
        let open = self.proposal.as_ref().filter(|open| open.what == what).ok_or(Refusal::NothingProposed)?;
        if open.agreed.contains(&seat) {
            return Err(Refusal::AnotherProposal);
        }
        self.conclude_proposal(&self.with_agreement(what, seat), seat, context)
    }

    /// A player declines a proposal, or withdraws it.
    pub(super) fn decline(&self, who: &Person, what: ProposalKind) -> Result<Vec<Event>, Refusal> {
        let seat = self.seat_of_person(who)?;
        self.proposal.as_ref().filter(|open| open.what == what).ok_or(Refusal::NothingProposed)?;
        Ok(vec![Event::Declined { what, seat }])
    }

    /// The proposal once a seat has made it or agreed to it. Bots agree to takebacks and rematches at once.
    pub(super) fn with_agreement(&self, what: ProposalKind, seat: Seat) -> Proposal {
        match &self.proposal {
            Some(open) if open.what == what => {
                let mut open = open.clone();
                open.agreed.push(seat);
                open
            }
            _ => {
                let mut agreed = vec![seat];
                if what != ProposalKind::Draw {
                    agreed.extend(self.bots());
                }
                Proposal { what, by: seat, agreed }
            }
        }
    }

    /// Whether all players have agreed to play once more.
    pub(crate) fn wants_rematch(&self) -> bool {
        let all = |open: &Proposal| self.people().all(|(seat, _)| open.agreed.contains(&seat));
        let open = self.proposal.as_ref().filter(|open| open.what == ProposalKind::Rematch);
        self.rematch.is_none() && open.is_some_and(all)
    }

    /// The players of the next game: each one seat further, or as many as bring the loser to the first seat where the loser
    /// begins.
    pub(crate) fn rotated(&self) -> Vec<Option<Sitting>> {
        let mut seats = self.seats.clone();
        seats.rotate_right(self.seats_further());
        seats
    }

    /// The signs of the next game: those that were chosen go with their players, unless the seats are drawn anew.
    pub(crate) fn rotated_signs(&self) -> Option<Signs> {
        let signs = self.spec.signs?;
        if self.spec.first == Some(FirstPlayer::Lot) {
            return Some(signs);
        }
        let mut settings = MatchSettings::new(self.spec.game.clone());
        settings.choose_signs(signs);
        settings.begin_with(self.seats.len() - self.seats_further() % self.seats.len());
        settings.chosen_signs()
    }

    /// By how many seats the players move on for the next game.
    fn seats_further(&self) -> usize {
        let by = if self.spec.first == Some(FirstPlayer::Loser) { self.seats_to_loser() } else { None };
        by.unwrap_or(1)
    }

    /// By how many seats the players move on until one of the side that lost sits first; none after a draw, or with more than
    /// two sides.
    fn seats_to_loser(&self) -> Option<usize> {
        let Some((Some(Outcome::Win(winner)), _)) = self.ending() else { return None };
        let position = self.play.as_ref()?.position();
        let sides = || Seat::all(position.seats()).map(|seat| position.side(seat)).filter(|side| side != winner);
        if sides().any(|side| Some(side) != sides().next()) {
            return None;
        }
        (0..self.seats.len()).find(|&by| {
            let first = (self.seats.len() - by) % self.seats.len();
            position.side(Seat::from_index(first)) != *winner
        })
    }

    fn check_proposal(&self, what: ProposalKind, seat: Seat) -> Result<(), Refusal> {
        let play = self.play.as_ref().ok_or(Refusal::NotBegun)?;
        match what {
            ProposalKind::Draw | ProposalKind::Takeback => {
                check_playing(play)?;
                if play.is_out(seat) { Err(Refusal::SeatIsOut) } else { Ok(()) }
            }
            ProposalKind::Rematch if play.ending().is_none() => Err(Refusal::NotBegun),
            ProposalKind::Rematch if self.rematch.is_some() => Err(Refusal::Over),
            ProposalKind::Rematch => Ok(()),
        }
    }

    fn bots(&self) -> impl Iterator<Item = Seat> {
        let is_bot = |(_, who): &(usize, &Option<Sitting>)| matches!(who, Some(Sitting::Bot(_)));
        self.seats.iter().enumerate().filter(is_bot).map(|(index, _)| Seat::from_index(index))
    }

    /// A bot that alone speaks for another side.
    fn bot_without_human_partner(&self, seat: Seat) -> Option<Seat> {
        let position = self.play.as_ref()?.position();
        let alone = |bot: &Seat| {
            let partners = self.people().any(|(person, _)| position.side(person) == position.side(*bot));
            position.side(*bot) != position.side(seat) && !partners
        };
        self.bots().find(alone)
    }

    /// Carries out what was proposed, if all sides agree. The next table after a rematch is made by the hub; see
    /// [`Table::wants_rematch`].
    fn conclude_proposal(
        &self,
        open: &Proposal,
        seat: Seat,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        let play = self.play.as_ref().ok_or(Refusal::NotBegun)?;
        let mut events = vec![Event::Proposed { what: open.what, seat }];
        match open.what {
            ProposalKind::Draw if all_sides_agree(play, open) => {
                let mut draft = play.draft();
                draft.agree().map_err(refusal)?;
                self.conclude(draft, events, 0, context)
            }
            ProposalKind::Takeback => {
                // What cannot be taken back is better said when it is proposed than when it is granted.
                let (to, agreed) = takeback(play, open)?;
                if !agreed {
                    return Ok(self.without_the_match(events, context));
                }
                let draft = play.draft_after_takeback(to, context.now).map_err(refusal)?;
                events.push(Event::TookBack { to: to as u32 });
                Ok(Decision { events, flag_falls_at: draft.clock().falls_at(context.now) })
            }
            ProposalKind::Draw | ProposalKind::Rematch => Ok(self.without_the_match(events, context)),
        }
    }
}

fn all_sides_agree(play: &Match, open: &Proposal) -> bool {
    let side = |seat: Seat| play.position().side(seat);
    let agrees = |seat: Seat| open.agreed.iter().any(|&other| side(other) == side(seat));
    still_playing(play).all(agrees)
}

fn still_playing(play: &Match) -> impl Iterator<Item = Seat> {
    Seat::all(play.position().seats()).filter(|seat| !play.is_out(*seat))
}

/// The length of the log after a takeback, and whether all who must agree do.
fn takeback(play: &Match, open: &Proposal) -> Result<(usize, bool), Refusal> {
    match play.takeback_length(open.by, Consent::NotAsked) {
        // A card was revealed since then: not only each side but every player is asked.
        Err(MatchError::NeedsConsent) => {
            let to = play.takeback_length(open.by, Consent::All).map_err(refusal)?;
            Ok((to, still_playing(play).all(|seat| open.agreed.contains(&seat))))
        }
        to => Ok((to.map_err(refusal)?, all_sides_agree(play, open))),
    }
}
