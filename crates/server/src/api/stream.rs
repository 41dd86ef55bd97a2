use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use protocol::{OLDEST_VERSION, Refusal, ServerMessage, VERSION};
use serde::Deserialize;

use super::schemas::Problem;
use super::{Parameters, Who};
use crate::app::App;
use crate::http_error::HttpError;
use crate::hub::{Inlet, Out, Outlet, Watch, text};
use crate::runtime::{self, Task};

/// Where to begin, and in which version to speak.
#[derive(Deserialize)]
pub(crate) struct Since {
    #[serde(default)]
    seen: u32,
    /// As in `hello`; a client that names one is first sent `welcome`.
    version: Option<u32>,
}

/// The first message of a stream, for a client that named a version.
fn welcome(who: &Who, requested: Option<u32>) -> Result<Option<Utf8Bytes>, HttpError> {
    let Some(requested) = requested else { return Ok(None) };
    let refusal = Refusal::Version { oldest: OLDEST_VERSION, newest: VERSION };
    let version = protocol::common_version(requested).ok_or_else(|| who.refuse(refusal))?;
    Ok(Some(text(&ServerMessage::Welcome { version, you: who.person.clone() })))
}

/// What happens at a table, as server-sent events.
#[utoipa::path(get, path = "/api/tables/{id}/events", operation_id = "watch_table",
    params(("id" = String, Path), ("seen" = Option<u32>, Query, description = "the last event number you have"),
        ("version" = Option<u32>, Query, description = "the protocol version, as in `hello`; the first message is then `welcome`")), responses(
    (status = 200, description = "messages of the protocol", content_type = "text/event-stream", body = String),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem),
    (status = 503, body = Problem)))]
pub(crate) async fn events(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Parameters(since): Parameters<Since>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    // A browser that reconnects by itself sends the number of its last event.
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
    let welcome = welcome(&who, since.version)?;
    let connected = app.hub.connect(who.credential()).map_err(|refusal| who.refuse(refusal))?;
    app.hub.check_sight(&id, &who.person).await.map_err(|refusal| who.refuse(refusal))?;
    let (out, queue) = Outlet::new();
    // The history is sent while it is read, so the subscription begins beside the answer.
    let (hub, person, seen) = (app.hub.clone(), who.person.clone(), last.unwrap_or(since.seen));
    let watch = runtime::spawn(async move { hub.watch(&id, &person, seen, &out).await });
    let handed_over = Box::pin(app.hub.handed_over());
    let state =
        Reader { ready: welcome.into_iter().collect(), cut: queue.cut(), queue, handed_over, _watch: watch, connected };
    let stream = stream::unfold(state, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok::<Event, Infallible>(event), reader))
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    let mut response = Sse::new(stream).keep_alive(keep_alive).into_response();
    // A proxy that gathers answers would gather this one for ever.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(who.answer(response))
}

/// The open tables, now and whenever they change, as server-sent events.
#[utoipa::path(get, path = "/api/lobby/events", operation_id = "watch_lobby", responses(
    (status = 200, description = "lists of tables, as in the protocol", content_type = "text/event-stream", body = String),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn lobby(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let connected = app.hub.connect(who.credential()).map_err(|refusal| who.refuse(refusal))?;
    let changes = app.hub.lobby_changes();
    let state = (app.hub.clone(), changes, Box::pin(app.hub.handed_over()), connected, Wait::Not);
    let stream = stream::unfold(state, |(hub, mut changes, mut handed_over, connected, wait)| async move {
        if let Wait::ForAChange = wait {
            tokio::select! {
                changed = changes.changed() => changed.ok()?,
                () = &mut handed_over => return None,
                () = connected.revoked() => return None,
            }
            // Many changes at once are one to a reader.
            runtime::sleep(Duration::from_millis(300)).await;
            changes.mark_unchanged();
        }
        let event = Event::default().data(hub.lobby_message().as_str());
        Some((Ok::<Event, Infallible>(event), (hub, changes, handed_over, connected, Wait::ForAChange)))
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    let mut response = Sse::new(stream).keep_alive(keep_alive).into_response();
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(who.answer(response))
}

/// Whether the next list of tables is wanted at once.
enum Wait {
    Not,
    ForAChange,
}

struct Reader {
    queue: Inlet,
    /// What came together, the next one last.
    ready: Vec<Utf8Bytes>,
    cut: std::sync::Arc<tokio::sync::Notify>,
    handed_over: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// Ends when it is dropped, as nothing can be sent any more.
    _watch: Task<Result<Watch, Refusal>>,
    connected: crate::hub::ConnectionGuard,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        while self.ready.is_empty() {
            let queued = tokio::select! {
                queued = self.queue.next() => queued?,
                () = self.connected.revoked() => return None,
                () = self.cut.notified() => return None,
                () = &mut self.handed_over => return None,
            };
            match queued.out {
                Out::One(text) => self.ready.push(text),
                Out::Many(texts) => self.ready.extend(texts.into_iter().rev()),
                Out::Close(_) => return None,
            }
        }
        let text = self.ready.pop()?;
        let event = Event::default().data(text.as_str());
        Some(match protocol::read(&text) {
            Ok(ServerMessage::Event { seq, .. }) => event.id(seq.to_string()),
            _ => event,
        })
    }
}
