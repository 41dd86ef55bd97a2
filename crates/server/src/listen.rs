//! Accepts connections, and closes those that only keep a place: half a request, or a client that reads nothing.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use protocol::LONGEST_MESSAGE;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_rustls::TlsAcceptor;
use tower_service::Service;

use crate::config::Config;
use crate::limit::{Counted, Network, NetworkCounts, NetworkLimit, SITE};
use crate::runtime::{self, BoxFuture, Instant};

/// How many connections may be open, and how long each is waited for.
#[derive(Clone, Debug)]
pub(crate) struct Patience {
    /// So many at once.
    pub(crate) most: usize,
    /// So many of one network, which half-open ones count in too; 0 for no limit.
    pub(crate) of_network: usize,
    /// So many new ones of one network a second, ten times as many at once; 0 for no limit. Without a request no other limit counts
    /// them, and each costs a handshake where the server is encrypted.
    pub(crate) arrivals: u32,
    /// Proxies, whose connections are those of many clients.
    pub(crate) proxies: Vec<IpAddr>,
    /// How long a client may take to send the head of a request, and how long it may be idle.
    pub(crate) head: Duration,
    /// How long a client may read nothing of what it is sent.
    pub(crate) write: Duration,
    /// How many bytes of a client are read in a second, and sixteen times as many of a proxy; 0 for no limit.
    pub(crate) read: u32,
}

impl Patience {
    /// For so many connections that stay; pages and single requests need one for a moment besides.
    pub(crate) fn new(config: &Config) -> Patience {
        let (staying, of_network) = (config.most_connections, config.connections_per_address);
        let half_a_minute = Duration::from_secs(30);
        Patience {
            most: staying.saturating_add(staying / 4).saturating_add(100),
            // Pages and single requests need some besides.
            of_network: if of_network == 0 { 0 } else { of_network.saturating_add(of_network / 4).saturating_add(50) },
            // A browser opens some for each page.
            arrivals: config.requests_per_second.saturating_mul(10),
            proxies: config.trusted_proxies.clone(),
            head: half_a_minute,
            write: half_a_minute,
            // Twice what the longest messages take at the highest rate. Frames that are no messages, such as empty parts of
            // one that never ends, are not counted otherwise.
            read: config.messages_per_second.saturating_mul(2 * LONGEST_MESSAGE as u32),
        }
    }
}

/// How many bytes of a request's head are read before it is refused with 431; hyper would read 400 kB.
const MOST_BUFFERED: usize = 32 << 10;
/// Without room for another connection the system is asked again after this.
const NO_ROOM: Duration = Duration::from_millis(200);

/// Serves until `stop` comes, then answers the requests that were read.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    app: Router,
    patience: Patience,
    stop: impl Future<Output = ()>,
) {
    let mut services = app.into_make_service_with_connect_info::<SocketAddr>();
    let (networks, arrivals) = (NetworkCounts::new(patience.of_network), Arrivals::new(&patience));
    let room = Arc::new(Semaphore::new(patience.most.min(Semaphore::MAX_PERMITS)));
    // hyper-util's `GracefulShutdown` does not know connections that can become WebSockets.
    let (stopping, _) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(problem) => {
                if !is_the_clients(&problem) {
                    tracing::error!(%problem, "no connection can be accepted");
                    runtime::sleep(NO_ROOM).await;
                }
                continue;
            }
        };
        let is_proxy = patience.proxies.contains(&peer.ip().to_canonical());
        let counted = networks.take(Network::of(peer.ip()));
        if !is_proxy && (counted.is_none() || !arrivals.allow(Network::of(peer.ip()))) {
            metrics::counter!("fourfold_sockets_refused_total").increment(1);
            continue;
        }
        let Ok(place) = room.clone().try_acquire_owned() else {
            metrics::counter!("fourfold_sockets_refused_total").increment(1);
            continue;
        };
        // Several small messages must not wait until the first of them is acknowledged.
        let _ = stream.set_nodelay(true);
        let service = match services.call(peer).await {
            Ok(service) => service,
            Err(never) => match never {},
        };
        let read = ReadLimit::new(if is_proxy { patience.read.saturating_mul(SITE) } else { patience.read });
        let stream = Patient::new(stream, Place(place, counted), patience.write, read);
        let (service, head, stops) = (TowerToHyperService::new(service), patience.head, stopping.subscribe());
        match tls.clone() {
            None => drop(runtime::spawn(answer(stream, service, head, stops))),
            Some(tls) => drop(runtime::spawn(async move {
                // A client that does not finish the handshake is no news either.
                if let Ok(Ok(stream)) = runtime::timeout(head, tls.accept(stream)).await {
                    answer(stream, service, head, stops).await;
                }
            })),
        }
    }
    drop(listener);
    stopping.send_replace(());
    stopping.closed().await;
}

