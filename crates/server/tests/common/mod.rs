//! A server in this process, and clients that speak to it over real sockets.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::{Claim, Command, Person, Refusal, Request, ServerMessage, TableSpec};
use rules::Seat;
use server::Config;
use session::Follower;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A running server, with a database that goes with it.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) database: String,
    stop: Option<oneshot::Sender<()>>,
    done: tokio::task::JoinHandle<()>,
}

/// The cookie an answer sets, as it is sent back.
pub(crate) fn cookie(head: &str) -> String {
    let line = head.lines().find(|line| line.starts_with("set-cookie:")).expect("a cookie is set");
    line["set-cookie:".len()..].split(';').next().unwrap().trim().to_owned()
}

/// The header that sends a cookie back.
pub(crate) fn with(cookie: &str) -> String {
    format!("cookie: {cookie}\r\n")
}

/// A text of a JSON object.
pub(crate) fn field(body: &str, name: &str) -> String {
    let start = body.find(&format!("\"{name}\":\"")).unwrap_or_else(|| panic!("no {name} in {body}"));
    body[start + name.len() + 4..].split('"').next().unwrap().to_owned()
}

/// Registers an account and logs in; returns the cookie.
pub(crate) async fn account(server: &Running, name: &str) -> String {
    let credentials = format!(r#"{{"name":"{name}","password":"correct horse"}}"#);
    let (status, head, body) = server.http("POST", "/api/account/register", "", &credentials).await;
    assert_eq!(status, 200, "{body}");
    cookie(&head)
}

/// A database that no other test has: a file, or a new one where FOURFOLD_TEST_DATABASE says.
pub(crate) async fn scratch() -> String {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    if let Ok(address) = std::env::var("FOURFOLD_TEST_DATABASE") {
        let pool = sqlx::PgPool::connect(&address).await.unwrap();
        let name = format!("test_{}_{number}", std::process::id());
        sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&pool).await.unwrap();
        return format!("{}/{name}", address.rsplit_once('/').unwrap().0);
    }
    let folder = std::env::temp_dir().join(format!("fourfold-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{number}.db")).display().to_string()
}

/// Settings without limits on requests and messages.
pub(crate) fn unlimited() -> Config {
    Config { requests_per_second: 0, messages_per_second: 0, tables_per_minute: 0, ..Config::default() }
}

impl Running {
    pub(crate) async fn start() -> Running {
        Running::with(scratch().await, unlimited()).await
    }

    pub(crate) async fn with(database: String, config: Config) -> Running {
        let place = database.parse().unwrap();
        let config = Config { port: 0, database: place, ..config };
        let (stop, stopped) = oneshot::channel::<()>();
        let (send_address, address) = oneshot::channel();
        let done = tokio::spawn(async move {
            let stop = async { drop(stopped.await) };
            server::serve(config, |address| send_address.send(address).unwrap(), stop).await.unwrap();
        });
        Running { address: address.await.unwrap(), database, stop: Some(stop), done }
    }

    /// Stops as a signal would, and gives the database back.
    pub(crate) async fn stop(mut self) -> String {
        self.stop.take().unwrap().send(()).unwrap();
        self.done.await.unwrap();
        self.database
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(self.address, None).await
    }

