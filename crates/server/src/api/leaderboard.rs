use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use game::GameId;
use protocol::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

use super::Who;
use super::schemas::Problem;
use crate::app::App;
use crate::http_error::HttpError;

/// How many are listed.
const MOST: i64 = 100;
/// A rating that is less certain than this is not listed: a lucky first game would lead.
const CERTAIN: f64 = 150.0;

/// A player of the leaderboard.
#[derive(Serialize, ToSchema)]
pub(crate) struct Leader {
    /// Which person.
    id: String,
    /// The name.
    name: String,
    /// The number (Glicko-2).
    rating: i64,
    /// How uncertain it is.
    deviation: i64,
    /// After how many games.
    games: i64,
}

/// The hundred strongest accounts of a game, best first, as far as their rating is certain enough.
#[utoipa::path(get, path = "/api/leaderboard/{game}", operation_id = "show_leaderboard",
    params(("game" = String, Path, description = "the game's name")), responses(
    (status = 200, body = [Leader]), (status = 404, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who, Path(game): Path<String>) -> Result<Response, HttpError> {
    if !GameId::ALL.iter().any(|id| id.name() == game) {
        return Err(who.refuse(Refusal::NotFound));
    }
    let rows = app.hub.store.leaders(&game, CERTAIN, MOST).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let whole = |number: f64| number.round() as i64;
    let leader = |row: crate::store::LeaderRow| Leader {
        id: row.person,
        name: row.name,
        rating: whole(row.rating),
        deviation: whole(row.deviation),
        games: row.games,
    };
    let leaders: Vec<Leader> = rows.into_iter().map(leader).collect();
    Ok(who.answer(Json(leaders)))
}
