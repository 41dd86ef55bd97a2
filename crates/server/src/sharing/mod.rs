//! What other sites show of this one: link previews (Open Graph) with a picture, and boards in frames.
//!
//! None of it depends on the visitor: there is no cookie, and only what anyone may see is shown. A table by link or a private one
//! reveals which game is played and nothing else.

mod embed;
mod head;
mod picture;

use std::net::SocketAddr;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use game::{Game, Match};
use locale::Language;
use protocol::Refusal;
use rules::{Seat, Viewer};
use scene::Scene;

use crate::app::{App, language};
use crate::http_error::HttpError;
use crate::tables::{Access, Sitting, Stage, Table};
pub(crate) use embed::Framed;
pub(crate) use head::with_preview;
pub(crate) use picture::Pictures;

/// The addresses of previews and frames.
pub(crate) fn routes(app: &App) -> Router<App> {
    Router::new()
        .route("/preview/table/{id}", get(picture::table))
        .route("/preview/game/{game}", get(picture::game))
        .route("/preview/home", get(picture::home))
        .route("/embed/table/{id}", get(embed::table))
        .route("/embed/record", get(embed::record))
        .route("/embed/puzzle/{id}", get(embed::puzzle))
        .route("/embed/embed.js", get(embed::script))
        .route("/embed/embed.css", get(embed::style))
        .layer(axum::middleware::from_fn_with_state(app.clone(), limit))
}

/// Limits requests by address and name, as those of the API.
async fn limit(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let address = app.address(peer.ip(), request.headers());
    let checked = app.check_rate(address).and_then(|()| app.hub.check_address(address));
    match checked.and_then(|()| app.check_host(request.headers())) {
        Ok(()) => next.run(request).await,
        Err(refusal) => HttpError::from(refusal).in_language(language(request.headers())).into_response(),
    }
}

/// What anyone may know of a table.
enum PublicTable {
    /// The table is open: all that spectators see.
    Open { game: Game, players: Vec<Option<String>>, stage: Stage, play: Option<Box<Match>> },
    /// For those who have the link: the game alone.
    Closed(Game),
}

impl PublicTable {
    /// Finds a table.
    async fn find(app: &App, id: &str) -> Result<PublicTable, Refusal> {
        let open = app.hub.open_table(id).await?;
        let state = app.hub.current(&open).await?;
        Ok(PublicTable::of(&state.table))
    }

    fn of(table: &Table) -> PublicTable {
        let game = table.spec.game.clone();
        if table.spec.access != Access::Open {
            return PublicTable::Closed(game);
        }
        let name = |who: &Option<Sitting>| match who {
            Some(Sitting::Person(person)) => Some(person.name.clone()),
            Some(Sitting::Bot(level)) => Some(format!("bot:{level}")),
            None => None,
        };
        PublicTable::Open {
            game,
            players: table.seats().iter().map(name).collect(),
            stage: table.stage(),
            play: table.play().cloned().map(Box::new),
        }
    }

    fn game(&self) -> &Game {
        match self {
            PublicTable::Open { game, .. } | PublicTable::Closed(game) => game,
        }
    }

    /// What the players are called, by seat; nothing for a free seat, and for a table that is not open.
    fn names(&self, language: Language) -> Vec<Option<String>> {
        let name = |name: &String| match name.strip_prefix("bot:").and_then(|level| level.parse::<u8>().ok()) {
            Some(level) => language.computer(level),
            None if name.is_empty() => language.online_guest().to_owned(),
            None => name.clone(),
        };
        match self {
            PublicTable::Open { players, .. } => players.iter().map(|player| player.as_ref().map(name)).collect(),
            PublicTable::Closed(_) => Vec::new(),
        }
    }

    /// The board as it stands for spectators; that of menus where there is none to show.
    fn scene(&self) -> Option<Scene> {
        match self {
            PublicTable::Open { play: Some(play), .. } => {
                Some(play.position().scene(Viewer::Spectator).arranged(&play.settings().seating(Seat::ONE)))
            }
            _ => showcase(self.game().id()),
        }
    }
}

/// A game in the middle of play, as menus show it.
fn showcase(game: game::GameId) -> Option<Scene> {
    let (position, marks) = game::showcase(game)?;
    let mut scene = position.scene(Viewer::Spectator);
    scene.highlights.extend(marks.into_iter().filter(|mark| mark.is_lasting()));
    Some(scene)
}

/// The public address of this server, without a slash at the end; none if neither the settings nor the request name it.
fn origin(app: &App, headers: &HeaderMap) -> Option<String> {
    if let Some(public) = &app.hub.config.public {
        return Some(public.as_str().trim_end_matches('/').to_owned());
    }
    let host = headers.get(HOST)?.to_str().ok()?;
    let scheme = if app.hub.config.is_encrypted() { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

/// A text inside markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_people_stays_text() {
        assert_eq!(escaped(r#"<b a="1">&"#), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }

    #[test]
    fn every_game_has_a_board_to_show() {
        assert!(game::GameId::ALL.into_iter().all(|game| showcase(game).is_some()));
    }
}