/// Limits how many connections each network begins.
struct Arrivals(NetworkLimit);

impl Arrivals {
    fn new(patience: &Patience) -> Arrivals {
        Arrivals(NetworkLimit::per_second(patience.arrivals, 10))
    }

    /// Counts a new connection, if it is allowed. This machine's own programs are not limited.
    fn allow(&self, network: Network) -> bool {
        network.is_loopback() || self.0.take(network)
    }
}

/// Answers the requests of one connection until it ends; after `stops` only those that were read.
async fn answer<S>(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    service: S,
    head: Duration,
    mut stops: watch::Receiver<()>,
) where
    S: hyper::service::HttpService<hyper::body::Incoming, ResBody = axum::body::Body> + Send + 'static,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::Future: Send,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(MOST_BUFFERED)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A client that breaks off is no news.
        _ = connection.as_mut() => return,
        _ = stops.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Whether a client went away while it was being let in, which says nothing about the others.
fn is_the_clients(problem: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(problem.kind(), ConnectionRefused | ConnectionAborted | ConnectionReset)
}

/// A connection that is closed when nothing can be written for long. A stream of events is not polled while the network
/// holds it up, so nothing else would notice. hyper-util limits the time to read a head, not the time to write.
struct Patient {
    stream: TcpStream,
    until: Option<BoxFuture>,
    longest: Duration,
    read: ReadLimit,
    /// Until then nothing more is read; what is sent meanwhile waits in the network.
    pause: Option<BoxFuture>,
    _place: Place,
}

/// A connection that counts.
#[expect(dead_code, reason = "held, not read")]
struct Place(OwnedSemaphorePermit, Option<Counted>);

impl Drop for Place {
    fn drop(&mut self) {
        metrics::gauge!("fourfold_sockets").decrement(1.0);
    }
}

impl Patient {
    fn new(stream: TcpStream, place: Place, longest: Duration, read: ReadLimit) -> Patient {
        metrics::gauge!("fourfold_sockets").increment(1.0);
        Patient { stream, until: None, longest, read, pause: None, _place: place }
    }

    fn wait<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.until = None;
            return written;
        }
        let longest = self.longest;
        let until = self.until.get_or_insert_with(|| runtime::sleep(longest));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let wait = self.read.take(into.filled().len() - before);
        self.pause = wait.map(runtime::sleep);
        Poll::Ready(Ok(()))
    }
}

/// How fast a connection is read: so many bytes a second, and ten seconds' worth at once.
struct ReadLimit {
    per_second: f64,
    /// How many bytes may be read at this moment; below zero there is to be a pause.
    left: f64,
    refilled: Instant,
}

impl ReadLimit {
    /// 0 for no limit.
    fn new(per_second: u32) -> ReadLimit {
        let per_second = f64::from(per_second);
        ReadLimit { per_second, left: per_second * 10.0, refilled: Instant::now() }
    }

    /// Counts bytes that were read; how long to wait before more are.
    fn take(&mut self, bytes: usize) -> Option<Duration> {
        if self.per_second == 0.0 {
            return None;
        }
        let now = Instant::now();
        let since = now.duration_since(self.refilled).as_secs_f64();
        self.refilled = now;
        self.left = (self.left + since * self.per_second).min(self.per_second * 10.0) - bytes as f64;
        (self.left < 0.0).then(|| Duration::from_secs_f64(-self.left / self.per_second))
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wait(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.wait(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::runtime::simulation::Simulation;

    /// A server with little patience, and where it is.
    async fn impatient(most: usize) -> SocketAddr {
        impatient_with(most, None).await
    }

    async fn impatient_with(most: usize, tls: Option<TlsAcceptor>) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app =
            Router::new().route("/", get(|| async { "here" })).route("/much", get(|| async { "x".repeat(64 << 20) }));
        let short = Duration::from_millis(300);
        let patience =
            Patience { most, of_network: 0, arrivals: 0, proxies: Vec::new(), head: short, write: short, read: 0 };
        tokio::spawn(serve(listener, tls, app, patience, std::future::pending()));
        address
    }

    /// How long it takes until a client is cut off.
    async fn until_cut(stream: &mut TcpStream) -> Duration {
        let began = Instant::now();
        let mut received = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut received)).await;
        began.elapsed()
    }

