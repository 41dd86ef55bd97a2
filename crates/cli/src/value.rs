//! Values of arguments, and why others are invalid.

use std::error::Error;
use std::fmt;

use game::ClockRule;
use search::Level;
use tablebase::Size;

/// What an argument must be and is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadValue {
    /// A whole number in this range.
    Number {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A number of seconds up to an hour.
    Seconds,
    /// Two levels, the lower one first.
    Levels,
    /// Two Elo differences, the smaller one first.
    Elo,
    /// A bot, a yardstick player or another program.
    Contestant,
    /// A score and a number of actions.
    Adjudication,
    /// A clock.
    Clock,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadValue::Number { min, max } => write!(f, "expected a whole number from {min} to {max}"),
            BadValue::Seconds => f.write_str("expected a number of seconds from 0 to 3600"),
            BadValue::Levels => f.write_str("expected two levels, the lower one first, such as 1-8"),
            BadValue::Elo => f.write_str("expected two Elo differences, the smaller one first, such as 0,50"),
            BadValue::Contestant => f.write_str("possible are bot:1 … bot:8, greedy, random and ugi:COMMAND"),
            BadValue::Adjudication => f.write_str("expected a score and a number of actions, such as 0.98,6"),
            BadValue::Clock => f.write_str("expected a clock such as turn=1 or fischer=60+0.5"),
        }
    }
}

impl Error for BadValue {}

/// Arguments that can each be read but make no sense together; the program ends with the exit code for wrong use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongUse(pub String);

impl fmt::Display for WrongUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for WrongUse {}

/// Reads megabytes for tables.
pub fn megabytes(text: &str) -> Result<u32, BadValue> {
    const RANGE: std::ops::RangeInclusive<u32> = 1..=65_536;
    let number = text.parse().ok().filter(|number| RANGE.contains(number));
    number.ok_or(BadValue::Number { min: (*RANGE.start()).into(), max: (*RANGE.end()).into() })
}

/// Reads how many cubes a side a board of Quixo has.
pub(crate) fn size(text: &str) -> Result<Size, BadValue> {
    text.parse().ok().and_then(Size::new).ok_or(BadValue::Number { min: 3, max: 5 })
}

/// Reads a clock.
pub(crate) fn clock(text: &str) -> Result<ClockRule, BadValue> {
    text.parse().map_err(|_| BadValue::Clock)
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, BadValue> {
    text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds)).ok_or(BadValue::Seconds)
}

/// Reads two levels such as `1-8`.
pub(crate) fn levels(text: &str) -> Result<(Level, Level), BadValue> {
    let pair = || {
        let (from, to) = text.split_once('-')?;
        Some((from.parse::<Level>().ok()?, to.parse::<Level>().ok()?)).filter(|(from, to)| from < to)
    };
    pair().ok_or(BadValue::Levels)
}

/// Reads two Elo differences such as `0,50`.
pub(crate) fn two_elos(text: &str) -> Result<(f64, f64), BadValue> {
    let pair = || {
        let (low, high) = text.split_once(',')?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        Some((number(low)?, number(high)?)).filter(|(low, high)| low < high)
    };
    pair().ok_or(BadValue::Elo)
}
