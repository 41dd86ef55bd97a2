use std::str::FromStr;

use crate::Language;

/// The games that have texts, by the ids of the rules.
///
/// ```
/// use locale::{Game, Language};
///
/// let game: Game = "quarto".parse()?;
/// assert_eq!(game.name(Language::Ukrainian), "4 на лінії");
/// assert_eq!(game.name(Language::Russian), "Кварто");
/// # Ok::<(), locale::NoSuchGame>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// «4 на лінії», «Кварто».
    Quarto,
    /// «Хрестики Нулики».
    Quixo,
    /// Animals, a Unicorn and a Dragon.
    Sequence,
    /// «Четыре».
    Four,
}

impl Game {
    /// All games in the order a menu shows them.
    pub const ALL: [Game; 4] = [Game::Quarto, Game::Quixo, Game::Sequence, Game::Four];

    /// The id in game texts (G4).
    pub const fn id(self) -> &'static str {
        match self {
            Game::Quarto => "quarto",
            Game::Quixo => "quixo",
            Game::Sequence => "sequence",
            Game::Four => "four",
        }
    }

    /// What people call it.
    pub fn name(self, language: Language) -> &'static str {
        match self {
            Game::Quarto => language.game_quarto(),
            Game::Quixo => language.game_quixo(),
            Game::Sequence => language.game_sequence(),
            Game::Four => language.game_four(),
        }
    }

    /// What it is about, in one line.
    pub fn about(self, language: Language) -> &'static str {
        match self {
            Game::Quarto => language.about_quarto(),
            Game::Quixo => language.about_quixo(),
            Game::Sequence => language.about_sequence(),
            Game::Four => language.about_four(),
        }
    }
}

impl FromStr for Game {
    type Err = NoSuchGame;

    fn from_str(id: &str) -> Result<Game, NoSuchGame> {
        Game::ALL.into_iter().find(|game| game.id() == id).ok_or(NoSuchGame)
    }
}

/// An id of no game that has texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchGame;

impl std::fmt::Display for NoSuchGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a game is one of quarto, quixo, sequence, four")
    }
}

impl std::error::Error for NoSuchGame {}
