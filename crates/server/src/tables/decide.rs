use std::time::Duration;

use game::{Draft, Entry, Match, MatchError, Refused};
use protocol::LONGEST_LINE;
use rules::Seat;

use super::event::Claim;
use super::table::Table;
use super::{Command, Decision, DecisionContext, Event, Person, Refusal, Request, Speech};

/// The most chat lines of one table: every client that comes has to read them all.
pub(super) const MOST_LINES: u32 = 1000;
/// How many of them people without a seat may write, so that they cannot silence the players.
pub(super) const MOST_OF_SPECTATORS: u32 = MOST_LINES / 2;
/// From this many events on no proposal, takeback or chat line is accepted: two people who do it again and again would fill the
/// memory.
pub(super) const MOST_EVENTS: u32 = 5000;

impl Table {
    /// What a command leads to. Nothing changes until the events are in the log and [`Table::apply`] takes them in.
    pub(crate) fn decide(&self, command: Command<'_>, context: &mut DecisionContext<'_>) -> Result<Decision, Refusal> {
        match command {
            Command::Tick => self.tick(context),
            Command::Abandon => self.abandon(context),
            Command::BotAct { seat, action, at } => self.bot_acts(seat, action, at, context),
            Command::Request(who, request) => self.decide_request(who, request, context),
        }
    }

    fn decide_request(
        &self,
        who: &Person,
        request: &Request,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        self.check_length(request)?;
        let events = match request {
            Request::Sit(seat) => return self.sit(who, *seat, context),
            Request::SeatBot { seat, level } => return self.seat_bot(who, *seat, *level, context),
            Request::Start => return self.begin(&self.seats, Vec::new(), context),
            Request::Act { action, at } => return self.act(who, action, *at, context),
            Request::Resign => return self.resign(who, context),
            Request::Propose(what) => return self.propose(who, *what, context),
            Request::Agree(what) => return self.agree(who, *what, context),
            Request::Claim { away, what } => return self.claim(who, *away, *what, context),
            Request::Stand => self.stand(who)?,
            Request::Decline(what) => self.decline(who, *what)?,
            Request::Say(speech) => self.say(who, speech)?,
        };
        Ok(self.without_the_match(events, context))
    }

    /// Whether the log has room for a request. What belongs to the game always has: the rules and the clock end it.
    fn check_length(&self, request: &Request) -> Result<(), Refusal> {
        let plays = matches!(request, Request::Act { .. } | Request::Resign | Request::Claim { .. });
        if plays || self.seq() < MOST_EVENTS { Ok(()) } else { Err(Refusal::Forbidden) }
    }

    /// A flag that has fallen. With more than two sides the game may go on, and chance be next.
    fn tick(&self, context: &mut DecisionContext<'_>) -> Result<Decision, Refusal> {
        let running = self.play.as_ref().filter(|play| play.ending().is_none());
        let Some(play) = running.filter(|play| play.clock().fallen(context.now).is_some()) else {
            return Ok(Decision { events: Vec::new(), flag_falls_at: self.flag_falls_at(context.now) });
        };
        let mut draft = play.draft();
        draft.tick(context.now);
        self.conclude(draft, Vec::new(), 0, context)
    }

    /// Nothing comes of an action that is late or illegal: the match has gone on without the bot.
    fn bot_acts(
        &self,
        seat: Seat,
        action: &str,
        at: usize,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        let play = self.play.as_ref().ok_or(Refusal::NotBegun)?;
        let mut draft = play.draft();
        if play.log().len() != at || draft.act(seat, action, context.now).is_err() {
            return Ok(self.without_the_match(Vec::new(), context));
        }
        self.conclude_action(draft, seat, Duration::ZERO, context)
    }

    fn act(&self, who: &Person, action: &str, at: u32, context: &mut DecisionContext<'_>) -> Result<Decision, Refusal> {
        let seat = self.seat_of_person(who)?;
        let play = self.play.as_ref().ok_or(Refusal::NotBegun)?;
        if play.ending().is_none() && play.log().len() != at as usize {
            return Err(Refusal::Stale);
        }
        let mut draft = play.draft();
        let mut forgiven = Duration::ZERO;
        if play.to_act() == Some(seat) {
            // In whole milliseconds, as the log has them.
            let allowed = context.lag.min(self.lag_allowance[seat.index()]).as_millis() as u64;
            forgiven = draft.forgive(Duration::from_millis(allowed), context.now);
        }
        draft.act(seat, action, context.now).map_err(refusal)?;
        self.conclude_action(draft, seat, forgiven, context)
    }

