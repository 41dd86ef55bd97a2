//! Where in the app one is: the part of the address after `#`.

use game::GameId;
use leptos::prelude::*;

/// A page with what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The four games.
    Home,
    /// Setting up a game; the text after `?` carries settings.
    New(GameId, String),
    /// A game that begins at once, with the settings after `?` or the last ones.
    Start(GameId, String),
    /// A game kept on this device, by its key.
    Table(String),
    /// The rules of a game, to read and to try.
    Learn(GameId),
    /// A board to analyse on; the text after `?` carries what to analyse.
    Analyse(String),
    /// Open tables to play at with others.
    Lobby,
    /// Making a table for others; the text after `?` carries settings.
    Arrange(GameId, String),
    /// A table with others, by its name.
    Meet(String),
    /// The games one plays and has played with others.
    Mine,
    /// Somebody's results.
    Person(String),
    /// The account.
    Account,
    /// An address that leads nowhere.
    Lost(String),
    /// Pages that could not be fetched.
    Missing,
}

impl Route {
    /// Reads the part of an address after `#`.
    pub fn read(hash: &str) -> Route {
        let path = hash.trim_start_matches('#').trim_start_matches('/');
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let lost = || Route::Lost(hash.chars().take(80).collect());
        match parts.as_slice() {
            [] => Route::Home,
            ["new", game] => game.parse().map_or_else(|_| lost(), |game| Route::New(game, query.to_owned())),
            ["start", game] => game.parse().map_or_else(|_| lost(), |game| Route::Start(game, query.to_owned())),
            ["play", key] => Route::Table((*key).to_owned()),
            ["learn", game] => game.parse().map_or_else(|_| lost(), Route::Learn),
            ["online"] => Route::Lobby,
            ["online", "new", game] => {
                game.parse().map_or_else(|_| lost(), |game| Route::Arrange(game, query.to_owned()))
            }
            ["t", id] => Route::Meet((*id).to_owned()),
            ["mine"] => Route::Mine,
            ["person", id] => Route::Person((*id).to_owned()),
            ["account"] => Route::Account,
            ["analyse"] => Route::Analyse(query.to_owned()),
            _ => lost(),
        }
    }

    /// The address to link to.
    pub fn link(&self) -> String {
        let with = |path: String, query: &str| if query.is_empty() { path } else { format!("{path}?{query}") };
        match self {
            Route::Home => "#/".to_owned(),
            Route::New(game, query) => with(format!("#/new/{game}"), query),
            Route::Start(game, query) => with(format!("#/start/{game}"), query),
            Route::Table(key) => format!("#/play/{key}"),
            Route::Learn(game) => format!("#/learn/{game}"),
            Route::Analyse(query) => with("#/analyse".to_owned(), query),
            Route::Lobby => "#/online".to_owned(),
            Route::Arrange(game, query) => with(format!("#/online/new/{game}"), query),
            Route::Meet(id) => format!("#/t/{id}"),
            Route::Mine => "#/mine".to_owned(),
            Route::Person(id) => format!("#/person/{id}"),
            Route::Account => "#/account".to_owned(),
            Route::Lost(hash) => hash.clone(),
            Route::Missing => String::new(),
        }
    }

    /// Goes there in place of the address that led here, to which there is then no way back.
    pub fn go_instead(&self) {
        let _ = window().location().replace(&self.link());
    }

    /// Goes there.
    pub fn go(&self) {
        // A browser that refuses to change the address leaves the person where they are.
        let _ = window().location().set_hash(&self.link());
    }
}

/// The current route, which follows the address.
///
/// `boot.js` knows which program has which pages, so it tells when a change of the address is for this one.
pub fn current_route() -> ReadSignal<Route> {
    let read = || Route::read(&window().location().hash().unwrap_or_default());
    let (route, set_route) = signal(read());
    let changed = window_event_listener_untyped("fourfold-page", move |_| {
        set_route.set(read());
        window().scroll_to_with_x_and_y(0.0, 0.0);
    });
    let missing = window_event_listener_untyped("fourfold-missing", move |_| set_route.set(Route::Missing));
    on_cleanup(move || {
        changed.remove();
        missing.remove();
    });
    route
}

/// Writes `name=value` pairs for an address.
pub fn write_query(pairs: &[(&str, &str)]) -> String {
    let encoded = |text: &str| String::from(js_sys::encode_uri_component(text));
    pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}

/// Reads the value of a name from an address; `None` if it is not there or cannot be decoded.
pub fn read_query(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    js_sys::decode_uri_component(value).ok().map(String::from)
}
