//! Everything the server answers.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use locale::Language;
use protocol::{Person, PersonKind, Refusal};

use crate::bus::Bus;
use crate::config::{Config, Origin};
use crate::http_error::HttpError;
use crate::hub::Hub;
use crate::identity::Identity;
use crate::limit::{KeyedLimit, Network, NetworkLimit};
use crate::login_limit::LoginLimits;
use crate::password::Passwords;
use crate::runtime::wall;
use crate::sharing::{self, Framed, Pictures};
use crate::store::{PersonRow, Store, StoreError};
use crate::{api, files, secret, ws};

/// What each network, person and login may do.
struct Limits {
    requests: NetworkLimit,
    files: NetworkLimit,
    reads: NetworkLimit,
    tables: NetworkLimit,
    tables_of_person: KeyedLimit<String>,
    analyses: NetworkLimit,
    exports: NetworkLimit,
    registrations: NetworkLimit,
    reports: NetworkLimit,
    pages: NetworkLimit,
    attempts: KeyedLimit<String>,
    guests: NetworkLimit,
    bots: NetworkLimit,
    logins: LoginLimits,
}

/// The setting that holds the operator's key.
pub(crate) const OPERATOR_KEY: &str = "operator_key";
/// How many games one address may have analysed in a minute; each takes seconds of a thread.
const ANALYSES: u32 = 10;
/// How many exports one address may ask for in a minute; each replays all games of a person.
const EXPORTS: u32 = 5;
/// How many accounts one address may register in a minute; each costs a hash of a password and stays.
const REGISTRATIONS: u32 = 10;
/// How many complaints one address may send in a minute; an operator has to read them.
const REPORTS: u32 = 10;
/// How many lists of a person's games one address may ask for in a minute; each replays dozens of games.
const PAGES: u32 = 60;
/// How many attempts at puzzles a person may hand in in a minute.
const ATTEMPTS: u32 = 60;
/// How many guests one address may bring in a minute who leave a trace; each is kept for a year.
const GUESTS: u32 = 60;
/// How many bots one address may make in a minute: each is a person who is kept, also when its token is withdrawn at once.
const BOTS: u32 = 60;

impl Limits {
    fn new(config: &Config) -> Limits {
        Limits {
            requests: NetworkLimit::per_second(config.requests_per_second, 10),
            // A page loads many files at once, and each costs little.
            files: NetworkLimit::per_second(config.requests_per_second.saturating_mul(10), 10),
            // For hundreds of clients of one network that come back at once; each such table takes memory for a while.
            reads: NetworkLimit::per_second(config.requests_per_second.saturating_mul(5), 10),
            tables: NetworkLimit::per_minute(config.tables_per_minute),
            tables_of_person: KeyedLimit::per_minute(config.tables_per_minute),
            analyses: NetworkLimit::per_minute(ANALYSES),
            exports: NetworkLimit::per_minute(EXPORTS),
            registrations: NetworkLimit::per_minute(REGISTRATIONS),
            reports: NetworkLimit::per_minute(REPORTS),
            pages: NetworkLimit::per_minute(PAGES),
            attempts: KeyedLimit::per_minute(ATTEMPTS),
            guests: NetworkLimit::per_minute(GUESTS),
            bots: NetworkLimit::per_minute(BOTS),
            logins: LoginLimits::new(),
        }
    }
}

fn allowed(is: bool) -> Result<(), Refusal> {
    if is { Ok(()) } else { Err(Refusal::TooFast) }
}

/// Counts a request of an address under a limit that this machine's own programs do not have.
fn check_network(limit: &NetworkLimit, address: IpAddr) -> Result<(), Refusal> {
    let network = Network::of(address);
    allowed(network.is_loopback() || limit.take(network))
}

/// What every handler knows.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hub: Arc<Hub>,
    pub(crate) identity: Arc<Identity>,
    limits: Arc<Limits>,
    pub(crate) passwords: Arc<Passwords>,
    pub(crate) exports: Arc<api::JobQueue>,
    /// Pictures for link previews.
    pub(crate) pictures: Arc<Pictures>,
    /// What the operator's commands prove themselves with.
    pub(crate) operator_key: Arc<str>,
}

