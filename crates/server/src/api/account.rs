use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use protocol::{Person, PersonKind, Refusal};
use serde::Deserialize;
use utoipa::ToSchema;

use super::schemas::Problem;
use super::{Body, Who, schemas, with_cookie};
use crate::app::App;
use crate::http_error::HttpError;
use crate::names::tidy_name;
use crate::runtime::wall;
use crate::store::{PersonRow, StoreError};

/// A name and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// 2 to 24 characters; letters of either case count as the same.
    name: String,
    /// 8 to 128 characters.
    password: String,
}

/// Your password, for what cannot be undone.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Password {
    /// The one you have.
    pub(super) password: String,
}

/// A password to be changed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The one you have.
    old: String,
    /// The one you want.
    new: String,
}

/// Makes an account of the guest you are; your games stay yours.
#[utoipa::path(post, path = "/api/account/register", request_body = Credentials, responses(
    (status = 200, description = "you", body = schemas::Person), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn register(
    State(app): State<App>,
    who: Who,
    Body(credentials): Body<Credentials>,
) -> Result<Response, HttpError> {
    if who.person.kind != PersonKind::Guest {
        return Err(who.refuse(Refusal::Forbidden));
    }
    let name = tidy_name(&credentials.name)
        .filter(|name| name.chars().count() >= 2)
        .ok_or_else(|| who.refuse(Refusal::BadName))?;
    check_password(&credentials.password).map_err(|code| who.refuse(code))?;
    app.check_registrations(who.address).map_err(|code| who.refuse(code))?;
    let hash = app.passwords.hash(credentials.password).await.map_err(|refusal| who.refuse(refusal))?;
    let row = PersonRow {
        id: who.person.id.clone(),
        name: name.clone(),
        kind: "account".to_owned(),
        login: Some(name.to_lowercase()),
        password: Some(hash),
        created_at: wall(),
    };
    match app.hub.store.keep_account(row).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => return Err(who.refuse(Refusal::BadName)),
        Err(_) => return Err(who.refuse(Refusal::Storage)),
    }
    // What the guest's cookie opened.
    app.hub.close_revoked(&who.person.id).await;
    let person = Person { id: who.person.id.clone(), name, kind: PersonKind::Account };
    enter(&app, &who, person).await
}

/// Lets you in.
#[utoipa::path(post, path = "/api/account/login", request_body = Credentials, responses(
    (status = 200, description = "you", body = schemas::Person), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn login(
    State(app): State<App>,
    who: Who,
    Body(given): Body<Credentials>,
) -> Result<Response, HttpError> {
    let login = login_of(&given.name);
    let row = app.hub.store.person_by_login(&login).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let known = row.as_ref().and_then(|row| row.password.clone());
    app.logins().attempt(who.address, &login).map_err(|wait| too_soon(&who, wait))?;
    check_secret(&app, &who, &login, given.password, known).await?;
    app.logins().succeed(who.address, &login);
    match row {
        Some(row) => enter(&app, &who, Person { id: row.id, name: row.name, kind: PersonKind::Account }).await,
        None => Err(who.refuse(Refusal::BadPassword)),
    }
}

/// The login that a typed name stands for.
pub(super) fn login_of(name: &str) -> String {
    tidy_name(name).unwrap_or_default().to_lowercase()
}

/// Whether a password is right. It takes as long for an account that does not exist, or its absence could be measured.
async fn check_secret(
    app: &App,
    who: &Who,
    login: &str,
    password: String,
    known: Option<String>,
) -> Result<(), HttpError> {
    if app.passwords.is_right(password, known).await.map_err(|refusal| who.refuse(refusal))? {
        return Ok(());
    }
    log_failure(who, login);
    Err(who.refuse(Refusal::BadPassword))
}

/// Refuses an attempt that comes too soon after others have failed.
pub(super) fn too_soon(who: &Who, wait: Duration) -> HttpError {
    who.refuse(Refusal::TooFast).retry_after(wait)
}

/// One line for each failure, with the address first, for tools that ban addresses.
pub(super) fn log_failure(who: &Who, login: &str) {
    tracing::warn!(address = %who.address, login, "login failed");
}

/// Whether a password is that of the account which sent the request.
pub(super) async fn check_own_password(app: &App, who: &Who, password: String) -> Result<(), HttpError> {
    check_account(who)?;
    let row = app.hub.store.person(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let (login, known) = row.map(|row| (row.login.unwrap_or_default(), row.password)).unwrap_or_default();
    app.logins().attempt_in_session(&login).map_err(|wait| too_soon(who, wait))?;
    check_secret(app, who, &login, password, known).await?;
    app.logins().succeed_in_session(&login);
    Ok(())
}

pub(super) async fn enter(app: &App, who: &Who, person: Person) -> Result<Response, HttpError> {
    app.hub.check_person(&person.id).map_err(|refusal| who.refuse(refusal))?;
    let cookie = app.identity.log_in(&app.hub.store, &person.id).await;
    let cookie = cookie.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(with_cookie(Json(person), cookie))
}

/// Lets you out; you are a new guest afterwards.
#[utoipa::path(post, path = "/api/account/logout", responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn logout(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    if let Some(session) = &who.session {
        app.hub.store.end_session(session).await.map_err(|_| who.refuse(Refusal::Storage))?;
        app.hub.close_revoked(&who.person.id).await;
    }
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), app.identity.clear()))
}

/// Ends all your sessions and your bots' tokens.
#[utoipa::path(post, path = "/api/account/logout-everywhere", responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn logout_everywhere(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    check_account(&who)?;
    app.hub.store.end_sessions(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    app.hub.close_all_of(&who.person.id).await;
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), app.identity.clear()))
}

/// Changes your password, and ends all other sessions and your bots' tokens.
#[utoipa::path(post, path = "/api/account/password", request_body = NewPassword, responses(
    (status = 200, description = "you", body = schemas::Person), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn password(
    State(app): State<App>,
    who: Who,
    Body(change): Body<NewPassword>,
) -> Result<Response, HttpError> {
    check_account(&who)?;
    check_password(&change.new).map_err(|code| who.refuse(code))?;
    check_own_password(&app, &who, change.old).await?;
    let hash = app.passwords.hash(change.new).await.map_err(|refusal| who.refuse(refusal))?;
    app.hub.store.change_password(&who.person.id, &hash).await.map_err(|_| who.refuse(Refusal::Storage))?;
    app.hub.close_all_of(&who.person.id).await;
    enter(&app, &who, who.person.clone()).await
}

/// Deletes your account: name, password, sessions, ratings and bots go. Games stay, for they are the others' too, without your
/// name.
#[utoipa::path(post, path = "/api/account/delete", operation_id = "delete_account", request_body = Password, responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn delete(State(app): State<App>, who: Who, Body(own): Body<Password>) -> Result<Response, HttpError> {
    check_own_password(&app, &who, own.password).await?;
    app.hub.forget(&who.person.id).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), app.identity.clear()))
}

pub(super) fn check_account(who: &Who) -> Result<(), HttpError> {
    if who.person.kind == PersonKind::Account { Ok(()) } else { Err(who.refuse(Refusal::NotKnown)) }
}

pub(super) fn check_password(password: &str) -> Result<(), Refusal> {
    let length = password.chars().count();
    if (8..=128).contains(&length) { Ok(()) } else { Err(Refusal::PasswordLength) }
}
