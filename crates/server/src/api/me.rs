use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use protocol::{PersonKind, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::people::{MOST_GAMES, PlayedGame, Rating, played, ratings};
use super::schemas::Problem;
use super::{Body, Who, schemas, with_cookie};
use crate::app::App;
use crate::http_error::HttpError;
use crate::names::tidy_name;
use crate::store::{Store, StoreError};

/// You.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    /// Which person.
    id: String,
    /// Your name; empty if you have none.
    name: String,
    /// `guest`, `account` or `bot`.
    #[schema(value_type = schemas::PersonKind)]
    kind: PersonKind,
    /// How strong you are, by game.
    ratings: Vec<Rating>,
}

/// A name to be called by.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name {
    /// One to 24 characters.
    name: String,
}

/// Who you are; a guest gets a cookie by asking.
#[utoipa::path(get, path = "/api/me", operation_id = "show_me", responses(
    (status = 200, body = Me), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let me = me(&app.hub.store, &who).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(me)))
}

pub(super) async fn me(store: &Store, who: &Who) -> Result<Me, StoreError> {
    let person = who.person.clone();
    let ratings = ratings(store, &person.id).await?;
    Ok(Me { id: person.id, name: person.name, kind: person.kind, ratings })
}

/// Changes what you are called.
#[utoipa::path(patch, path = "/api/me", request_body = Name, responses(
    (status = 200, body = Me), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn rename(
    State(app): State<App>,
    mut who: Who,
    Body(name): Body<Name>,
) -> Result<Response, HttpError> {
    let name = tidy_name(&name.name).ok_or_else(|| who.refuse(Refusal::BadName))?;
    let store = &app.hub.store;
    let namesake = store.account_like(&name, &who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    if namesake {
        // A guest must not pass for a person with an account.
        return Err(who.refuse(Refusal::BadName));
    }
    who.person.name = name;
    let kept = match who.person.kind {
        PersonKind::Guest => {
            app.stored_guest(&who.person, who.address).await.map_err(|refusal| who.refuse(refusal))?;
            store.name_guest(&who.person.id, &who.person.name, crate::runtime::wall()).await
        }
        // An account is known by its name; another one would be another login.
        PersonKind::Account => return Err(who.refuse(Refusal::Forbidden)),
        _ => store.rename(&who.person.id, &who.person.name).await,
    };
    kept.map_err(|_| who.refuse(Refusal::Storage))?;
    let me = me(store, &who).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(me)))
}

/// Your games, the latest first.
#[utoipa::path(get, path = "/api/me/games", operation_id = "list_my_games", responses(
    (status = 200, body = [PlayedGame]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn games(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    app.check_pages(who.address).map_err(|refusal| who.refuse(refusal))?;
    let games = app.hub.store.tables_of(&who.person.id, MOST_GAMES).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let games = played(&app, &who.person.id, games).await;
    Ok(who.answer(Json(games)))
}

/// Forgets you, a guest or a bot: name, sessions and bots go. Games stay, for they are the others' too, without your name.
/// An account is deleted with its password, by `/api/account/delete`.
#[utoipa::path(delete, path = "/api/me", operation_id = "delete_me", responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn forget(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    if who.person.kind == PersonKind::Account {
        return Err(who.refuse(Refusal::Forbidden));
    }
    app.hub.forget(&who.person.id).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(with_cookie(axum::http::StatusCode::NO_CONTENT.into_response(), app.identity.clear()))
}
