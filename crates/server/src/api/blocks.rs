//! Block lists: whose chat a person does not want to read, and with whom they do not want to be paired.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use protocol::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

use super::Who;
use super::schemas::Problem;
use crate::app::App;
use crate::http_error::HttpError;

/// A person whom you have blocked.
#[derive(Serialize, ToSchema)]
pub(crate) struct Blocked {
    /// Which person.
    id: String,
    /// The name; empty for a deleted person.
    name: String,
}

/// The people whom you have blocked, the latest first.
#[utoipa::path(get, path = "/api/me/blocks", operation_id = "list_blocks", responses(
    (status = 200, body = [Blocked]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn list(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let rows = app.hub.store.blocked_by(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let blocked: Vec<Blocked> = rows.into_iter().map(|row| Blocked { id: row.id, name: row.name }).collect();
    Ok(who.answer(Json(blocked)))
}

/// Blocks a person: you are not sent their chat, they cannot sit down at your tables, you are not paired, and there is no rematch. 500 at most.
#[utoipa::path(put, path = "/api/me/blocks/{id}", operation_id = "block", params(("id" = String, Path, description = "the person's id")), responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn block(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let person = app.hub.store.person(&id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    if person.is_none() || id == who.person.id {
        return Err(who.refuse(Refusal::NotFound));
    }
    // A guest who has a block list leaves a trace.
    app.present(&who.person, who.address).await.map_err(|refusal| who.refuse(refusal))?;
    app.hub.block(&who.person.id, &id).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(StatusCode::NO_CONTENT))
}

/// Lifts a block.
#[utoipa::path(delete, path = "/api/me/blocks/{id}", operation_id = "unblock", params(("id" = String, Path, description = "the person's id")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn unblock(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    app.hub.unblock(&who.person.id, &id).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(StatusCode::NO_CONTENT))
}