    /// A request over plain HTTP; the status, the headers, and the body.
    pub(crate) async fn http(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{headers}\r\n{body}",
            self.address
        );
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }
}

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A client at a table.
pub(crate) struct Client {
    pub(crate) socket: Socket,
    pub(crate) cookie: String,
    pub(crate) me: Person,
    pub(crate) follower: Option<Follower>,
    /// Every event as it was received.
    pub(crate) received: Vec<String>,
    next: u32,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr, cookie: Option<&str>) -> Client {
        Client::with(address, "cookie", cookie).await
    }

    /// A program that comes with a token.
    pub(crate) async fn with_token(address: SocketAddr, token: &str) -> Client {
        Client::with(address, "authorization", Some(&format!("Bearer {token}"))).await
    }

    async fn with(address: SocketAddr, name: &'static str, value: Option<&str>) -> Client {
        let cookie = value.filter(|_| name == "cookie");
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        if let Some(value) = value {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let (socket, response) = tokio_tungstenite::connect_async(request).await.unwrap();
        let set = response.headers().get("set-cookie").map(|value| value.to_str().unwrap().to_owned());
        let cookie = set.map_or(cookie.unwrap_or_default().to_owned(), |set| set.split(';').next().unwrap().to_owned());
        let mut client =
            Client { socket, cookie, me: Person::default(), follower: None, received: Vec::new(), next: 0 };
        client.send("hello", Command::Hello { version: protocol::VERSION }).await;
        let ServerMessage::Welcome { you, .. } = client.receive().await else { panic!("no welcome") };
        client.me = you;
        client
    }

    pub(crate) async fn send(&mut self, id: &str, what: Command) {
        self.send_text(&protocol::write(&Request { id: id.to_owned(), command: what })).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message, which is also followed.
    pub(crate) async fn receive(&mut self) -> ServerMessage {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(20), self.socket.next()).await;
            match message.expect("a message within 20 s").expect("the connection is open").unwrap() {
                Message::Text(text) => {
                    let message: ServerMessage = protocol::read(&text).unwrap();
                    if matches!(message, ServerMessage::Table(_) | ServerMessage::Event { .. }) {
                        self.received.push(text.to_string());
                    }
                    match (&message, &mut self.follower) {
                        (ServerMessage::Table(info), Some(follower)) if follower.table.id == info.id => {}
                        (ServerMessage::Table(info), _) => {
                            self.follower = Some(Follower::new(info.clone(), &self.me.id).unwrap());
                        }
                        (message, Some(follower)) => {
                            follower.receive(message).unwrap_or_else(|lost| panic!("{lost}: {text}"));
                        }
                        _ => {}
                    }
                    return message;
                }
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// Receives until the server closes the connection; the reason it gives.
    pub(crate) async fn until_closing(&mut self) -> Refusal {
        loop {
            if let ServerMessage::Closing { reason } = self.receive().await {
                return reason;
            }
        }
    }

    /// Asks, and waits for the answer to it.
    pub(crate) async fn ask(&mut self, what: Command) -> ServerMessage {
        self.next += 1;
        let id = format!("k{}", self.next);
        self.ask_as(&id, what).await
    }

    pub(crate) async fn ask_as(&mut self, id: &str, what: Command) -> ServerMessage {
        self.send(id, what).await;
        loop {
            match self.receive().await {
                ServerMessage::Acknowledged { id: of, seq, table } if of == id => {
                    return ServerMessage::Acknowledged { id: of, seq, table };
                }
                ServerMessage::Refused { id: of, reason } if of.as_deref() == Some(id) => {
                    return ServerMessage::Refused { id: of, reason };
                }
                _ => {}
            }
        }
    }

    pub(crate) async fn create(&mut self, spec: TableSpec) -> String {
        match self.ask(Command::Create(spec)).await {
            ServerMessage::Acknowledged { table: Some(table), .. } => table,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn join(&mut self, table: &str) {
        let watched = self.ask(Command::Watch { table: table.to_owned(), seen: 0 }).await;
        assert!(matches!(watched, ServerMessage::Acknowledged { .. }), "{watched:?}");
        let sat = self.ask(Command::Sit { seat: None }).await;
        assert!(matches!(sat, ServerMessage::Acknowledged { .. }), "{sat:?}");
    }

    pub(crate) fn game(&self) -> &game::Match {
        self.follower.as_ref().unwrap().game.as_ref().unwrap()
    }

    /// Plays the first of the legal actions that a number chooses, if it is this client's turn.
    pub(crate) async fn play(&mut self, choice: u32) -> Option<ServerMessage> {
        let follower = self.follower.as_ref().unwrap();
        let game = follower.game.as_ref()?;
        if game.to_act()? != follower.seat()? {
            return None;
        }
        let legal = game.legal();
        let action = legal[choice as usize % legal.len()].clone();
        let at = game.log().len() as u32;
        Some(self.ask(Command::Act { action, at }).await)
    }

    /// Claims a seat as soon as its player has been away for long enough; the server's answer.
    pub(crate) async fn claim_absent(&mut self, seat: Seat, claim: Claim) -> ServerMessage {
        let until = tokio::time::Instant::now() + Duration::from_secs(20);
        loop {
            let answer = self.ask(Command::Claim { seat, claim }).await;
            let too_soon = matches!(answer, ServerMessage::Refused { reason: Refusal::NotAway { .. }, .. });
            if !too_soon || tokio::time::Instant::now() > until {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn until_seq(&mut self, seq: u32) {
        while self.follower.as_ref().is_none_or(|follower| follower.seq < seq) {
            self.receive().await;
        }
    }
}

pub(crate) fn spec_of(game: &str) -> TableSpec {
    TableSpec { seat: Some(Seat::ONE), ..TableSpec::new(game) }
}

/// Plays a game to its end between clients, who choose by a seed; all clients receive everything.
pub(crate) async fn play_out(clients: &mut [Client], seed: u64) {
    let mut random = search::Random::new(seed);
    for turn in 0.. {
        if clients[0].follower.as_ref().unwrap().ended.is_some() {
            return;
        }
        let mut seq = None;
        if turn == 120 {
            // Long enough; a random game may go on for ever.
            let message = clients[0].ask(Command::Resign {}).await;
            let ServerMessage::Acknowledged { seq: done, .. } = message else { panic!("{message:?}") };
            for client in clients.iter_mut() {
                client.until_seq(done).await;
            }
            continue;
        }
        for client in clients.iter_mut() {
            if let Some(message) = client.play(random.below(1000)).await {
                let ServerMessage::Acknowledged { seq: done, .. } = message else { panic!("{message:?}") };
                seq = Some(done);
                break;
            }
        }
        let seq = seq.expect("a seat is to act");
        for client in clients.iter_mut() {
            client.until_seq(seq).await;
        }
    }
}

impl Client {
    /// The next message, not followed.
    pub(crate) async fn receive_raw(&mut self) -> ServerMessage {
        loop {
            if let Message::Text(text) = self.socket.next().await.expect("still there").unwrap() {
                return protocol::read(&text).unwrap();
            }
        }
    }
}

/// A new table with so many players, all of whom know that the last has sat down.
pub(crate) async fn seated(server: &Running, game: &str, seats: usize) -> (String, Vec<Client>) {
    let mut clients = vec![server.client().await];
    let table = clients[0].create(spec_of(game)).await;
    for _ in 1..seats {
        let mut client = server.client().await;
        client.join(&table).await;
        clients.push(client);
    }
    let seq = clients.last().unwrap().follower.as_ref().unwrap().seq;
    for client in &mut clients {
        client.until_seq(seq).await;
    }
    (table, clients)
}

/// A proxy that passes bytes on, late, or not at all.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    delay: Arc<AtomicU64>,
    whole: watch::Sender<bool>,
}

impl Proxy {
    /// In front of `host:port`.
    pub(crate) async fn to(target: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy =
            Proxy { address: listener.local_addr().unwrap(), delay: Arc::default(), whole: watch::Sender::new(true) };
        let (target, delay, mut whole) = (target.to_owned(), proxy.delay.clone(), proxy.whole.subscribe());
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if !*whole.borrow_and_update() {
                    continue;
                }
                let Ok(far) = TcpStream::connect(&target).await else { continue };
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                for (from, into) in [(near_in, far_out), (far_in, near_out)] {
                    let (delay, mut whole) = (delay.clone(), whole.clone());
                    tokio::spawn(async move {
                        tokio::select! {
                            () = pass_on(from, into, delay) => {}
                            _ = whole.wait_for(|whole| !*whole) => {}
                        }
                    });
                }
            }
        });
        proxy
    }

    /// In front of where an address such as `postgres://postgres@127.0.0.1:5432/postgres` leads; the address through it.
    pub(crate) async fn before(address: &str) -> (Proxy, String) {
        let host = address.rsplit(['@', '/']).find(|part| part.contains(':')).unwrap();
        let proxy = Proxy::to(host).await;
        let through = address.replace(host, &proxy.address.to_string());
        (proxy, through)
    }

    /// From now on everything takes so long, each way.
    pub(crate) fn delay(&self, time: Duration) {
        self.delay.store(time.as_millis() as u64, Ordering::Relaxed);
    }

    /// Breaks everything off and lets no connection through, or lets them again.
    pub(crate) fn cut(&self, cut: bool) {
        self.whole.send_replace(!cut);
    }
}

async fn pass_on(mut from: OwnedReadHalf, mut into: OwnedWriteHalf, delay: Arc<AtomicU64>) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        tokio::time::sleep(Duration::from_millis(delay.load(Ordering::Relaxed))).await;
        if into.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}

/// Why something was refused.
pub(crate) fn code(message: &ServerMessage) -> String {
    match message {
        ServerMessage::Refused { reason, .. } => reason.code(),
        other => panic!("not refused: {other:?}"),
    }
}
