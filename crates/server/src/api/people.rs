use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use protocol::Refusal;
use rules::Seat;
use serde::Serialize;
use utoipa::ToSchema;

use super::Who;
use crate::app::App;
use crate::failure::{Failure, Problem};
use crate::store::{Store, StoreError, TableRow};
use crate::tables::{Sitting, Table, TableSpec};

/// Somebody, as others see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct Player {
    /// Which person.
    id: String,
    /// What they are called; empty for who has gone or not said.
    name: String,
    /// `guest`, `account`, `bot` or `gone`.
    kind: String,
    /// How strong they are, by game.
    ratings: Vec<Rating>,
    /// What they played last.
    games: Vec<PlayedGame>,
}

/// A rating.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rating {
    /// The game.
    game: String,
    /// The number (Glicko-2).
    rating: i64,
    /// How uncertain it is.
    deviation: i64,
    /// After how many games.
    games: i64,
}

/// A game somebody played or plays.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayedGame {
    /// The table.
    table: String,
    /// The game with its options.
    game: String,
    /// The clock.
    clock: String,
    /// `waiting`, `playing` or `over`.
    state: String,
    /// The seat of the person whose game it is, from 1; 0 where it is not known any more.
    seat: u8,
    /// Who sits where; empty for a free seat, `bot:3` for the program at a level. Left out of long lists of old games.
    players: Vec<String>,
    /// The seat to act, from 1; 0 if none is.
    to_act: u8,
    /// The result, as in a record, once it is over.
    result: Option<String>,
    /// Why it is over.
    cause: Option<String>,
    /// When it was made, in milliseconds since 1970.
    created_at: i64,
    /// When something last happened, in milliseconds since 1970.
    changed_at: i64,
}

impl From<TableRow> for PlayedGame {
    fn from(row: TableRow) -> PlayedGame {
        let spec = TableSpec::read(&row.wish).ok();
        let (game, clock) = spec.map(|spec| (spec.game.to_string(), spec.clock.to_string())).unwrap_or_default();
        PlayedGame {
            table: row.id,
            game,
            clock,
            state: row.state,
            seat: 0,
            players: Vec::new(),
            to_act: 0,
            result: row.result,
            cause: row.cause,
            created_at: row.created_at,
            changed_at: row.changed_at,
        }
    }
}

/// So many of the latest games are told with everybody's names, which stand in the games' logs.
const TOLD_IN_FULL: usize = 40;

/// Somebody's games, the latest with who played them.
pub(super) async fn played(app: &App, person: &str, rows: Vec<TableRow>) -> Vec<PlayedGame> {
    let mut games: Vec<PlayedGame> = rows.into_iter().map(PlayedGame::from).collect();
    for game in games.iter_mut().take(TOLD_IN_FULL) {
        told_in_full(app, person, game).await;
    }
    games
}

/// Adds to somebody's game what stands in its log: who sits where, which seat is theirs, and whose turn it is. A game that
/// cannot be read stays as it is.
pub(super) async fn told_in_full(app: &App, person: &str, game: &mut PlayedGame) -> Option<Table> {
    let table = app.hub.load(&game.table).await.ok()?;
    let name = |who: &Option<Sitting>| match who {
        Some(Sitting::Person(person)) => person.name.clone(),
        Some(Sitting::Bot(level)) => format!("bot:{level}"),
        None => String::new(),
    };
    game.players = table.seats().iter().map(name).collect();
    game.seat = table.seat_of(person).map_or(0, Seat::number);
    let to_act = table.play().filter(|play| play.ending().is_none()).and_then(|play| play.to_act());
    game.to_act = to_act.map_or(0, Seat::number);
    Some(table)
}

/// How strong somebody is.
pub(super) async fn ratings(store: &Store, person: &str) -> Result<Vec<Rating>, StoreError> {
    let rows = store.ratings(person).await?;
    let whole = |number: f64| number.round() as i64;
    Ok(rows
        .into_iter()
        .map(|row| Rating {
            game: row.game,
            rating: whole(row.rating),
            deviation: whole(row.deviation),
            games: row.games,
        })
        .collect())
}

/// Somebody's page: name, ratings, and the last fifty games that others may see.
#[utoipa::path(get, path = "/api/people/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = Player), (status = 404, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let storage = |_: StoreError| who.refuse(Refusal::Storage);
    let person = app.hub.store.person(&id).await.map_err(storage)?.ok_or_else(|| who.refuse(Refusal::NotFound))?;
    let ratings = ratings(&app.hub.store, &id).await.map_err(storage)?;
    let games = app.hub.store.tables_of(&id, 50).await.map_err(storage)?;
    let own = id == who.person.id;
    // What was for friends is not for everybody while it is played, and what was private never is.
    let access = |row: &TableRow, word: &str| row.wish.contains(&format!("\"access\":\"{word}\""));
    let shown = |row: &TableRow| own || access(row, "open") || (row.state == "over" && !access(row, "private"));
    let games = played(&app, &id, games.into_iter().filter(shown).collect()).await;
    Ok(who.answer(Json(Player { id, name: person.name, kind: person.kind, ratings, games })))
}
