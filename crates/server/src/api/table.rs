use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use protocol::{
    Access, Command, Event, FirstPlayer, LONGEST_ID, LONGEST_LINE, Refusal, Request, ServerMessage, TableSpec,
};
use rules::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schemas::Problem;
use super::{Body, Who, schemas, unbroken};
use crate::app::App;
use crate::http_error::HttpError;
use crate::runtime::wall;
use crate::secret;
use crate::tables::{Right, one_line};
use crate::ws::BAD_ID;

/// What a new table should be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTable {
    /// The game with its options: `quixo(players=4)`.
    game: String,
    /// The clock: `none`, `turn=60`, `fischer=300+5`, `delay=300+5`.
    #[serde(default)]
    clock: Option<String>,
    /// Who may come.
    #[serde(default)]
    #[schema(value_type = schemas::Access)]
    access: Access,
    /// Whether ratings change.
    #[serde(default)]
    rated: bool,
    /// Whether team members may talk alone.
    #[serde(default)]
    confer: bool,
    /// Your seat, from 1; none if left out.
    #[serde(default)]
    seat: Option<u8>,
    /// Who begins: `lot`, or `loser` of the game before; if left out the players choose their seats.
    #[serde(default)]
    #[schema(value_type = Option<schemas::FirstPlayer>)]
    first: Option<FirstPlayer>,
    /// The symbol or colour of each side, as in a record: `nought cross`; the usual ones if left out.
    #[serde(default)]
    signs: Option<String>,
    /// Levels of bots by seat, `null` for people.
    #[serde(default)]
    bots: Vec<Option<u8>>,
    /// Yours, so that the same request sent again makes no second table; any if left out.
    #[serde(default)]
    pub(crate) id: Option<String>,
}

impl TryFrom<NewTable> for TableSpec {
    type Error = Refusal;

    fn try_from(new: NewTable) -> Result<TableSpec, Refusal> {
        let NewTable { game, clock, access, rated, confer, seat, first, signs, bots, id: _ } = new;
        let clock = clock.unwrap_or_else(|| "none".to_owned());
        let bad = |_| Refusal::BadTable { problem: "a seat is 1, 2, 3 or 4".to_owned() };
        let seat = seat.map(numbered).transpose().map_err(bad)?;
        Ok(TableSpec { game, clock, access, rated, confer, seat, first, signs, bots })
    }
}

/// The seat with a number from 1.
fn numbered(number: u8) -> Result<Seat, Refusal> {
    Seat::all(4).find(|seat| seat.number() == number).ok_or(Refusal::NoSeat)
}

/// A table that was made or found.
#[derive(Serialize, ToSchema)]
pub(crate) struct Made {
    /// Its name in addresses.
    pub(crate) table: String,
}

/// The request is carried out and durable.
#[derive(Serialize, ToSchema)]
pub(crate) struct Acknowledged {
    /// The number of the last event at the table.
    seq: u32,
}

/// A seat to sit down on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The seat, from 1; any free one if left out.
    #[serde(default)]
    seat: Option<u8>,
}

/// An action to be played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Action {
    /// Its text.
    action: String,
    /// How many entries the log of the match has.
    at: u32,
    /// Yours, so that the same request sent again is done once; any if left out.
    #[serde(default)]
    id: Option<String>,
}

/// A complaint about a chat line.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    /// The number of the event.
    seq: u32,
    /// What is wrong with it.
    #[serde(default)]
    words: String,
}

/// A new table.
#[utoipa::path(post, path = "/api/tables", operation_id = "create_table", request_body = NewTable, responses(
    (status = 200, body = Made), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 409, body = Problem), (status = 413, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn create(State(app): State<App>, who: Who, Body(new): Body<NewTable>) -> Result<Response, HttpError> {
    app.hub.check_room().map_err(|refusal| who.refuse(refusal))?;
    app.check_tables(who.address, &who.person.id).map_err(|code| who.refuse(code))?;
    app.present(&who.person, who.address).await.map_err(|code| who.refuse(code))?;
    let (person, request) = (who.person.clone(), request_id(&who, new.id.as_deref())?);
    let made = unbroken(async move {
        let table = app.hub.create(&person, &request, new.try_into()?).await?;
        app.hub.note_request(&*app.hub.open_table(&table).await?, &person).await;
        Ok(table)
    })
    .await;
    let table = made.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(Json(Made { table })))
}

