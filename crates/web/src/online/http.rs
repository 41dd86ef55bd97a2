//! Requests to the server's API.

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

/// Asks for something.
pub async fn get(path: &str) -> Result<Json, HttpError> {
    send("GET", path, None).await
}

/// Sends something.
pub async fn post(path: &str, body: &str) -> Result<Json, HttpError> {
    send("POST", path, Some(body)).await
}

/// Any request; an answer without content is `null`.
pub async fn send(method: &str, path: &str, body: Option<&str>) -> Result<Json, HttpError> {
    let text = text(method, path, body).await?;
    if text.is_empty() { Ok(Json::Null) } else { Json::read(&text).ok_or(HttpError::Strange) }
}

/// Any request; the answer as it is.
pub async fn text(method: &str, path: &str, body: Option<&str>) -> Result<String, HttpError> {
    let body = body.map_or(JsValue::UNDEFINED, JsValue::from_str);
    let answer = browser::request(method, path, body).await.map_err(|_| HttpError::Silence)?;
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
