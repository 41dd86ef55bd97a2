//! Bots: tokens that let programs play, listed and withdrawn by the person who made them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use protocol::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schemas::Problem;
use super::{Body, Who};
use crate::app::App;
use crate::http_error::HttpError;
use crate::names::tidy_name;
use crate::store::{BotRow, StoreError};

/// The most bots of one person at once.
const MOST: i64 = 50;

/// What a token is for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// The name of the bot it is for.
    name: String,
}

/// A token. It is shown once; only its hash is stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct Token {
    /// To be sent as `Authorization: Bearer TOKEN`.
    token: String,
    /// The bot's own id.
    id: String,
}

/// A bot that a token lets in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bot {
    /// The bot's own id.
    id: String,
    /// What it was called when the token was made, or calls itself since.
    name: String,
    /// When the token was made, in milliseconds since 1970.
    created_at: i64,
    /// When it was last used, to the minute, in milliseconds since 1970; nothing if never.
    used_at: Option<i64>,
    /// When it ends by itself, in milliseconds since 1970.
    expires_at: i64,
}

impl From<BotRow> for Bot {
    fn from(BotRow { id, name, created_at, used_at, expires_at }: BotRow) -> Bot {
        Bot { id, name, created_at, used_at, expires_at }
    }
}

/// A token for a bot of yours, which plays under its own name. You may have 50.
#[utoipa::path(post, path = "/api/me/tokens", operation_id = "create_token", request_body = NewToken, responses(
    (status = 200, body = Token), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn make(State(app): State<App>, who: Who, Body(token): Body<NewToken>) -> Result<Response, HttpError> {
    check_person(&who)?;
    let name = tidy_name(&token.name).ok_or_else(|| who.refuse(Refusal::BadName))?;
    app.check_bots(who.address).map_err(|code| who.refuse(code))?;
    // A guest who has a bot leaves a trace.
    app.present(&who.person, who.address).await.map_err(|code| who.refuse(code))?;
    let id = crate::secret::name();
    let (token, session) = app.identity.session_for(&id, "bot", &name);
    app.hub.store.keep_bot(&name, &who.person.id, session, MOST).await.map_err(|problem| match problem {
        StoreError::Conflict => who.refuse(Refusal::TooFast),
        _ => who.refuse(Refusal::Storage),
    })?;
    Ok(who.answer(Json(Token { token, id })))
}

/// The bots whose tokens you made and have not withdrawn, the latest first.
#[utoipa::path(get, path = "/api/me/tokens", operation_id = "list_tokens", responses(
    (status = 200, body = [Bot]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem)))]
pub(crate) async fn list(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    check_person(&who)?;
    let bots = app.hub.store.bots_of(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let bots: Vec<Bot> = bots.into_iter().map(Bot::from).collect();
    Ok(who.answer(Json(bots)))
}

/// Withdraws a bot's token: it is not accepted any more, and the connections it opened are closed, on every node.
#[utoipa::path(delete, path = "/api/me/tokens/{id}", operation_id = "withdraw_token", params(("id" = String, Path, description = "the bot's id")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn withdraw(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    check_person(&who)?;
    app.hub.store.withdraw(&who.person.id, &id).await.map_err(|problem| match problem {
        StoreError::Conflict => who.refuse(Refusal::NotFound),
        _ => who.refuse(Refusal::Storage),
    })?;
    app.hub.close_revoked(&id).await;
    Ok(who.answer(StatusCode::NO_CONTENT))
}

/// A bot has no bots.
fn check_person(who: &Who) -> Result<(), HttpError> {
    if who.person.kind == protocol::PersonKind::Bot { Err(who.refuse(Refusal::Forbidden)) } else { Ok(()) }
}
