use std::fmt;
use std::str::FromStr;

use rules::GameId;

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
    /// The one square that completes a row, for beginners.
    Row,
    /// The only right square for the piece in hand.
    Place,
    /// The only right piece to give.
    Give,
    /// The only right square, and then the only right piece.
    Both,
    /// The only piece that does not lose at once.
    Safe,
    /// A row that must be called before it is too late.
    Call,
    /// The most captures in the turn.
    Most,
    /// The capture that the last movement makes.
    Last,
    /// A capture at the edge or in a corner of the board.
    Edge,
    /// Captures that earn the movements for further captures.
    Chain,
    /// The movement after which the opponent's next stone captures least.
    Escape,
    /// The only move after which no opponent can win before the solver's next turn, whatever the opponents hold.
    Stop,
    /// The only move after which the solver wins next turn, whatever the opponent holds.
    Fork,
    /// What the solver missed in a game of their own; in no set.
    Own,
}

/// How the values of a puzzle are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Wins, draws and losses with their lengths.
    Result,
    /// Captures: those still to be made in this turn, or minus those that the opponent's next stone makes.
    Captures,
}

/// A word that names no theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchTheme;

/// The games that have a set of puzzles, in the order of menus and of the columns of the list of days. Everything else
/// about puzzles asks this list and not the list of games, so a new game needs none.
pub const GAMES: [GameId; 4] = [GameId::Quarto, GameId::Quixo, GameId::Sequence, GameId::Four];

impl Theme {
    /// Every theme, in the order of menus.
    pub const ALL: [Theme; 18] = [
        Theme::Win,
        Theme::Only,
        Theme::Hold,
        Theme::Trap,
        Theme::Avoid,
        Theme::Row,
        Theme::Place,
        Theme::Give,
        Theme::Both,
        Theme::Safe,
        Theme::Call,
        Theme::Most,
        Theme::Last,
        Theme::Edge,
        Theme::Chain,
        Theme::Escape,
        Theme::Stop,
        Theme::Fork,
    ];

    /// The themes of a game's puzzles, in the order of menus; none for a game that is not among [`GAMES`].
    pub const fn of(game: GameId) -> &'static [Theme] {
        use Theme::{
            Avoid, Both, Call, Chain, Edge, Escape, Fork, Give, Hold, Last, Most, Only, Place, Row, Safe, Stop, Trap,
            Win,
        };
        match game {
            GameId::Quarto => &[Row, Place, Give, Both, Safe, Win, Call],
            GameId::Quixo => &[Win, Only, Hold, Trap, Avoid],
            GameId::Sequence => &[Win, Stop, Fork],
            GameId::Four => &[Last, Edge, Escape, Most, Chain],
            #[allow(unreachable_patterns, reason = "every game of today has puzzles; a new one need not")]
            _ => &[],
        }
    }

    /// The word in sets.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Win => "win",
            Theme::Only => "only",
            Theme::Hold => "hold",
            Theme::Trap => "trap",
            Theme::Avoid => "avoid",
            Theme::Row => "row",
            Theme::Place => "place",
            Theme::Give => "give",
            Theme::Both => "both",
            Theme::Safe => "safe",
            Theme::Call => "call",
            Theme::Most => "most",
            Theme::Last => "last",
            Theme::Edge => "edge",
            Theme::Chain => "chain",
            Theme::Escape => "escape",
            Theme::Stop => "stop",
            Theme::Fork => "fork",
            Theme::Own => "own",
        }
    }

    /// Whether values are results of the game or captures.
    pub const fn measure(self) -> Measure {
        match self {
            Theme::Most | Theme::Last | Theme::Edge | Theme::Chain | Theme::Escape => Measure::Captures,
            _ => Measure::Result,
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
