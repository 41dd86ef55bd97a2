//! The lazily loaded chunks of the program, and what each needs besides.

use locale::Part;

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
    /// The puzzles.
    Puzzles,
    /// The analysis board.
    Analyse,
    /// Everything on the way to a table with others.
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
    pub const ALL: [Chunk; 13] = [
        Chunk::Home,
        Chunk::Play,
        Chunk::Setup,
        Chunk::Learn,
        Chunk::Puzzles,
        Chunk::Analyse,
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
            Chunk::Analyse => "analyse",
            Chunk::Lobby => "lobby",
            Chunk::People => "people",
            Chunk::Meet => "meet",
            Chunk::Settings => "settings",
            Chunk::Tools => "tools",
            Chunk::Records => "records",
            Chunk::Ending => "ending",
        }
    }

    /// Whether it shows boards of any game, or plays them, and needs the code of all.
    ///
    /// A table needs the game that is played at it, and what a table offers finds that game there.
    pub const fn shows_any_game(self) -> bool {
        match self {
            Chunk::Home | Chunk::Play | Chunk::Meet | Chunk::Settings | Chunk::Tools | Chunk::Ending => false,
            Chunk::Setup | Chunk::Learn | Chunk::Puzzles | Chunk::Analyse => true,
            Chunk::Lobby | Chunk::People | Chunk::Records => true,
        }
    }

    /// The texts it needs besides those of every page.
    pub const fn texts(self) -> Option<Part> {
        match self {
            Chunk::Home | Chunk::Play | Chunk::Setup | Chunk::Settings | Chunk::Tools | Chunk::Records => None,
            Chunk::Learn | Chunk::Analyse | Chunk::Ending => Some(Part::Study),
            Chunk::Puzzles => Some(Part::Puzzles),
            Chunk::Lobby | Chunk::People | Chunk::Meet => Some(Part::Online),
        }
    }

    /// The style sheets it needs besides those of every page.
    pub const fn styles(self) -> &'static [&'static str] {
        match self {
            Chunk::Play => &["table.css"],
            Chunk::Learn => &["learn.css"],
            Chunk::Puzzles => &["puzzles.css"],
            Chunk::Analyse => &["analyse.css"],
            Chunk::Lobby => &["online.css"],
            Chunk::People => &["online.css", "people.css"],
            Chunk::Meet => &["table.css", "online.css"],
            Chunk::Home | Chunk::Setup | Chunk::Settings | Chunk::Tools | Chunk::Records => &[],
            Chunk::Ending => &["ending.css"],
        }
    }
}

/// The file with the pictures of all games, in the order of menus.
pub const PICTURES_FILE: &str = "pictures.txt";

/// What stands between two of them.
pub const PICTURES_SEPARATOR: char = '\u{1e}';

/// The file with a part of the texts of a language, by the language's code; `None` for what no page shows.
pub fn texts_file(language: &str, part: Part) -> Option<String> {
    match part {
        Part::Table => Some(format!("texts/{language}.txt")),
        Part::Study => Some(format!("texts/{language}-study.txt")),
        Part::Puzzles => Some(format!("texts/{language}-puzzles.txt")),
        Part::Online => Some(format!("texts/{language}-online.txt")),
        Part::Terminal => None,
    }
}
