//! A connection over WebSocket.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use protocol::{
    Command, LONGEST_ID, LONGEST_MESSAGE, OLDEST_VERSION, Person, Refusal, Request, ServerMessage, Unreadable, VERSION,
};
use tokio::sync::Notify;

use crate::app::App;
use crate::http_error::HttpError;
use crate::hub::{ConnectionGuard, Credential, Inlet, Out, Outlet, Via, Watch, text};
use crate::limit::Limit;
use crate::runtime::{self, Instant, Task};

/// A message of more bytes than this is not even read.
const FAR_TOO_LONG: usize = 64 << 10;
/// How long a client that is cut off is still read from; otherwise it might not receive the reason.
const FAREWELL: Duration = Duration::from_secs(2);
/// How often the way to a client is measured.
const PING: Duration = Duration::from_secs(15);
/// A client that sends nothing for so long, not even a ping, is gone.
pub(crate) const SILENCE: Duration = Duration::from_secs(45);
/// How long a client may take to swallow what it is sent.
pub(crate) const SLOWEST_WRITE: Duration = Duration::from_secs(20);
/// What is wrong with an id of a request.
pub(crate) const BAD_ID: &str = "the id of a request has 1 to 40 bytes";
/// So many unreadable messages in a row end the connection.
const MOST_NONSENSE: u32 = 20;

