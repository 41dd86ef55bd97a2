use game::{Consent, Entry, MatchError};
use protocol::{Code, Event, Offer, Person, Sitting};
use rules::Seat;

use super::Refusal;
use super::ask::{check_playing, refusal};
use super::table::{Moment, Open, Table};

impl Table {
    /// Somebody proposes something.
    pub(super) fn offered(
        &mut self,
        who: &Person,
        what: Offer,
        moment: &mut Moment<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        let seat = self.seated(who)?;
        self.check_offer(what, seat)?;
        match &self.offer {
            Some(open) if open.what == what && what != Offer::Takeback => return self.agreed(who, what, moment),
            Some(_) => return Err(Code::AnotherProposal.into()),
            None => {}
        }
        let length = self.play.as_ref().map_or(0, |play| play.log().len());
        if self.declined == Some((what, seat, length)) {
            // Asked and declined in this very position: once is enough.
            return Err(Code::AnotherProposal.into());
        }
        let mut open = Open { what, by: seat, agreed: vec![seat] };
        let proposed = Event::Proposed { what, seat: seat.number() };
        match (what, self.others_are_bots(seat)) {
            // A bot plays on rather than to judge a draw.
            (Offer::Draw, Some(bot)) => return Ok(vec![proposed, Event::Declined { what, seat: bot.number() }]),
            (Offer::Draw, None) => {}
            (Offer::Takeback | Offer::Rematch, _) => open.agreed.extend(self.bots()),
        }
        let mut events = vec![proposed];
        events.extend(self.conclude(&open, moment)?);
        Ok(events)
    }

    /// Somebody agrees to a proposal.
    pub(super) fn agreed(&mut self, who: &Person, what: Offer, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let seat = self.seated(who)?;
        self.check_offer(what, seat)?;
        let open = self.offer.as_ref().filter(|open| open.what == what).ok_or(Code::NothingProposed)?;
        if open.agreed.contains(&seat) {
            return Err(Code::AnotherProposal.into());
        }
        let mut open = open.clone();
        open.agreed.push(seat);
        let mut events = vec![Event::Proposed { what, seat: seat.number() }];
        events.extend(self.conclude(&open, moment)?);
        Ok(events)
    }

    /// Somebody declines a proposal, or withdraws it.
    pub(super) fn decline(&mut self, who: &Person, what: Offer) -> Result<Vec<Event>, Refusal> {
        let seat = self.seated(who)?;
        self.offer.as_ref().filter(|open| open.what == what).ok_or(Code::NothingProposed)?;
        Ok(vec![Event::Declined { what, seat: seat.number() }])
    }

    /// A side that acts without answering has declined.
    pub(super) fn unanswered(&self, seat: Seat) -> Option<Event> {
        let (open, play) = self.offer.as_ref().zip(self.play.as_ref())?;
        let side = |seat| play.position().side(seat);
        let answered = open.agreed.iter().any(|&other| side(other) == side(seat));
        (!answered).then_some(Event::Declined { what: open.what, seat: seat.number() })
    }

    /// Puts a proposal, or an agreement to it, on the table.
    pub(super) fn propose(&mut self, what: Offer, seat: Seat) {
        match &mut self.offer {
            Some(open) if open.what == what => open.agreed.push(seat),
            _ => {
                let mut agreed = vec![seat];
                if what != Offer::Draw {
                    agreed.extend(self.bots());
                }
                self.offer = Some(Open { what, by: seat, agreed });
            }
        }
    }

    /// Whether all have agreed to play once more, and to nothing else since.
    pub(crate) fn wants_rematch(&self) -> bool {
        let all = |open: &Open| self.people().all(|(seat, _)| open.agreed.contains(&seat));
        self.again.is_none() && self.offer.as_ref().is_some_and(|open| open.what == Offer::Rematch && all(open))
    }

    /// Who sits where in the next game: everybody one seat further.
    pub(crate) fn rotated(&self) -> Vec<Option<Sitting>> {
        let mut seats = self.seats.clone();
        seats.rotate_right(1);
        seats
    }

    fn check_offer(&self, what: Offer, seat: Seat) -> Result<(), Refusal> {
        let play = self.play.as_ref().ok_or(Code::NotBegun)?;
        match what {
            Offer::Draw | Offer::Takeback => {
                check_playing(play)?;
                if play.is_out(seat) { Err(Code::SeatIsOut.into()) } else { Ok(()) }
            }
            Offer::Rematch if play.ending().is_none() => Err(Code::NotBegun.into()),
            Offer::Rematch if self.again.is_some() => Err(Code::Over.into()),
            Offer::Rematch => Ok(()),
        }
    }

    fn bots(&self) -> Vec<Seat> {
        let is_bot = |(_, who): &(usize, &Option<Sitting>)| matches!(who, Some(Sitting::Bot(_)));
        self.seats.iter().enumerate().filter(is_bot).map(|(index, _)| Seat::from_index(index)).collect()
    }

    /// A bot that alone speaks for a side which has not agreed.
    fn others_are_bots(&self, seat: Seat) -> Option<Seat> {
        let position = self.play.as_ref()?.position();
        let bots = self.bots();
        let alone = |bot: &&Seat| {
            let partners = self.people().any(|(person, _)| position.side(person) == position.side(**bot));
            position.side(**bot) != position.side(seat) && !partners
        };
        bots.iter().find(alone).copied()
    }

    /// Does what was proposed, if all sides agree.
    fn conclude(&mut self, open: &Open, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let Some(play) = self.play.as_mut() else { return Ok(Vec::new()) };
        let side = |seat: Seat| play.position().side(seat);
        let playing = |seat: &Seat| !play.is_out(*seat);
        let agrees = |seat: Seat| open.agreed.iter().any(|&other| side(other) == side(seat));
        let all = Seat::all(play.position().seats()).filter(playing).all(agrees);
        match open.what {
            Offer::Draw if all => {
                let before = play.log().len();
                play.replay(Entry::new(game::Event::Agreed)).map_err(refusal)?;
                self.draw(before, moment)
            }
            Offer::Takeback => {
                // What cannot be taken back is better said when it is proposed than when it is granted.
                let mut copy = play.clone();
                let agreed = match copy.undo_action_of(open.by, Consent::NotAsked, moment.now) {
                    // Somebody has seen a card since, and cannot unsee it: then not each side but everybody is asked.
                    Err(MatchError::NeedsConsent) => {
                        copy.undo_action_of(open.by, Consent::All, moment.now).map_err(refusal)?;
                        Seat::all(play.position().seats()).filter(playing).all(|seat| open.agreed.contains(&seat))
                    }
                    undone => undone.map(|()| all).map_err(refusal)?,
                };
                if !agreed {
                    return Ok(Vec::new());
                }
                let to = copy.log().len() as u32;
                *play = copy;
                Ok(vec![Event::TookBack { to }])
            }
            // The next table is made by whoever keeps the tables; see `wants_rematch`.
            Offer::Draw | Offer::Rematch => Ok(Vec::new()),
        }
    }
}
