//! A match in progress.
//!
//! The log is the only truth; everything else follows from it by replay, which is also how undo works.

mod draft;
mod error;
mod proposal;
mod state;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_draft;
#[cfg(test)]
mod tests_sequence;
mod undo;

use std::time::Duration;

use rules::{Seat, Turn, Viewer};
use search::Step;

pub use draft::Draft;
pub use error::{BadSettings, MatchError};
pub use proposal::{Answer, Proposal, ProposalKind};
pub use undo::Consent;

use crate::{AnyPosition, Clock, Comment, Departure, Ending, Entry, Event, MatchSettings};
use state::State;

/// A game in progress at a table, or one that is over.
///
/// Every call that depends on time takes `now`, the time since some fixed moment. A caller without a clock always
/// passes `Duration::ZERO`.
///
/// ```
/// use rules::Seat;
/// use std::time::Duration;
/// use game::{Match, MatchSettings};
///
/// let mut game = Match::new(MatchSettings::new("quixo".parse()?))?;
/// let now = Duration::ZERO;
/// game.act(Seat::ONE, "a3e3", now)?;
/// assert!(game.act(Seat::ONE, "a3e3", now).is_err()); // not its turn
/// game.resign(Seat::TWO, now)?;
/// assert_eq!(game.ending().unwrap().to_string(), "side 1 wins by resignation");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    settings: MatchSettings,
    start: Box<dyn AnyPosition>,
    log: Vec<Entry>,
    state: State,
    /// What was taken back, the earliest last.
    undone: Vec<Entry>,
    proposal: Option<Proposal>,
    preface: Vec<Comment>,
}

impl Match {
    /// A new match; its clock is stopped until [`Match::start_clock`].
    pub fn new(settings: MatchSettings) -> Result<Match, BadSettings> {
        Match::begin(settings, None)
    }

