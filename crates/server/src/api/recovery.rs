//! Recovery codes: what a person wrote down opens an account whose password is forgotten. There is no mail.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use protocol::{Person, PersonKind, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::account::{
    Password, check_account, check_own_password, check_password, enter, log_failure, login_of, too_soon,
};
use super::schemas::Problem;
use super::{Body, Who, schemas};
use crate::app::App;
use crate::http_error::HttpError;
use crate::secret;
use crate::store::StoreError;

/// How many codes are made at once.
const CODES: usize = 8;

/// New recovery codes. They are shown once; only their hashes are stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecoveryCodes {
    /// Each opens the account once.
    codes: Vec<String>,
}

/// How many recovery codes are left.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecoveryCodesLeft {
    /// So many have not been used.
    left: i64,
}

/// A recovery code instead of a forgotten password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recovery {
    /// The account's name.
    name: String,
    /// One of its codes; dashes and letter case do not matter.
    code: String,
    /// The new password, 8 to 128 characters.
    password: String,
}

/// How many recovery codes you have left.
#[utoipa::path(get, path = "/api/account/recovery-codes", operation_id = "count_recovery_codes", responses(
    (status = 200, body = RecoveryCodesLeft), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn count(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    check_account(&who)?;
    let left = app.hub.store.recovery_codes_left(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(RecoveryCodesLeft { left })))
}

/// New recovery codes for your account; earlier ones are no longer valid.
#[utoipa::path(post, path = "/api/account/recovery-codes", operation_id = "make_recovery_codes", request_body = Password, responses(
    (status = 200, body = RecoveryCodes), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn make(State(app): State<App>, who: Who, Body(own): Body<Password>) -> Result<Response, HttpError> {
    check_own_password(&app, &who, own.password).await?;
    let codes: Vec<String> = (0..CODES).map(|_| secret::recovery_code()).collect();
    let hashes: Vec<String> = codes.iter().map(|code| secret::recovery_code_hash(code)).collect();
    let stored = app.hub.store.replace_recovery_codes(&who.person.id, &hashes).await;
    stored.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(RecoveryCodes { codes })))
}

/// Sets a new password with a recovery code, which is used up, ends all sessions and bots' tokens, and logs you in.
#[utoipa::path(post, path = "/api/account/recover", operation_id = "recover_account", request_body = Recovery, responses(
    (status = 200, description = "you", body = schemas::Person), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn recover(
    State(app): State<App>,
    who: Who,
    Body(given): Body<Recovery>,
) -> Result<Response, HttpError> {
    let storage = |_: StoreError| who.refuse(Refusal::Storage);
    check_password(&given.password).map_err(|code| who.refuse(code))?;
    let (login, code) = (login_of(&given.name), secret::recovery_code_hash(&given.code));
    app.logins().attempt_with_code(who.address).map_err(|wait| too_soon(&who, wait))?;
    let wrong = || {
        log_failure(&who, &login);
        who.refuse(Refusal::BadCode)
    };
    let store = &app.hub.store;
    let account = store.person_by_login(&login).await.map_err(storage)?.ok_or_else(wrong)?;
    if !store.has_recovery_code(&account.id, &code).await.map_err(storage)? {
        return Err(wrong());
    }
    let hash = app.passwords.hash(given.password).await.map_err(|refusal| who.refuse(refusal))?;
    store.recover(&account.id, &code, &hash).await.map_err(|problem| match problem {
        StoreError::Conflict => wrong(),
        _ => who.refuse(Refusal::Storage),
    })?;
    app.logins().succeed(who.address, &login);
    app.hub.close_all_of(&account.id).await;
    enter(&app, &who, Person { id: account.id, name: account.name, kind: PersonKind::Account }).await
}
