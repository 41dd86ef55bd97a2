use std::fmt;
use std::str::FromStr;

/// How well a bot plays, from 1 (a beginner beats it) to 8 (as well as it can).
///
/// ```
/// use search::Level;
///
/// assert_eq!("3".parse::<Level>()?.number(), 3);
/// assert!("9".parse::<Level>().is_err());
/// # Ok::<(), search::NoSuchLevel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The gentlest opponent.
    pub const LOWEST: Level = Level(1);
    /// The best the program can do.
    pub const HIGHEST: Level = Level(8);

    /// The level with this number; `None` unless it is from 1 to 8.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 8 { Some(Level(number)) } else { None }
    }

    /// From 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All levels, gentlest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=8).map(Level)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(text: &str) -> Result<Level, NoSuchLevel> {
        text.parse().ok().and_then(Level::new).ok_or(NoSuchLevel)
    }
}

/// A text that names no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLevel;

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is a number from 1 to 8")
    }
}

impl std::error::Error for NoSuchLevel {}
