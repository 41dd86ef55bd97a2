use std::fmt;
use std::str::FromStr;

use rules::{excerpt, steers};
use search::Level;

/// Who sits on a seat.
///
/// The text is the kind, then the name if there is one.
///
/// ```
/// use game::{Player, Sitter};
///
/// let sitter: Sitter = "person Olena".parse()?;
/// assert_eq!((sitter.player(), sitter.name()), (Player::Person, "Olena"));
/// assert_eq!("bot:3".parse::<Sitter>()?.to_string(), "bot:3");
/// # Ok::<(), game::BadSitter>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sitter {
    player: Player,
    name: String,
}

/// What kind of player it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Player {
    /// A human being: `person`.
    #[default]
    Person,
    /// The program, at a level: `bot:3`.
    Bot(Level),
}

impl Sitter {
    /// The longest name, in characters.
    pub const LONGEST_NAME: usize = 64;

    /// A player with a name, which may be empty.
    ///
    /// Control characters and doubled spaces are taken out of the name, and it is cut to [`Sitter::LONGEST_NAME`].
    pub fn new(player: Player, name: &str) -> Sitter {
        let name = one_line(name, Sitter::LONGEST_NAME);
        Sitter { player, name }
    }

    /// Person or bot.
    pub fn player(&self) -> Player {
        self.player
    }

    /// What the player is called; empty if unknown.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Default for Sitter {
    fn default() -> Self {
        Sitter::new(Player::Person, "")
    }
}

/// Text on one line with single spaces, without what would steer a terminal, cut to a number of characters.
pub(crate) fn one_line(text: &str, longest: usize) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !steers(*letter))
        .collect();
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let cut: String = words.join(" ").chars().take(longest).collect();
    cut.trim_end().to_owned()
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Person => f.write_str("person"),
            Player::Bot(level) => write!(f, "bot:{level}"),
        }
    }
}

impl FromStr for Player {
    type Err = BadSitter;

    fn from_str(text: &str) -> Result<Player, BadSitter> {
        if text == "person" {
            return Ok(Player::Person);
        }
        let level = text.strip_prefix("bot:").and_then(|level| level.parse().ok());
        level.map(Player::Bot).ok_or_else(|| BadSitter(excerpt(text)))
    }
}

impl fmt::Display for Sitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.player)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

impl FromStr for Sitter {
    type Err = BadSitter;

    fn from_str(text: &str) -> Result<Sitter, BadSitter> {
        let (player, name) = text.split_once(' ').unwrap_or((text, ""));
        Ok(Sitter::new(player.parse()?, name))
    }
}

/// A text that says neither person nor bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSitter(String);

impl BadSitter {
    /// What was written, cut to a sensible length.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BadSitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot seat {:?}: possible are person and bot:1 to bot:8, then a name", self.0)
    }
}

impl std::error::Error for BadSitter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitters_round_trip() {
        for text in ["person", "person Olena K.", "bot:1", "bot:8 Глибока думка"] {
            assert_eq!(text.parse::<Sitter>().unwrap().to_string(), text);
        }
        let tamed = Sitter::new(Player::Person, "  two\nlines \u{1b}[31m ");
        assert_eq!(tamed.to_string(), "person two lines [31m");
        let turned = Sitter::new(Player::Person, "O\u{202e}lena");
        assert_eq!(turned.to_string(), "person Olena", "a name cannot turn round what is written after it");
        for bad in ["", "Olena", "bot", "bot:", "bot:0", "bot:9", "Person"] {
            let message = bad.parse::<Sitter>().unwrap_err().to_string();
            assert!(message.contains("bot:1 to bot:8"), "{bad}");
        }
    }
}
