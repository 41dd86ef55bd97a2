//! A program's WebSocket connection to a server, and what it knows of the table it watches.

use std::fmt;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::{Ask, Code, Do, Person, Tell, Wish};
use session::Follower;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Message, protocol::WebSocketConfig};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a server may take to say something that it must say.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Nobody the server knows.
    New,
    /// The cookie it gave before.
    Cookie(String),
    /// A bot's token.
    Token(String),
}

/// A connection, and what it knows of the table it watches.
pub struct Remote {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Who this is.
    pub me: Person,
    /// How to come back as the same.
    pub pass: Pass,
    /// The table that is watched.
    pub follower: Option<Follower>,
}

/// Why a connection is of no use any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It is closed, or could not be opened.
    Closed(String),
    /// The server said what cannot be: this is a bug on one side.
    Wrong(String),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Closed(why) => write!(f, "the connection is closed: {why}"),
            Broken::Wrong(what) => write!(f, "the server is wrong: {what}"),
        }
    }
}

impl std::error::Error for Broken {}

/// What came of an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done and durable.
    Done {
        /// The number of the last event.
        seq: u32,
        /// The table, where one was made or found.
        table: String,
    },
    /// It is refused.
    Refused(Code),
}

fn closed(error: impl fmt::Display) -> Broken {
    Broken::Closed(error.to_string())
}

/// Two new guests who sit at a new table; the second may come by another server of the same cluster.
pub async fn sit_down(servers: [&str; 2], game: &str, clock: &str) -> Result<([Remote; 2], String), Broken> {
    let mut one = Remote::connect(servers[0], Pass::New).await?;
    let mut two = Remote::connect(servers[1], Pass::New).await?;
    let wish = Wish {
        game: game.to_owned(),
        clock: clock.to_owned(),
        access: "link".to_owned(),
        rated: false,
        confer: false,
        seat: 1,
        bots: Vec::new(),
    };
    let table = match one.ask("create", Do::Create(wish)).await? {
        Answer::Done { table, .. } => table,
        Answer::Refused(code) => return Err(refused("no table", code)),
    };
    if let Answer::Refused(code) = two.ask("watch", Do::Watch { table: table.clone(), seen: 0 }).await? {
        return Err(refused("cannot watch", code));
    }
    match two.ask("sit", Do::Sit { seat: 2 }).await? {
        Answer::Done { .. } => Ok(([one, two], table)),
        Answer::Refused(code) => Err(refused("no seat", code)),
    }
}

/// A server that is on its way out or in says no without being wrong.
fn refused(what: &str, code: Code) -> Broken {
    let text = format!("{what}: {code:?}");
    match code {
        Code::Storage | Code::Stopping | Code::Full => Broken::Closed(text),
        _ => Broken::Wrong(text),
    }
}

impl Remote {
    /// Connects to `http://host:port` or `https://host` and says hello.
    pub async fn connect(server: &str, pass: Pass) -> Result<Remote, Broken> {
        let address = server.trim_end_matches('/').replacen("http", "ws", 1);
        let mut request = format!("{address}/ws").into_client_request().map_err(closed)?;
        let (name, value) = match &pass {
            Pass::New => ("", String::new()),
            Pass::Cookie(cookie) => ("cookie", cookie.clone()),
            Pass::Token(token) => ("authorization", format!("Bearer {token}")),
        };
        if !name.is_empty() {
            let value = HeaderValue::from_str(&value).map_err(closed)?;
            request.headers_mut().insert(name, value);
        }
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connected = tokio_tungstenite::connect_async_with_config(request, Some(config), true);
        let (socket, response) = connected.await.map_err(closed)?;
        let given = response.headers().get("set-cookie").and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.split(';').next()).map(|cookie| Pass::Cookie(cookie.to_owned()));
        let pass = given.unwrap_or(pass);
        let mut remote = Remote { socket, me: Person::default(), pass, follower: None };
        remote.send("hello", Do::Hello { version: protocol::VERSION }).await?;
        match remote.hear().await? {
            Tell::Welcome { you, .. } => remote.me = you,
            other => return Err(Broken::Wrong(format!("no welcome but {other:?}"))),
        }
        Ok(remote)
    }

    /// Asks something.
    pub async fn send(&mut self, id: &str, what: Do) -> Result<(), Broken> {
        let text = protocol::write(&Ask { id: id.to_owned(), what });
        self.socket.send(Message::text(text)).await.map_err(closed)
    }

    /// Waits for the next message, and follows the table by it.
    pub async fn hear(&mut self) -> Result<Tell, Broken> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let message = next.map_err(|_| closed("nothing was said for a minute"))?;
            match message.ok_or_else(|| closed("it ended"))?.map_err(closed)? {
                Message::Text(text) => {
                    let tell = protocol::read::<Tell>(&text).map_err(|error| Broken::Wrong(error.to_string()))?;
                    self.follow(&tell)?;
                    return Ok(tell);
                }
                Message::Close(frame) => {
                    return Err(closed(frame.map_or_else(String::new, |frame| frame.reason.to_string())));
                }
                _ => {}
            }
        }
    }

    fn follow(&mut self, tell: &Tell) -> Result<(), Broken> {
        let wrong = |lost: session::FollowError| Broken::Wrong(lost.to_string());
        match (tell, &mut self.follower) {
            // After a reconnect the table is told again, and what is known of it stays.
            (Tell::Table(info), Some(follower)) if follower.table.id == info.id => {}
            (Tell::Table(info), _) => {
                self.follower = Some(Follower::new(info.clone(), &self.me.id).map_err(wrong)?);
            }
            (tell, Some(follower)) => {
                follower.hear(tell).map_err(wrong)?;
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Asks, and waits for the answer.
    pub async fn ask(&mut self, id: &str, what: Do) -> Result<Answer, Broken> {
        self.send(id, what).await?;
        loop {
            match self.hear().await? {
                Tell::Ack { id: of, seq, table } if of == id => return Ok(Answer::Done { seq, table }),
                Tell::No { id: of, code, .. } if of == id => return Ok(Answer::Refused(code)),
                Tell::Bye { code } => return Err(closed(format!("{code:?}"))),
                _ => {}
            }
        }
    }

    /// Comes back after a break as the same person, and learns what it missed.
    pub async fn reconnect(&mut self, server: &str) -> Result<(), Broken> {
        let mut fresh = Remote::connect(server, self.pass.clone()).await?;
        // Only now: who cannot connect tries again later, and must still know what it followed.
        fresh.follower = self.follower.take();
        let known = fresh.follower.as_ref().map(|follower| (follower.table.id.clone(), follower.seq));
        *self = fresh;
        if let Some((table, seen)) = known {
            match self.ask("back", Do::Watch { table, seen }).await? {
                Answer::Done { .. } => {}
                Answer::Refused(code) => return Err(refused("cannot watch again", code)),
            }
        }
        Ok(())
    }
}