impl App {
    pub(crate) async fn new(store: Store, bus: Bus, config: Config) -> Result<App, StoreError> {
        let identity = Arc::new(Identity::new(&store, config.is_encrypted()).await?);
        let limits = Arc::new(Limits::new(&config));
        let operator_key = store.setting(OPERATOR_KEY, secret::token).await?.into();
        let hub = Hub::begin(store, bus, config).await?;
        let (passwords, exports) = (Passwords::new(), api::JobQueue::for_exports());
        Ok(App {
            hub,
            identity,
            limits,
            passwords: Arc::new(passwords),
            exports: Arc::new(exports),
            pictures: Arc::default(),
            operator_key,
        })
    }

    /// Every way in.
    pub(crate) fn router(self) -> Router {
        let routes = api::routes(&self).merge(sharing::routes(&self)).route("/ws", get(ws::connect));
        let encrypted = self.hub.config.public.as_ref().is_some_and(Origin::is_encrypted);
        // Browsers that were here once then refuse to come unencrypted.
        let hsts = move |mut response: Response| async move {
            if encrypted {
                let year = HeaderValue::from_static("max-age=31536000");
                response.headers_mut().insert("strict-transport-security", year);
            }
            response
        };
        let files = Router::new().fallback(files::serve);
        let files = files.layer(axum::middleware::from_fn_with_state(self.clone(), sharing::with_preview));
        let files = files.layer(axum::middleware::from_fn_with_state(self.clone(), limit_files));
        routes
            .with_state(self)
            .fallback_service(files)
            .layer(axum::middleware::map_response(with_security_headers))
            .layer(axum::middleware::map_response(hsts))
    }

    /// Without the setting `public`, any page can let a name of its own point here and read the answers as its own (DNS
    /// rebinding): a browser sends no origin with such a request, so the name alone is checked.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if self.hub.config.public.is_some() || is_own_network(host) { Ok(()) } else { Err(Refusal::Forbidden) }
    }

    /// A page from elsewhere must not use a person's cookie. Programs that are no browser send no origin.
    pub(crate) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(origin) = headers.get(ORIGIN) else {
            // A browser that leaves it out still says that the request is another site's doing.
            let elsewhere =
                headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site");
            return if elsewhere { Err(Refusal::Forbidden) } else { Ok(()) };
        };
        let is = |text: &str| origin.as_bytes().eq_ignore_ascii_case(text.as_bytes());
        let allowed = match &self.hub.config.public {
            Some(public) => is(public.as_str()),
            None => headers.get(HOST).and_then(|host| host.to_str().ok()).is_some_and(|host| {
                is_own_network(host) && (is(&format!("http://{host}")) || is(&format!("https://{host}")))
            }),
        };
        if allowed { Ok(()) } else { Err(Refusal::Forbidden) }
    }

    /// Whether an address has asked too often.
    pub(crate) fn check_rate(&self, address: IpAddr) -> Result<(), Refusal> {
        allowed(self.limits.requests.take(Network::of(address)))
    }

    /// Whether an address has asked for too many files.
    fn check_files(&self, address: IpAddr) -> Result<(), Refusal> {
        allowed(self.limits.files.take(Network::of(address)))
    }

    /// Whether an address may have another table read from the database, over its connections.
    pub(crate) fn check_reads(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.reads, address)
    }

    /// Whether an address and a person may make another table.
    pub(crate) fn check_tables(&self, address: IpAddr, person: &str) -> Result<(), Refusal> {
        let network = Network::of(address);
        allowed(network.is_loopback() || self.limits.tables.take(network))?;
        allowed(self.limits.tables_of_person.take(person.to_owned()))
    }

    /// Whether an address may have another game analysed.
    pub(crate) fn check_analyses(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.analyses, address)
    }

    /// Whether an address may ask for another export.
    pub(crate) fn check_exports(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.exports, address)
    }

    /// Whether an address may register another account.
    pub(crate) fn check_registrations(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.registrations, address)
    }

    /// Whether an address may report another line of chat.
    pub(crate) fn check_reports(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.reports, address)
    }

    /// Whether an address may ask for another list of a person's games.
    pub(crate) fn check_pages(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.pages, address)
    }

    /// Whether an address may make another bot.
    pub(crate) fn check_bots(&self, address: IpAddr) -> Result<(), Refusal> {
        check_network(&self.limits.bots, address)
    }

    /// Whether a person may hand in another attempt at a puzzle.
    pub(crate) fn check_attempts(&self, person: &str) -> Result<(), Refusal> {
        allowed(self.limits.attempts.take(person.to_owned()))
    }

    /// The limits on guesses of passwords and recovery codes.
    pub(crate) fn logins(&self) -> &LoginLimits {
        &self.limits.logins
    }

    /// The address of the client, behind trusted proxies.
    pub(crate) fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let trusted = |address: &IpAddr| self.hub.config.trusted_proxies.contains(&address.to_canonical());
        if !trusted(&peer) {
            return peer;
        }
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value: &HeaderValue| value.to_str().ok());
        let entries: Vec<&str> = forwarded.flat_map(|list| list.split(',')).collect();
        // From the right: each proxy adds the address it spoke with, and the first untrusted one is the client's.
        for entry in entries.into_iter().rev() {
            match entry.trim().parse() {
                Ok(address) if trusted(&address) => {}
                Ok(address) => return address,
                // What stands before an entry that cannot be read may be the client's own words.
                Err(_) => return peer,
            }
        }
        peer
    }

    /// Whether a request comes from a program of this machine, and not through a proxy that is not trusted.
    pub(crate) fn is_local(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let forwarded = ["x-forwarded-for", "forwarded"].iter().any(|name| headers.contains_key(*name));
        let trusted = self.hub.config.trusted_proxies.contains(&peer.to_canonical());
        self.address(peer, headers).to_canonical().is_loopback() && (trusted || !forwarded)
    }

    /// Stores a guest before the first write that names them, and reads the person again: a connection may be older than
    /// their name. A guest who has an account by now is refused and has to reconnect.
    pub(crate) async fn present(&self, person: &Person, address: IpAddr) -> Result<Person, Refusal> {
        if person.kind != PersonKind::Guest {
            return Ok(person.clone());
        }
        let store = &self.hub.store;
        let mut row = self.stored_guest(person, address).await?;
        if row.is_none() {
            store.keep_guest(&person.id, &person.name, wall()).await.map_err(|_| Refusal::Storage)?;
            row = store.person(&person.id).await.map_err(|_| Refusal::Storage)?;
        }
        let row = row.filter(|row| row.kind == "guest").ok_or(Refusal::NotKnown)?;
        Ok(Person { name: row.name, ..person.clone() })
    }

    /// The row of a guest, if there is one yet; refused if an address brings too many new guests.
    pub(crate) async fn stored_guest(&self, person: &Person, address: IpAddr) -> Result<Option<PersonRow>, Refusal> {
        let row = self.hub.store.person(&person.id).await.map_err(|_| Refusal::Storage)?;
        if row.is_none() {
            check_network(&self.limits.guests, address)?;
        }
        Ok(row)
    }
}

