//! Who plays in the arena: a bot at a level, the yardstick players, or another program.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use game::{AnyBot, AnyPosition, Game};
use search::{Level, Limits, Random};

use super::external::{External, Fault};
use crate::value::BadValue;

/// A contestant as named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Contestant {
    /// `bot:5`: our own player at a level.
    Bot(Level),
    /// `greedy`: the game's careful greedy player, against which the bars are measured.
    Greedy,
    /// `random`: any legal action.
    Random,
    /// `ugi:COMMAND`: another program.
    External(String),
}

impl FromStr for Contestant {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Contestant, BadValue> {
        match text.split_once(':') {
            None if text == "greedy" => Ok(Contestant::Greedy),
            None if text == "random" => Ok(Contestant::Random),
            Some(("bot", level)) => level.parse().map(Contestant::Bot).map_err(|_| BadValue::Contestant),
            Some(("ugi", command)) if !command.trim().is_empty() => Ok(Contestant::External(command.trim().to_owned())),
            _ => Err(BadValue::Contestant),
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Bot(level) => write!(f, "bot:{level}"),
            Contestant::Greedy => f.write_str("greedy"),
            Contestant::Random => f.write_str("random"),
            Contestant::External(command) => write!(f, "ugi:{command}"),
        }
    }
}

/// What every contestant may use for one action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) memory: usize,
}

impl Allowance {
    /// So much time, and the memory engines usually get.
    pub(crate) fn of_time(time: Duration) -> Allowance {
        Allowance { time: Some(time), nodes: None, memory: 64 << 20 }
    }
}

/// A contestant at the table.
pub(super) enum Player {
    Bot { bot: Box<dyn AnyBot>, kind: Contestant },
    External(Box<External>),
}

impl Player {
    /// Sits down for one game.
    pub(super) fn new(kind: &Contestant, game: &Game) -> Result<Player, Fault> {
        Ok(match kind {
            Contestant::External(command) => Player::External(Box::new(External::start(command, game)?)),
            _ => Player::Bot { bot: game.bot(), kind: kind.clone() },
        })
    }

    /// Chooses an action in the last of the positions.
    pub(super) fn choose(
        &mut self,
        positions: &[Box<dyn AnyPosition>],
        actions: &[String],
        allowance: Allowance,
        seed: u64,
    ) -> Result<String, Fault> {
        match self {
            Player::External(engine) => engine.choose(actions, allowance),
            Player::Bot { bot, kind } => {
                let began = Instant::now();
                let now = || began.elapsed();
                let limits = Limits {
                    now: &now,
                    deadline: allowance.time,
                    nodes: allowance.nodes,
                    seed,
                    memory: allowance.memory,
                    ..Limits::unlimited()
                };
                let choice = match kind {
                    Contestant::Bot(level) => bot.choose(positions, *level, &limits).map(|result| result.action),
                    Contestant::Greedy => bot.greedy(positions, seed),
                    _ => positions.last().and_then(|position| any(position.as_ref(), seed)),
                };
                choice.ok_or(Fault::NoAnswer)
            }
        }
    }
}

fn any(position: &dyn AnyPosition, seed: u64) -> Option<String> {
    let mut legal = position.legal();
    let count = u32::try_from(legal.len()).ok().filter(|count| *count > 0)?;
    Some(legal.swap_remove(Random::new(seed).below(count) as usize))
}
