//! The public HTTP API. Everything a browser does over a WebSocket can be done here too, one request at a time.

mod account;
mod blocks;
mod challenges;
mod export;
mod follows;
mod job_queue;
mod leaderboard;
mod live;
mod lobby;
mod me;
mod openings;
mod operator;
mod people;
mod preferences;
mod puzzles;
mod recovery;
mod schemas;
mod stream;
mod table;
mod table_ratings;
mod tokens;
mod turn;
mod values;

use std::net::{IpAddr, SocketAddr};
use std::sync::LazyLock;
use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use locale::Language;
use protocol::Person;
use serde::de::DeserializeOwned;
use utoipa::OpenApi;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};

use crate::app::{App, language};
use crate::http_error::HttpError;
use crate::hub::Credential;
use crate::runtime;
use crate::tables::Refusal;
pub(crate) use job_queue::JobQueue;

/// The longest body of a request, in bytes.
const LONGEST_BODY: usize = 16 << 10;
/// How long a client may take to send it.
const SLOWEST_BODY: Duration = Duration::from_secs(20);

/// Every route of the API.
pub(crate) fn routes(app: &App) -> Router<App> {
    let guarded = Router::new()
        .route("/api/games", get(lobby::games))
        .route("/api/live", get(live::list))
        .route("/api/lobby", get(lobby::lobby))
        .route("/api/lobby/events", get(stream::lobby))
        .route("/api/pair", post(lobby::pair))
        .route("/api/tables", post(table::create))
        .route("/api/tables/{id}", get(table::show))
        .route("/api/tables/{id}/turn", get(turn::show))
        .route("/api/tables/{id}/requests", post(table::request))
        .route("/api/tables/{id}/sit", post(table::sit))
        .route("/api/tables/{id}/act", post(table::act))
        .route("/api/tables/{id}/resign", post(table::resign))
        .route("/api/tables/{id}/report", post(table::report))
        .route("/api/tables/{id}/record", get(table::record))
        .route("/api/tables/{id}/analysis", get(table::analysis))
        .route("/api/tables/{id}/ratings", get(table_ratings::show))
        .route("/api/tables/{id}/events", get(stream::events))
        .route("/api/quixo/values", get(values::quixo))
        .route("/api/openings", get(openings::list))
        .route("/api/puzzles/daily", get(puzzles::daily))
        .route("/api/puzzles/next", get(puzzles::next))
        .route("/api/puzzles/rating", get(puzzles::rating))
        .route("/api/puzzles/leaders", get(puzzles::leaders))
        .route("/api/puzzles/storms", get(puzzles::storms).post(puzzles::storm))
        .route("/api/puzzles/{id}/attempts", post(puzzles::attempt))
        .route("/api/people/{id}", get(people::show))
        .route("/api/leaderboard/{game}", get(leaderboard::show))
        .route("/api/me/follows", get(follows::list))
        .route("/api/me/follows/{id}", axum::routing::put(follows::follow).delete(follows::unfollow))
        .route("/api/me", get(me::show).patch(me::rename).delete(me::forget))
        .route("/api/me/games", get(me::games))
        .route("/api/me/export", get(export::everything))
        .route("/api/me/blocks", get(blocks::list))
        .route("/api/me/blocks/{id}", axum::routing::put(blocks::block).delete(blocks::unblock))
        .route("/api/me/settings", get(preferences::show).put(preferences::keep))
        .route("/api/me/challenges", get(challenges::list))
        .route("/api/me/challenges/{table}", axum::routing::delete(challenges::decline))
        .route("/api/me/events", get(challenges::events))
        .route("/api/tables/{id}/challenges/{person}", axum::routing::put(challenges::challenge))
        .route("/api/me/tokens", get(tokens::list).post(tokens::make))
        .route("/api/me/tokens/{id}", axum::routing::delete(tokens::withdraw))
        .route("/api/account/register", post(account::register))
        .route("/api/account/login", post(account::login))
        .route("/api/account/logout", post(account::logout))
        .route("/api/account/logout-everywhere", post(account::logout_everywhere))
        .route("/api/account/password", post(account::password))
        .route("/api/account/delete", post(account::delete))
        .route("/api/account/recovery-codes", get(recovery::count).post(recovery::make))
        .route("/api/account/recover", post(recovery::recover))
        .route("/api/openapi.json", get(document))
        .route("/api/operator/tables", get(operator::tables))
        .route("/api/operator/tables/{id}/end", post(operator::end))
        .route("/api/operator/bans", get(operator::bans).post(operator::ban))
        .route("/api/operator/unban", post(operator::unban))
        .route("/api/operator/reports", get(operator::reports))
        .route("/api/{*path}", axum::routing::any(nothing))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard));
    Router::new()
        .merge(guarded)
        .route("/health", get(|| async { "ok\n" }))
        .route("/ready", get(ready))
        .route("/metrics", get(metrics))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(tower_http::compression::CompressionLayer::new())
}