    /// A match followed from outside by a client that receives what `viewer` may see, with [`Match::replay`].
    ///
    /// Its positions show that viewer what the true ones show; what is hidden there is made up here.
    ///
    /// ```
    /// use rules::{Seat, Viewer};
    /// use game::{Entry, Match, MatchSettings};
    ///
    /// let mut game = Match::seen_by(MatchSettings::new("sequence".parse()?), Viewer::Seat(Seat::ONE))?;
    /// for seen in ["draw:cat", "draw:?", "draw:fox"] {
    ///     game.replay(Entry::new(seen.into()))?;
    /// }
    /// assert!(game.position().view_text(Viewer::Seat(Seat::ONE)).contains(" cat+fox|? "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn seen_by(settings: MatchSettings, viewer: Viewer) -> Result<Match, BadSettings> {
        Match::begin(settings, Some(viewer))
    }

    fn begin(mut settings: MatchSettings, viewer: Option<Viewer>) -> Result<Match, BadSettings> {
        let start = settings.start_position().map_err(BadSettings::Start)?;
        settings.tidy_notes();
        if settings.start.is_some() {
            // The usual start is left out; any other is kept in the form in which the game prints it.
            let text = start.to_string();
            settings.start = (text != settings.game.start().to_string()).then_some(text);
        }
        if settings.sitters.len() != usize::from(start.seats()) {
            return Err(BadSettings::Sitters { seats: start.seats(), sitters: settings.sitters.len() });
        }
        let state = State::new(&settings, start.clone(), viewer);
        Ok(Match { settings, start, log: Vec::new(), state, undone: Vec::new(), proposal: None, preface: Vec::new() })
    }

    /// What was agreed before the first action.
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// What happened, in order; its length is the number of the next event, counted from 0.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The position now, with full knowledge.
    pub fn position(&self) -> &dyn AnyPosition {
        self.state.position.as_ref()
    }

    /// The position before each entry of the log, and last the position now.
    pub fn history(&self) -> Vec<Box<dyn AnyPosition>> {
        let mut state = State::new(&self.settings, self.start.clone(), self.state.viewer);
        let mut positions = vec![state.position.clone()];
        for entry in &self.log {
            if state.advance(entry).is_err() {
                break;
            }
            positions.push(state.position.clone());
        }
        positions
    }

    /// Every position from the start to now, as a bot's search takes them.
    pub fn positions(&self) -> Vec<Box<dyn AnyPosition>> {
        let mut positions = self.history();
        let mut entries = self.log.iter();
        // A seat that went out may have been passed over: that is another turn, not another position.
        positions.retain(|_| entries.next().is_none_or(|entry| matches!(entry.event, Event::Action(_))));
        positions
    }

    /// The actions of seats, for a review; a step's ply is the place in [`Match::positions`] before it.
    pub fn review_steps(&self) -> Vec<Step<String>> {
        let mut steps = Vec::new();
        let mut positions = (0..).zip(self.positions());
        for (entry, logged) in self.log.iter().enumerate() {
            let Event::Action(action) = &logged.event else { continue };
            let Some((ply, position)) = positions.next() else { break };
            if let Turn::Seat(seat) = position.turn() {
                steps.push(Step { ply, entry, seat, action: action.to_string() });
            }
        }
        steps
    }

    /// The seat that is to act; `None` while chance is, and when the match is over.
    pub fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }

    /// Whether a card or tile is to be drawn before the match can go on.
    pub fn chance_is_due(&self) -> bool {
        self.state.chance_is_due()
    }

    /// How the match ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.state.ending
    }

    /// What may be played now; empty when the match is over, by whatever cause.
    pub fn legal(&self) -> Vec<String> {
        if self.state.ending.is_some() { Vec::new() } else { self.state.position.legal() }
    }

    /// Whether a seat is out because it, or its partner, resigned or ran out of time.
    pub fn is_out(&self, seat: Seat) -> bool {
        self.state.is_out(seat)
    }

    /// The seats that were out when the log had this length.
    pub(crate) fn out_at(&self, length: usize) -> &[Seat] {
        let later = self.log[length..].iter().filter(|entry| matches!(entry.event, Event::Out(..))).count();
        &self.state.out[..self.state.out.len() - later]
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// Starts the clock.
    pub fn start_clock(&mut self, now: Duration) {
        self.state.clock.start(now);
    }

    /// Stops the clock until [`Match::start_clock`].
    pub fn stop_clock(&mut self, now: Duration) {
        self.state.clock.stop(now);
    }

    /// Charges the seat to act for time that passed while this match was not in memory, as before a restart.
    pub fn charge(&mut self, time: Duration) {
        self.state.clock.charge_unwritten(time);
    }

    /// Gives the seat to act back some of the time since the last event, as for a slow network; how much it was.
    pub fn forgive(&mut self, time: Duration, now: Duration) -> Duration {
        self.state.forgive(time, now)
    }

    /// Looks at the clock: a seat whose time is up is out (G7) and returned.
    pub fn tick(&mut self, now: Duration) -> Option<Seat> {
        self.change(|state, log| state.tick(log, now))
    }

    /// Plays an action for a seat, if it is that seat's turn.
    pub fn act(&mut self, seat: Seat, action: &str, now: Duration) -> Result<(), MatchError> {
        self.change(|state, log| state.act(log, seat, action, now))
    }

    /// Plays an action for the seat to act, or for chance.
    ///
    /// A seat whose time was up before `now` does not act any more: it is out, as after [`Match::tick`].
    pub fn play(&mut self, action: &str, now: Duration) -> Result<(), MatchError> {
        self.change(|state, log| state.play(log, action, now))
    }

    /// Draws for chance until a seat is to act or the match is over; what was drawn.
    ///
    /// `random(n)` must give a number below `n`, each with the same odds.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use game::{Match, MatchSettings};
    /// let mut game = Match::new(MatchSettings::new("quixo".parse()?))?;
    /// let mut random = search::Random::new(1);
    /// // Nothing is left to chance in Quixo.
    /// assert!(game.draw(&mut |n| random.below(n), Duration::ZERO)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw(&mut self, random: &mut dyn FnMut(u32) -> u32, now: Duration) -> Result<Vec<String>, MatchError> {
        let mut drawn = Vec::new();
        while let Some(action) = self.draw_one(random, now)? {
            drawn.push(action);
        }
        Ok(drawn)
    }

    /// Draws once for chance; `None` if chance is not to act.
    pub fn draw_one(
        &mut self,
        random: &mut dyn FnMut(u32) -> u32,
        now: Duration,
    ) -> Result<Option<String>, MatchError> {
        self.change(|state, log| state.draw_one(log, random, now))
    }

    /// A seat resigns, in its own turn or not; it speaks for its side (G7).
    ///
    /// With more than two sides the others play on, and the seat's turns are skipped.
    pub fn resign(&mut self, seat: Seat, now: Duration) -> Result<(), MatchError> {
        self.change(|state, log| state.depart(log, seat, Departure::Resigned, now))
    }

    /// A seat has been away for so long that the others go on without it.
    pub fn leave(&mut self, seat: Seat, now: Duration) -> Result<(), MatchError> {
        self.change(|state, log| state.depart(log, seat, Departure::Left, now))
    }

    /// Ends the match without a result.
    pub fn abandon(&mut self, now: Duration) -> Result<(), MatchError> {
        self.check_not_over()?;
        self.state.clock.look(now);
        self.change(|state, log| state.write(log, Event::Abandoned))
    }

    /// Appends an entry of a record or of a server's log, with the time that stands in it.
    pub fn replay(&mut self, entry: Entry) -> Result<(), MatchError> {
        self.check_not_over()?;
        if let Event::Out(seat, _) = entry.event {
            self.check_seat(seat)?;
        }
        self.state.advance(&entry)?;
        self.log.push(entry);
        self.undone.clear();
        Ok(())
    }

    /// The events of the log as a viewer may know them while the match goes on: `draw:?` for another seat's card.
    pub fn seen_events(&self, viewer: Viewer) -> Vec<Event> {
        let mut state = State::new(&self.settings, self.start.clone(), self.state.viewer);
        let mut seen = Vec::with_capacity(self.log.len());
        for entry in &self.log {
            seen.push(match &entry.event {
                // An action of the log is legal when it is replayed; if it were not, it would be hidden.
                Event::Action(action) => match state.position.seen_action(action, viewer) {
                    Ok(text) => Event::Action(text.into()),
                    Err(_) => Event::Action("?".into()),
                },
                other => other.clone(),
            });
            if state.advance(entry).is_err() {
                break;
            }
        }
        seen
    }

    /// Adds a comment to the last event, or to the match before the first.
    pub fn comment(&mut self, text: &str) {
        let comment = Comment::new(text);
        if comment.as_str().is_empty() {
            return;
        }
        match self.log.last_mut() {
            Some(entry) => entry.comments.push(comment),
            None => self.preface.push(comment),
        }
    }

    /// The comments before the first event.
    pub fn preface(&self) -> &[Comment] {
        &self.preface
    }

    /// The viewer through whose knowledge the match is followed; `None` if the match is known in full.
    pub fn viewer(&self) -> Option<Viewer> {
        self.state.viewer
    }

    pub(crate) fn set_preface(&mut self, preface: Vec<Comment>) {
        self.preface = preface;
    }

    /// The position the match started from.
    pub(crate) fn start(&self) -> &dyn AnyPosition {
        self.start.as_ref()
    }

    /// Whether an entry is the first action of a turn (G8).
    pub(crate) fn begins_turn(&self, entry: usize) -> bool {
        let is_action = |entry: &Entry| matches!(entry.event, Event::Action(_));
        let Some((step, before)) = self.state.steps[..=entry].split_last() else { return false };
        let follows_other = || step.actor.is_some() && step.actor != before.iter().rev().find_map(|step| step.actor);
        is_action(&self.log[entry]) && (follows_other() || !self.log[..entry].iter().any(is_action))
    }

    /// Lets the state write to the log, then drops what the new entries end: redo and the open proposal.
    fn change<T>(&mut self, change: impl FnOnce(&mut State, &mut Vec<Entry>) -> T) -> T {
        let (length, actor) = (self.log.len(), self.to_act());
        let result = change(&mut self.state, &mut self.log);
        if self.log.len() > length {
            self.undone.clear();
            // A departure changes which sides have to agree.
            let departed = self.log[length..].iter().any(|entry| matches!(entry.event, Event::Out(..)));
            if departed || self.state.ending.is_some() {
                self.proposal = None;
            } else if let Some(seat) = actor {
                self.forget_unanswered_by(seat);
            }
        }
        result
    }

    /// The state after the first `length` entries of the log, with the clock running if it runs now.
    fn state_after(&self, length: usize, now: Duration) -> Result<State, MatchError> {
        let mut state = State::new(&self.settings, self.start.clone(), self.state.viewer);
        for entry in self.log.iter().take(length) {
            state.advance(entry)?;
        }
        if self.state.clock.is_running() {
            state.clock.start(now);
        }
        Ok(state)
    }

    /// Replays the log after it was cut or extended.
    fn rebuild(&mut self, now: Duration) -> Result<(), MatchError> {
        self.state = self.state_after(self.log.len(), now)?;
        self.proposal = None;
        Ok(())
    }

    fn check_not_over(&self) -> Result<(), MatchError> {
        self.state.check_not_over()
    }

    fn check_seat(&self, seat: Seat) -> Result<(), MatchError> {
        self.state.check_seat(seat)
    }
}
