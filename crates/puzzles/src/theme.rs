use std::fmt;
use std::str::FromStr;

/// What the solver has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// The fastest win.
    Win,
    /// The only winning move, when the win is long.
    Only,
    /// The only move that holds the draw.
    Hold,
    /// The only right move, where the tempting ones are wrong.
    Trap,
    /// The only right move, where many moves complete the opponent's row.
    Avoid,
}

/// A word that names no theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchTheme;

impl Theme {
    /// Every theme, in the order of menus.
    pub const ALL: [Theme; 5] = [Theme::Win, Theme::Only, Theme::Hold, Theme::Trap, Theme::Avoid];

    /// The word in sets.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Win => "win",
            Theme::Only => "only",
            Theme::Hold => "hold",
            Theme::Trap => "trap",
            Theme::Avoid => "avoid",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Theme {
    type Err = NoSuchTheme;

    fn from_str(word: &str) -> Result<Theme, NoSuchTheme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == word).ok_or(NoSuchTheme)
    }
}

impl fmt::Display for NoSuchTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        write!(f, "no such theme: expected one of {}", names.join(", "))
    }
}

impl std::error::Error for NoSuchTheme {}
