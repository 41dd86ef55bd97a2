use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::Who;
use super::schemas::Problem;
use crate::app::App;
use crate::http_error::HttpError;

/// How a game changed a player's rating.
#[derive(Serialize, ToSchema)]
pub(crate) struct RatingChange {
    /// The seat.
    #[schema(minimum = 1, maximum = 4)]
    seat: u8,
    /// The rating before the game.
    before: u32,
    /// The rating after it.
    after: u32,
}

/// How a finished game changed the ratings of its players: nothing unless the table is rated and the game is over.
#[utoipa::path(get, path = "/api/tables/{id}/ratings", operation_id = "table_ratings", params(("id" = String, Path)),
    responses((status = 200, body = [RatingChange]), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 401, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let changes = app.hub.rating_changes(&id, &who.person.id).await.map_err(|refusal| who.refuse(refusal))?;
    let change = |(seat, before, after): (rules::Seat, u32, u32)| RatingChange { seat: seat.number(), before, after };
    Ok(who.answer(Json(changes.into_iter().map(change).collect::<Vec<_>>())))
}
