//! Authentication: a guest with a signed cookie, an account with a session, a bot with a token.

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use cookie::{Cookie, SameSite};
use protocol::{Person, PersonKind, Refusal};

use crate::runtime::{self, wall};
use crate::secret;
use crate::store::{SessionRow, Store, StoreError};

/// The name of the cookie, and its name over encrypted connections: browsers let no other host and no script of a subdomain
/// set one that begins so.
const NAME: &str = "fourfold";
const SECURE_NAME: &str = "__Host-fourfold";
/// How long a browser keeps it, in seconds: a year, and a year more with each visit.
const YEAR: i64 = 366 * 24 * 60 * 60;
/// The most browsers that are logged in to one account: the one that came first is logged out. Each login is a row for a year.
const MOST_SESSIONS: i64 = 50;
/// In milliseconds.
const MINUTE: i64 = 60_000;

/// Finds out which person a request is from.
#[derive(Clone)]
pub(crate) struct Identity {
    key: String,
    /// Whether cookies are for encrypted connections only.
    secure: bool,
}

/// The kind of a person as the database writes it; none for one who was deleted.
pub(crate) fn kind(word: &str) -> Option<PersonKind> {
    match word {
        "guest" => Some(PersonKind::Guest),
        "account" => Some(PersonKind::Account),
        "bot" => Some(PersonKind::Bot),
        _ => None,
    }
}

/// The sender of a request, and the cookie to be set if there was none.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) person: Person,
    pub(crate) cookie: Option<HeaderValue>,
    /// The hash of the session's token, for a person who is logged in.
    pub(crate) session: Option<String>,
}

impl Identity {
    /// The key is made once and kept with everything else, so that guests outlive a restart.
    pub(crate) async fn new(store: &Store, secure: bool) -> Result<Identity, StoreError> {
        let key = store.setting("cookie_key", secret::token).await?;
        Ok(Identity { key, secure })
    }

    /// The person who sent a request; a new guest without a credential. An invalid token is refused.
    pub(crate) async fn of(&self, store: &Store, headers: &HeaderMap) -> Result<Known, Refusal> {
        if let Some(token) = bearer(headers) {
            let session = self.session(store, token).await?.ok_or(Refusal::NotKnown)?;
            note_use(store, &session);
            return self.known(store, &session.person, Some(session.token_hash)).await;
        }
        match self.sent(headers).as_deref() {
            Some(value) if value.starts_with("s.") => match self.session(store, &value[2..]).await? {
                Some(session) => self.known(store, &session.person, Some(session.token_hash)).await,
                // Logged out elsewhere: a guest from now on.
                None => Ok(self.new_guest()),
            },
            Some(value) => match self.guest(value) {
                Some(id) => self.known(store, id, None).await,
                None => Ok(self.new_guest()),
            },
            None => Ok(self.new_guest()),
        }
    }

    async fn session(&self, store: &Store, token: &str) -> Result<Option<SessionRow>, Refusal> {
        store.session(&secret::hash(token), wall()).await.map_err(|_| Refusal::Storage)
    }

    async fn known(&self, store: &Store, id: &str, session: Option<String>) -> Result<Known, Refusal> {
        let row = store.person(id).await.map_err(|_| Refusal::Storage)?;
        let (name, kind) = row.map_or((String::new(), Some(PersonKind::Guest)), |row| (row.name, kind(&row.kind)));
        let Some(kind) = kind.filter(|kind| *kind != PersonKind::Account || session.is_some()) else {
            // The guest has become an account, which a guest's cookie does not open.
            return Ok(self.new_guest());
        };
        Ok(Known { person: Person { id: id.to_owned(), name, kind }, cookie: None, session })
    }

    fn guest<'a>(&self, value: &'a str) -> Option<&'a str> {
        let (id, signature) = value.strip_prefix("g.")?.split_once('.')?;
        (secret::is_name(id) && secret::is_signed(&self.key, id, signature)).then_some(id)
    }

    pub(crate) fn new_guest(&self) -> Known {
        let id = secret::name();
        let cookie = self.set(&format!("g.{id}.{}", secret::sign(&self.key, &id)));
        let person = Person { id, name: String::new(), kind: PersonKind::Guest };
        Known { person, cookie, session: None }
    }

    /// Begins a session; the cookie for it.
    pub(crate) async fn log_in(&self, store: &Store, person: &str) -> Result<Option<HeaderValue>, StoreError> {
        let (token, session) = self.session_for(person, "browser", "browser");
        store.keep_session(session, MOST_SESSIONS).await?;
        Ok(self.set(&format!("s.{token}")))
    }

    /// A new token for a person or a bot, and what is to be kept of it.
    pub(crate) fn session_for(&self, person: &str, kind: &str, label: &str) -> (String, SessionRow) {
        let token = secret::token();
        let session = SessionRow {
            token_hash: secret::hash(&token),
            person: person.to_owned(),
            kind: kind.to_owned(),
            label: label.chars().take(60).collect(),
            created_at: wall(),
            expires_at: wall() + YEAR * 1000,
            used_at: None,
        };
        (token, session)
    }

    /// Takes the cookie away.
    pub(crate) fn clear(&self) -> Option<HeaderValue> {
        self.cookie("", 0)
    }

    /// The cookie that a request has. Over encrypted connections the other name counts for nothing: a page of a
    /// neighbouring host could have set it.
    fn sent(&self, headers: &HeaderMap) -> Option<String> {
        let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let cookies: Vec<Cookie<'_>> = all.flat_map(Cookie::split_parse).filter_map(Result::ok).collect();
        let name = if self.secure { SECURE_NAME } else { NAME };
        cookies.iter().find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
    }

    fn set(&self, value: &str) -> Option<HeaderValue> {
        self.cookie(value, YEAR)
    }

    fn cookie(&self, value: &str, seconds: i64) -> Option<HeaderValue> {
        let cookie = Cookie::build((if self.secure { SECURE_NAME } else { NAME }, value))
            .path("/")
            .http_only(true)
            .secure(self.secure);
        // Lax and not Strict: a guest who follows a link from a chat is still the same guest.
        let cookie = cookie.same_site(SameSite::Lax).max_age(cookie::time::Duration::seconds(seconds));
        HeaderValue::from_str(&cookie.to_string()).ok()
    }
}

/// Notes that a bot's token is used, once a minute at most; no request waits for it.
fn note_use(store: &Store, session: &SessionRow) {
    let now = wall();
    if session.kind != "bot" || session.used_at.is_some_and(|used| now - used < MINUTE) {
        return;
    }
    let (store, hash) = (store.clone(), session.token_hash.clone());
    runtime::spawn(async move { store.note_use(&hash, now - now % MINUTE).await });
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    // In any letter case (RFC 9110): a program with a token must not become a guest.
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
