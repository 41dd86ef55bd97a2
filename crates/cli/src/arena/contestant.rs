//! Who plays in the arena: a bot at a level, the yardstick players, or another program.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use game::{AnyBot, AnyPosition, Game, Player as Kindred, Sitter};
use rules::Seat;
use search::{Level, Limits, Random, SearchResult, Value};

use super::external::{External, Fault};
use super::processor::{self, Spent};
use super::turn::Turn;
use crate::value::BadValue;

/// A contestant as named on the command line: `bot:5`, or `old=ugi:./fourfold-1 ugi` with a name of its own.
#[derive(Clone, Debug)]
pub(super) struct Contestant {
    pub(super) kind: Kind,
    /// What results and records call it; an engine's own name is asked for before the first game.
    pub(super) name: Option<String>,
    /// What it has used in the run, if processor time is limited.
    spent: Arc<Mutex<Spent>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `bot:5`: our own player at a level.
    Bot(Level),
    /// `greedy`: the game's careful greedy player, against which the bars are measured.
    Greedy,
    /// `random`: any legal action.
    Random,
    /// `ugi:COMMAND`: another program.
    External(String),
}

impl From<Kind> for Contestant {
    fn from(kind: Kind) -> Contestant {
        Contestant { kind, name: None, spent: Arc::default() }
    }
}

impl FromStr for Contestant {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Contestant, BadValue> {
        // An engine's command may have `=` in it, but only behind `ugi:`.
        match text.split_once('=') {
            Some((name, kind)) if !name.contains(':') && !name.trim().is_empty() => {
                Ok(Contestant { name: Some(name.trim().to_owned()), ..kind.parse::<Kind>()?.into() })
            }
            _ => text.parse::<Kind>().map(Contestant::from),
        }
    }
}

impl FromStr for Kind {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Kind, BadValue> {
        match text.split_once(':') {
            None if text == "greedy" => Ok(Kind::Greedy),
            None if text == "random" => Ok(Kind::Random),
            Some(("bot", level)) => level.parse().map(Kind::Bot).map_err(|_| BadValue::Contestant),
            Some(("ugi", command)) if !command.trim().is_empty() => Ok(Kind::External(command.trim().to_owned())),
            _ => Err(BadValue::Contestant),
        }
    }
}

impl Contestant {
    /// Who it is in a record.
    pub(super) fn sitter(&self) -> Sitter {
        match self.kind {
            Kind::Bot(level) => Sitter::new(Kindred::Bot(level), self.name.as_deref().unwrap_or_default()),
            _ => Sitter::new(Kindred::Person, &self.to_string()),
        }
    }

    /// The mean processor time of its turns; `None` if it is not limited.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        lock(&self.spent).of_a_turn()
    }
}

fn lock(spent: &Mutex<Spent>) -> MutexGuard<'_, Spent> {
    spent.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => self.kind.fmt(f),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Bot(level) => write!(f, "bot:{level}"),
            Kind::Greedy => f.write_str("greedy"),
            Kind::Random => f.write_str("random"),
            Kind::External(command) => write!(f, "ugi:{command}"),
        }
    }
}

/// What every contestant may use for one action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    /// Processor time of a turn.
    pub(super) processor: Option<Duration>,
    pub(super) memory: usize,
}

impl Allowance {
    /// So much time, and the memory engines usually get.
    pub(crate) fn of_time(time: Duration) -> Allowance {
        Allowance { time: Some(time), nodes: None, processor: None, memory: 64 << 20 }
    }
}

/// What a contestant plays, and what it expects of it, if it says so.
pub(super) struct Choice {
    pub(super) action: String,
    /// The expected score, from 0 to 1.
    pub(super) expected: Option<f32>,
    /// The nodes it searched, if it says so.
    pub(super) nodes: Option<u64>,
}

/// A contestant at the table.
pub(super) struct Player {
    mind: Mind,
    spent: Arc<Mutex<Spent>>,
    /// The nodes of each action of the turn under way, if processor time is limited.
    nodes: u64,
}

enum Mind {
    Bot { bot: Box<dyn AnyBot>, kind: Kind },
    External(Box<External>),
}

