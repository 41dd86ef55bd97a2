//! Why there is no connection, or no longer one.

use std::{fmt, io};

use tokio_rustls::rustls;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::TlsError;
use tokio_tungstenite::tungstenite::http::StatusCode;

/// Why a connection can no longer be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionError {
    /// It is closed, or could not be opened; a later attempt may succeed.
    Closed(String),
    /// It could not be opened, and no later attempt can succeed.
    Impossible(Obstacle),
    /// The server sent what cannot be: a bug on one side.
    Wrong(String),
}

/// Why no attempt to connect can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The server does not know the token.
    UnknownToken,
    /// What answers at the address is no Fourfold server.
    OtherServer,
    /// The address cannot be one.
    BadAddress,
    /// The address asks for TLS, and the server does not speak it.
    NoTls,
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectionError::Closed(why) => write!(f, "the connection is closed: {why}"),
            ConnectionError::Impossible(obstacle) => obstacle.fmt(f),
            ConnectionError::Wrong(what) => write!(f, "the server is wrong: {what}"),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::UnknownToken => "the server does not know this token",
            Obstacle::OtherServer => "there is no Fourfold server at this address; it is written without a path",
            Obstacle::BadAddress => "this is no address; it looks like https://play.example.org",
            Obstacle::NoTls => "the server does not speak TLS; write http:// instead",
        })
    }
}

impl std::error::Error for ConnectionError {}

impl ConnectionError {
    /// What an attempt to connect failed by.
    pub(crate) fn of_attempt(error: Error) -> ConnectionError {
        match obstacle(&error) {
            Some(obstacle) => ConnectionError::Impossible(obstacle),
            None => ConnectionError::Closed(error.to_string()),
        }
    }
}

fn obstacle(error: &Error) -> Option<Obstacle> {
    match error {
        Error::Http(response) => match response.status() {
            StatusCode::UNAUTHORIZED => Some(Obstacle::UnknownToken),
            StatusCode::NOT_FOUND => Some(Obstacle::OtherServer),
            _ => None,
        },
        Error::HttpFormat(_) | Error::Url(_) => Some(Obstacle::BadAddress),
        Error::Tls(TlsError::Rustls(error)) => is_no_tls(error).then_some(Obstacle::NoTls),
        Error::Io(error) => is_no_tls(tls_error(error)?).then_some(Obstacle::NoTls),
        _ => None,
    }
}

/// The error of TLS that an error of reading or writing wraps.
fn tls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// What the server sent is no message of TLS at all; a bad certificate, for example, may be mended.
fn is_no_tls(error: &rustls::Error) -> bool {
    matches!(error, rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType))
}
