//! Friends: whom a person follows, and whether they are online. A challenge is a table by link.

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
use crate::runtime::wall;
use crate::store::StoreError;

/// The most people whom one person follows.
const MOST: i64 = 500;

/// A person whom you follow.
#[derive(Serialize, ToSchema)]
pub(crate) struct Followed {
    /// Which person.
    id: String,
    /// The name; empty for a deleted person.
    name: String,
    /// Whether they are connected now, as far as this node knows.
    online: bool,
}

/// The people whom you follow.
#[utoipa::path(get, path = "/api/me/follows", operation_id = "list_follows", responses(
    (status = 200, body = [Followed]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn list(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let rows = app.hub.store.followed_by(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    // A person whom one of them has blocked does not learn when that one is online.
    let blockers = app.hub.store.blockers_of(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let connected = app.hub.connected(&rows.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>());
    let online = |(id, name): (String, String)| Followed {
        online: connected.contains(&id) && !blockers.contains(&id),
        id,
        name,
    };
    let followed: Vec<Followed> = rows.into_iter().map(online).collect();
    Ok(who.answer(Json(followed)))
}

/// Follows a person. 500 at most.
#[utoipa::path(put, path = "/api/me/follows/{id}", operation_id = "follow", params(("id" = String, Path, description = "the person's id")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn follow(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let person = app.hub.store.person(&id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    if person.is_none() || id == who.person.id {
        return Err(who.refuse(Refusal::NotFound));
    }
    // A guest who follows leaves a trace.
    app.present(&who.person, who.address).await.map_err(|refusal| who.refuse(refusal))?;
    app.hub.store.follow(&who.person.id, &id, wall(), MOST).await.map_err(|problem| match problem {
        StoreError::Conflict => who.refuse(Refusal::Full),
        _ => who.refuse(Refusal::Storage),
    })?;
    Ok(who.answer(StatusCode::NO_CONTENT))
}

/// Follows a person no more.
#[utoipa::path(delete, path = "/api/me/follows/{id}", operation_id = "unfollow", params(("id" = String, Path, description = "the person's id")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn unfollow(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    app.hub.store.unfollow(&who.person.id, &id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(StatusCode::NO_CONTENT))
}