    #[tokio::test]
    async fn half_a_request_keeps_no_place() {
        let address = impatient(10).await;
        for text in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: x\r\nslow: "] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            assert!(until_cut(&mut stream).await < Duration::from_secs(5), "{text:?}");
        }
    }

    #[tokio::test]
    async fn who_swallows_nothing_is_given_up_and_makes_room() {
        let address = impatient(1).await;
        let mut greedy = TcpStream::connect(address).await.unwrap();
        greedy.write_all(b"GET /much HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut second = TcpStream::connect(address).await.unwrap();
        let _ = second.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
        let mut received = String::new();
        let _ = second.read_to_string(&mut received).await;
        assert_eq!(received, "", "there is room for one");
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut third = TcpStream::connect(address).await.unwrap();
        third.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        third.read_to_string(&mut received).await.unwrap();
        assert!(received.ends_with("here"), "{received}");
    }

    #[tokio::test]
    async fn https_is_served_with_the_servers_own_certificate() {
        use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, pem::PemObject as _};
        use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

        let folder = std::env::temp_dir().join(format!("fourfold-https-{}", std::process::id()));
        let tls = crate::tls::Tls::open(&folder, vec!["localhost".to_owned()]).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(folder.join("certificate.pem")).unwrap()).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let address = impatient_with(1, Some(tls.acceptor)).await;

        // Half a handshake keeps no place.
        let mut silent = TcpStream::connect(address).await.unwrap();
        assert!(until_cut(&mut silent).await < Duration::from_secs(5));

        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = tokio_rustls::TlsConnector::from(Arc::new(client)).connect(name, stream).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("here"), "{answer}");
    }

    #[test]
    fn a_network_begins_so_many_connections_and_does_not_hold_up_others() {
        let patience = Patience::new(&Config { requests_per_second: 2, ..Config::default() });
        let arrivals = Arrivals::new(&patience);
        let allow = |address: &str| arrivals.allow(Network::of(address.parse().unwrap()));
        let begun = (0..1_000).filter(|_| allow("192.0.2.1")).count();
        assert!((200..300).contains(&begun), "{begun}: ten seconds' worth at once");
        assert!(allow("192.0.2.2") && (0..1_000).all(|_| allow("127.0.0.1")));
        let unlimited = Arrivals::new(&Patience::new(&Config { requests_per_second: 0, ..Config::default() }));
        assert!((0..1_000).all(|_| unlimited.allow(Network::of("192.0.2.1".parse().unwrap()))));
    }

    #[test]
    fn any_number_of_connections_can_be_allowed() {
        let most = Config { most_connections: usize::MAX, connections_per_address: usize::MAX, ..Config::default() };
        let patience = Patience::new(&most);
        assert_eq!((patience.most, patience.of_network), (usize::MAX, usize::MAX));
        assert_eq!(crate::needed_files(&most), u64::MAX);
    }

    #[test]
    fn a_client_is_read_as_fast_as_the_limit_says() {
        Simulation::new(1).run(async {
            let mut limit = ReadLimit::new(1_000);
            assert_eq!(limit.take(10_000), None, "ten seconds' worth at once");
            assert_eq!(limit.take(500), Some(Duration::from_millis(500)));
            runtime::sleep(Duration::from_millis(500)).await;
            assert_eq!(limit.take(1_000), Some(Duration::from_secs(1)));
            runtime::sleep(Duration::from_secs(60)).await;
            assert_eq!((limit.take(10_000), limit.take(1).is_some()), (None, true), "rest is not saved up");
            assert_eq!(ReadLimit::new(0).take(usize::MAX), None);
        });
    }
}
