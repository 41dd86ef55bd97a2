use std::fmt;

use crate::GameId;

/// What only one game has to say, by its key in the game's message file.
///
/// The shared enums of reasons and messages hold what several games say, or what a client must tell apart. Everything else
/// a game says in its own words: a key here, and a sentence per language in `locale`. A test reads them all.
///
/// ```
/// use rules::{GameId, Phrase};
///
/// let phrase = Phrase { game: GameId::Quixo, key: "column_full" };
/// assert_eq!(phrase.to_string(), "column full");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phrase {
    /// The game.
    pub game: GameId,
    /// The key, lower-case words joined by `_`.
    pub key: &'static str,
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key.replace('_', " "))
    }
}
