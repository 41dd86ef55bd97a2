//! The answer to a refused request: the refusal's status, code and sentence.

use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use locale::Language;
use protocol::Refusal;
use serde::Serialize;

/// A refusal, in the language of the client.
#[derive(Clone, Debug)]
pub(crate) struct HttpError {
    refusal: Refusal,
    language: Language,
    /// How long to wait before the same request may succeed, where that is known exactly.
    wait: Option<Duration>,
}

/// Why something was refused.
#[derive(Serialize)]
struct Answer {
    /// The refusal of the protocol: its `code`, such as `not_your_turn`, and its data.
    #[serde(flatten)]
    reason: Refusal,
    /// A sentence in the language that was asked for.
    text: String,
}

impl HttpError {
    /// Says it in this language.
    pub(crate) fn in_language(mut self, language: Language) -> HttpError {
        self.language = language;
        self
    }

    /// Says when to try again.
    pub(crate) fn retry_after(mut self, wait: Duration) -> HttpError {
        self.wait = Some(wait);
        self
    }

    /// The seconds of `Retry-After`: for every refusal that passes by itself.
    fn retry_seconds(&self) -> Option<u64> {
        match self.refusal {
            Refusal::TooFast => Some(self.wait.map_or(1, |wait| wait.as_millis().div_ceil(1000) as u64)),
            Refusal::Full | Refusal::Busy { .. } | Refusal::Stopping | Refusal::Storage => Some(5),
            _ => None,
        }
    }
}

impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> HttpError {
        HttpError { refusal, language: Language::English, wait: None }
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let (text, retry) = (self.refusal.sentence(self.language), self.retry_seconds());
        let mut response = (status(&self.refusal), Json(Answer { reason: self.refusal, text })).into_response();
        if let Some(seconds) = retry {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Unreadable { .. }
        | Refusal::Version { .. }
        | Refusal::BadTable { .. }
        | Refusal::BadText
        | Refusal::BadName
        | Refusal::PasswordLength
        | Refusal::UnreadableAction { .. } => StatusCode::BAD_REQUEST,
        Refusal::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::TooFast => StatusCode::TOO_MANY_REQUESTS,
        Refusal::NoTable | Refusal::NotFound | Refusal::NoSeat => StatusCode::NOT_FOUND,
        Refusal::NotKnown | Refusal::BadPassword | Refusal::BadCode => StatusCode::UNAUTHORIZED,
        Refusal::Private
        | Refusal::Forbidden
        | Refusal::Banned
        | Refusal::NotSeated
        | Refusal::NotMaker
        | Refusal::NotRated
        | Refusal::NoTeam => StatusCode::FORBIDDEN,
        Refusal::IllegalAction { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Full | Refusal::Busy { .. } | Refusal::Stopping | Refusal::Storage => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::NotWatching
        | Refusal::SeatTaken
        | Refusal::SeatsFree
        | Refusal::NotBegun
        | Refusal::Begun
        | Refusal::Over
        | Refusal::NotYourTurn { .. }
        | Refusal::Stale
        | Refusal::TimeUp
        | Refusal::SeatIsOut
        | Refusal::NothingProposed
        | Refusal::AnotherProposal
        | Refusal::NothingToTakeBack
        | Refusal::NotAway { .. }
        | Refusal::Unknown => StatusCode::CONFLICT,
    }
}