/// The id of a request: the client's own, or a new one.
pub(super) fn request_id(who: &Who, given: Option<&str>) -> Result<String, HttpError> {
    match given {
        Some(id) if id.is_empty() || id.len() > LONGEST_ID => Err(who.refuse(Refusal::unreadable(BAD_ID))),
        Some(id) => Ok(id.to_owned()),
        None => Ok(secret::name()),
    }
}

/// A table as it stands, without its events.
#[utoipa::path(get, path = "/api/tables/{id}", operation_id = "show_table", params(("id" = String, Path)), responses(
    (status = 200, description = "the table", body = schemas::TableInfo), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let slot = app.hub.open_table(&id).await.map_err(|refusal| who.refuse(refusal))?;
    let info = {
        let inner = app.hub.current(&slot).await.map_err(|refusal| who.refuse(refusal))?;
        inner.table.check(&who.person.id, Right::See).map_err(|refusal| who.refuse(refusal))?;
        inner.table.info(inner.table.viewer(&who.person.id))
    };
    app.hub.note_request(&slot, &who.person).await;
    Ok(who.answer(Json(info)))
}

/// Anything the protocol can ask of a table.
#[utoipa::path(post, path = "/api/tables/{id}/requests", params(("id" = String, Path)),
    request_body(content = schemas::Request, description = "a request of the protocol"), responses(
    (status = 200, body = Acknowledged), (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 413, body = Problem), (status = 422, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem),
    (status = 503, body = Problem)))]
pub(crate) async fn request(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Body(request): Body<Request>,
) -> Result<Response, HttpError> {
    perform(app, who, id, request).await
}

/// Sits down.
#[utoipa::path(post, path = "/api/tables/{id}/sit", params(("id" = String, Path)), request_body = Place, responses(
    (status = 200, body = Acknowledged), (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 413, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn sit(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Body(place): Body<Place>,
) -> Result<Response, HttpError> {
    let seat = place.seat.map(numbered).transpose().map_err(|refusal| who.refuse(refusal))?;
    perform(app, who, id, Request { id: secret::name(), command: Command::Sit { seat } }).await
}

/// Plays an action.
#[utoipa::path(post, path = "/api/tables/{id}/act", params(("id" = String, Path)), request_body = Action, responses(
    (status = 200, body = Acknowledged), (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 413, body = Problem), (status = 422, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem),
    (status = 503, body = Problem)))]
pub(crate) async fn act(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Body(action): Body<Action>,
) -> Result<Response, HttpError> {
    let request = action.id.unwrap_or_else(secret::name);
    let command = Command::Act { action: action.action, at: action.at };
    perform(app, who, id, Request { id: request, command }).await
}

/// Gives up.
#[utoipa::path(post, path = "/api/tables/{id}/resign", params(("id" = String, Path)), responses(
    (status = 200, body = Acknowledged), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn resign(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    perform(app, who, id, Request { id: secret::name(), command: Command::Resign {} }).await
}

async fn perform(app: App, who: Who, id: String, request: Request) -> Result<Response, HttpError> {
    let Request { id: request, command } = request;
    if request.is_empty() || request.len() > LONGEST_ID {
        return Err(who.refuse(Refusal::unreadable(BAD_ID)));
    }
    let elsewhere = |command: &Command| {
        use Command::{Create, Hello, Lobby, Pair, Watch};
        matches!(command, Hello { .. } | Watch { .. } | Lobby {} | Create(_) | Pair(_))
    };
    if elsewhere(&command) {
        // These have addresses of their own.
        return Err(who.refuse(Refusal::NotFound));
    }
    if matches!(command, Command::Sit { .. } | Command::Say { .. }) {
        app.present(&who.person, who.address).await.map_err(|code| who.refuse(code))?;
    }
    let person = who.person.clone();
    let done = unbroken(async move {
        let slot = app.hub.open_table(&id).await?;
        let done = app.hub.ask(&slot, &person, &request, &command, Duration::ZERO).await;
        app.hub.note_request(&slot, &person).await;
        done
    });
    let done = done.await.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(Json(Acknowledged { seq: done.seq })))
}