/// Limits requests by address and origin; answers must not be cached by proxies.
async fn guard(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let spoken = language(headers);
    let refused = |code: Refusal| HttpError::from(code).in_language(spoken).into_response();
    let address = app.address(peer.ip(), headers);
    if let Err(code) = app.check_rate(address).and_then(|()| app.hub.check_address(address)) {
        return refused(code);
    }
    if let Err(code) = app.check_host(headers) {
        return refused(code);
    }
    if !is_text(request.uri().path()) {
        return refused(Refusal::NotFound);
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if changes && let Err(code) = app.check_origin(headers) {
        return refused(code);
    }
    let mut response = next.run(request).await;
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether a path is text without zeros once it is decoded: PostgreSQL knows no other.
fn is_text(path: &str) -> bool {
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *byte == b'%').and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        decoded.push(code.unwrap_or(*byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    !decoded.contains(&0) && std::str::from_utf8(&decoded).is_ok()
}

/// The sender of a request, and the language of the answer.
pub(crate) struct Who {
    pub(crate) person: Person,
    pub(crate) language: Language,
    pub(crate) address: IpAddr,
    session: Option<String>,
    cookie: Option<HeaderValue>,
    /// [`crate::hub::Hub::auth_epoch`] before the credential was checked.
    epoch: u64,
}

impl FromRequestParts<App> for Who {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Who, HttpError> {
        let language = language(&parts.headers);
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let address = app.address(peer.unwrap_or(IpAddr::from([0, 0, 0, 0])), &parts.headers);
        let epoch = app.hub.auth_epoch();
        let known = app.identity.of(&app.hub.store, &parts.headers).await;
        let known = known.and_then(|known| app.hub.check_person(&known.person.id).map(|()| known));
        let known = known.map_err(|code| HttpError::from(code).in_language(language))?;
        Ok(Who { person: known.person, language, address, session: known.session, cookie: known.cookie, epoch })
    }
}

impl Who {
    /// Says no in their language.
    fn refuse(&self, refusal: Refusal) -> HttpError {
        HttpError::from(refusal).in_language(self.language)
    }

    /// What a stream is opened with.
    fn credential(&self) -> Credential {
        Credential {
            person: self.person.id.clone(),
            session: self.session.clone(),
            epoch: self.epoch,
            address: self.address,
        }
    }

    /// Answers, with the cookie of a new guest.
    fn answer(self, response: impl IntoResponse) -> Response {
        with_cookie(response, self.cookie)
    }
}

fn with_cookie(response: impl IntoResponse, cookie: Option<HeaderValue>) -> Response {
    let mut response = response.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

/// A body that is JSON of a kind; anything else is refused as unreadable, in the reader's language.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, HttpError> {
        let language = language(request.headers());
        let refused = |code: Refusal| HttpError::from(code).in_language(language);
        let read = runtime::timeout(SLOWEST_BODY, Json::<T>::from_request(request, app)).await;
        let late = |_| refused(Refusal::unreadable("the body did not come within 20 seconds"));
        match read.map_err(late)? {
            Ok(Json(body)) => Ok(Body(body)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(refused(Refusal::TooLong)),
            Err(rejection) => Err(refused(Refusal::unreadable(&rejection.body_text()))),
        }
    }
}

/// What stands after the `?` of an address; anything else is refused as unreadable, in the reader's language.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Parameters<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Parameters<T>, HttpError> {
        let Query(read) = Query::from_request_parts(parts, app).await.map_err(|rejection| {
            HttpError::from(Refusal::unreadable(&rejection.body_text())).in_language(language(&parts.headers))
        })?;
        Ok(Parameters(read))
    }
}

/// Runs something that must not stop halfway when the client goes away.
async fn unbroken<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    runtime::spawn(work).await.unwrap_or_else(|_| Err(Refusal::Storage))
}

/// What there is not: programs are answered as everywhere else in the API, not with a page.
async fn nothing(headers: HeaderMap) -> HttpError {
    HttpError::from(Refusal::NotFound).in_language(language(&headers))
}

async fn ready(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> (StatusCode, &'static str) {
    // Each answer costs a query.
    if app.check_rate(app.address(peer.ip(), &headers)).is_err() {
        return (StatusCode::TOO_MANY_REQUESTS, "too many requests\n");
    }
    if app.hub.is_leaving() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    if !app.hub.is_writing() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database takes no writes\n");
    }
    if app.hub.store.answers().await {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "no database\n")
    }
}

