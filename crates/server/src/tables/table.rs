use std::time::Duration;

use game::{Consent, Entry, Match};
use rules::{Outcome, Seat, Viewer};

use super::event::{Claim, ProposalKind};
use super::proposal::Proposal;
use super::{Event, LogEntry, Person, Request, Sitting, TableSpec};

/// A table: everything that follows from its log.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) spec: TableSpec,
    pub(crate) maker: String,
    pub(super) log: Vec<Recorded>,
    pub(super) seats: Vec<Option<Sitting>>,
    /// The rating of each player when they sat down, at rated tables.
    pub(super) ratings: Vec<Option<u32>>,
    pub(super) play: Option<Match>,
    /// Whether the game hides anything from a seat.
    pub(super) hides: bool,
    pub(super) proposal: Option<Proposal>,
    /// What was declined last, by whom it was proposed, and how long the match's log was.
    pub(super) declined: Option<(ProposalKind, Seat, usize)>,
    pub(super) claims: Vec<(Seat, Seat, Claim)>,
    ended: Option<(Option<Outcome>, game::Cause)>,
    pub(super) rematch: Option<String>,
    /// How many chat lines the log has, and how many of them are by people without a seat.
    pub(super) lines: u32,
    pub(super) lines_of_spectators: u32,
    /// What each seat may still be given back for a slow network.
    pub(super) lag_allowance: Vec<Duration>,
    /// When the clock was last set by an entry, in milliseconds since 1970.
    clock_set_at: i64,
}

/// An entry of the log, and its action as each seat and, last, spectators may know it; without that, all may know it.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) entry: LogEntry,
    visible: Option<Box<[Box<str>]>>,
}

impl Recorded {
    /// What a viewer sees instead of the true action, if anything is hidden.
    pub(super) fn seen_by(&self, viewer: Viewer) -> Option<&str> {
        let visible = self.visible.as_ref()?;
        let last = visible.len() - 1;
        let index = if let Viewer::Seat(seat) = viewer { seat.index().min(last) } else { last };
        Some(&visible[index])
    }
}

/// Where a table stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Playing,
    Over,
}

impl Stage {
    /// The word in the protocol and in the database.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Stage::Waiting => "waiting",
            Stage::Playing => "playing",
            Stage::Over => "over",
        }
    }
}

/// What a seat begins with, and has at most, to be given back for a slow network.
const LAG_ALLOWANCE: Duration = Duration::from_millis(500);
/// What each action adds to it.
const LAG_PER_ACTION: Duration = Duration::from_millis(60);

impl Table {
    /// A table with an empty log.
    pub(crate) fn new(id: String, spec: TableSpec, maker: String) -> Table {
        let seats = usize::from(spec.game.seats());
        Table {
            id,
            hides: spec.game.start().hides(),
            spec,
            maker,
            log: Vec::new(),
            seats: vec![None; seats],
            ratings: vec![None; seats],
            play: None,
            proposal: None,
            declined: None,
            claims: Vec::new(),
            ended: None,
            rematch: None,
            lines: 0,
            lines_of_spectators: 0,
            lag_allowance: vec![LAG_ALLOWANCE; seats],
            clock_set_at: 0,
        }
    }

    /// Applies a whole log; the clock stands as if every entry had happened at `now`. See [`Table::set_clock`].
    pub(crate) fn replay(
        mut self,
        entries: impl IntoIterator<Item = LogEntry>,
        now: Duration,
    ) -> Result<Table, String> {
        for entry in entries {
            self.apply(entry, now)?;
        }
        Ok(self)
    }

