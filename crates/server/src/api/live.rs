use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::Problem;
use crate::app::App;
use crate::hub::LiveGame;

/// How many are listed.
const MOST: usize = 20;

/// A game that anyone may watch now.
#[derive(Serialize, ToSchema)]
pub(crate) struct Live {
    /// The table.
    table: String,
    /// The game with its options.
    game: String,
    /// The clock.
    clock: String,
    /// Whether ratings change.
    rated: bool,
    /// The names of the players; `bot:3` for a bot at a level.
    players: Vec<Option<String>>,
    /// How many people watch.
    watching: u32,
    /// How many entries the log of the match has.
    actions: usize,
}

/// Games that are being played at open tables of this node, those of the strongest players first.
#[utoipa::path(get, path = "/api/live", operation_id = "list_live_games", responses(
    (status = 200, body = [Live]), (status = 429, body = Problem)))]
pub(crate) async fn list(State(app): State<App>) -> Json<Vec<Live>> {
    let row = |game: LiveGame| {
        let LiveGame { table, game, clock, rated, players, watching, actions, .. } = game;
        Live { table, game, clock, rated, players, watching, actions }
    };
    Json(app.hub.live_games(MOST).await.into_iter().map(row).collect())
}
