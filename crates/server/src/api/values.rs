//! What is proved of positions, from the tables that this server was given.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use protocol::Refusal;
use rules::{Position, Turn};
use search::solved::{Solved, SolvedBot, Tables};
use search::{Bot, Limits, Situation, Value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Parameters;
use super::schemas::Problem;
use crate::app::{App, language};
use crate::http_error::HttpError;

/// A position of Quixo for two with the value of every action, for the seat to act.
#[derive(Serialize, ToSchema)]
pub(crate) struct Values {
    /// What the position is worth.
    value: Proved,
    /// Best play from here, as far as it is known.
    line: Vec<String>,
    /// Every action, best first.
    actions: Vec<ActionValue>,
}

/// An action and what comes of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ActionValue {
    /// The action.
    action: String,
    /// Its worth to who plays it.
    value: Proved,
}

/// A result that is certain under best play.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Proved {
    /// `win`, `draw` or `loss`.
    #[schema(value_type = String)]
    result: &'static str,
    /// After how many actions of both it is over, where the tables count them.
    plies: Option<u32>,
}

impl Proved {
    fn new(value: Value) -> Option<Proved> {
        let result = match value {
            Value::Win(_) => "win",
            Value::Draw => "draw",
            Value::Loss(_) => "loss",
            Value::Estimate(_) => return None,
        };
        Some(Proved { result, plies: value.plies() })
    }
}

/// The question.
#[derive(Deserialize)]
pub(crate) struct Asked {
    position: String,
}

/// What every action in a position of Quixo for two is worth, if this server's tables know.
#[utoipa::path(get, path = "/api/quixo/values", operation_id = "show_values",
    params(("position" = String, Query, description = "the position as text")), responses(
    (status = 200, body = Values),
    (status = 204, description = "no table of this server has the position, or no seat is to act"),
    (status = 400, body = Problem), (status = 403, description = "the position is from a rated game of yours that is not over", body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn quixo(
    State(app): State<App>,
    headers: HeaderMap,
    Parameters(Asked { position }): Parameters<Asked>,
) -> Result<Response, HttpError> {
    let unreadable = |problem: &str| HttpError::from(Refusal::unreadable(problem)).in_language(language(&headers));
    let game = Solved::parse(&Default::default(), &position).map_err(|problem| unreadable(&problem.to_string()))?;
    // A credential that was withdrawn belongs to no person.
    if let Ok(known) = app.identity.of(&app.hub.store, &headers).await {
        let (name, position) = (game::Game::by_default(search::solved::GAME).to_string(), game.to_string());
        let refused = |refusal: Refusal| HttpError::from(refusal).in_language(language(&headers));
        if app.hub.is_in_rated_game(&known.person.id, &name, &position).await.map_err(refused)? {
            return Err(refused(Refusal::Forbidden));
        }
    }
    let Some(tables) = app.hub.config.knowledge.solved.clone().filter(|_| matches!(game.turn(), Turn::Seat(_))) else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    // Tables lie on a disk.
    let found = crate::runtime::blocking(move || values(&game, tables)).await.flatten();
    Ok(found.map_or_else(|| StatusCode::NO_CONTENT.into_response(), |values| Json(values).into_response()))
}

/// Everything that is proved without a search, or nothing where that is not everything.
fn values(game: &Solved, tables: Arc<dyn Tables>) -> Option<Values> {
    let limits = Limits::nodes(1).with_seed(1).with_memory(1 << 10);
    let result = SolvedBot::with_tables(tables).analyse(&Situation { view: game, earlier: &[] }, &limits);
    let actions = result.scored.iter().map(|scored| {
        let value = Proved::new(scored.value)?;
        Some(ActionValue { action: scored.action.to_string(), value })
    });
    Some(Values {
        value: Proved::new(result.value)?,
        line: result.line.iter().map(ToString::to_string).collect(),
        actions: actions.collect::<Option<_>>()?,
    })
}