/// Reports a chat line.
#[utoipa::path(post, path = "/api/tables/{id}/report", params(("id" = String, Path)), request_body = Report, responses(
    (status = 204), (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem), (status = 413, body = Problem),
    (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn report(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Body(report): Body<Report>,
) -> Result<Response, HttpError> {
    let slot = app.hub.open_table(&id).await.map_err(|refusal| who.refuse(refusal))?;
    {
        let inner = app.hub.current(&slot).await.map_err(|refusal| who.refuse(refusal))?;
        let viewer = inner.table.viewer(&who.person.id);
        let told = inner.table.events_since(report.seq.saturating_sub(1), viewer, 1);
        let said = |message: &ServerMessage| matches!(message, ServerMessage::Event { seq, event: Event::Said { .. }, .. } if *seq == report.seq);
        // A person can only report a line that they were sent.
        if inner.table.check(&who.person.id, Right::See).is_err() || !told.first().is_some_and(said) {
            return Err(who.refuse(Refusal::NotFound));
        }
    }
    app.check_reports(who.address).map_err(|refusal| who.refuse(refusal))?;
    // The operator reads them in a terminal.
    let words: String = one_line(&report.words).chars().take(LONGEST_LINE).collect();
    // A person complains about a line once; the same complaint again changes its words.
    let name = secret::hash(&format!("{} {id} {}", who.person.id, report.seq));
    let kept = app.hub.store.report(&name, (&id, report.seq), &who.person.id, &words, wall()).await;
    kept.map_err(|_| who.refuse(Refusal::Storage))?;
    tracing::info!(table = id, seq = report.seq, "something said was reported");
    Ok(who.answer(axum::http::StatusCode::NO_CONTENT))
}

/// The record of a game: all of it when it is over, before that what you may know.
#[utoipa::path(get, path = "/api/tables/{id}/record", params(("id" = String, Path)), responses(
    (status = 200, description = "a .fourfold file", content_type = "text/plain", body = String),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn record(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let slot = app.hub.open_table(&id).await.map_err(|refusal| who.refuse(refusal))?;
    let text = {
        let inner = app.hub.current(&slot).await.map_err(|refusal| who.refuse(refusal))?;
        let viewer = inner.table.viewer(&who.person.id);
        inner.table.check(&who.person.id, Right::See).map_err(|refusal| who.refuse(refusal))?;
        let play = inner.table.play().ok_or_else(|| who.refuse(Refusal::NotBegun))?;
        play.record_for(viewer).to_string()
    };
    let name = format!("attachment; filename=\"{id}.fourfold\"");
    let headers = [(CONTENT_TYPE.as_str(), "text/plain; charset=utf-8".to_owned()), ("content-disposition", name)];
    Ok(who.answer((headers, text).into_response()))
}

/// What a finished game's mistakes were; asked for the first time, it is looked at, and the answer comes later.
#[utoipa::path(get, path = "/api/tables/{id}/analysis", params(("id" = String, Path)), responses(
    (status = 200, description = "the actions that gave something away", body = [schemas::Mistake]),
    (status = 202, description = "it is being looked at: ask again in a while"),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 401, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn analysis(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    let slot = app.hub.open_table(&id).await.map_err(|refusal| who.refuse(refusal))?;
    let inner = app.hub.current(&slot).await.map_err(|refusal| who.refuse(refusal))?;
    inner.table.check(&who.person.id, Right::See).map_err(|refusal| who.refuse(refusal))?;
    drop(inner);
    app.check_analyses(who.address).map_err(|refusal| who.refuse(refusal))?;
    let found = app.hub.analysis(&id).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(match found {
        Some(found) => who.answer(([(CONTENT_TYPE.as_str(), "application/json")], found)),
        None => who.answer(axum::http::StatusCode::ACCEPTED),
    })
}