/// Numbers for Prometheus. Only for this machine.
async fn metrics(State(app): State<App>, ConnectInfo(peer): ConnectInfo<SocketAddr>, headers: HeaderMap) -> Response {
    // A page in a browser of this machine can let a name of its own point here.
    if !app.is_local(peer.ip(), &headers) || app.check_host(&headers).is_err() {
        return HttpError::from(Refusal::Forbidden).in_language(language(&headers)).into_response();
    }
    let text = crate::numbers().render();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

async fn document() -> Response {
    static TEXT: LazyLock<String> = LazyLock::new(|| Document::openapi().to_json().unwrap_or_default());
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

/// What the API is.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Fourfold",
        description = "Play line games with other people. The messages of a table, what counts as being away, and all \
                       codes with their statuses are in docs/protocol.md.\n\n\
                       Limits: a body has at most 16 KiB, a name 24 characters, a line of chat 300, an id of a request 40. An address \
                       (IPv6: a /64) may send 20 requests a second and 200 at once, make 20 tables and ask for 10 analyses and 60 lists of games a minute, a person hand in 60 attempts at puzzles, \
                       unless the operator sets other numbers; beyond that the answer is 429 with `Retry-After`. Answers with status 503 \
                       have `Retry-After` too."
    ),
    paths(
        lobby::games,
        live::list,
        lobby::lobby,
        lobby::pair,
        table::create,
        table::show,
        turn::show,
        table::request,
        table::sit,
        table::act,
        table::resign,
        table::report,
        table::record,
        table::analysis,
        table_ratings::show,
        values::quixo,
        openings::list,
        stream::events,
        stream::lobby,
        people::show,
        puzzles::daily,
        puzzles::next,
        puzzles::rating,
        puzzles::attempt,
        puzzles::storm,
        puzzles::leaders,
        puzzles::storms,
        me::show,
        me::rename,
        me::forget,
        me::games,
        export::everything,
        leaderboard::show,
        follows::list,
        follows::follow,
        follows::unfollow,
        blocks::list,
        blocks::block,
        blocks::unblock,
        preferences::show,
        preferences::keep,
        challenges::challenge,
        challenges::list,
        challenges::decline,
        challenges::events,
        tokens::list,
        tokens::make,
        tokens::withdraw,
        account::register,
        account::login,
        account::logout,
        account::logout_everywhere,
        account::password,
        account::delete,
        recovery::count,
        recovery::make,
        recovery::recover
    ),
    components(schemas(schemas::Problem)),
    modifiers(&Credentials)
)]
struct Document;

/// How a client says who it is: a guest or an account by a cookie, a bot by a token; without either it is a new guest.
struct Credentials;

impl utoipa::Modify for Credentials {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let cookie = ApiKey::Cookie(ApiKeyValue::new("fourfold"));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
        components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
        let none: [&str; 0] = [];
        let by = |name: &str| SecurityRequirement::new(name, none);
        // The codes are the protocol's own list.
        if let Some(RefOr::T(Schema::Object(problem))) = components.schemas.get_mut("Problem")
            && let Some(RefOr::T(Schema::Object(code))) = problem.properties.get_mut("code")
        {
            code.enum_values = Some(Refusal::WORDS.iter().map(|word| (*word).into()).collect());
        }
        document.security = Some(vec![SecurityRequirement::default(), by("cookie"), by("token")]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_the_document_has_a_name_of_its_own() {
        let document: serde_json::Value = serde_json::from_str(&Document::openapi().to_json().unwrap()).unwrap();
        let paths = document["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap().values());
        let mut names: Vec<&str> = operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
        assert!(document["components"]["securitySchemes"]["token"]["scheme"] == "bearer");
    }

    /// The operations that are concerned and lack the description of one of these answers.
    fn lacking(statuses: &[&str], is_concerned: impl Fn(&serde_json::Value) -> bool) -> Vec<String> {
        let document: serde_json::Value = serde_json::from_str(&Document::openapi().to_json().unwrap()).unwrap();
        let paths = document["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap().values());
        operations
            .filter(|operation| is_concerned(operation))
            .filter(|operation| statuses.iter().any(|status| operation["responses"].get(status).is_none()))
            .map(|operation| operation["operationId"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn every_operation_with_a_body_says_that_it_may_be_unreadable_or_too_long() {
        let incomplete = lacking(&["400", "413"], |operation| operation.get("requestBody").is_some());
        assert!(incomplete.is_empty(), "{incomplete:?}");
    }

    #[test]
    fn where_a_person_must_be_known_that_person_may_be_kept_out() {
        let incomplete = lacking(&["403"], |operation| operation["responses"].get("401").is_some());
        assert!(incomplete.is_empty(), "{incomplete:?}");
    }

    #[test]
    fn each_address_of_puzzles_describes_what_it_reads_and_that_a_person_may_be_kept_out() {
        let document: serde_json::Value = serde_json::from_str(&Document::openapi().to_json().unwrap()).unwrap();
        let expected = [
            ("daily", "get", vec!["game", "day"]),
            ("next", "get", vec!["game", "theme"]),
            ("rating", "get", vec!["game"]),
            ("leaders", "get", vec!["game", "day"]),
            ("storms", "get", vec!["game"]),
            ("storms", "post", vec![]),
            ("{id}/attempts", "post", vec!["id"]),
        ];
        for (path, method, expected) in expected {
            let operation = &document["paths"][format!("/api/puzzles/{path}")][method];
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let names: Vec<&str> = parameters.map(|parameter| parameter["name"].as_str().unwrap()).collect();
            assert_eq!(names, expected, "{method} {path}");
            for status in ["200", "400", "401", "403", "404", "429", "503"] {
                assert!(operation["responses"].get(status).is_some(), "{method} {path} may answer {status}");
            }
        }
    }
}
