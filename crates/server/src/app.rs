//! Everything the server answers.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::header::{ACCEPT_LANGUAGE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};
use axum::routing::get;
use locale::Language;
use protocol::{Person, PersonKind, Refusal};

use crate::bus::Bus;
use crate::config::{Config, Origin};
use crate::hub::Hub;
use crate::identity::Identity;
use crate::limit::AddressLimit;
use crate::password::Passwords;
use crate::runtime::wall;
use crate::store::{Store, StoreError};
use crate::{api, files, ws};

/// What every handler knows.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hub: Arc<Hub>,
    pub(crate) identity: Arc<Identity>,
    addresses: Arc<AddressLimit>,
    pub(crate) passwords: Arc<Passwords>,
    pub(crate) exports: Arc<api::Turns>,
}

impl App {
    pub(crate) async fn new(store: Store, bus: Bus, config: Config) -> Result<App, StoreError> {
        let identity = Arc::new(Identity::new(&store, config.public.as_ref().map(Origin::as_str)).await?);
        let addresses = Arc::new(AddressLimit::new(config.requests_per_second, 10));
        let hub = Hub::begin(store, bus, config).await?;
        let (passwords, exports) = (Passwords::new(), api::Turns::for_exports());
        Ok(App { hub, identity, addresses, passwords: Arc::new(passwords), exports: Arc::new(exports) })
    }

    /// Every way in.
    pub(crate) fn router(self) -> Router {
        let routes = api::routes(&self).route("/ws", get(ws::connect));
        routes.with_state(self).fallback(files::serve).layer(axum::middleware::map_response(with_security_headers))
    }

    /// A page from elsewhere must not use a person's cookie. Programs that are no browser send no origin.
    pub(crate) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        let is = |text: &str| origin.as_bytes().eq_ignore_ascii_case(text.as_bytes());
        let allowed = match &self.hub.config.public {
            Some(public) => is(public.as_str()),
            None => headers
                .get(HOST)
                .and_then(|host| host.to_str().ok())
                .is_some_and(|host| is(&format!("http://{host}")) || is(&format!("https://{host}"))),
        };
        if allowed { Ok(()) } else { Err(Refusal::Forbidden) }
    }

    /// Whether an address has asked too often.
    pub(crate) fn check_rate(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.addresses.take(address) { Ok(()) } else { Err(Refusal::TooFast) }
    }

    /// Whose request it is, behind proxies whose word counts.
    pub(crate) fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let trusted = |address: &IpAddr| self.hub.config.trusted_proxies.contains(&address.to_canonical());
        if !trusted(&peer) {
            return peer;
        }
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value: &HeaderValue| value.to_str().ok());
        let all: Vec<IpAddr> =
            forwarded.flat_map(|list| list.split(',')).filter_map(|ip| ip.trim().parse().ok()).collect();
        // From the right: each proxy adds whom it spoke with, and the first we do not trust is the one.
        all.into_iter().rev().find(|address| !trusted(address)).unwrap_or(peer)
    }

    /// Stores a guest before the first write that names them, and reads the person again: a connection may be older than
    /// their name. A guest who has an account by now is refused and has to reconnect.
    pub(crate) async fn present(&self, person: &Person) -> Result<Person, Refusal> {
        if person.kind != PersonKind::Guest {
            return Ok(person.clone());
        }
        let store = &self.hub.store;
        store.keep_guest(&person.id, &person.name, wall()).await.map_err(|_| Refusal::Storage)?;
        let row = store.person(&person.id).await.map_err(|_| Refusal::Storage)?;
        let row = row.filter(|row| row.kind == "guest").ok_or(Refusal::NotKnown)?;
        Ok(Person { name: row.name, ..person.clone() })
    }
}

/// Headers of every answer: no foreign script, no frames, no guessed types.
pub(crate) async fn with_security_headers(mut response: axum::response::Response) -> axum::response::Response {
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
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The language of the client.
pub(crate) fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    wanted.and_then(Language::from_env_text).unwrap_or(Language::English)
}
