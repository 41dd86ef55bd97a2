//! Every address of the browser app, in one table.
//!
//! The app reads and links by it, the server knows by it which paths are pages, and the bundler makes from it the service
//! worker's list, the files for static hosting and the list of what each page loads first. The rules are also documents
//! without the app: [`RulesPage`].
//!
//! ```
//! use rules::GameId;
//! use routes::Route;
//!
//! assert_eq!(Route::read("/learn/quixo"), Some(Route::Learn(GameId::Quixo)));
//! assert_eq!(Route::Learn(GameId::Quixo).to_string(), "/learn/quixo");
//! assert_eq!(Route::read("/learn/chess"), None);
//! ```

mod chunk;
mod pattern;
mod rules_page;

use std::fmt;

use rules::GameId;

pub use chunk::{Chunk, PICTURES_FILE, PICTURES_SEPARATOR, reader_name, texts_file};
use pattern::{Captured, write_address};
pub use rules_page::{RulesPage, figure_file};

/// Declares the enum of pages with, for each, its address pattern and the chunk of the program that shows it.
macro_rules! routes {
    ($($(#[$doc:meta])* $name:ident $(($($field:ident: $kind:ty),+))? = $pattern:literal in $chunk:expr;)+) => {
        /// A page of the app with what it is about. It prints as its address.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Route {
            $($(#[$doc])* $name $(($($kind),+))?,)+
        }

        impl Route {
            /// The pattern of every address: `{game}` stands for a game, any other name in braces for one segment.
            pub const PATTERNS: [&str; [$($pattern),+].len()] = [$($pattern),+];

            /// The page of an address: path, then what follows `?` or `#`. A slash at the end of the path changes nothing.
            pub fn read(address: &str) -> Option<Route> {
                $(
                    let read = |_captured: Captured<'_>| {
                        Some(Route::$name $(($(_captured.take::<$kind>(stringify!($field))?),+))?)
                    };
                    if let Some(route) = Captured::of($pattern, address).and_then(read) {
                        return Some(route);
                    }
                )+
                None
            }

            /// The chunk of the program that shows the page.
            pub fn chunk(&self) -> Chunk {
                match self { $(Route::$name $(($(routes!(@ignore $field)),+))? => $chunk,)+ }
            }

            /// The chunk of each pattern, in the order of [`Route::PATTERNS`].
            pub const CHUNKS: [Chunk; Route::PATTERNS.len()] = [$($chunk),+];
        }

        impl fmt::Display for Route {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Route::$name $(($($field),+))? => write_address(f, $pattern, &[$($(&$field as &dyn fmt::Display),+)?]),)+
                }
            }
        }
    };
    (@ignore $field:ident) => { _ };
}

routes! {
    /// All games.
    Home = "/" in Chunk::Home;
    /// A board to analyse on. What to analyse can be longer than a request may be, so it stays in the browser.
    Analyse(details: String) = "/analyse#{details}" in Chunk::Analyse;
    /// Open tables to play at with others.
    Lobby = "/online" in Chunk::Lobby;
    /// Making a table for others, with settings.
    Arrange(game: GameId, settings: String) = "/online/new/{game}?{settings}" in Chunk::Arrange;
    /// A table with others, by its id.
    Meet(id: String) = "/t/{id}" in Chunk::Meet;
    /// The games of the person at this device with others.
    Mine = "/mine" in Chunk::People;
    /// A player's ratings, record and last games.
    Person(id: String) = "/person/{id}" in Chunk::People;
    /// The players whom the person at this device follows.
    Friends = "/friends" in Chunk::People;
    /// The strongest players of a game.
    Leaders(game: GameId) = "/leaders/{game}" in Chunk::People;
    /// The account.
    Account = "/account" in Chunk::Lobby;
    /// What the server stores about people.
    Privacy = "/privacy" in Chunk::Lobby;
    /// The courses of all games.
    Courses = "/learn" in Chunk::Learn;
    /// The rules of a game, to read and to try.
    Learn(game: GameId) = "/learn/{game}" in Chunk::Learn;
    /// Puzzles: which mode, game and day is what the page is asked for.
    Puzzles(details: String) = "/puzzles?{details}" in Chunk::Puzzles;
    /// What a person has chosen for the whole app.
    Settings = "/settings" in Chunk::Settings;
    /// A game kept on this device, by its key.
    Table(key: String) = "/play/{key}" in Chunk::Play;
    /// Setting up a game, with settings to begin from.
    New(game: GameId, settings: String) = "/{game}?{settings}" in Chunk::Setup;
    /// A game that begins at once, with these settings or the last ones.
    Start(game: GameId, settings: String) = "/{game}/start?{settings}" in Chunk::Play;
}

impl Route {
    /// The address to link to.
    pub fn link(&self) -> String {
        self.to_string()
    }

    /// The game whose code the page needs; `None` if it needs that of all games or of none ([`Chunk::shows_any_game`]), or
    /// learns later which one it is.
    pub const fn game(&self) -> Option<GameId> {
        match self {
            Route::New(game, _) | Route::Start(game, _) | Route::Arrange(game, _) | Route::Learn(game) => Some(*game),
            _ => None,
        }
    }