    /// Takes in the next entry of the log; `now` is when it happened, in this process's time.
    ///
    /// An entry that the rules refuse is an error: the log is broken, and the table is not to be used any more.
    pub(crate) fn apply(&mut self, entry: LogEntry, now: Duration) -> Result<(), String> {
        let problem = |problem: &dyn std::fmt::Display| format!("line {}: {problem}", self.log.len() + 1);
        let mut visible = None;
        match &entry.event {
            Event::Sat { seat, who, rating } => self.put(*seat, Some(who.clone()), *rating),
            Event::Stood { seat } => self.put(*seat, None, None),
            Event::Began => {
                let mut play = self.new_match(&self.seats, entry.at).map_err(|error| problem(&error))?;
                play.start_clock(now);
                self.play = Some(play);
            }
            Event::Played { entry: played, spent, forgiven } => {
                let play = self.play.as_mut().ok_or_else(|| problem(&"an action before the beginning"))?;
                visible = if self.hides { visible_to_each(play, played) } else { None };
                let actor = play.to_act().filter(|_| matches!(played, game::Event::Action(_)));
                // The entry says how much time counts, not the clock that ran until it was durable.
                play.forgive(Duration::MAX, now);
                let mut logged = Entry::new(played.clone());
                logged.spent = spent.map(|spent| Duration::from_millis(spent.into()));
                play.replay(logged).map_err(|error| problem(&error))?;
                if let Some(seat) = actor {
                    self.use_lag_allowance(seat, *forgiven);
                }
                self.claims.clear();
                if matches!(played, game::Event::Out(..)) {
                    // The players to be asked are others now.
                    self.proposal = None;
                }
            }
            Event::TookBack { to } => {
                let play = self.play.as_mut().ok_or_else(|| problem(&"a takeback before the beginning"))?;
                play.rewind(*to as usize, Consent::All, now).map_err(|error| problem(&error))?;
                self.proposal = None;
            }
            Event::Proposed { what, seat } => self.proposal = Some(self.with_agreement(*what, *seat)),
            Event::Declined { what, seat } => {
                let length = self.play.as_ref().map_or(0, |play| play.log().len());
                let by = self.proposal.take().map_or(*seat, |open| open.by);
                self.declined = Some((*what, by, length));
            }
            Event::Claimed { seat, away, what } => self.claims.push((*seat, *away, *what)),
            Event::Said { seat, .. } => {
                self.lines += 1;
                self.lines_of_spectators += u32::from(seat.is_none());
            }
            Event::Ended { result, cause } => {
                self.ended = Some((*result, *cause));
                self.proposal = None;
                self.claims.clear();
            }
            Event::RematchMade { table } => self.rematch = Some(table.clone()),
        }
        if entry.event.sets_clock() {
            self.clock_set_at = entry.at;
        }
        self.log.push(Recorded { entry, visible });
        Ok(())
    }

    /// Sets the running clock to the log's state plus `passed`, the time since [`Table::clock_set_at`] that counts.
    pub(crate) fn set_clock(&mut self, passed: Duration, now: Duration) {
        if let Some(play) = self.play.as_mut().filter(|play| play.ending().is_none()) {
            play.forgive(Duration::MAX, now);
            play.charge(passed);
            play.start_clock(now);
        }
    }

    /// Notes that the clock was set later than its entry says: when the entry became durable.
    pub(crate) fn set_clock_later(&mut self, at: i64) {
        self.clock_set_at = self.clock_set_at.max(at);
    }

    /// When the running turn began, if its flag falls at `due_at`; both in milliseconds since 1970. The clock has to stand
    /// as the log says. Only known if the last entry has set the clock.
    pub(crate) fn clock_began_at(&self, due_at: Option<i64>, now: Duration) -> Option<i64> {
        self.log.last().filter(|recorded| recorded.entry.event.sets_clock())?;
        let falls_in = self.flag_falls_at(now)?.saturating_sub(now);
        due_at?.checked_sub(i64::try_from(falls_in.as_millis()).ok()?)
    }

    /// Removes a person's name and rating, as was done in the stored log.
    pub(crate) fn forget(&mut self, person: &str) {
        for recorded in &mut self.log {
            recorded.entry.forget(person);
        }
        for (who, rating) in self.seats.iter_mut().zip(&mut self.ratings) {
            if let Some(Sitting::Person(sitting)) = who
                && sitting.id == person
            {
                sitting.name.clear();
                *rating = None;
            }
        }
    }

    /// Takes from a seat's allowance what an action was given, and adds what each action adds.
    fn use_lag_allowance(&mut self, seat: Seat, forgiven: u32) {
        let allowance = &mut self.lag_allowance[seat.index()];
        let left = allowance.saturating_sub(Duration::from_millis(forgiven.into()));
        *allowance = (left + LAG_PER_ACTION).min(LAG_ALLOWANCE);
    }

    fn put(&mut self, seat: Seat, who: Option<Sitting>, rating: Option<u32>) {
        if let (Some(place), Some(rated)) = (self.seats.get_mut(seat.index()), self.ratings.get_mut(seat.index())) {
            (*place, *rated) = (who, rating);
        }
    }

