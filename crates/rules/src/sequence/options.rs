use std::fmt;
use std::str::FromStr;

use crate::{BadOptions, OptionSpec, OptionValues, Options, given_options};

/// How many play, each for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it all
pub enum Players {
    #[default]
    Two,
    Three,
    Four,
}

impl Players {
    /// The number of seats.
    pub const fn count(self) -> u8 {
        match self {
            Players::Two => 2,
            Players::Three => 3,
            Players::Four => 4,
        }
    }
}

/// Where the animals are on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Board {
    /// The layout of SQ2.
    #[default]
    Standard,
    /// Drawn by chance before the deal, each half holding every animal once.
    Shuffled,
}

/// The options of Sequence.
///
/// ```
/// use rules::sequence::{Board, Players, SequenceOptions};
///
/// let options: SequenceOptions = "players=3,board=shuffled".parse()?;
/// assert_eq!(options, SequenceOptions { players: Players::Three, board: Board::Shuffled });
/// assert_eq!(options.to_string(), "players=3,board=shuffled");
/// assert_eq!(SequenceOptions::default().to_string(), "");
/// # Ok::<(), rules::BadOptions>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SequenceOptions {
    /// How many play.
    pub players: Players,
    /// Where the animals are.
    pub board: Board,
}

impl Options for SequenceOptions {
    fn spec() -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "players", values: OptionValues::OneOf(&["2", "3", "4"]) },
            OptionSpec { name: "board", values: OptionValues::OneOf(&["standard", "shuffled"]) },
        ]
    }

    fn value(&self, name: &str) -> Option<String> {
        match (name, self.board) {
            ("players", _) => Some(self.players.count().to_string()),
            ("board", Board::Standard) => Some("standard".to_owned()),
            ("board", Board::Shuffled) => Some("shuffled".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for SequenceOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = SequenceOptions::default();
        if self.players != default.players {
            write!(f, "players={}", self.players.count())?;
        }
        if self.board != default.board {
            let comma = if self.players != default.players { "," } else { "" };
            write!(f, "{comma}board=shuffled")?;
        }
        Ok(())
    }
}

impl FromStr for SequenceOptions {
    type Err = BadOptions;

    fn from_str(text: &str) -> Result<Self, BadOptions> {
        let mut options = SequenceOptions::default();
        for (name, value) in given_options(text, Self::spec())? {
            match (name, value) {
                ("players", "3") => options.players = Players::Three,
                ("players", "4") => options.players = Players::Four,
                ("players", _) => options.players = Players::Two,
                ("board", "shuffled") => options.board = Board::Shuffled,
                _ => options.board = Board::Standard,
            }
        }
        Ok(options)
    }
}
