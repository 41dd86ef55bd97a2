use std::fmt;
use std::str::FromStr;

use crate::{BadOptions, OptionSpec, OptionValues, Options, given_options};

/// How many play, which decides whether there are teams and dots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Players {
    /// One against one.
    #[default]
    Two,
    /// Two teams of two (QX6).
    Four,
}

impl Players {
    /// The number of seats.
    pub const fn count(self) -> u8 {
        match self {
            Players::Two => 2,
            Players::Four => 4,
        }
    }
}

/// The options of Quixo.
///
/// ```
/// use rules::quixo::{Players, QuixoOptions};
///
/// let options: QuixoOptions = "players=4".parse()?;
/// assert_eq!(options.players, Players::Four);
/// assert_eq!(QuixoOptions::default().to_string(), "");
/// # Ok::<(), rules::BadOptions>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct QuixoOptions {
    /// How many play.
    pub players: Players,
}

impl Options for QuixoOptions {
    fn spec() -> &'static [OptionSpec] {
        &[OptionSpec { name: "players", values: OptionValues::OneOf(&["2", "4"]) }]
    }

    fn value(&self, name: &str) -> Option<String> {
        (name == "players").then(|| self.players.count().to_string())
    }
}

impl fmt::Display for QuixoOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.players {
            Players::Two => Ok(()),
            Players::Four => f.write_str("players=4"),
        }
    }
}

impl FromStr for QuixoOptions {
    type Err = BadOptions;

    fn from_str(text: &str) -> Result<Self, BadOptions> {
        let mut options = QuixoOptions::default();
        for (_, value) in given_options(text, Self::spec())? {
            options.players = if value == "4" { Players::Four } else { Players::Two };
        }
        Ok(options)
    }
}
