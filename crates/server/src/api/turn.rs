//! Whose turn it is and what may be played: enough for a client that does not know the rules.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use rules::{Seat, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

use super::Who;
use super::schemas::{self, Problem};
use crate::app::App;
use crate::http_error::HttpError;
use crate::tables::{Right, Table};

/// Whose turn it is at a table, and what may be played.
#[derive(Serialize, ToSchema)]
pub(crate) struct Turn {
    /// How far the table is.
    #[schema(value_type = schemas::TableState)]
    state: &'static str,
    /// Your own seat; a spectator has none.
    #[schema(minimum = 1, maximum = 4)]
    you: Option<u8>,
    /// The seat to act; none before and after the game.
    #[schema(minimum = 1, maximum = 4)]
    to_act: Option<u8>,
    /// How many entries the log of the match has: the `at` of your next action.
    at: u32,
    /// Every action that you may play now; empty unless you are to act.
    actions: Vec<String>,
    /// After the game: `none`, `draw`, or `p1win` to `p4win` with the number of the side.
    result: Option<String>,
}

impl Turn {
    fn of(table: &Table, viewer: Viewer) -> Turn {
        let play = table.play();
        let you = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
        let to_act = play.filter(|play| play.ending().is_none()).and_then(game::Match::to_act);
        let own_turn = play.filter(|_| you.is_some() && to_act == you);
        Turn {
            state: table.stage().word(),
            you: you.map(Seat::number),
            to_act: to_act.map(Seat::number),
            at: play.map_or(0, |play| play.log().len() as u32),
            // A seat's actions follow from what it sees.
            actions: own_turn.map(game::Match::legal).unwrap_or_default(),
            result: table.ending().map(|(result, _)| game::result_word(*result)),
        }
    }
}

/// Whose turn it is, and the actions you may play: a client can play any game by choosing among them.
#[utoipa::path(get, path = "/api/tables/{id}/turn", operation_id = "show_turn", params(("id" = String, Path)), responses(
    (status = 200, body = Turn), (status = 403, body = Problem), (status = 404, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let open = app.hub.open_table(&id).await.map_err(|refusal| who.refuse(refusal))?;
    let turn = {
        let state = app.hub.current(&open).await.map_err(|refusal| who.refuse(refusal))?;
        state.table.check(&who.person.id, Right::See).map_err(|refusal| who.refuse(refusal))?;
        Turn::of(&state.table, state.table.viewer(&who.person.id))
    };
    app.hub.note_request(&open, &who.person).await;
    Ok(who.answer(Json(turn)))
}
