//! For the operator's commands (`fourfold operator`): requests of this machine with the key that the database holds. They are
//! no part of the public API and of its description.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use protocol::LONGEST_LINE;
use serde::{Deserialize, Serialize};

use super::Body;
use crate::app::App;
use crate::http_error::HttpError;
use crate::hub::BanTarget;
use crate::prefix::Prefix;
use crate::secret;
use crate::store::StoreError;
use crate::tables::{Event, Refusal, Sitting, Speech, TableSpec, one_line, read_entry};

/// The most tables and reports that are listed.
const MOST: i64 = 500;

/// A request with the operator's key, from this machine.
pub(crate) struct Operator;

impl FromRequestParts<App> for Operator {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Operator, HttpError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let local = peer.is_some_and(|peer| app.is_local(peer, &parts.headers));
        let given = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        // Hashes are compared, so that the time it takes says nothing about the key.
        let right = given.is_some_and(|given| secret::hash(given) == secret::hash(&app.operator_key));
        if local && right { Ok(Operator) } else { Err(Refusal::Forbidden.into()) }
    }
}

/// A table that waits or is played at.
#[derive(Serialize)]
pub(crate) struct ListedTable {
    id: String,
    game: String,
    access: &'static str,
    state: String,
    players: Vec<Option<String>>,
    created_at: i64,
    changed_at: i64,
}

/// Tables that wait or are played at, the latest first.
pub(crate) async fn tables(_: Operator, State(app): State<App>) -> Result<Json<Vec<ListedTable>>, HttpError> {
    let mut listed = Vec::new();
    for state in ["playing", "waiting"] {
        for row in app.hub.store.tables_in(state, MOST).await.map_err(storage)? {
            let (Ok(spec), Ok(table)) = (TableSpec::read(&row.spec), app.hub.load(&row.id).await) else { continue };
            let name = |who: &Sitting| match who {
                Sitting::Person(person) if person.name.is_empty() => person.id.clone(),
                Sitting::Person(person) => format!("{} ({})", person.name, person.id),
                Sitting::Bot(level) => format!("bot:{level}"),
            };
            listed.push(ListedTable {
                id: row.id,
                game: spec.game.to_string(),
                access: spec.access.to_wire().word(),
                state: row.state,
                players: table.seats().iter().map(|who| who.as_ref().map(name)).collect(),
                created_at: row.created_at,
                changed_at: row.changed_at,
            });
        }
    }
    Ok(Json(listed))
}

