use std::time::Duration;

use game::{ClockRule, Consent, Entry, Game, Match};
use protocol::{Claimed, Clocks, Code, Event, Offer, Person, SeatInfo, Sitting, TableInfo, Wish};
use rules::{Seat, Viewer};

use super::Refusal;
use super::line::{Kept, Line};

/// Everything about a table that follows from its log.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) wish: Wish,
    pub(super) game: Game,
    pub(super) clock: ClockRule,
    pub(crate) maker: String,
    pub(super) lines: Vec<Kept>,
    pub(super) seats: Vec<Option<Sitting>>,
    /// What rating each had when they sat down, at rated tables.
    ratings: Vec<Option<u32>>,
    pub(super) play: Option<Match>,
    /// The match as it was when the last line was kept, where something is hidden: to tell who saw what of the next.
    pub(super) shadow: Option<Match>,
    pub(super) offer: Option<Open>,
    pub(super) declined: Option<(Offer, Seat, usize)>,
    pub(super) claims: Vec<(Seat, Seat, Claimed)>,
    pub(super) ended: Option<(String, String)>,
    pub(super) again: Option<String>,
    /// What each seat may be given back for a slow network.
    pub(super) lag_bank: Vec<Duration>,
}

/// A proposal that waits for answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) what: Offer,
    pub(super) by: Seat,
    pub(super) agreed: Vec<Seat>,
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

/// What a decision needs from outside.
pub(crate) struct Moment<'a> {
    /// The time since the process began, for the clocks.
    pub(crate) now: Duration,
    /// Milliseconds since 1970, for the log.
    pub(crate) at: i64,
    /// A number below the given one.
    pub(crate) random: &'a mut (dyn FnMut(u32) -> u32 + Send),
    /// How long a person has been away; zero for who is there.
    pub(crate) away: &'a (dyn Fn(&str) -> Duration + Sync),
    /// How long the way from the server to who asks and back takes.
    pub(crate) lag: Duration,
    /// How long somebody must be away before others may claim anything.
    pub(crate) grace: Duration,
    /// At a rated table, what rating those who may sit down have in its game.
    pub(crate) ratings: Vec<(String, u32)>,
    /// What comes out of it: the time that an action was given back for a slow network.
    pub(crate) forgiven: Duration,
}

impl<'a> Moment<'a> {
    /// A moment with a quick network, in which nobody has a rating and whoever is away has been so for long enough.
    pub(crate) fn new(
        now: Duration,
        at: i64,
        random: &'a mut (dyn FnMut(u32) -> u32 + Send),
        away: &'a (dyn Fn(&str) -> Duration + Sync),
    ) -> Moment<'a> {
        let zero = Duration::ZERO;
        Moment { now, at, random, away, lag: zero, grace: zero, ratings: Vec::new(), forgiven: zero }
    }

    pub(super) fn rating_of(&self, person: &str) -> Option<u32> {
        self.ratings.iter().find(|(other, _)| other == person).map(|(_, rating)| *rating)
    }
}

/// What a seat begins with, and what it has at most, to be given back for a slow network.
const LAG_BANK: Duration = Duration::from_millis(500);
/// What each action adds to it.
const LAG_MORE: Duration = Duration::from_millis(60);

impl Table {
    /// A table nobody sits at yet; a wish that cannot be fulfilled says why.
    pub(crate) fn new(id: String, wish: Wish, maker: String) -> Result<Table, Refusal> {
        let bad = |problem: &dyn std::fmt::Display| Refusal::with(Code::BadWish, problem);
        let game: Game = wish.game.parse().map_err(|problem| bad(&problem))?;
        let clock: ClockRule = wish.clock.parse().map_err(|problem| bad(&problem))?;
        let seats = usize::from(game.seats());
        if !["open", "link", "private"].contains(&wish.access.as_str()) {
            return Err(bad(&"access is open, link or private"));
        }
        if usize::from(wish.seat) > seats || wish.bots.len() > seats || wish.bots.iter().any(|&level| level > 8) {
            return Err(bad(&"there are not so many seats, or no such level of a bot"));
        }
        let people = wish.bots.iter().filter(|&&level| level > 0).count();
        if wish.rated && (seats != 2 || people > 0) {
            return Err(Code::NotRated.into());
        }
        let wish = Wish { game: game.to_string(), clock: clock.to_string(), ..wish };
        Ok(Table {
            id,
            wish,
            game,
            clock,
            maker,
            lines: Vec::new(),
            seats: vec![None; seats],
            ratings: vec![None; seats],
            play: None,
            shadow: None,
            offer: None,
            declined: None,
            claims: Vec::new(),
            ended: None,
            again: None,
            lag_bank: vec![LAG_BANK; seats],
        })
    }

