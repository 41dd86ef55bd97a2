//! The settings of the app that a person with an account has chosen, for all their devices.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use protocol::{PersonKind, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schemas::Problem;
use super::{Body, Who};
use crate::app::App;
use crate::http_error::HttpError;
use crate::runtime::wall;
use crate::store::PreferenceRow;

/// The version of the document.
const VERSION: u32 = 1;
/// The most settings that are kept for a person.
const MOST: usize = 64;
/// The longest name of a setting, in bytes.
const LONGEST_NAME: usize = 32;
/// The longest value, in bytes.
const LONGEST_VALUE: usize = 64;

/// What is expected of them.
const BAD_SETTINGS: &str = "expected version 1 with up to 64 settings: a name of 1 to 32 letters a to z, digits, dots and hyphens, a \
                            value of up to 64 bytes without zeros, and a time that is not negative";

/// The settings that a person has chosen.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Preferences {
    /// The version of this document: 1.
    version: u32,
    /// At most 64 of them.
    settings: Vec<Preference>,
}

/// A setting.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Preference {
    /// Lower-case letters, digits, dots and hyphens, at most 32.
    name: String,
    /// At most 64 bytes.
    value: String,
    /// When it was chosen, in milliseconds since 1970.
    at: i64,
}

/// The settings of the app that you have chosen on any device. For accounts.
#[utoipa::path(get, path = "/api/me/settings", operation_id = "show_settings", responses(
    (status = 200, body = Preferences), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    check_account(&who)?;
    answer(&app, who).await
}

/// Keeps settings that were chosen on a device, and gives all of them. Of two choices for the same setting the later one stays.
#[utoipa::path(put, path = "/api/me/settings", operation_id = "keep_settings", request_body = Preferences, responses(
    (status = 200, body = Preferences), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn keep(
    State(app): State<App>,
    who: Who,
    Body(chosen): Body<Preferences>,
) -> Result<Response, HttpError> {
    check_account(&who)?;
    let is_readable = chosen.version == VERSION && chosen.settings.len() <= MOST;
    if !is_readable || !chosen.settings.iter().all(Preference::is_readable) {
        return Err(who.refuse(Refusal::unreadable(BAD_SETTINGS)));
    }
    // A device whose clock is ahead must not win for ever.
    let now = wall();
    let row = |it: Preference| PreferenceRow { name: it.name, value: it.value, at: it.at.min(now) };
    let rows: Vec<PreferenceRow> = chosen.settings.into_iter().map(row).collect();
    if !rows.is_empty() {
        let kept = app.hub.store.keep_preferences(&who.person.id, rows, MOST as i64).await;
        kept.map_err(|_| who.refuse(Refusal::Storage))?;
    }
    answer(&app, who).await
}

impl Preference {
    fn is_readable(&self) -> bool {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
        let is_name = (1..=LONGEST_NAME).contains(&self.name.len()) && self.name.bytes().all(is_plain);
        // PostgreSQL keeps no texts with a zero.
        let is_value = self.value.len() <= LONGEST_VALUE && !self.value.contains('\0');
        is_name && is_value && self.at >= 0
    }
}

impl From<PreferenceRow> for Preference {
    fn from(row: PreferenceRow) -> Preference {
        Preference { name: row.name, value: row.value, at: row.at }
    }
}

fn check_account(who: &Who) -> Result<(), HttpError> {
    if who.person.kind == PersonKind::Account { Ok(()) } else { Err(who.refuse(Refusal::Forbidden)) }
}

async fn answer(app: &App, who: Who) -> Result<Response, HttpError> {
    let rows = app.hub.store.preferences(&who.person.id).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let settings = rows.into_iter().map(Preference::from).collect();
    Ok(who.answer(Json(Preferences { version: VERSION, settings })))
}