/// Upgrades a request.
pub(crate) async fn connect(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<std::net::SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, HttpError> {
    app.check_origin(&headers)?;
    let address = app.address(peer.ip(), &headers);
    app.check_rate(address)?;
    app.hub.check_address(address)?;
    let epoch = app.hub.auth_epoch();
    let known = app.identity.of(&app.hub.store, &headers).await?;
    let person = known.person;
    app.hub.check_person(&person.id)?;
    let connected =
        app.hub.connect(Credential { person: person.id.clone(), session: known.session, epoch, address })?;
    let upgrade = upgrade
        // What is a little too long can be answered; what is far too long ends the connection before it is read.
        .max_message_size(FAR_TOO_LONG)
        .max_frame_size(FAR_TOO_LONG)
        // Thousands of connections wait most of the time; large buffers for each would be memory for nothing.
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20);
    let mut response = upgrade
        .on_upgrade(move |socket| async move {
            Connection::run(app, (person, address), &connected, socket).await;
        })
        .into_response();
    if let Some(cookie) = known.cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

struct Connection {
    app: App,
    person: Person,
    address: IpAddr,
    out: Outlet,
    cut: Arc<Notify>,
    watch: Option<Watch>,
    lobby: Option<Task<()>>,
    greeted: bool,
    limit: Limit,
    nonsense: u32,
    lag: Duration,
}

/// Whether the connection goes on.
enum Next {
    On,
    End(Refusal),
}

impl Connection {
    async fn run(app: App, (person, address): (Person, IpAddr), connected: &ConnectionGuard, socket: WebSocket) {
        let (sink, mut stream) = socket.split();
        let (out, queue) = Outlet::new();
        let cut = queue.cut();
        let began = Instant::now();
        let writer = runtime::spawn(write(sink, queue, began));
        let limit = Limit::new(app.hub.config.messages_per_second, 5);
        let mut connection = Connection {
            app,
            person,
            address,
            out,
            cut,
            watch: None,
            lobby: None,
            greeted: false,
            limit,
            nonsense: 0,
            lag: Duration::ZERO,
        };
        let end = connection.read(&mut stream, connected, began).await;
        connection.end(end).await;
        drop(connection);
        let _ = runtime::timeout(SLOWEST_WRITE, writer).await;
        let rest = async { while let Some(Ok(_)) = stream.next().await {} };
        let _ = runtime::timeout(FAREWELL, rest).await;
    }

    async fn read(
        &mut self,
        stream: &mut SplitStream<WebSocket>,
        connected: &ConnectionGuard,
        began: Instant,
    ) -> Option<Refusal> {
        let mut handed_over = std::pin::pin!(self.app.hub.handed_over());
        loop {
            let message = tokio::select! {
                // First of all: a revoked connection is not read any more, however much it sends.
                biased;
                () = connected.revoked() => return Some(Refusal::NotKnown),
                message = runtime::timeout(SILENCE, stream.next()) => message,
                () = &mut handed_over => return Some(Refusal::Stopping),
                // The writer has given up on a client that swallows nothing.
                () = self.out.closed() => return None,
                () = self.cut.notified() => return Some(Refusal::TooFast),
            };
            let next = match message {
                Ok(Some(Err(problem))) => Next::End(broken(&problem)),
                Err(_) | Ok(None) | Ok(Some(Ok(Message::Close(_)))) => return None,
                // A ping costs an answer and a pong a calculation, so both count as messages.
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) if !self.limit.take() => Next::End(Refusal::TooFast),
                Ok(Some(Ok(Message::Pong(payload)))) => {
                    self.note_lag(&payload, began);
                    Next::On
                }
                Ok(Some(Ok(Message::Ping(_)))) => Next::On,
                Ok(Some(Ok(Message::Binary(_)))) => {
                    self.puzzled(None, "expected a text message, not a binary one").await
                }
                Ok(Some(Ok(Message::Text(text)))) => self.receive(&text).await,
            };
            if let Next::End(code) = next {
                return Some(code);
            }
        }
    }

    /// The payload is the server's own time: nothing a client claims is believed, and a late answer gains only what
    /// the bank allows.
    fn note_lag(&mut self, payload: &Bytes, began: Instant) {
        let Ok(sent) = <[u8; 8]>::try_from(&payload[..]) else { return };
        let lag = began.elapsed().saturating_sub(Duration::from_micros(u64::from_le_bytes(sent)));
        self.lag = if self.lag.is_zero() { lag } else { (self.lag * 3 + lag) / 4 };
    }

    async fn receive(&mut self, message: &Utf8Bytes) -> Next {
        if !self.limit.take() {
            return self.refuse(Refusal::TooFast).await;
        }
        if message.len() > LONGEST_MESSAGE {
            return self.refuse(Refusal::TooLong).await;
        }
        let request = match protocol::read::<Request>(message) {
            Ok(request) => request,
            Err(Unreadable(problem)) => return self.puzzled(id_of(message), &problem).await,
        };
        if request.id.is_empty() || request.id.len() > LONGEST_ID {
            return self.puzzled(None, BAD_ID).await;
        }
        if !self.greeted && !matches!(request.command, Command::Hello { .. }) {
            return self.puzzled(Some(request.id), "the first message has to be `hello`").await;
        }
        self.nonsense = 0;
        match self.answer(&request).await {
            Ok(message) => self.send(&message).await,
            Err(reason) => {
                metrics::counter!("fourfold_refusals_total").increment(1);
                self.send(&ServerMessage::Refused { id: Some(request.id), reason }).await
            }
        }
    }

    async fn answer(&mut self, request: &Request) -> Result<ServerMessage, Refusal> {
        let hub = self.app.hub.clone();
        let acknowledged =
            |seq: u32, table: Option<String>| ServerMessage::Acknowledged { id: request.id.clone(), seq, table };
        match &request.command {
            Command::Hello { version } => {
                let refusal = Refusal::Version { oldest: OLDEST_VERSION, newest: VERSION };
                let version = protocol::common_version(*version).ok_or(refusal)?;
                self.greeted = true;
                Ok(ServerMessage::Welcome { version, you: self.person.clone() })
            }
            Command::Ping {} => Ok(acknowledged(0, None)),
            Command::Lobby {} => {
                self.follow_lobby();
                Ok(acknowledged(0, None))
            }
            Command::Watch { table, seen } => {
                if !hub.is_open(table) {
                    self.app.check_reads(self.address)?;
                }
                // The table watched before is let go first, or the client could be sent an event twice.
                self.watch = None;
                let watch = hub.watch(table, &self.person, *seen, &self.out).await?;
                let seq = watch.seq().await;
                self.watch = Some(watch);
                Ok(acknowledged(seq, Some(table.clone())))
            }
            Command::Create(spec) => {
                // Before anything is written for it.
                hub.check_room()?;
                self.app.check_tables(self.address, &self.person.id)?;
                self.person = self.app.present(&self.person, self.address).await?;
                let table = hub.create(&self.person, &request.id, spec.clone()).await?;
                self.move_to(request, table).await
            }
            Command::Pair(spec) => {
                self.app.check_tables(self.address, &self.person.id)?;
                self.person = self.app.present(&self.person, self.address).await?;
                let table = hub.pair(&self.person, &request.id, spec.clone(), Via::Connection).await?;
                self.move_to(request, table).await
            }
            command => {
                if matches!(command, Command::Sit { .. } | Command::Say { .. }) {
                    self.person = self.app.present(&self.person, self.address).await?;
                }
                let watch = self.watch.as_ref().ok_or(Refusal::NotWatching)?;
                let done = hub.ask(&watch.open, &self.person, &request.id, command, self.lag).await?;
                Ok(acknowledged(done.seq, None))
            }
        }
    }

    async fn move_to(&mut self, request: &Request, table: String) -> Result<ServerMessage, Refusal> {
        self.watch = None;
        let watch = self.app.hub.watch(&table, &self.person, 0, &self.out).await?;
        let seq = watch.seq().await;
        self.watch = Some(watch);
        Ok(ServerMessage::Acknowledged { id: request.id.clone(), seq, table: Some(table) })
    }

    fn follow_lobby(&mut self) {
        if self.lobby.is_some() {
            return;
        }
        let (hub, out) = (self.app.hub.clone(), self.out.clone());
        self.lobby = Some(runtime::spawn(async move {
            let mut changes = hub.lobby_changes();
            loop {
                if !out.send(Out::One(hub.lobby_message())).await || changes.changed().await.is_err() {
                    return;
                }
                // Many changes at once are one to a reader.
                runtime::sleep(Duration::from_millis(300)).await;
                changes.mark_unchanged();
            }
        }));
    }

    /// An unreadable message is answered; many of them in a row end the connection.
    async fn puzzled(&mut self, id: Option<String>, problem: &str) -> Next {
        self.count(id, Refusal::unreadable(problem)).await
    }

    async fn refuse(&mut self, code: Refusal) -> Next {
        self.count(None, code).await
    }

    async fn count(&mut self, id: Option<String>, reason: Refusal) -> Next {
        self.nonsense += 1;
        if self.nonsense > MOST_NONSENSE {
            return Next::End(reason);
        }
        self.send(&ServerMessage::Refused { id, reason }).await
    }

    async fn send(&mut self, message: &ServerMessage) -> Next {
        if self.out.send(Out::One(text(message))).await { Next::On } else { Next::End(Refusal::TooFast) }
    }

    async fn end(&mut self, code: Option<Refusal>) {
        self.watch = None;
        if let Some(lobby) = self.lobby.take() {
            lobby.abort();
        }
        if let Some(code) = code {
            let _ = self.out.send(Out::Close(code)).await;
        }
    }
}

