//! Everything that is stored about a person, for that person.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use protocol::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

use super::Who;
use super::me::{Me, me};
use super::people::{PlayedGame, with_log};
use super::preferences::Preference;
use super::schemas::Problem;
use super::tokens::Bot;
use crate::app::App;
use crate::http_error::HttpError;
use crate::store::StoreError;
use crate::tables::{Event, Speech, read_entry};

/// Everything that is kept about you.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    me: Me,
    /// Every game where you have a seat, the latest first.
    games: Vec<ExportedGame>,
    /// Your chat lines, at your tables and where you watched.
    said: Vec<SaidLine>,
    /// The bots whose tokens you made.
    bots: Vec<Bot>,
    /// The settings of the app that you have chosen.
    settings: Vec<Preference>,
}

/// A game with its record.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedGame {
    #[serde(flatten)]
    game: PlayedGame,
    /// Its record, as you may know it; nothing if it has not begun.
    record: Option<String>,
}

/// A chat line of yours.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaidLine {
    /// At which table.
    table: String,
    /// The number of the event there.
    seq: i64,
    /// When, in milliseconds since 1970.
    at: i64,
    /// The words, or the key of a phrase.
    words: String,
}

/// More games than any person plays.
const MOST: i64 = 100_000;

/// Everything that is kept about you: all your games with everybody's names, results and records, and what you said.
#[utoipa::path(get, path = "/api/me/export", operation_id = "export_me", responses(
    (status = 200, body = Export), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn everything(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let storage = |_: StoreError| who.refuse(Refusal::Storage);
    app.check_exports(who.address).map_err(|code| who.refuse(code))?;
    // Every game is replayed, so exports wait for one another rather than make players wait.
    let _slot = app.exports.slot().await.map_err(|code| who.refuse(code))?;
    let me = me(&app.hub.store, &who).await.map_err(storage)?;
    let person = &who.person.id;
    let mut games = Vec::new();
    for row in app.hub.store.tables_of(person, MOST).await.map_err(storage)? {
        let mut game = PlayedGame::from(row);
        let table = with_log(&app, person, &mut game).await;
        let play = table.as_ref().and_then(|table| Some((table.play()?, table.viewer(person))));
        let record = play.map(|(play, viewer)| play.record_for(viewer).to_string());
        games.push(ExportedGame { game, record });
    }
    let lines = app.hub.store.lines_around(person).await.map_err(storage)?;
    let said = lines.iter().filter_map(|(table, seq, line)| said_by(person, table, *seq, line)).collect();
    let bots = app.hub.store.bots_of(person).await.map_err(storage)?.into_iter().map(Bot::from).collect();
    let settings = app.hub.store.preferences(person).await.map_err(storage)?;
    let settings = settings.into_iter().map(Preference::from).collect();
    Ok(who.answer(Json(Export { me, games, said, bots, settings })))
}

fn said_by(person: &str, table: &str, seq: i64, line: &str) -> Option<SaidLine> {
    let entry = read_entry(line).ok().filter(|entry| entry.by.as_deref() == Some(person))?;
    let Event::Said { what: Speech::Text(words) | Speech::Phrase(words) | Speech::Team(words), .. } = entry.event
    else {
        return None;
    };
    Some(SaidLine { table: table.to_owned(), seq, at: entry.at, words })
}
