use std::time::Duration;

use game::{Entry, Match, MatchError, Refused, result_word};
use protocol::{Claimed, Code, Do, Event, LONGEST_LINE, PHRASES, Person, Say, Sitting};
use rules::Seat;

use super::Refusal;
use super::table::{Moment, Table};

impl Table {
    /// Lets a fallen flag fall; what happened by it. To be asked before anything else is decided.
    pub(crate) fn tick(&mut self, moment: &mut Moment<'_>) -> Vec<Event> {
        let Some(play) = self.play.as_mut().filter(|play| play.ending().is_none()) else { return Vec::new() };
        let before = play.log().len();
        if play.tick(moment.now).is_none() {
            return Vec::new();
        }
        // With more than two sides the game may go on, and chance be next.
        let events = self.draw(before, moment).unwrap_or_default();
        self.with_ending(events)
    }

    /// What comes of an ask. The match is changed already; if the events cannot be kept, read the table again.
    pub(crate) fn decide(&mut self, who: &Person, what: &Do, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let events = match what {
            Do::Sit { seat } => self.sit(who, *seat, moment),
            Do::Stand => self.stand(who),
            Do::Bot { seat, level } => self.seat_bot(who, *seat, *level, moment),
            Do::Start => self.begin(moment),
            Do::Act { action, at } => self.act(who, action, *at, moment),
            Do::Resign => self.resign(who, moment),
            Do::Propose(offer) => self.offered(who, *offer, moment),
            Do::Agree(offer) => self.agreed(who, *offer, moment),
            Do::Decline(offer) => self.decline(who, *offer),
            Do::Claim { seat, what } => self.claim(who, *seat, *what, moment),
            Do::Say(say) => self.say(who, say),
            Do::Hello { .. } | Do::Watch { .. } | Do::Lobby | Do::Create(_) | Do::Pair(_) | Do::Ping => Ok(Vec::new()),
        }?;
        Ok(self.with_ending(events))
    }

    /// A bot acts in the position it was asked about; too late is no harm.
    pub(crate) fn bot_acts(&mut self, seat: Seat, action: &str, at: usize, moment: &mut Moment<'_>) -> Vec<Event> {
        let Some(play) = self.play.as_mut() else { return Vec::new() };
        if play.log().len() != at || play.act(seat, action, moment.now).is_err() {
            return Vec::new();
        }
        let mut events = self.draw(at, moment).unwrap_or_default();
        events.extend(self.unanswered(seat));
        self.with_ending(events)
    }

    fn act(&mut self, who: &Person, action: &str, at: u32, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let seat = self.seated(who)?;
        let play = self.play.as_mut().ok_or(Code::NotBegun)?;
        let before = play.log().len();
        if play.ending().is_none() && before != at as usize {
            return Err(Code::Stale.into());
        }
        if play.to_act() == Some(seat) {
            // In whole milliseconds, as the log has them. The bank itself changes when the line is kept.
            let bank = moment.lag.min(self.lag_bank[seat.index()]).as_millis() as u64;
            moment.forgiven = play.forgive(Duration::from_millis(bank), moment.now);
        }
        play.act(seat, action, moment.now).map_err(refusal)?;
        let mut events = self.draw(before, moment)?;
        events.extend(self.unanswered(seat));
        Ok(events)
    }

    fn resign(&mut self, who: &Person, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let seat = self.seated(who)?;
        let play = self.play.as_mut().ok_or(Code::NotBegun)?;
        let before = play.log().len();
        play.resign(seat, moment.now).map_err(refusal)?;
        self.draw(before, moment)
    }

    /// Somebody is away: with two sides the other gets what it claims, with more all who are there must claim it.
    fn claim(&mut self, who: &Person, away: u8, what: Claimed, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let seat = self.seated(who)?;
        let play = self.play.as_ref().ok_or(Code::NotBegun)?;
        check_playing(play)?;
        let gone = away.to_string().parse::<Seat>().ok().filter(|gone| gone.index() < self.seats.len());
        let gone = gone.filter(|gone| *gone != seat).ok_or(Code::NoSeat)?;
        if play.is_out(gone) || play.is_out(seat) {
            return Err(Code::SeatIsOut.into());
        }
        let absence = |seat: Seat| match &self.seats[seat.index()] {
            Some(Sitting::Person(person)) => (moment.away)(&person.id),
            _ => Duration::ZERO,
        };
        // Who has days for a turn need not be here; the clock alone ends such a game.
        if self.is_by_post() {
            return Err(Code::NotAway.into());
        }
        let waited = absence(gone);
        if waited < moment.grace {
            return Err(Refusal::with(Code::NotAway, (moment.grace - waited).as_secs().max(1)));
        }
        if self.claims.contains(&(seat, gone, what)) {
            return Err(Code::AnotherProposal.into());
        }
        let claimed = Event::Claimed { seat: seat.number(), away, what };
        let agrees = |other: Seat| other == seat || self.claims.contains(&(other, gone, what));
        let asked = |other: &Seat| {
            let person = matches!(self.seats[other.index()], Some(Sitting::Person(_)));
            person
                && !play.is_out(*other)
                && play.position().side(*other) != play.position().side(gone)
                && absence(*other) < moment.grace
        };
        if !Seat::all(self.seats.len() as u8).filter(asked).all(agrees) {
            return Ok(vec![claimed]);
        }
        let before = play.log().len();
        let Some(play) = self.play.as_mut() else { return Err(Code::NotBegun.into()) };
        match what {
            Claimed::Win => play.leave(gone, moment.now).map_err(refusal)?,
            Claimed::Draw => play.replay(Entry::new(game::Event::Agreed)).map_err(refusal)?,
        }
        let mut events = vec![claimed];
        events.extend(self.draw(before, moment)?);
        Ok(events)
    }

