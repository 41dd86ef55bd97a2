//! What a request is answered when it cannot be done: one enum of codes, each with its status and its sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use locale::Language;
use protocol::Code;
use serde::Serialize;

use crate::tables::Refusal;

/// A refusal on its way to somebody who reads a language.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    refusal: Refusal,
    language: Language,
}

/// Why something was refused.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct Problem {
    /// The code of the protocol, such as `not_your_turn`.
    #[schema(value_type = String)]
    code: Code,
    /// What the code needs to be told, such as the action.
    args: Vec<String>,
    /// A sentence in the language that was asked for.
    text: String,
}

impl Failure {
    /// Says it in this language.
    pub(crate) fn in_language(mut self, language: Language) -> Failure {
        self.language = language;
        self
    }
}

impl<R: Into<Refusal>> From<R> for Failure {
    fn from(refusal: R) -> Failure {
        Failure { refusal: refusal.into(), language: Language::English }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Refusal { code, args } = self.refusal;
        let text = protocol::sentence(self.language, code, &args);
        (status(code), Json(Problem { code, args, text })).into_response()
    }
}

fn status(code: Code) -> StatusCode {
    match code {
        Code::Unreadable | Code::Version | Code::BadWish | Code::BadText | Code::BadName | Code::UnreadableAction => {
            StatusCode::BAD_REQUEST
        }
        Code::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
        Code::TooFast => StatusCode::TOO_MANY_REQUESTS,
        Code::NoTable | Code::NotFound | Code::NoSeat => StatusCode::NOT_FOUND,
        Code::NotKnown | Code::BadPassword => StatusCode::UNAUTHORIZED,
        Code::Private | Code::Forbidden | Code::NotSeated | Code::NotMaker | Code::NotRated | Code::NoTeam => {
            StatusCode::FORBIDDEN
        }
        Code::IllegalAction => StatusCode::UNPROCESSABLE_ENTITY,
        Code::Full | Code::Stopping | Code::Storage => StatusCode::SERVICE_UNAVAILABLE,
        Code::NotWatching
        | Code::SeatTaken
        | Code::SeatsFree
        | Code::NotBegun
        | Code::Begun
        | Code::Over
        | Code::NotYourTurn
        | Code::Stale
        | Code::TimeUp
        | Code::SeatIsOut
        | Code::NothingProposed
        | Code::AnotherProposal
        | Code::NothingToTakeBack
        | Code::NotAway => StatusCode::CONFLICT,
    }
}
