//! The connection to a table, on a thread of its own: it is opened again whenever it breaks, and what was not
//! acknowledged is sent again.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::{Command, Refusal, Request, ServerMessage};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// What comes from the connection.
#[derive(Debug)]
pub(super) enum LinkEvent {
    /// The table is watched.
    Open,
    /// The connection broke and is opened again.
    Disconnected,
    /// The server does not let this client watch the table, or refused a request.
    Refused {
        /// The request; `None` if it is the table itself.
        command: Option<Command>,
        reason: Refusal,
    },
    /// A message about the table.
    Message(Box<ServerMessage>),
}

/// What the connection is to do.
enum Order {
    Send(Command),
    /// Watch a table from its first event on.
    Watch(String),
}

/// The thread's end in this program; it ends when this is dropped.
pub(super) struct Link {
    orders: UnboundedSender<Order>,
    events: Receiver<LinkEvent>,
}

impl Link {
    /// Connects to a server and watches a table.
    pub(super) fn open(server: String, table: String) -> Link {
        let (orders, todo) = unbounded_channel();
        let (done, events) = channel();
        thread::spawn(move || {
            // Without a runtime no message ever arrives, which is shown as a broken connection.
            if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
                runtime.block_on(Worker::new(server, table, todo, done).run());
            }
        });
        Link { orders, events }
    }

    /// Sends a request as soon as the connection stands.
    pub(super) fn send(&self, command: Command) {
        // The thread ends only with this program.
        let _ = self.orders.send(Order::Send(command));
    }

    /// Watches a table from its first event on: another one, or the same anew.
    pub(super) fn watch(&self, table: &str) {
        let _ = self.orders.send(Order::Watch(table.to_owned()));
    }

    /// The next event that has come.
    pub(super) fn next_event(&self) -> Option<LinkEvent> {
        self.events.try_recv().ok()
    }

    /// Waits for the next event.
    pub(super) fn wait(&self, most: Duration) -> Option<LinkEvent> {
        self.events.recv_timeout(most).ok()
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct Worker {
    server: String,
    table: String,
    orders: UnboundedReceiver<Order>,
    events: Sender<LinkEvent>,
    /// The guest's credential, given by the server on the first connection.
    cookie: Option<HeaderValue>,
    /// The number of the last event that was passed on.
    seen: u32,
    /// Requests that were not answered yet.
    pending: Vec<Request>,
    count: u64,
}

/// Why a connection is given up.
enum Ended {
    /// The session was dropped, or the server refuses the table.
    ForGood,
    Disconnected,
}

/// A connection that is silent for this long is pinged; after twice as long it counts as broken.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Pauses between attempts to connect, in milliseconds.
const PAUSES: [u64; 6] = [300, 800, 1_500, 3_000, 6_000, 10_000];

impl Worker {
    fn new(server: String, table: String, orders: UnboundedReceiver<Order>, events: Sender<LinkEvent>) -> Worker {
        Worker { server, table, orders, events, cookie: None, seen: 0, pending: Vec::new(), count: 0 }
    }

    async fn run(mut self) {
        let mut attempts = 0;
        loop {
            if let Ok(socket) = self.connect().await {
                attempts = 0;
                if let Ended::ForGood = self.talk(socket).await {
                    return;
                }
            }
            if self.events.send(LinkEvent::Disconnected).is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(PAUSES[attempts.min(PAUSES.len() - 1)])).await;
            attempts += 1;
        }
    }

    async fn connect(&mut self) -> Result<Socket, ()> {
        let address = self.server.replacen("http", "ws", 1);
        let mut request = format!("{address}/ws").into_client_request().map_err(drop)?;
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.clone());
        }
        let (mut socket, response) = tokio_tungstenite::connect_async(request).await.map_err(drop)?;
        let given = response.headers().get("set-cookie").and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| HeaderValue::from_str(value.split(';').next()?).ok());
        self.cookie = given.or(self.cookie.take());
        send(&mut socket, "hello", Command::Hello { version: protocol::VERSION }).await?;
        send(&mut socket, "watch", Command::Watch { table: self.table.clone(), seen: self.seen }).await?;
        Ok(socket)
    }

    /// Passes messages to and fro until the connection breaks.
    async fn talk(&mut self, mut socket: Socket) -> Ended {
        let mut is_open = false;
        let mut silent = false;
        loop {
            tokio::select! {
                order = self.orders.recv() => match order {
                    None => return Ended::ForGood,
                    Some(order) => {
                        if self.carry_out(order, is_open.then_some(&mut socket)).await.is_err() {
                            return Ended::Disconnected;
                        }
                    }
                },
                message = socket.next() => {
                    silent = false;
                    let text = match message {
                        Some(Ok(Message::Text(text))) => text,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Ended::Disconnected,
                        Some(Ok(_)) => continue,
                    };
                    // Messages of a newer server that this version does not know are skipped.
                    let Ok(message) = protocol::read::<ServerMessage>(&text) else { continue };
                    match self.receive(message, &mut socket, &mut is_open).await {
                        Ok(()) => {}
                        Err(ended) => return ended,
                    }
                },
                () = tokio::time::sleep(HEARTBEAT) => {
                    if silent || send(&mut socket, "ping", Command::Ping {}).await.is_err() {
                        return Ended::Disconnected;
                    }
                    silent = true;
                },
            }
        }
    }

    async fn carry_out(&mut self, order: Order, socket: Option<&mut Socket>) -> Result<(), ()> {
        match (order, socket) {
            (Order::Send(command), socket) => {
                self.count += 1;
                let request = Request { id: format!("{}-{}", std::process::id(), self.count), command };
                self.pending.push(request.clone());
                match socket {
                    Some(socket) => socket.send(Message::text(protocol::write(&request))).await.map_err(drop),
                    None => Ok(()),
                }
            }
            (Order::Watch(table), socket) => {
                (self.table, self.seen) = (table.clone(), 0);
                match socket {
                    Some(socket) => send(socket, "watch", Command::Watch { table, seen: 0 }).await,
                    None => Ok(()),
                }
            }
        }
    }

    async fn receive(&mut self, message: ServerMessage, socket: &mut Socket, is_open: &mut bool) -> Result<(), Ended> {
        let event = match message {
            ServerMessage::Acknowledged { id, .. } if id == "watch" => {
                *is_open = true;
                for request in &self.pending {
                    let sent = socket.send(Message::text(protocol::write(request))).await;
                    sent.map_err(|_| Ended::Disconnected)?;
                }
                LinkEvent::Open
            }
            ServerMessage::Refused { id: Some(id), reason } if id == "watch" || id == "hello" => {
                let _ = self.events.send(LinkEvent::Refused { command: None, reason });
                return Err(Ended::ForGood);
            }
            ServerMessage::Acknowledged { id, .. } => {
                self.answered(&id);
                return Ok(());
            }
            ServerMessage::Refused { id, reason } => {
                // Without an id there is nothing that it answers.
                let Some(command) = id.and_then(|id| self.answered(&id)) else { return Ok(()) };
                LinkEvent::Refused { command: Some(command), reason }
            }
            ServerMessage::Closing { .. } => return Err(Ended::Disconnected),
            message => {
                if let ServerMessage::Event { seq, .. } = message {
                    self.seen = self.seen.max(seq);
                }
                LinkEvent::Message(Box::new(message))
            }
        };
        self.events.send(event).map_err(|_| Ended::ForGood)
    }

    fn answered(&mut self, id: &str) -> Option<Command> {
        let at = self.pending.iter().position(|request| request.id == id)?;
        Some(self.pending.remove(at).command)
    }
}

async fn send(socket: &mut Socket, id: &str, command: Command) -> Result<(), ()> {
    socket.send(Message::text(protocol::write(&Request { id: id.to_owned(), command }))).await.map_err(drop)
}
