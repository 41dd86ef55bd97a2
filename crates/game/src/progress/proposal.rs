use std::time::Duration;

use rules::Seat;

use super::{Consent, Match, MatchError};
use crate::{Event, Player};

/// Something all sides must agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalKind {
    /// To call the match a draw.
    Draw,
    /// To take back everything since the proposing seat last acted, that action included.
    Takeback,
}

/// A proposal that is not answered by all yet.
///
/// A seat speaks for its side. It is gone when one side declines, or acts without having answered; the side that
/// made it may go on acting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What is proposed.
    pub kind: ProposalKind,
    /// Who proposed it.
    pub by: Seat,
    /// Who has agreed, the proposing seat first.
    pub agreed: Vec<Seat>,
}

/// What a proposal has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All agreed, and it is done.
    Done,
    /// Another seat has still to answer.
    Waiting,
}

impl Match {
    /// The proposal on the table, if any.
    pub fn proposal(&self) -> Option<&Proposal> {
        self.proposal.as_ref()
    }

    /// Proposes something; the same proposal made by another seat is an agreement.
    ///
    /// Bots agree to every takeback. Whether a bot accepts a draw is decided by the program that runs it.
    ///
    /// ```
    /// # use rules::Seat;
    /// # use std::time::Duration;
    /// # use game::{Answer, Match, ProposalKind, MatchSettings};
    /// let mut game = Match::new(MatchSettings::new("quixo".parse()?))?;
    /// assert_eq!(game.propose(Seat::ONE, ProposalKind::Draw, Duration::ZERO)?, Answer::Waiting);
    /// assert_eq!(game.agree(Seat::TWO, Duration::ZERO)?, Answer::Done);
    /// assert_eq!(game.ending().unwrap().to_string(), "draw by agreement");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn propose(&mut self, seat: Seat, kind: ProposalKind, now: Duration) -> Result<Answer, MatchError> {
        self.check_seat(seat)?;
        match &self.proposal {
            Some(open) if open.kind == kind && kind == ProposalKind::Draw => return self.agree(seat, now),
            Some(_) => return Err(MatchError::AnotherProposal),
            None => {}
        }
        if kind == ProposalKind::Takeback && self.state.steps.iter().all(|step| step.actor != Some(seat)) {
            return Err(MatchError::NothingToUndo);
        }
        let mut agreed = vec![seat];
        if kind == ProposalKind::Takeback {
            let bots = Seat::all(self.state.position.seats()).filter(|other| {
                matches!(self.settings.sitters[other.index()].player(), Player::Bot(_)) && *other != seat
            });
            agreed.extend(bots);
        }
        self.proposal = Some(Proposal { kind, by: seat, agreed });
        self.conclude(now)
    }

    /// Agrees to the proposal on the table; if all have, it is done.
    pub fn agree(&mut self, seat: Seat, now: Duration) -> Result<Answer, MatchError> {
        self.check_seat(seat)?;
        let proposal = self.proposal.as_mut().ok_or(MatchError::NothingProposed)?;
        if !proposal.agreed.contains(&seat) {
            proposal.agreed.push(seat);
        }
        self.conclude(now)
    }

    /// Takes the proposal off the table: another seat declines it, or the proposing one withdraws it.
    pub fn decline(&mut self, seat: Seat) -> Result<(), MatchError> {
        self.check_seat(seat)?;
        self.proposal.take().map(drop).ok_or(MatchError::NothingProposed)
    }

    fn conclude(&mut self, now: Duration) -> Result<Answer, MatchError> {
        let Some(proposal) = &self.proposal else { return Err(MatchError::NothingProposed) };
        let side = |seat: &Seat| self.state.position.side(*seat);
        let agreed = |seat: &Seat| proposal.agreed.iter().any(|other| side(other) == side(seat));
        if !self.state.sides_left().iter().all(agreed) {
            return Ok(Answer::Waiting);
        }
        let (kind, by) = (proposal.kind, proposal.by);
        self.proposal = None;
        self.state.clock.look(now);
        match kind {
            ProposalKind::Draw => self.change(|state, log| state.write(log, Event::Agreed))?,
            ProposalKind::Takeback => self.undo_action_of(by, Consent::All, now)?,
        }
        Ok(Answer::Done)
    }

    /// A side that acts without answering has declined.
    pub(super) fn forget_unanswered_by(&mut self, seat: Seat) {
        let side = |seat: Seat| self.state.position.side(seat);
        if let Some(proposal) = &self.proposal
            && proposal.agreed.iter().all(|&other| side(other) != side(seat))
        {
            self.proposal = None;
        }
    }
}