impl Player {
    /// Sits down for one game.
    pub(super) fn new(contestant: &Contestant, game: &Game, memory: usize) -> Result<Player, Fault> {
        let mind = match &contestant.kind {
            Kind::External(command) => {
                let mut engine = External::start(command, game)?;
                engine.begin(memory)?;
                Mind::External(Box::new(engine))
            }
            kind => Mind::Bot { bot: game.bot(), kind: kind.clone() },
        };
        Ok(Player { mind, spent: Arc::clone(&contestant.spent), nodes: 0 })
    }

    /// What it may use for its next action. Of processor time an engine gets as many nodes as it searches in it, the same
    /// number all through a turn, for a turn may be thought out at its beginning.
    pub(super) fn allowance(&mut self, common: Allowance, turn_begins: bool) -> Allowance {
        let Some(time) = common.processor else { return common };
        if turn_begins {
            self.nodes = lock(&self.spent).begin(time);
        }
        match self.mind {
            Mind::External(_) => Allowance { nodes: Some(self.nodes), ..common },
            Mind::Bot { .. } => Allowance { time: Some(time), ..common },
        }
    }

    /// Chooses an action in the last of the positions; `stop` ends the search early.
    pub(super) fn choose(&mut self, turn: &Turn<'_>, seed: u64, stop: &AtomicBool) -> Result<Choice, Fault> {
        if turn.allowance.processor.is_none() {
            return self.mind.choose(turn, seed, stop);
        }
        let before = self.mind.processor_time();
        let choice = self.mind.choose(turn, seed, stop)?;
        if let Some((before, after)) = before.zip(self.mind.processor_time()) {
            lock(&self.spent).add(choice.nodes.unwrap_or(self.nodes), after.saturating_sub(before));
        }
        Ok(choice)
    }
}

impl Mind {
    /// The processor time it has used: the program's, or this thread's.
    fn processor_time(&self) -> Option<Duration> {
        match self {
            Mind::External(engine) => processor::of_program(engine.id()),
            Mind::Bot { .. } => processor::of_this_thread(),
        }
    }

    fn choose(&mut self, turn: &Turn<'_>, seed: u64, stop: &AtomicBool) -> Result<Choice, Fault> {
        match self {
            Mind::External(engine) => engine.choose(turn, stop),
            Mind::Bot { bot, kind } => {
                let (began, limited) = (Instant::now(), turn.allowance.processor.is_some());
                let used = || if limited { processor::of_this_thread() } else { None };
                let before = used().unwrap_or_default();
                let now = || used().map_or_else(|| began.elapsed(), |used| used.saturating_sub(before));
                let limits = Limits {
                    now: &now,
                    deadline: turn.time(),
                    nodes: turn.allowance.nodes,
                    seed,
                    memory: turn.allowance.memory,
                    stop,
                    ..Limits::unlimited()
                };
                let choice = match kind {
                    Kind::Bot(level) => bot.choose(turn.positions, *level, &limits).map(
                        |SearchResult { action, value, nodes, .. }| Choice {
                            action,
                            expected: Some(Value::score(value)),
                            nodes: Some(nodes),
                        },
                    ),
                    Kind::Greedy => bot.greedy(turn.positions, seed).map(Choice::plain),
                    _ => turn.positions.last().and_then(|position| any(position.as_ref(), seed)).map(Choice::plain),
                };
                choice.ok_or(Fault::NoAnswer)
            }
        }
    }
}

impl Choice {
    fn plain(action: String) -> Choice {
        Choice { action, expected: None, nodes: None }
    }
}

fn any(position: &dyn AnyPosition, seed: u64) -> Option<String> {
    let mut legal = position.legal();
    let count = u32::try_from(legal.len()).ok().filter(|count| *count > 0)?;
    Some(legal.swap_remove(Random::new(seed).below(count) as usize))
}

/// The seats of a game, with what a clock has left for each.
pub(super) type Clocks = Vec<(Seat, Duration)>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_may_have_names() {
        let read = |text: &str| text.parse::<Contestant>();
        assert_eq!(read("bot:3").unwrap().to_string(), "bot:3");
        let named = read("old=ugi:./engine --hash=5").unwrap();
        assert_eq!(named.to_string(), "old");
        assert_eq!(named.kind, Kind::External("./engine --hash=5".to_owned()));
        assert_eq!(read("ugi:./engine --hash=5").unwrap().name, None);
        assert_eq!(read("strong=bot:8").unwrap().sitter().to_string(), "bot:8 strong");
        assert_eq!(read("greedy").unwrap().sitter().to_string(), "person greedy");
        for bad in ["bot:9", "ugi:", "=bot:1", "engine", "a=b"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
