use std::sync::Arc;
use std::time::Duration;

use rules::{Outcome, Seat, Turn, Viewer};

use super::MatchError;
use crate::record::is_hidden;
use crate::{AnyPosition, Cause, Clock, Departure, Ending, Entry, Event, MatchSettings, Refused};

/// Everything about a match that follows from its log.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) position: Box<dyn AnyPosition>,
    pub(super) ending: Option<Ending>,
    pub(super) clock: Clock,
    /// One for each entry of the log.
    pub(super) steps: Vec<Step>,
    /// The seats that are out, in the order they went.
    pub(super) out: Vec<Seat>,
    /// The viewer through whose knowledge the match is followed; `None` if it is known in full.
    pub(super) viewer: Option<Viewer>,
    /// How often each position has stood, where that matters (G7).
    seen: Option<Repetitions>,
}

/// What an entry was at the moment it happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The seat that acted; `None` for chance and for what only the table knows.
    pub(super) actor: Option<Seat>,
    /// Whether a player learnt something by it that cannot be unlearnt, or it was no action of a seat at all.
    pub(super) binding: bool,
}

/// How often each position has stood.
#[derive(Clone, Debug, Default)]
struct Repetitions {
    /// In the order of their texts.
    times: Arc<Vec<(String, u32)>>,
    /// In a draft, the positions that have stood in it: the counts of the match are shared, not copied.
    drafted: Option<Vec<String>>,
}

impl Repetitions {
    /// Counts a position; how often it has stood by now.
    fn count(&mut self, position: String) -> u32 {
        let found = self.times.binary_search_by(|(other, _)| other.cmp(&position));
        let Some(drafted) = &mut self.drafted else {
            let times = Arc::make_mut(&mut self.times);
            let place = found.unwrap_or_else(|place| {
                times.insert(place, (position, 0));
                place
            });
            times[place].1 += 1;
            return times[place].1;
        };
        let before = found.map_or(0, |place| self.times[place].1);
        let here = 1 + drafted.iter().filter(|other| **other == position).count() as u32;
        drafted.push(position);
        before + here
    }

    fn draft(&self) -> Repetitions {
        let drafted = self.drafted.clone().unwrap_or_default();
        Repetitions { times: self.times.clone(), drafted: Some(drafted) }
    }
}

impl State {
    pub(super) fn new(settings: &MatchSettings, start: Box<dyn AnyPosition>, viewer: Option<Viewer>) -> State {
        let mut state = State {
            clock: Clock::new(settings.clock, start.seats()),
            position: start,
            ending: None,
            steps: Vec::new(),
            out: Vec::new(),
            viewer,
            seen: settings.game.draws_by_repetition().then(Repetitions::default),
        };
        state.count_position();
        state.settle();
        state
    }

    /// A copy without what grows with the log, to go on from here.
    pub(super) fn draft(&self) -> State {
        State {
            position: self.position.clone(),
            ending: self.ending,
            clock: self.clock.clone(),
            steps: Vec::new(),
            out: self.out.clone(),
            viewer: self.viewer,
            seen: self.seen.as_ref().map(Repetitions::draft),
        }
    }

    /// The seat that is to act, unless chance is or the match is over.
    pub(super) fn to_act(&self) -> Option<Seat> {
        match self.position.turn() {
            Turn::Seat(seat) if self.ending.is_none() => Some(seat),
            _ => None,
        }
    }

    /// Whether a card or tile is to be drawn before a seat can act.
    pub(super) fn chance_is_due(&self) -> bool {
        self.ending.is_none() && self.position.turn() == Turn::Chance
    }

    pub(super) fn check_not_over(&self) -> Result<(), MatchError> {
        self.ending.map_or(Ok(()), |ending| Err(MatchError::Over(ending)))
    }

    /// Whether this seat may do anything at all.
    pub(super) fn check_seat(&self, seat: Seat) -> Result<(), MatchError> {
        self.check_not_over()?;
        if seat.number() > self.position.seats() {
            return Err(MatchError::NoSuchSeat(seat));
        }
        if self.is_out(seat) { Err(MatchError::SeatIsOut(seat)) } else { Ok(()) }
    }

    /// Gives the seat to act back some of the time since the last event; how much it was.
    pub(super) fn forgive(&mut self, time: Duration, now: Duration) -> Duration {
        self.clock.look(now);
        self.clock.forgive(time)
    }

    /// Sends the seat to act out if its time is up (G7).
    pub(super) fn tick(&mut self, log: &mut Vec<Entry>, now: Duration) -> Option<Seat> {
        let seat = self.clock.look(now)?;
        self.write(log, Event::Out(seat, Departure::TimeUp)).ok()?;
        Some(seat)
    }

    /// Plays an action for a seat, if it is that seat's turn.
    pub(super) fn act(
        &mut self,
        log: &mut Vec<Entry>,
        seat: Seat,
        action: &str,
        now: Duration,
    ) -> Result<(), MatchError> {
        self.check_seat(seat)?;
        match self.to_act() {
            Some(other) if other == seat => self.play(log, action, now),
            to_act => Err(MatchError::NotYourTurn { seat, to_act }),
        }
    }

    /// Plays an action for the seat to act, unless its time is up, or for chance.
    pub(super) fn play(&mut self, log: &mut Vec<Entry>, action: &str, now: Duration) -> Result<(), MatchError> {
        self.check_not_over()?;
        if let Some(seat) = self.tick(log, now) {
            return Err(MatchError::TimeUp(seat));
        }
        self.write(log, Event::Action(action.into()))
    }

