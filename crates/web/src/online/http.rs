//! Requests to the server's API.

use std::pin::Pin;

use locale::Language;
use protocol::{Compact as _, Json, Refusal, ServerMessage};
use wasm_bindgen::JsValue;

use super::browser;

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum HttpError {
    /// No answer: no network, or no server.
    Silence,
    /// The server says no.
    Refused(Refusal),
    /// An answer that cannot be understood: another version, or no server of ours.
    Strange,
}

impl HttpError {
    /// What to tell the person.
    pub fn sentence(&self, language: Language) -> String {
        match self {
            HttpError::Silence => language.online_no_answer().to_owned(),
            HttpError::Refused(reason) => reason.sentence(language),
            HttpError::Strange => Refusal::Unknown.sentence(language),
        }
    }
}

/// An answer that is waited for. In a box, because it is waited for in dozens of places, each of which would carry its
/// steps and what to drop after each.
type Waiting<T> = Pin<Box<dyn Future<Output = Result<T, HttpError>>>>;

/// Asks for something.
pub fn get(path: &str) -> Waiting<Json> {
    send("GET", path, None)
}

/// Sends something.
pub fn post(path: &str, body: &str) -> Waiting<Json> {
    send("POST", path, Some(body))
}

/// Any request; an answer without content is `null`.
pub fn send(method: &'static str, path: &str, body: Option<&str>) -> Waiting<Json> {
    let text = text(method, path, body);
    Box::pin(async move {
        let text = text.await?;
        if text.is_empty() { Ok(Json::Null) } else { Json::read(&text).ok_or(HttpError::Strange) }
    })
}

/// Any request; the answer as it is.
pub fn text(method: &'static str, path: &str, body: Option<&str>) -> Waiting<String> {
    let (path, body) = (path.to_owned(), body.map_or(JsValue::UNDEFINED, JsValue::from_str));
    Box::pin(answered(method, path, body))
}

async fn answered(method: &'static str, path: String, body: JsValue) -> Result<String, HttpError> {
    let answer = browser::request(method, &path, body).await.map_err(|_| HttpError::Silence)?;
    let answer = js_sys::Array::from(&answer);
    let status = answer.get(0).as_f64().unwrap_or_default();
    let text = answer.get(1).as_string().unwrap_or_default();
    if (200.0..300.0).contains(&status) {
        return Ok(text);
    }
    let problem = Json::read(&text).filter(|problem| problem.get("code").is_some());
    Err(problem.and_then(|problem| Refusal::read(&problem)).map_or(HttpError::Strange, HttpError::Refused))
}

/// A message of a socket or a stream.
pub fn read_message(text: &JsValue) -> Option<ServerMessage> {
    protocol::read_compact(&text.as_string()?)
}
