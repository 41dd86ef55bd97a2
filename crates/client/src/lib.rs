//! A program's WebSocket connection to a server, and what it knows of the table it watches; and single requests over HTTP.

mod error;
pub mod http;

use std::fmt;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::{Command, Person, Refusal, Request, ServerMessage, TableSpec};
use rules::Seat;
use session::{FollowError, Follower};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Message, protocol::WebSocketConfig};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

pub use self::error::{ConnectionError, Obstacle};

/// How long a server may take for a message that must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a client identifies itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// None: the server makes a new guest.
    New,
    /// The cookie it gave before.
    Cookie(String),
    /// A bot's token.
    Token(String),
}

/// A connection, and what it knows of the table it watches.
pub struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Who this is.
    pub me: Person,
    /// How to connect again as the same person.
    pub credential: Credential,
    /// The table that is watched.
    pub follower: Option<Follower>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done and durable.
    Done {
        /// The number of the last event.
        seq: u32,
        /// The table, where one was made, found or watched.
        table: Option<String>,
    },
    /// It is refused.
    Refused(Refusal),
}

fn closed(error: impl fmt::Display) -> ConnectionError {
    ConnectionError::Closed(error.to_string())
}

/// Two new guests who sit at a new table; the second may come by another server of the same cluster.
pub async fn sit_down(
    servers: [&str; 2],
    game: &str,
    clock: &str,
) -> Result<([Connection; 2], String), ConnectionError> {
    let mut one = Connection::connect(servers[0], Credential::New).await?;
    let mut two = Connection::connect(servers[1], Credential::New).await?;
    let spec = TableSpec { clock: clock.to_owned(), seat: Some(Seat::ONE), ..TableSpec::new(game) };
    let table = match one.ask("create", Command::Create(spec)).await? {
        Answer::Done { table: Some(table), .. } => table,
        Answer::Done { table: None, .. } => return Err(ConnectionError::Wrong("no table is named".to_owned())),
        Answer::Refused(code) => return Err(refused("no table", code)),
    };
    if let Answer::Refused(code) = two.ask("watch", Command::Watch { table: table.clone(), seen: 0 }).await? {
        return Err(refused("cannot watch", code));
    }
    match two.ask("sit", Command::Sit { seat: Some(Seat::TWO) }).await? {
        Answer::Done { .. } => Ok(([one, two], table)),
        Answer::Refused(code) => Err(refused("no seat", code)),
    }
}

/// A server that is starting or stopping refuses requests without being wrong.
fn refused(what: &str, code: Refusal) -> ConnectionError {
    let text = format!("{what}: {code:?}");
    match code {
        Refusal::Storage | Refusal::Stopping | Refusal::Full | Refusal::Busy { .. } => ConnectionError::Closed(text),
        _ => ConnectionError::Wrong(text),
    }
}

impl Connection {
    /// Connects to `http://host:port` or `https://host` and sends the greeting.
    pub async fn connect(server: &str, credential: Credential) -> Result<Connection, ConnectionError> {
        let address = server.trim_end_matches('/').replacen("http", "ws", 1);
        let mut request = format!("{address}/ws").into_client_request().map_err(ConnectionError::of_attempt)?;
        let (name, value) = match &credential {
            Credential::New => ("", String::new()),
            Credential::Cookie(cookie) => ("cookie", cookie.clone()),
            Credential::Token(token) => ("authorization", format!("Bearer {token}")),
        };
        if !name.is_empty() {
            let value = HeaderValue::from_str(&value).map_err(closed)?;
            request.headers_mut().insert(name, value);
        }
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connected = tokio_tungstenite::connect_async_with_config(request, Some(config), true);
        let (socket, response) = connected.await.map_err(ConnectionError::of_attempt)?;
        let given = response.headers().get("set-cookie").and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.split(';').next()).map(|cookie| Credential::Cookie(cookie.to_owned()));
        let credential = given.unwrap_or(credential);
        let mut remote = Connection { socket, me: Person::default(), credential, follower: None };
        remote.send("hello", Command::Hello { version: protocol::VERSION }).await?;
        match remote.receive().await? {
            ServerMessage::Welcome { you, .. } => remote.me = you,
            other => return Err(ConnectionError::Wrong(format!("no welcome but {other:?}"))),
        }
        Ok(remote)
    }

    /// Sends a request.
    pub async fn send(&mut self, id: &str, command: Command) -> Result<(), ConnectionError> {
        let text = protocol::write(&Request { id: id.to_owned(), command });
        self.socket.send(Message::text(text)).await.map_err(closed)
    }

    /// Waits for the next message, and follows the table by it.
    pub async fn receive(&mut self) -> Result<ServerMessage, ConnectionError> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let message = next.map_err(|_| closed("no message for a minute"))?;
            match message.ok_or_else(|| closed("it ended"))?.map_err(closed)? {
                Message::Text(text) => {
                    let message = protocol::read::<ServerMessage>(&text)
                        .map_err(|error| ConnectionError::Wrong(error.to_string()))?;
                    self.follow(&message)?;
                    return Ok(message);
                }
                Message::Close(frame) => {
                    return Err(closed(frame.map_or_else(String::new, |frame| frame.reason.to_string())));
                }
                _ => {}
            }
        }
    }

    fn follow(&mut self, message: &ServerMessage) -> Result<(), ConnectionError> {
        let wrong = |lost: FollowError| ConnectionError::Wrong(lost.to_string());
        match (message, &mut self.follower) {
            // After a reconnect the table is sent again, and what is known of it stays.
            (ServerMessage::Table(info), Some(follower)) if follower.table.id == info.id => {}
            (ServerMessage::Table(info), _) => {
                self.follower = Some(Follower::new(info.clone(), &self.me.id).map_err(wrong)?);
            }
            (message, Some(follower)) => {
                follower.receive(message).map_err(wrong)?;
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Sends a request and waits for its answer.
    pub async fn ask(&mut self, id: &str, command: Command) -> Result<Answer, ConnectionError> {
        self.send(id, command).await?;
        loop {
            match self.receive().await? {
                ServerMessage::Acknowledged { id: of, seq, table } if of == id => {
                    return Ok(Answer::Done { seq, table });
                }
                ServerMessage::Refused { id: of, reason } if of.as_deref() == Some(id) => {
                    return Ok(Answer::Refused(reason));
                }
                ServerMessage::Closing { reason } => return Err(closed(format!("{reason:?}"))),
                _ => {}
            }
        }
    }

    /// Connects again as the same person, and catches up with the table.
    pub async fn reconnect(&mut self, server: &str) -> Result<(), ConnectionError> {
        let mut fresh = Connection::connect(server, self.credential.clone()).await?;
        // Only now: a client that cannot connect tries again later, and must still know what it followed.
        fresh.follower = self.follower.take();
        let known = fresh.follower.as_ref().map(|follower| (follower.table.id.clone(), follower.seq));
        *self = fresh;
        if let Some((table, seen)) = known {
            match self.ask("back", Command::Watch { table, seen }).await? {
                Answer::Done { .. } => {}
                Answer::Refused(code) => return Err(refused("cannot watch again", code)),
            }
        }
        Ok(())
    }
}