    /// The log.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &LogEntry> {
        self.log.iter().map(|recorded| &recorded.entry)
    }

    /// The number of the last event.
    pub(crate) fn seq(&self) -> u32 {
        self.log.len() as u32
    }

    /// When the last entry was written, in milliseconds since 1970.
    pub(crate) fn last_at(&self) -> i64 {
        self.log.last().map_or(0, |recorded| recorded.entry.at)
    }

    /// When the clock was last set by an entry, in milliseconds since 1970.
    pub(crate) fn clock_set_at(&self) -> i64 {
        self.clock_set_at
    }

    pub(crate) fn stage(&self) -> Stage {
        match (&self.play, &self.ended) {
            (None, _) => Stage::Waiting,
            (Some(_), None) => Stage::Playing,
            (Some(_), Some(_)) => Stage::Over,
        }
    }

    /// The match, once it has begun.
    pub(crate) fn play(&self) -> Option<&Match> {
        self.play.as_ref()
    }

    /// How the game ended, as the log says.
    pub(crate) fn ending(&self) -> Option<&(Option<Outcome>, game::Cause)> {
        self.ended.as_ref()
    }

    /// When the game ended, in milliseconds since 1970.
    pub(crate) fn ended_at(&self) -> Option<i64> {
        self.entries().find(|entry| matches!(entry.event, Event::Ended { .. })).map(|entry| entry.at)
    }

    /// The seat a person has.
    pub(crate) fn seat_of(&self, person: &str) -> Option<Seat> {
        self.people().find(|(_, other)| other.id == person).map(|(seat, _)| seat)
    }

    /// The viewer that a person is at this table.
    pub(crate) fn viewer(&self, person: &str) -> Viewer {
        self.seat_of(person).map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// The players on the seats.
    pub(crate) fn seats(&self) -> &[Option<Sitting>] {
        &self.seats
    }

    /// The people on the seats.
    pub(crate) fn people(&self) -> impl Iterator<Item = (Seat, &Person)> {
        let seats = self.seats.iter().enumerate();
        seats.filter_map(|(index, who)| Some((Seat::from_index(index), who.as_ref()?.person()?)))
    }

    /// Whether a turn has days.
    pub(crate) fn is_by_post(&self) -> bool {
        self.spec.clock.is_by_post()
    }

    /// The seat and level of the bot that is to act, if one is.
    pub(crate) fn bot_to_act(&self) -> Option<(Seat, u8)> {
        let seat = self.play.as_ref()?.to_act()?;
        match self.seats[seat.index()] {
            Some(Sitting::Bot(level)) => Some((seat, level)),
            _ => None,
        }
    }

    /// When the flag of the seat to act falls, if nothing happens before.
    pub(crate) fn flag_falls_at(&self, now: Duration) -> Option<Duration> {
        self.play.as_ref()?.clock().falls_at(now)
    }

    /// The number of the last event at the time when a request was carried out, if it was.
    pub(crate) fn answered(&self, person: &str, id: &str) -> Option<u32> {
        // A request is repeated at once or after a reconnect, never much later.
        let recent = self.log.iter().enumerate().rev().take(RECENT);
        let is = |entry: &LogEntry| entry.request.as_deref() == Some(id) && entry.by.as_deref() == Some(person);
        recent.into_iter().find(|(_, recorded)| is(&recorded.entry)).map(|(index, _)| index as u32 + 1)
    }

    /// Whether the entries of an id are of another request than the one that comes now under the same id.
    pub(crate) fn contradicts(&self, person: &str, id: &str, request: &Request) -> bool {
        let recent = self.log.iter().rev().take(RECENT).map(|recorded| &recorded.entry);
        let mut own =
            recent.filter(|entry| entry.request.as_deref() == Some(id) && entry.by.as_deref() == Some(person));
        !own.any(|entry| request.leads_to(&entry.event))
    }
}

/// How the next entry of a match looks to each seat and to spectators.
fn visible_to_each(play: &Match, entry: &game::Event) -> Option<Box<[Box<str>]>> {
    let game::Event::Action(action) = entry else { return None };
    let position = play.position();
    let viewers = Seat::all(position.seats()).map(Viewer::Seat).chain([Viewer::Spectator]);
    // What cannot be shown is hidden, never shown by mistake.
    Some(viewers.map(|viewer| position.seen_action(action, viewer).unwrap_or_else(|_| "?".to_owned()).into()).collect())
}

/// How far back a repeated request is looked for.
const RECENT: usize = 256;