/// Refuses files to an address that asks for too many.
async fn limit_files(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    match app.check_files(app.address(peer.ip(), request.headers())) {
        Ok(()) => next.run(request).await,
        Err(refusal) => HttpError::from(refusal).in_language(language(request.headers())).into_response(),
    }
}

/// Whether a `Host` is an address or a name of the own network. Without the setting `public` the name of the server is not
/// known, and any page can let a name of its own point here (DNS rebinding).
fn is_own_network(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    let local = [".local", ".lan", ".localhost", ".internal", ".home.arpa"].iter().any(|end| name.ends_with(end));
    address || local || !name.contains('.')
}

/// Headers of every answer: no foreign script, no frames but those made for them, no guessed types.
pub(crate) async fn with_security_headers(mut response: Response) -> Response {
    const HEADERS: [(&str, &str); 6] = [
        (
            "content-security-policy",
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
             img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
             frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ];
    const FRAMED: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
                          base-uri 'none'; form-action 'none'; frame-ancestors *";
    let framed = response.extensions().get::<Framed>().is_some();
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if framed {
        response.headers_mut().insert("content-security-policy", HeaderValue::from_static(FRAMED));
        response.headers_mut().remove("x-frame-options");
    }
    response
}

/// The language of the client.
pub(crate) fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    wanted.and_then(Language::from_env_text).unwrap_or(Language::English)
}

#[cfg(test)]
mod tests {
    use super::is_own_network;

    #[test]
    fn names_of_the_own_network_are_told_from_others() {
        for host in ["localhost:8080", "192.168.1.4", "[::1]:8080", "[fe80::1]", "box", "box.local:80"] {
            assert!(is_own_network(host), "{host}");
        }
        for host in ["rebind.example.org", "rebind.example.org:8080", "1.2.3.4.example.org"] {
            assert!(!is_own_network(host), "{host}");
        }
    }
}