    /// A table as its log tells it. Clocks stand until [`Table::resume`].
    pub(crate) fn replay(mut self, lines: Vec<Line>) -> Result<Table, String> {
        for (index, line) in lines.into_iter().enumerate() {
            let problem = |problem: &dyn std::fmt::Display| format!("line {}: {problem}", index + 1);
            self.again(&line).map_err(|error| problem(&error))?;
            self.keep(line);
        }
        Ok(self)
    }

    /// Takes in lines that another process has added to the log; `passed` is the time since the last of them.
    pub(crate) fn follow(&mut self, lines: Vec<Line>, passed: Duration, now: Duration) -> Result<(), String> {
        if let Some(play) = &mut self.play {
            // What passed here since the last line is written in the next one, as it was where it was written.
            play.forgive(Duration::MAX, now);
        }
        for line in lines {
            self.again(&line)?;
            self.keep(line);
        }
        self.resume(passed, now);
        Ok(())
    }

    /// Lets the clock run from now on, after counting what passed while a server ran and nobody noted it.
    pub(crate) fn resume(&mut self, passed: Duration, now: Duration) {
        if let Some(play) = self.play.as_mut().filter(|play| play.ending().is_none()) {
            play.charge(passed);
            play.start_clock(now);
        }
    }

    /// Does to the match what a line says was done to it.
    fn again(&mut self, line: &Line) -> Result<(), String> {
        match &line.what {
            Event::Began => self.play = Some(self.new_match(line.at)?),
            Event::Did { entry, spent } => {
                let play = self.play.as_mut().ok_or("an action before the beginning")?;
                let mut entry = Entry::new(entry.as_str().into());
                entry.spent = spent.map(|spent| Duration::from_millis(spent.into()));
                play.replay(entry).map_err(|problem| problem.to_string())?;
            }
            Event::TookBack { to } => {
                let play = self.play.as_mut().ok_or("a takeback before the beginning")?;
                play.rewind(*to as usize, Consent::All, Duration::ZERO).map_err(|problem| problem.to_string())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a line to the log, and to everything beside the match that follows from it.
    pub(crate) fn keep(&mut self, line: Line) {
        let mut seen = None;
        match &line.what {
            Event::Sat { seat, who, rating } => self.put(*seat, Some(who.clone()), *rating),
            Event::Stood { seat } => self.put(*seat, None, None),
            Event::Began if self.game.start().hides() => self.shadow = self.new_match(line.at).ok(),
            Event::Did { entry, .. } => {
                seen = self.seen_by_each(entry);
                self.settle_lag(&line);
                self.claims.clear();
                if entry.contains("resign:") || entry.contains("time:") || entry.contains("left:") {
                    self.offer = None;
                }
            }
            Event::TookBack { to } => {
                self.offer = None;
                if let Some(shadow) = &mut self.shadow {
                    // What could be taken back there can be taken back here.
                    let _ = shadow.rewind(*to as usize, Consent::All, Duration::ZERO);
                }
            }
            Event::Proposed { what, seat } => self.propose(*what, numbered(*seat)),
            Event::Declined { what, seat } => {
                let length = self.play.as_ref().map_or(0, |play| play.log().len());
                let by = self.offer.as_ref().map_or(numbered(*seat), |open| open.by);
                self.declined = Some((*what, by, length));
                self.offer = None;
            }
            Event::Claimed { seat, away, what } => self.claims.push((numbered(*seat), numbered(*away), *what)),
            Event::Ended { result, cause, .. } => {
                self.ended = Some((result.clone(), cause.clone()));
                self.offer = None;
                self.claims.clear();
            }
            Event::Again { table } => self.again = Some(table.clone()),
            _ => {}
        }
        self.lines.push(Kept { line, seen });
    }

    /// The game that is played here.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Takes from a seat's bank what an action was given, and adds what each action adds.
    fn settle_lag(&mut self, line: &Line) {
        let acted = matches!(&line.what, Event::Did { entry, .. } if !self.game.is_chance(entry));
        let seat = line.by.as_deref().and_then(|person| self.seat_of(person));
        if let (true, Some(seat)) = (acted, seat) {
            let bank = &mut self.lag_bank[seat.index()];
            *bank = (bank.saturating_sub(Duration::from_millis(line.forgiven.into())) + LAG_MORE).min(LAG_BANK);
        }
    }

    fn put(&mut self, seat: u8, who: Option<Sitting>, rating: Option<u32>) {
        let index = usize::from(seat).wrapping_sub(1);
        if let (Some(place), Some(rated)) = (self.seats.get_mut(index), self.ratings.get_mut(index)) {
            (*place, *rated) = (who, rating);
        }
    }

    /// How the shadow's next entry looks to each seat and to spectators; nothing where nothing is hidden.
    fn seen_by_each(&mut self, entry: &str) -> Option<Box<[Box<str>]>> {
        let shadow = self.shadow.as_mut()?;
        let event = game::Event::from(entry);
        let position = shadow.position();
        let seats = Seat::all(position.seats()).map(Viewer::Seat);
        let seen = match &event {
            game::Event::Action(action) => {
                let look = |viewer| position.seen_action(action, viewer).unwrap_or_else(|_| "?".to_owned()).into();
                Some(seats.chain([Viewer::Spectator]).map(look).collect())
            }
            _ => None,
        };
        // What was played once can be played again.
        let _ = shadow.replay(Entry::new(event));
        seen
    }

    /// The log.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().map(|kept| &kept.line)
    }

    /// The number of the last event.
    pub(crate) fn seq(&self) -> u32 {
        self.lines.len() as u32
    }

    /// What a decision changes before it is kept, to tell whether one did.
    pub(crate) fn mark(&self) -> (usize, usize) {
        let seated = self.seats.iter().filter(|who| who.is_some()).count();
        (self.play.as_ref().map_or(0, |play| play.log().len() + 1), seated)
    }

    /// When the last line was written, in milliseconds since 1970.
    pub(crate) fn last_at(&self) -> i64 {
        self.lines.last().map_or(0, |kept| kept.line.at)
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

    /// Result and cause, once it is over.
    pub(crate) fn ending(&self) -> Option<&(String, String)> {
        self.ended.as_ref()
    }

    /// The seat a person has.
    pub(crate) fn seat_of(&self, person: &str) -> Option<Seat> {
        let is = |who: &Option<Sitting>| matches!(who, Some(Sitting::Person(other)) if other.id == person);
        self.seats.iter().position(is).map(Seat::from_index)
    }

    /// Whose eyes a person has here.
    pub(crate) fn viewer(&self, person: &str) -> Viewer {
        self.seat_of(person).map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// Who sits where.
    pub(crate) fn seats(&self) -> &[Option<Sitting>] {
        &self.seats
    }

    /// The people on the seats.
    pub(crate) fn people(&self) -> impl Iterator<Item = (Seat, &Person)> {
        self.seats.iter().enumerate().filter_map(|(index, who)| match who {
            Some(Sitting::Person(person)) => Some((Seat::from_index(index), person)),
            _ => None,
        })
    }

    /// Whether a turn has days.
    pub(crate) fn is_by_post(&self) -> bool {
        self.clock.is_by_post()
    }

    /// The level of the bot that is to act, if one is.
    pub(crate) fn bot_to_act(&self) -> Option<(Seat, u8)> {
        let seat = self.play.as_ref()?.to_act()?;
        match self.seats[seat.index()] {
            Some(Sitting::Bot(level)) => Some((seat, level)),
            _ => None,
        }
    }

    /// When somebody's time will be up.
    pub(crate) fn falls_at(&self, now: Duration) -> Option<Duration> {
        self.play.as_ref()?.clock().falls_at(now)
    }

    /// The clocks as they stand; nothing without a clock.
    pub(crate) fn clocks(&self, now: Duration) -> Option<Clocks> {
        let play = self.play.as_ref()?;
        let clock = play.clock();
        let seats = Seat::all(self.seats.len() as u8);
        let left: Option<Vec<u64>> = seats.map(|seat| Some(clock.left(seat, now)?.as_millis() as u64)).collect();
        let running = clock.running_for().filter(|_| play.ending().is_none()).map_or(0, Seat::number);
        Some(Clocks { left: left?, running })
    }

    /// What a viewer is told before the events.
    pub(crate) fn info(&self, viewer: Viewer) -> TableInfo {
        TableInfo {
            id: self.id.clone(),
            game: self.wish.game.clone(),
            clock: self.wish.clock.clone(),
            access: self.wish.access.clone(),
            rated: self.wish.rated,
            confer: self.wish.confer,
            maker: self.maker.clone(),
            state: self.stage().word().to_owned(),
            seats: self.seats.iter().zip(&self.ratings).map(seat_info).collect(),
            you: if let Viewer::Seat(seat) = viewer { seat.number() } else { 0 },
            seq: self.seq(),
        }
    }

    /// The number of the event that an ask came to, if it was done before.
    pub(crate) fn answered(&self, person: &str, ask: &str) -> Option<u32> {
        // An ask is sent again at once or after a reconnect; nothing that old is sent again.
        let recent = self.lines.iter().enumerate().rev().take(RECENT);
        let is = |kept: &Kept| kept.line.ask.as_deref() == Some(ask) && kept.line.by.as_deref() == Some(person);
        recent.into_iter().find(|(_, kept)| is(kept)).map(|(index, _)| index as u32 + 1)
    }
}

fn seat_info((who, rating): (&Option<Sitting>, &Option<u32>)) -> SeatInfo {
    SeatInfo { who: who.clone(), rating: *rating }
}

/// The seat with this number; our own log never has another than 1 to 4.
fn numbered(number: u8) -> Seat {
    Seat::from_index(usize::from(number).clamp(1, 4) - 1)
}

/// How far back a repeated ask is looked for.
const RECENT: usize = 256;