/// Ends a table.
pub(crate) async fn end(_: Operator, State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, HttpError> {
    let hub = app.hub.clone();
    super::unbroken(async move { hub.end_table(&id).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What to ban, or not any more.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ban {
    /// An address, a range such as `192.0.2.0/24`, the name of an account, or the id of a person; `address:`,
    /// `name:` or `id:` before it says which.
    target: String,
    #[serde(default)]
    reason: String,
}

/// A ban.
#[derive(Serialize)]
pub(crate) struct ListedBan {
    /// An address, a network, or the id of a person with the name.
    target: String,
    reason: String,
    at: i64,
}

/// Every ban.
pub(crate) async fn bans(_: Operator, State(app): State<App>) -> Result<Json<Vec<ListedBan>>, HttpError> {
    let mut listed = Vec::new();
    for row in app.hub.store.bans().await.map_err(storage)? {
        let target = match (row.kind.as_str(), row.subject.parse::<Prefix>()) {
            ("network", Ok(prefix)) => prefix.to_string(),
            _ => {
                let person = app.hub.store.person(&row.subject).await.map_err(storage)?;
                person.map_or(row.subject.clone(), |person| format!("{} ({})", person.name, person.id))
            }
        };
        listed.push(ListedBan { target, reason: row.reason, at: row.at });
    }
    Ok(Json(listed))
}

/// Bans an address or a person.
pub(crate) async fn ban(
    _: Operator,
    State(app): State<App>,
    Body(ban): Body<Ban>,
) -> Result<StatusCode, OperatorError> {
    let target = target(&app, &ban.target).await?;
    // It is read in a terminal again, where it must not pass for other lines of the list.
    let reason: String = one_line(&ban.reason).chars().take(LONGEST_LINE).collect();
    app.hub.ban(&target, &reason).await.map_err(storage)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lifts a ban.
pub(crate) async fn unban(
    _: Operator,
    State(app): State<App>,
    Body(ban): Body<Ban>,
) -> Result<StatusCode, OperatorError> {
    let target = target(&app, &ban.target).await?;
    app.hub.unban(&target).await.map_err(storage)?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a text stands for: an address, the name of an account, or the id of a person. A person can choose a name that is another's
/// id or an address, so a text that stands for two things is refused unless it says which.
async fn target(app: &App, text: &str) -> Result<BanTarget, OperatorError> {
    let (kind, text) = match text.split_once(':') {
        Some((kind @ ("address" | "name" | "id"), rest)) => (Some(kind), rest),
        _ => (None, text),
    };
    let may_be = |wanted: &str| kind.is_none_or(|kind| kind == wanted);
    let mut meant = Vec::new();
    if may_be("address") {
        meant.extend(text.parse().ok().map(BanTarget::Network));
    }
    if may_be("name") {
        let account = app.hub.store.person_by_login(&super::account::login_of(text)).await.map_err(storage)?;
        meant.extend(account.map(|account| BanTarget::Person(account.id)));
    }
    if may_be("id") {
        let person = app.hub.store.person(text).await.map_err(storage)?;
        meant.extend(person.map(|person| BanTarget::Person(person.id)));
    }
    meant.dedup();
    match meant.len() {
        0 => Err(HttpError::from(Refusal::NotFound).into()),
        1 => Ok(meant.remove(0)),
        _ => Err(OperatorError::Ambiguous(text.to_owned())),
    }
}

/// Why a ban is neither made nor lifted.
pub(crate) enum OperatorError {
    Http(HttpError),
    /// The text is the name of an account, and an address or the id of another person.
    Ambiguous(String),
}

impl From<HttpError> for OperatorError {
    fn from(error: HttpError) -> OperatorError {
        OperatorError::Http(error)
    }
}

impl IntoResponse for OperatorError {
    fn into_response(self) -> Response {
        match self {
            OperatorError::Http(error) => error.into_response(),
            OperatorError::Ambiguous(text) => {
                let text = format!(
                    "{text} is the name of an account, and an address or an id too: put name:, address: or id: before it"
                );
                (StatusCode::CONFLICT, Json(serde_json::json!({ "code": "ambiguous", "text": text }))).into_response()
            }
        }
    }
}

/// A complaint about a line of chat.
#[derive(Serialize)]
pub(crate) struct ListedReport {
    table: String,
    seq: i64,
    at: i64,
    /// The id of the person who complains.
    by: String,
    /// What is wrong with the line.
    words: String,
    /// The id of the person who said it; empty for one who is forgotten.
    speaker: String,
    /// The line; empty if it has expired.
    line: String,
}

/// Complaints, the latest first.
pub(crate) async fn reports(_: Operator, State(app): State<App>) -> Result<Json<Vec<ListedReport>>, HttpError> {
    let rows = app.hub.store.reports(MOST).await.map_err(storage)?;
    let listed = rows.into_iter().map(|row| {
        let entry = row.line.as_deref().and_then(|line| read_entry(line).ok());
        let (speaker, line) = match entry.map(|entry| (entry.by, entry.event)) {
            Some((by, Event::Said { what: Speech::Text(words) | Speech::Phrase(words) | Speech::Team(words), .. })) => {
                (by.unwrap_or_default(), words)
            }
            _ => Default::default(),
        };
        ListedReport { table: row.table_id, seq: row.seq, at: row.at, by: row.person, words: row.words, speaker, line }
    });
    Ok(Json(listed.collect()))
}

fn storage(problem: StoreError) -> HttpError {
    match problem {
        StoreError::Conflict => Refusal::NotFound.into(),
        _ => Refusal::Storage.into(),
    }
}