    /// Draws once for chance; `None` if chance is not to act.
    pub(super) fn draw_one(
        &mut self,
        log: &mut Vec<Entry>,
        random: &mut dyn FnMut(u32) -> u32,
        now: Duration,
    ) -> Result<Option<String>, MatchError> {
        if !self.chance_is_due() {
            return Ok(None);
        }
        let action = pick(self.position.chances(), random).ok_or(MatchError::NothingToDraw)?;
        self.play(log, &action, now)?;
        Ok(Some(action))
    }

    /// A seat resigns or is sent out.
    pub(super) fn depart(
        &mut self,
        log: &mut Vec<Entry>,
        seat: Seat,
        departure: Departure,
        now: Duration,
    ) -> Result<(), MatchError> {
        self.check_seat(seat)?;
        self.clock.look(now);
        self.write(log, Event::Out(seat, departure))
    }

    /// Lets an event happen now and writes it to the log, with the time that ran for the seat to act.
    pub(super) fn write(&mut self, log: &mut Vec<Entry>, event: Event) -> Result<(), MatchError> {
        let spent = self.to_act().and_then(|_| self.clock.spent());
        let mut entry = Entry::new(event);
        // The clock has counted this time already, so the event happens without it and is written with it.
        self.advance(&entry)?;
        entry.spent = spent;
        self.clock.spent_is_written();
        log.push(entry);
        Ok(())
    }

    /// Lets an entry happen; nothing changes if the rules refuse it. The match must not be over.
    pub(super) fn advance(&mut self, entry: &Entry) -> Result<(), Refused> {
        let to_act = self.to_act();
        let mut step = Step { actor: None, binding: true };
        match &entry.event {
            Event::Action(action) => {
                self.play_action(action, is_hidden(&entry.event))?;
                step = Step { actor: to_act, binding: to_act.is_none() || self.position.hides() };
                self.count_position();
            }
            Event::Out(seat, departure) => self.send_out(*seat, *departure),
            Event::Agreed => self.end(Some(Outcome::Draw), Cause::Agreement),
            Event::Abandoned => self.end(None, Cause::Abandonment),
        }
        self.steps.push(step);
        if let Some(spent) = entry.spent {
            self.clock.charge(spent);
        }
        self.settle();
        Ok(())
    }

    /// Plays an action. A viewer's match plays it in a redetermined position, in which it is possible.
    fn play_action(&mut self, action: &str, hidden: bool) -> Result<(), Refused> {
        let Some(viewer) = self.viewer.filter(|_| self.position.hides()) else { return self.position.play(action) };
        let mut position = self.position.redetermined(action, viewer);
        match position.chances().first() {
            // Any card will do: this viewer cannot see which one it was.
            Some((some, _)) if hidden => position.play(some)?,
            _ => position.play(action)?,
        }
        self.position = position;
        Ok(())
    }

    pub(super) fn is_out(&self, seat: Seat) -> bool {
        // A seat speaks for its side, so partners go together.
        self.out.iter().any(|&gone| self.position.side(gone) == self.position.side(seat))
    }

    /// One seat of each side that still plays.
    pub(super) fn sides_left(&self) -> Vec<Seat> {
        let mut left: Vec<Seat> = Vec::new();
        for seat in Seat::all(self.position.seats()).filter(|&seat| !self.is_out(seat)) {
            if left.iter().all(|&other| self.position.side(other) != self.position.side(seat)) {
                left.push(seat);
            }
        }
        left
    }

    fn send_out(&mut self, seat: Seat, departure: Departure) {
        self.out.push(seat);
        if let [last] = self.sides_left()[..] {
            self.end(Some(Outcome::Win(self.position.side(last))), departure.into());
        }
    }

    fn end(&mut self, outcome: Option<Outcome>, cause: Cause) {
        self.ending.get_or_insert(Ending { outcome, cause });
    }

    /// Passes over seats that are out, sees whether the game is over, and hands on the clock.
    fn settle(&mut self) {
        while let Some(seat) = self.to_act().filter(|&seat| self.is_out(seat)) {
            self.position.skip_turn();
            if self.position.turn() == Turn::Seat(seat) {
                // The game knows no way on without this seat, so the match has no result.
                self.end(None, Cause::Abandonment);
            }
        }
        if let Turn::Over(outcome) = self.position.turn() {
            self.end(Some(outcome), Cause::Rules);
        }
        self.clock.hand_to(self.to_act());
    }

    fn count_position(&mut self) {
        let Some(seen) = &mut self.seen else { return };
        // The text names the seat to act, which the rule counts as part of the position.
        let times = seen.count(self.position.to_string());
        if times == 3 && !matches!(self.position.turn(), Turn::Over(_)) {
            self.end(Some(Outcome::Draw), Cause::Repetition);
        }
    }
}

/// Picks one of the actions of chance by their weights.
pub(super) fn pick(chances: Vec<(String, u32)>, random: &mut dyn FnMut(u32) -> u32) -> Option<String> {
    let total = chances.iter().map(|(_, weight)| weight).sum();
    let mut left = random(total);
    for (action, weight) in chances {
        if left < weight {
            return Some(action);
        }
        left -= weight;
    }
    None
}