    fn say(&self, who: &Person, say: &Say) -> Result<Vec<Event>, Refusal> {
        let seat = self.seat_of(&who.id);
        let what = match say {
            Say::Text(text) => Say::Text(tidy(text)?),
            Say::Phrase(key) if PHRASES.contains(&key.as_str()) => say.clone(),
            Say::Phrase(_) => return Err(Code::BadText.into()),
            Say::Team(text) => {
                let team = seat.is_some_and(|seat| self.has_partner(seat));
                if !self.wish.confer || !team {
                    return Err(Code::NoTeam.into());
                }
                Say::Team(tidy(text)?)
            }
        };
        Ok(vec![Event::Said { seat: seat.map_or(0, Seat::number), name: who.name.clone(), what }])
    }

    fn has_partner(&self, seat: Seat) -> bool {
        let start = self.game.start();
        Seat::all(start.seats()).any(|other| other != seat && start.side(other) == start.side(seat))
    }

    pub(super) fn seated(&self, who: &Person) -> Result<Seat, Refusal> {
        self.seat_of(&who.id).ok_or_else(|| Code::NotSeated.into())
    }

    /// Lets chance draw, and tells everything that was added to the match since it had `before` entries.
    pub(super) fn draw(&mut self, before: usize, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        let Some(play) = self.play.as_mut() else { return Ok(Vec::new()) };
        play.draw(moment.random, moment.now).map_err(refusal)?;
        Ok(play.log()[before..].iter().map(did).collect())
    }

    /// Adds that it is over, if it is by now.
    fn with_ending(&self, mut events: Vec<Event>) -> Vec<Event> {
        let ending = self.play.as_ref().and_then(|play| Some((play, play.ending()?)));
        if let Some((play, ending)) = ending.filter(|_| self.ended.is_none()) {
            let hides = self.shadow.is_some() || play.position().hides();
            let log = if hides { play.log().iter().map(|entry| entry.event.to_string()).collect() } else { Vec::new() };
            events.push(Event::Ended { result: result_word(ending.outcome), cause: ending.cause.to_string(), log });
        }
        events
    }
}

fn did(entry: &Entry) -> Event {
    let spent = entry.spent.map(|spent| u32::try_from(spent.as_millis()).unwrap_or(u32::MAX));
    Event::Did { entry: entry.event.to_string(), spent }
}

pub(super) fn check_playing(play: &Match) -> Result<(), Refusal> {
    if play.ending().is_some() { Err(Code::Over.into()) } else { Ok(()) }
}

/// A chat line on one line, not empty and not too long.
fn tidy(text: &str) -> Result<String, Refusal> {
    let plain: String = text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }).collect();
    let plain = plain.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if plain.is_empty() || plain.chars().count() > LONGEST_LINE { Err(Code::BadText.into()) } else { Ok(plain) }
}

/// What a match says no to, as the protocol says it.
pub(super) fn refusal(error: MatchError) -> Refusal {
    match error {
        MatchError::Over(_) => Code::Over.into(),
        MatchError::Refused(Refused::Unreadable(problem)) => Refusal::with(Code::UnreadableAction, problem.text()),
        MatchError::Refused(Refused::Illegal { action, reason, .. }) => {
            Refusal { code: Code::IllegalAction, args: vec![action, format!("{reason:?}")] }
        }
        MatchError::NotYourTurn { to_act, .. } => Refusal::with(Code::NotYourTurn, to_act.map_or(0, Seat::number)),
        MatchError::NoSuchSeat(_) => Code::NoSeat.into(),
        MatchError::SeatIsOut(_) => Code::SeatIsOut.into(),
        MatchError::TimeUp(_) => Code::TimeUp.into(),
        MatchError::NothingToUndo | MatchError::NothingToRedo | MatchError::NeedsConsent => {
            Code::NothingToTakeBack.into()
        }
        MatchError::NothingProposed => Code::NothingProposed.into(),
        MatchError::AnotherProposal => Code::AnotherProposal.into(),
        MatchError::NothingToDraw => Code::Stale.into(),
    }
}
