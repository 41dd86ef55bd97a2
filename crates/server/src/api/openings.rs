use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use protocol::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Parameters;
use super::schemas::Problem;
use crate::app::{App, language};
use crate::http_error::HttpError;

/// The question.
#[derive(Deserialize)]
pub(crate) struct Asked {
    game: String,
    position: String,
}

/// An action that was played in a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct Opening {
    /// The action.
    action: String,
    /// How often it was played.
    games: u32,
    /// How often its player won.
    won: u32,
    /// How often it was a draw.
    drawn: u32,
}

/// What was played in a position in the latest finished games at open tables, the most frequent first. Only the first
/// actions of games are counted, and only where nothing is hidden.
#[utoipa::path(get, path = "/api/openings", operation_id = "list_openings", params(
    ("game" = String, Query, description = "the game with its options"),
    ("position" = String, Query, description = "the position as text")), responses(
    (status = 200, body = [Opening]), (status = 400, body = Problem), (status = 429, body = Problem)))]
pub(crate) async fn list(
    State(app): State<App>,
    headers: HeaderMap,
    Parameters(Asked { game, position }): Parameters<Asked>,
) -> Result<Json<Vec<Opening>>, HttpError> {
    let unreadable = |problem: &str| HttpError::from(Refusal::unreadable(problem)).in_language(language(&headers));
    let game: game::Game = game.parse().map_err(|problem: game::BadGame| unreadable(&problem.to_string()))?;
    let found = app.hub.openings(&game.to_string(), &position).await.into_iter();
    let row = |(action, count): (String, crate::hub::OpeningCount)| Opening {
        action,
        games: count.games(),
        won: count.won,
        drawn: count.drawn,
    };
    Ok(Json(found.map(row).collect()))
}
