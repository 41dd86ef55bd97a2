//! Tables over WebSocket, lobby, accounts and storage; serves the browser app, which is embedded in the program.
//!
//! The log of a table is the truth (`tables`). A store makes it durable (`store`) before clients are sent anything (`hub`).

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod api;
mod app;
mod audit;
mod bus;
mod config;
mod files;
mod http_error;
mod hub;
mod identity;
mod limit;
mod listen;
mod login_limit;
mod names;
mod password;
mod prefix;
mod rehearsal;
mod runtime;
mod secret;
mod sharing;
pub mod simulation;
mod store;
mod tables;
mod tls;
mod ws;

use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::OnceLock;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;

pub use audit::{Promise, TableAudit, audit};
pub use bus::BusError;
pub use config::{BadSetting, BusAddress, BusPrefix, Config, ConfigFlags, LogForm, Origin};
pub use rehearsal::rehearse;
pub use store::{Place, Store, StoreError, back_up, restore};
pub use tls::{TlsError, check_certificate, speaks_tls};

/// Takes the browser app to serve: the name of each file, a tag that differs whenever the content does, and the content,
/// compressed with brotli. The first call counts.
pub fn embed_app(files: &[(&'static str, &'static str, &'static [u8])]) {
    files::embed(files);
}

/// Whether there is a browser app to serve.
pub fn has_app() -> bool {
    files::embedded()
}

/// The browser app's files and nothing else: no tables, no storage.
pub fn app_files() -> axum::Router {
    axum::Router::new().fallback(files::serve).layer(axum::middleware::map_response(app::with_security_headers))
}

/// The key with which the operator's commands prove themselves to the server of a database; none if no server has run on it.
pub async fn operator_key(place: &Place) -> Result<Option<String>, StoreError> {
    let store = Store::open_shared(place).await?;
    let key = store.known_setting(app::OPERATOR_KEY).await;
    store.close().await;
    key
}

/// Why a server could not start or go on.
#[derive(Debug)]
pub enum ServeError {
    /// The address cannot be listened at.
    Listen(std::io::Error),
    /// The certificate cannot be used.
    Tls(TlsError),
    /// The database cannot be used.
    Store(StoreError),
    /// The broker cannot be used.
    Bus(BusError),
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ServeError::Listen(error) => write!(f, "cannot serve: {error}"),
            ServeError::Tls(error) => write!(f, "{error}"),
            ServeError::Store(error) => write!(f, "{error}"),
            ServeError::Bus(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// How long connections get to be notified that the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until `stop` comes, then lets the clients finish.
///
/// `listening` is called once with the address, as soon as connections are accepted.
pub async fn serve(
    config: Config,
    listening: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    numbers();
    raise_file_limit(needed_files(&config));
    let address = SocketAddr::new(config.address, config.port);
    let tls = config.tls.as_deref().map(|folder| tls::Tls::open(folder, names(&config))).transpose();
    let tls = tls.map_err(ServeError::Tls)?;
    if let Some(tls) = &tls {
        tracing::info!(sha256 = tls.fingerprint, "serving HTTPS with this certificate");
    }
    let listener = TcpListener::bind(address).await.map_err(ServeError::Listen)?;
    let store = Store::open(&config.database).await.map_err(ServeError::Store)?;
    let bus = join(&store, &config).await?;
    let app = app::App::new(store, bus, config).await.map_err(ServeError::Store)?;
    let hub = app.hub.clone();
    listening(listener.local_addr().map_err(ServeError::Listen)?);
    let (stop_listening, stopped) = tokio::sync::oneshot::channel::<()>();
    let patience = listen::Patience::new(&hub.config);
    let until = async { drop(stopped.await) };
    let serving = runtime::spawn(listen::serve(listener, tls.map(|tls| tls.acceptor), app.router(), patience, until));
    let replaced = tokio::select! {
        () = stop => false,
        () = hub.store.replaced() => true,
    };
    if replaced {
        tracing::error!("the database's file was deleted or replaced: nothing more is accepted, and the server stops");
        let _ = hub.stop();
        hub.store.close().await;
        return Err(ServeError::Store(StoreError::Replaced));
    }
    tracing::info!("stopping");
    hub.drain();
    runtime::sleep(hub.config.drain).await;
    let over = hub.stop();
    let _ = stop_listening.send(());
    // Until the last has gone elsewhere they are served as before; but connections that a browser keeps open must not
    // keep the program from ending.
    hub.emptied(over + FAREWELL).await;
    let _ = runtime::timeout(FAREWELL, serving).await;
    hub.last_beat().await;
    hub.store.close().await;
    Ok(())
}

/// What a certificate made by the server is valid for.
fn names(config: &Config) -> Vec<String> {
    let public = config.public.as_ref().and_then(|public| public.as_str().split("://").nth(1));
    let host = public.map(|host| host.split(':').next().unwrap_or(host).to_owned());
    let network = reachable_address(config.address).map(|address| address.to_string());
    let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    own.into_iter().chain(host).chain(network).collect()
}

/// Where other devices of the network find a server that listens at an address; none if only this machine does.
///
/// For an address that stands for all of them, the one that leads out of this machine: a datagram socket is directed
/// somewhere, and nothing is sent.
pub fn reachable_address(listening: IpAddr) -> Option<IpAddr> {
    if !listening.is_unspecified() {
        return Some(listening).filter(|address| !address.is_loopback());
    }
    let socket = std::net::UdpSocket::bind((listening, 0)).ok()?;
    let elsewhere: &str = if listening.is_ipv4() { "192.0.2.1:9" } else { "[2001:db8::1]:9" };
    socket.connect(elsewhere).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_loopback())
}

/// Thinks for bots and analyses games of other nodes until `stop` comes; needs no port.
pub async fn work(config: Config, started: impl FnOnce(), stop: impl Future<Output = ()>) -> Result<(), ServeError> {
    numbers();
    let store = Store::open(&config.database).await.map_err(ServeError::Store)?;
    let bus = join(&store, &config).await?;
    let hub = hub::Hub::begin_as(hub::Role::Worker, store, bus, config).await.map_err(ServeError::Store)?;
    started();
    stop.await;
    let _ = hub.stop();
    hub.store.close().await;
    Ok(())
}

/// Joins the other nodes, if there may be any.
async fn join(store: &Store, config: &Config) -> Result<bus::Bus, ServeError> {
    let node = secret::name();
    let Some(address) = &config.bus else { return Ok(bus::Bus::alone(node)) };
    if matches!(store, Store::Sqlite(_)) {
        return Err(ServeError::Bus(BusError::NeedsPostgres));
    }
    let cluster = store.setting("cluster", secret::name).await.map_err(ServeError::Store)?;
    bus::Bus::connect(address, &config.bus_prefix, &cluster, node).await.map_err(ServeError::Bus)
}

/// How many files a server with these settings may have open: one for each connection, and pages and single requests need some
/// besides.
pub fn needed_files(config: &Config) -> u64 {
    (listen::Patience::new(config).most as u64).saturating_add(100)
}

/// Lets this process open so many files, as far as the system allows.
fn raise_file_limit(wanted: u64) {
    match rlimit::increase_nofile_limit(wanted) {
        Ok(allowed) if allowed < wanted => {
            tracing::warn!(allowed, wanted, "too few open files are allowed for most_connections: raise `ulimit -n`");
        }
        Ok(_) => {}
        Err(problem) => tracing::warn!(%problem, "the limit of open files is not known"),
    }
}

/// How long each queue is: docs/scale.md says where it ends.
const QUEUES: [&str; 9] = [
    "fourfold_client_queue",
    "fourfold_write_queue",
    "fourfold_bus_queue",
    "fourfold_bus_unheard",
    "fourfold_bot_queue",
    "fourfold_work_queue",
    "fourfold_analysis_queue",
    "fourfold_password_queue",
    "fourfold_export_queue",
];

/// The numbers of this process, gathered from the first call on.
pub(crate) fn numbers() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        // From a tenth of a millisecond to ten seconds; what is asked of this server is under 0.1 s.
        let seconds = [1e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
        let batches = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
        let name = |name: &str| Matcher::Full(name.to_owned());
        let builder = PrometheusBuilder::new().set_buckets_for_metric(name("fourfold_action_seconds"), &seconds);
        let builder = builder.and_then(|b| b.set_buckets_for_metric(name("fourfold_write_seconds"), &seconds));
        let builder = builder.and_then(|b| b.set_buckets_for_metric(name("fourfold_write_batch"), &batches));
        let recorder = builder.unwrap_or_else(|_| PrometheusBuilder::new()).build_recorder();
        let handle = recorder.handle();
        // The program may have set another recorder; then the numbers go there.
        let _ = metrics::set_global_recorder(recorder);
        // A queue where nothing has waited yet is there too.
        for queue in QUEUES {
            metrics::gauge!(queue).set(0.0);
        }
        handle
    })
}

/// Writes what happens to standard error; `RUST_LOG` says how much, which is what matters without it.
pub fn start_log(form: LogForm) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,sqlx=error,server=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    // The program may have started one before; then that one counts.
    let _ = match form {
        LogForm::Text => log.try_init(),
        LogForm::Json => log.json().try_init(),
    };
}

/// Completes when the program is to stop, by a key or by a signal.
pub async fn stopped() {
    let keys = async {
        // Without a signal handler there is nothing to wait for but the end of the process itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        let terminated = async {
            match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
                Ok(mut signal) => {
                    signal.recv().await;
                }
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = keys => {}
            () = terminated => {}
        }
    }
    #[cfg(not(unix))]
    keys.await;
}
