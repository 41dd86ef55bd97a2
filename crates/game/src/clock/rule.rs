use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rules::excerpt;

/// How much time the seats have.
///
/// ```
/// use game::ClockRule;
///
/// let rule: ClockRule = "fischer=300+5".parse()?;
/// assert_eq!(rule.to_string(), "fischer=300+5");
/// assert_eq!("turn=60".parse(), Ok(ClockRule::COMPETITION));
/// assert!("turn=0".parse::<ClockRule>().is_err());
/// # Ok::<(), game::BadClock>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClockRule {
    /// All the time in the world: `none`.
    #[default]
    None,
    /// So much for each turn, and what is left over is lost: `turn=60`.
    PerTurn(Duration),
    /// So much for the game, and some more after each turn: `fischer=300+5`.
    Fischer {
        /// What each seat begins with.
        base: Duration,
        /// What each turn adds when it is over.
        increment: Duration,
    },
    /// So much for the game, the first seconds of each turn being free: `delay=300+5`.
    Delay {
        /// What each seat begins with.
        base: Duration,
        /// What each turn has for free.
        delay: Duration,
    },
}

impl ClockRule {
    /// The sources' competition rule: one minute for each turn (G7).
    pub const COMPETITION: ClockRule = ClockRule::PerTurn(Duration::from_secs(60));

    /// The longest time that can be set: long enough for games by post.
    pub const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

    /// Whether a turn has a day or more, so that players need not be present while the others think.
    pub fn is_by_post(self) -> bool {
        matches!(self, ClockRule::PerTurn(time) if time >= Duration::from_secs(24 * 60 * 60))
    }
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ClockRule::None => f.write_str("none"),
            ClockRule::PerTurn(time) => write!(f, "turn={}", Seconds(time)),
            ClockRule::Fischer { base, increment } => write!(f, "fischer={}+{}", Seconds(base), Seconds(increment)),
            ClockRule::Delay { base, delay } => write!(f, "delay={}+{}", Seconds(base), Seconds(delay)),
        }
    }
}

impl FromStr for ClockRule {
    type Err = BadClock;

    fn from_str(text: &str) -> Result<ClockRule, BadClock> {
        if text == "none" {
            return Ok(ClockRule::None);
        }
        let (kind, times) = text.split_once('=').ok_or_else(|| BadClock::new(text))?;
        let some = |time: &str| time_from(time).filter(|time| !time.is_zero()).ok_or_else(|| BadClock::new(text));
        let pair = || {
            let (base, more) = times.split_once('+').ok_or_else(|| BadClock::new(text))?;
            Ok((some(base)?, time_from(more).ok_or_else(|| BadClock::new(text))?))
        };
        match kind {
            "turn" => Ok(ClockRule::PerTurn(some(times)?)),
            "fischer" => pair().map(|(base, increment)| ClockRule::Fischer { base, increment }),
            "delay" => pair().map(|(base, delay)| ClockRule::Delay { base, delay }),
            _ => Err(BadClock::new(text)),
        }
    }
}

fn time_from(text: &str) -> Option<Duration> {
    seconds_from(text).filter(|time| *time <= ClockRule::LONGEST)
}

/// A text that is no clock, and what would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadClock(String);

impl BadClock {
    fn new(text: &str) -> BadClock {
        BadClock(excerpt(text))
    }

    /// What was written, cut to a sensible length.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BadClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot read the clock {:?}: possible are none, turn=60, fischer=300+5 and delay=300+5, \
             with seconds above zero and no more than a year",
            self.0
        )
    }
}

impl std::error::Error for BadClock {}

/// A time as seconds, to the millisecond and without needless digits: `60`, `0.5`, `3.214`.
pub(crate) struct Seconds(pub(crate) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            thousandths => write!(f, ".{}", format!("{thousandths:03}").trim_end_matches('0')),
        }
    }
}

/// Reads what [`Seconds`] writes.
pub(crate) fn seconds_from(text: &str) -> Option<Duration> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole, 9) || !digits(part, 3) {
        return None;
    }
    let thousandths: u64 = format!("{part:0<3}").parse().ok()?;
    Some(Duration::from_millis(whole.parse::<u64>().ok()? * 1000 + thousandths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_round_trip() {
        for text in ["none", "turn=60", "turn=0.5", "fischer=300+5", "fischer=180+0", "delay=300+2.125", "turn=259200"]
        {
            assert_eq!(text.parse::<ClockRule>().unwrap().to_string(), text);
        }
        assert_eq!("turn=60.000".parse::<ClockRule>().unwrap().to_string(), "turn=60");
    }

    #[test]
    fn what_is_no_clock_is_refused_with_what_is() {
        for text in
            ["", "None", "turn", "turn=", "turn=0", "turn=-1", "turn=1e3", "turn=60s", "fischer=300", "fischer=0+5"]
                .into_iter()
                .chain([
                    "delay=300+",
                    "blitz=3+2",
                    "turn=99999999999",
                    "turn=400000000",
                    "fischer=1+2+3",
                    "turn=1.2345",
                    "turn=.",
                ])
        {
            let message = text.parse::<ClockRule>().unwrap_err().to_string();
            assert!(message.contains("possible are none, turn=60"), "{text}");
        }
    }
}