    fn abandon(&self, context: &mut DecisionContext<'_>) -> Result<Decision, Refusal> {
        let mut draft = self.play.as_ref().ok_or(Refusal::NotBegun)?.draft();
        draft.abandon().map_err(refusal)?;
        self.conclude(draft, Vec::new(), 0, context)
    }

    fn resign(&self, who: &Person, context: &mut DecisionContext<'_>) -> Result<Decision, Refusal> {
        let seat = self.seat_of_person(who)?;
        let mut draft = self.play.as_ref().ok_or(Refusal::NotBegun)?.draft();
        draft.resign(seat, context.now).map_err(refusal)?;
        self.conclude(draft, Vec::new(), 0, context)
    }

    /// A seat is away. With two sides the other gets what it claims; with more, all who are present must claim it.
    fn claim(
        &self,
        who: &Person,
        away: Seat,
        what: Claim,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        let seat = self.seat_of_person(who)?;
        let play = self.play.as_ref().ok_or(Refusal::NotBegun)?;
        check_playing(play)?;
        if away.index() >= self.seats.len() || away == seat {
            return Err(Refusal::NoSeat);
        }
        if play.is_out(away) || play.is_out(seat) {
            return Err(Refusal::SeatIsOut);
        }
        // A player with days for a turn need not be connected; the clock alone ends such a game.
        if self.is_by_post() {
            return Err(Refusal::NotAway { wait: None });
        }
        let absence = |seat: Seat| {
            let person = self.seats[seat.index()].as_ref().and_then(|who| who.person());
            person.map_or(Duration::ZERO, |person| (context.absence)(&person.id))
        };
        let waited = absence(away);
        if waited < context.grace {
            let wait = u32::try_from((context.grace - waited).as_secs()).unwrap_or(u32::MAX).max(1);
            return Err(Refusal::NotAway { wait: Some(wait) });
        }
        if self.claims.contains(&(seat, away, what)) {
            return Err(Refusal::AnotherProposal);
        }
        let agrees = |other: Seat| other == seat || self.claims.contains(&(other, away, what));
        let must_agree = |other: &Seat| {
            self.people().any(|(person, _)| person == *other)
                && !play.is_out(*other)
                && play.position().side(*other) != play.position().side(away)
                && absence(*other) < context.grace
        };
        let claimed = vec![Event::Claimed { seat, away, what }];
        if !Seat::all(self.seats.len() as u8).filter(must_agree).all(agrees) {
            return Ok(self.without_the_match(claimed, context));
        }
        let mut draft = play.draft();
        match what {
            Claim::Win => draft.leave(away, context.now).map_err(refusal)?,
            Claim::Draw => draft.agree().map_err(refusal)?,
        }
        self.conclude(draft, claimed, 0, context)
    }

    fn say(&self, who: &Person, speech: &Speech) -> Result<Vec<Event>, Refusal> {
        let seat = self.seat_of(&who.id);
        if self.lines >= MOST_LINES || (seat.is_none() && self.lines_of_spectators >= MOST_OF_SPECTATORS) {
            return Err(Refusal::Forbidden);
        }
        let what = match speech {
            Speech::Text(text) => Speech::Text(tidy(text)?),
            Speech::Phrase(_) => speech.clone(),
            Speech::Team(text) => {
                let team = seat.is_some_and(|seat| self.has_partner(seat));
                if !self.spec.confer || !team {
                    return Err(Refusal::NoTeam);
                }
                Speech::Team(tidy(text)?)
            }
        };
        Ok(vec![Event::Said { seat, name: who.name.clone(), what }])
    }

    fn has_partner(&self, seat: Seat) -> bool {
        let start = self.spec.game.start();
        Seat::all(start.seats()).any(|other| other != seat && start.side(other) == start.side(seat))
    }

    pub(super) fn seat_of_person(&self, who: &Person) -> Result<Seat, Refusal> {
        self.seat_of(&who.id).ok_or(Refusal::NotSeated)
    }

    /// A decision that leaves the match alone.
    pub(super) fn without_the_match(&self, events: Vec<Event>, context: &DecisionContext<'_>) -> Decision {
        Decision { events, flag_falls_at: self.flag_falls_at(context.now) }
    }