    /// The addresses that name no table, person or kept game: those a static host needs a file for.
    pub fn fixed_paths() -> Vec<String> {
        let paths = Route::PATTERNS.into_iter().map(pattern::path);
        paths
            .flat_map(|path| {
                if path.contains("{game}") {
                    GameId::ALL.map(|game| path.replace("{game}", game.name())).to_vec()
                } else {
                    vec![path.to_owned()]
                }
            })
            .filter(|path| !path.contains('{'))
            .collect()
    }

    /// Regular expressions for the paths of each pattern, in the order of [`Route::PATTERNS`].
    pub fn path_expressions() -> Vec<String> {
        let games = GameId::ALL.map(GameId::name).join("|");
        let segment = |segment: &str| match segment {
            "{game}" => format!("/({games})"),
            named if named.starts_with('{') => "/[^/]+".to_owned(),
            literal => format!("/{literal}"),
        };
        let whole = |pattern| pattern::segments(pattern::path(pattern)).map(segment).collect::<String>();
        Route::PATTERNS.into_iter().map(|pattern| format!("^{}/?$", whole(pattern))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_it_was_written() {
        let routes = [
            (Route::Home, "/"),
            (Route::New(GameId::Quarto, String::new()), "/quarto"),
            (Route::New(GameId::Quixo, "game=quixo&seats=person".to_owned()), "/quixo?game=quixo&seats=person"),
            (Route::Start(GameId::Four, String::new()), "/four/start"),
            (Route::Table("18c2f".to_owned()), "/play/18c2f"),
            (Route::Courses, "/learn"),
            (Route::Learn(GameId::Sequence), "/learn/sequence"),
            (Route::Puzzles(String::new()), "/puzzles"),
            (Route::Puzzles("mode=storm".to_owned()), "/puzzles?mode=storm"),
            (Route::Settings, "/settings"),
            (Route::Analyse(String::new()), "/analyse"),
            (Route::Analyse("record=%5BGame".to_owned()), "/analyse#record=%5BGame"),
            (Route::Lobby, "/online"),
            (Route::Arrange(GameId::Quixo, String::new()), "/online/new/quixo"),
            (Route::Meet("Zy09-_".to_owned()), "/t/Zy09-_"),
            (Route::Mine, "/mine"),
            (Route::Person("p1".to_owned()), "/person/p1"),
            (Route::Friends, "/friends"),
            (Route::Leaders(GameId::Four), "/leaders/four"),
            (Route::Account, "/account"),
            (Route::Privacy, "/privacy"),
        ];
        assert!(Route::PATTERNS.len() <= routes.len());
        for (route, address) in routes {
            assert_eq!(route.to_string(), address);
            assert_eq!(Route::read(address), Some(route.clone()), "{address}");
            assert_eq!(Route::CHUNKS[at(address).expect(address)], route.chunk(), "{address}");
        }
    }

    /// The number of the pattern whose path an address has.
    fn at(address: &str) -> Option<usize> {
        let path = address.split(['?', '#']).next()?;
        let of_pattern = |pattern| Captured::of(pattern, path).is_some_and(|it| it.names_only_games());
        Route::PATTERNS.into_iter().position(of_pattern)
    }

    #[test]
    fn a_slash_at_the_end_and_either_mark_are_understood() {
        assert_eq!(Route::read("/quarto/"), Some(Route::New(GameId::Quarto, String::new())));
        assert_eq!(Route::read("/analyse?game=four"), Some(Route::Analyse("game=four".to_owned())));
        assert_eq!(Route::read("/mine?from=mail#top"), Some(Route::Mine));
    }

    #[test]
    fn everything_else_is_no_page() {
        for address in ["/nowhere", "/learn/chess", "/t/", "/t/a/b", "/quarto/begin", "//", "/sw.js", ""] {
            assert_eq!(Route::read(address), None, "{address}");
        }
    }

    #[test]
    fn no_game_is_called_like_another_page() {
        for game in GameId::ALL {
            let taken = Route::PATTERNS
                .into_iter()
                .any(|pattern| pattern::segments(pattern::path(pattern)).next() == Some(game.name()));
            assert!(!taken, "{game}");
        }
    }

    #[test]
    fn static_hosts_get_a_file_for_each_page_without_an_id() {
        let paths = Route::fixed_paths();
        for path in ["/", "/quarto", "/quixo/start", "/learn/four", "/online/new/sequence", "/analyse", "/account"] {
            assert!(paths.iter().any(|other| other == path), "{path}");
        }
        assert!(paths.iter().all(|path| Route::read(path).is_some()));
        assert!(!paths.iter().any(|path| path.starts_with("/t/")), "{paths:?}");
    }

    #[test]
    fn expressions_tell_pages_from_the_rest() {
        let expressions = Route::path_expressions();
        assert!(expressions.contains(&"^/?$".to_owned()));
        assert!(expressions.contains(&"^/t/[^/]+/?$".to_owned()));
        assert!(expressions.iter().any(|it| it.starts_with("^/learn/(quarto|")));
    }
}
