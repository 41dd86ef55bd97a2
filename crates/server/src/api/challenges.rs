//! Challenges: a waiting table that one person offers to another.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use protocol::{Challenge, Challenges, Refusal};

use super::Who;
use super::schemas::{self, Problem};
use crate::app::App;
use crate::http_error::HttpError;
use crate::store::ChallengeRow;
use crate::tables::TableSpec;

/// Challenges a person to a game at a waiting table of yours. At most 3 challenges to one person are open at a time; blocks count.
#[utoipa::path(put, path = "/api/tables/{id}/challenges/{person}", operation_id = "challenge",
    params(("id" = String, Path, description = "the table"), ("person" = String, Path, description = "the person's id")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn challenge(
    State(app): State<App>,
    who: Who,
    Path((table, person)): Path<(String, String)>,
) -> Result<Response, HttpError> {
    app.check_tables(who.address, &who.person.id).map_err(|code| who.refuse(code))?;
    app.hub.challenge(&table, &who.person.id, &person).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(StatusCode::NO_CONTENT))
}

/// The challenges to you and by you whose tables still wait.
#[utoipa::path(get, path = "/api/me/challenges", operation_id = "list_challenges", responses(
    (status = 200, body = schemas::Challenges), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn list(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let (store, person) = (&app.hub.store, &who.person.id);
    let rows = |rows: Vec<ChallengeRow>| rows.into_iter().filter_map(described).collect();
    let received = store.challenges_to(person).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let sent = store.challenges_by(person).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(Challenges { received: rows(received), sent: rows(sent) })))
}

fn described(row: ChallengeRow) -> Option<Challenge> {
    let spec = TableSpec::read(&row.spec).ok()?;
    let ChallengeRow { table_id, person, name, at, declined, .. } = row;
    let (game, clock, rated) = (spec.game.to_string(), spec.clock.to_string(), spec.rated);
    let at = u64::try_from(at).unwrap_or_default();
    Some(Challenge { table: table_id, game, clock, rated, person, name, at, declined: declined != 0 })
}

/// Declines a challenge. To accept one, sit down at its table.
#[utoipa::path(delete, path = "/api/me/challenges/{table}", operation_id = "decline_challenge",
    params(("table" = String, Path, description = "the table")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn decline(
    State(app): State<App>,
    who: Who,
    Path(table): Path<String>,
) -> Result<Response, HttpError> {
    app.hub.decline_challenge(&table, &who.person.id).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(StatusCode::NO_CONTENT))
}

/// How many open challenges there are to you, now and whenever challenges to you or by you change, as server-sent events.
#[utoipa::path(get, path = "/api/me/events", operation_id = "watch_me", responses(
    (status = 200, description = "objects such as `{\"challenges\":1}`", content_type = "text/event-stream", body = String),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn events(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let connected = app.hub.connect(who.credential()).map_err(|refusal| who.refuse(refusal))?;
    let state = (app.hub.clone(), who.person.id.clone(), Box::pin(app.hub.handed_over()), connected, false);
    let stream = stream::unfold(state, |(hub, person, mut handed_over, connected, waits)| async move {
        if waits {
            tokio::select! {
                () = connected.woken() => {}
                () = &mut handed_over => return None,
                () = connected.revoked() => return None,
            }
        }
        let count = hub.store.challenges_to(&person).await.ok()?.len();
        let event = Event::default().data(format!("{{\"challenges\":{count}}}"));
        Some((Ok::<Event, Infallible>(event), (hub, person, handed_over, connected, true)))
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    let mut response = Sse::new(stream).keep_alive(keep_alive).into_response();
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(who.answer(response))
}