/// Sends what is queued, and measures the way there and back now and then.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut queue: Inlet, began: Instant) {
    // The first measurement is wanted soon.
    let mut ping = runtime::sleep(Duration::from_millis(200));
    loop {
        let queued = tokio::select! {
            queued = queue.next() => queued,
            () = &mut ping => {
                ping = runtime::sleep(PING);
                let now = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
                let payload = Bytes::copy_from_slice(&now.to_le_bytes());
                if send(&mut sink, vec![Message::Ping(payload)]).await.is_err() {
                    return;
                }
                continue;
            }
        };
        let Some(mut queued) = queued else { return };
        let messages = match std::mem::replace(&mut queued.out, Out::Many(Vec::new())) {
            Out::One(text) => vec![Message::Text(text)],
            Out::Many(texts) => texts.into_iter().map(Message::Text).collect(),
            Out::Close(reason) => {
                let close = CloseFrame { code: close_code(&reason), reason: reason.code().into() };
                let bye = Message::Text(text(&ServerMessage::Closing { reason }));
                let _ = send(&mut sink, vec![bye, Message::Close(Some(close))]).await;
                return;
            }
        };
        if send(&mut sink, messages).await.is_err() {
            return;
        }
    }
}

async fn send(sink: &mut SplitSink<WebSocket, Message>, messages: Vec<Message>) -> Result<(), ()> {
    let all = async {
        for message in messages {
            sink.feed(message).await.map_err(drop)?;
        }
        sink.flush().await.map_err(drop)
    };
    runtime::timeout(SLOWEST_WRITE, all).await.unwrap_or(Err(()))
}

/// The id of a message that has one and cannot be read otherwise, so that the client knows which it was.
fn id_of(message: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: String,
    }
    let id = protocol::read::<Numbered>(message).ok()?.id;
    (id.len() <= LONGEST_ID).then_some(id)
}

/// Why a connection cannot go on: far too long a message, or a violation of the WebSocket protocol.
fn broken(problem: &axum::Error) -> Refusal {
    // The library's own type is not to be had through axum, its sentence is.
    if problem.to_string().contains("too long") { Refusal::TooLong } else { Refusal::Unreadable { problem: None } }
}

/// The close code that a browser is given.
fn close_code(reason: &Refusal) -> u16 {
    match reason {
        Refusal::Stopping => 1012,
        Refusal::TooLong => 1009,
        Refusal::Unreadable { .. } => 1007,
        Refusal::TooFast | Refusal::Forbidden | Refusal::NotKnown => 1008,
        Refusal::Full => 1013,
        _ => 1011,
    }
}
