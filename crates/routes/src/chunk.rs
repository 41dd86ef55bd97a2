//! The lazily loaded chunks of the program, and what each needs besides.

use locale::Part;
use rules::GameId;

/// A part of the program that is fetched when one of its pages is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// The first page.
    Home,
    /// Playing on this device, up to the first move and no further.
    Play,
    /// Setting up a game for this device.
    Setup,
    /// Rules pages and exercises.
    Learn,
    /// The puzzle of the day, up to the first move and what follows it.
    Puzzles,
    /// The other puzzles, and what stands below the puzzle of the day; fetched once that can be touched.
    Practice,
    /// The analysis board.
    Analyse,
    /// Making a table for others.
    Arrange,
    /// Everything else on the way to a table with others.
    Lobby,
    /// Players, and the games played with others.
    People,
    /// A table with others.
    Meet,
    /// The settings.
    Settings,
    /// What a table offers besides playing; fetched once its board can be touched.
    Tools,
    /// Reading records of games, for tables and lists that show kept ones.
    Records,
    /// The card at the end of a game, on the page of its table.
    Ending,
}

impl Chunk {
    /// Every chunk.
    pub const ALL: [Chunk; 15] = [
        Chunk::Home,
        Chunk::Play,
        Chunk::Setup,
        Chunk::Learn,
        Chunk::Puzzles,
        Chunk::Practice,
        Chunk::Analyse,
        Chunk::Arrange,
        Chunk::Lobby,
        Chunk::People,
        Chunk::Meet,
        Chunk::Settings,
        Chunk::Tools,
        Chunk::Records,
        Chunk::Ending,
    ];

    /// The name by which the splitter knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Chunk::Home => "home",
            Chunk::Play => "play",
            Chunk::Setup => "setup",
            Chunk::Learn => "learn",
            Chunk::Puzzles => "puzzles",
            Chunk::Practice => "practice",
            Chunk::Analyse => "analyse",
            Chunk::Arrange => "arrange",
            Chunk::Lobby => "lobby",
            Chunk::People => "people",
            Chunk::Meet => "meet",
            Chunk::Settings => "settings",
            Chunk::Tools => "tools",
            Chunk::Records => "records",
            Chunk::Ending => "ending",
        }
    }

    /// Whether it shows boards of any game, or plays them, and needs the code of all unless its page is about one.
    ///
    /// A table needs the game that is played at it, and what a table offers finds that game there.
    pub const fn shows_any_game(self) -> bool {
        match self {
            Chunk::Home | Chunk::Settings | Chunk::Lobby => false,
            Chunk::Play | Chunk::Meet | Chunk::Tools | Chunk::Ending | Chunk::Practice => false,
            Chunk::Setup | Chunk::Arrange | Chunk::Learn | Chunk::Puzzles => true,
            Chunk::Analyse | Chunk::People | Chunk::Records => true,
        }
    }

    /// Whether it reads the texts of positions, for which each game has a chunk of its own ([`reader_name`]).
    pub const fn reads_positions(self) -> bool {
        matches!(self, Chunk::Learn | Chunk::Puzzles | Chunk::Analyse | Chunk::Records)
    }

    /// The texts it needs besides those of every page.
    pub const fn texts(self) -> &'static [Part] {
        match self {
            Chunk::Home | Chunk::Play | Chunk::Tools | Chunk::Records => &[],
            Chunk::Setup | Chunk::Settings => &[Part::Setup],
            Chunk::Learn | Chunk::Ending => &[Part::Study],
            Chunk::Analyse => &[Part::Study, Part::Setup],
            Chunk::Puzzles | Chunk::Practice => &[Part::Puzzles],
            Chunk::Meet => &[Part::Online],
            Chunk::Lobby | Chunk::People => &[Part::Online, Part::Lobby],
            Chunk::Arrange => &[Part::Setup, Part::Online, Part::Lobby],
        }
    }

    /// The style sheets it needs besides those of every page.
    pub const fn styles(self) -> &'static [&'static str] {
        match self {
            Chunk::Play => &["table.css"],
            Chunk::Learn => &["learn.css"],
            Chunk::Puzzles | Chunk::Practice => &["puzzles.css"],
            Chunk::Analyse => &["analyse.css"],
            Chunk::Arrange | Chunk::Lobby => &["online.css"],
            Chunk::People => &["online.css", "people.css"],
            Chunk::Meet => &["table.css", "online.css"],
            Chunk::Home | Chunk::Setup | Chunk::Settings | Chunk::Tools | Chunk::Records => &[],
            Chunk::Ending => &["ending.css"],
        }
    }
}

/// The name by which the splitter knows what reads the position texts of a game: that of the game, with a capital.
pub fn reader_name(game: GameId) -> String {
    format!("{game:?}")
}

/// The file with the pictures of all games, in the order of menus.
pub const PICTURES_FILE: &str = "pictures.txt";

/// What stands between two of them.
pub const PICTURES_SEPARATOR: char = '\u{1e}';

/// The file with a part of the texts of a language, by the language's code; `None` for what no page shows.
pub fn texts_file(language: &str, part: Part) -> Option<String> {
    match part {
        Part::Table => Some(format!("texts/{language}.txt")),
        Part::Setup => Some(format!("texts/{language}-setup.txt")),
        Part::Study => Some(format!("texts/{language}-study.txt")),
        Part::Puzzles => Some(format!("texts/{language}-puzzles.txt")),
        Part::Online => Some(format!("texts/{language}-online.txt")),
        Part::Lobby => Some(format!("texts/{language}-lobby.txt")),
        Part::Terminal => None,
    }
}