    /// A decision about an action: a proposal that the seat has not answered is declined by it.
    fn conclude_action(
        &self,
        draft: Draft,
        seat: Seat,
        forgiven: Duration,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        let side = |seat| draft.position().side(seat);
        let unanswered =
            self.proposal.as_ref().filter(|open| open.agreed.iter().all(|&other| side(other) != side(seat)));
        let declined = unanswered.map(|open| Event::Declined { what: open.what, seat });
        let forgiven = u32::try_from(forgiven.as_millis()).unwrap_or(u32::MAX);
        let mut decision = self.conclude(draft, Vec::new(), forgiven, context)?;
        if let Some(declined) = declined {
            let over = decision.events.iter().position(|event| matches!(event, Event::Ended { .. }));
            decision.events.insert(over.unwrap_or(decision.events.len()), declined);
        }
        Ok(decision)
    }

    /// Lets chance draw, and adds everything that happened in a draft of the match. What was forgiven for a slow network
    /// belongs to the first entry.
    pub(super) fn conclude(
        &self,
        mut draft: Draft,
        mut events: Vec<Event>,
        forgiven: u32,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        draft.draw(context.random, context.now).map_err(refusal)?;
        let played = draft.entries().iter().enumerate();
        events.extend(played.map(|(index, entry)| played_event(entry, if index == 0 { forgiven } else { 0 })));
        if let Some(ending) = draft.ending() {
            events.push(Event::Ended { result: ending.outcome, cause: ending.cause });
        }
        Ok(Decision { events, flag_falls_at: draft.clock().falls_at(context.now) })
    }
}

fn played_event(entry: &Entry, forgiven: u32) -> Event {
    let spent = entry.spent.map(|spent| u32::try_from(spent.as_millis()).unwrap_or(u32::MAX));
    Event::Played { entry: entry.event.clone(), spent, forgiven }
}

pub(super) fn check_playing(play: &Match) -> Result<(), Refusal> {
    if play.ending().is_some() { Err(Refusal::Over) } else { Ok(()) }
}

impl Speech {
    /// Whether an entry of the log is this line. One whose words have expired may be any.
    pub(super) fn became(&self, kept: &Speech) -> bool {
        match (self, kept) {
            (_, Speech::Text(kept)) if kept.is_empty() => true,
            (Speech::Phrase(said), Speech::Phrase(kept)) => said == kept,
            (Speech::Text(said), Speech::Text(kept)) | (Speech::Team(said), Speech::Team(kept)) => {
                one_line(said) == *kept
            }
            _ => false,
        }
    }
}

/// A text on one line, without control characters and letters that are not seen.
pub(crate) fn one_line(text: &str) -> String {
    let plain = text.chars().filter(|letter| !is_invisible(*letter));
    let plain: String = plain.map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }).collect();
    plain.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A chat message on one line, not empty and not too long.
fn tidy(text: &str) -> Result<String, Refusal> {
    let plain = one_line(text);
    if plain.is_empty() || plain.chars().count() > LONGEST_LINE { Err(Refusal::BadText) } else { Ok(plain) }
}

/// Whether a letter is not seen, or turns the direction of those that are.
pub(crate) fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Why a match refuses something, as the protocol says it.
pub(super) fn refusal(error: MatchError) -> Refusal {
    match error {
        MatchError::Over(_) => Refusal::Over,
        MatchError::Refused(Refused::Unreadable(problem)) => {
            Refusal::UnreadableAction { action: problem.text().to_owned() }
        }
        MatchError::Refused(Refused::Illegal { action, reason, .. }) => {
            Refusal::IllegalAction { action, problem: reason.to_string() }
        }
        MatchError::NotYourTurn { to_act, .. } => Refusal::NotYourTurn { to_act },
        MatchError::NoSuchSeat(_) => Refusal::NoSeat,
        MatchError::SeatIsOut(_) => Refusal::SeatIsOut,
        MatchError::TimeUp(_) => Refusal::TimeUp,
        MatchError::NothingToUndo | MatchError::NothingToRedo | MatchError::NeedsConsent => Refusal::NothingToTakeBack,
        MatchError::NothingProposed => Refusal::NothingProposed,
        MatchError::AnotherProposal => Refusal::AnotherProposal,
        MatchError::NothingToDraw => Refusal::Stale,
    }
}
