//! The files of the browser app.

use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Fourfold</title>\
<h1>The browser app is not part of this build</h1><p>Build it and start again with: <code>cargo xtask run</code></p>\n";

/// Whether there is anything to serve.
pub(crate) fn embedded() -> bool {
    !FILES.is_empty()
}

/// Answers with an embedded file; a path that is no file may be a page of the app, whose address stands after `#`.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response<Body> {
    if method != Method::GET && method != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "Only GET is possible here.\n");
    }
    let path = uri.path().trim_start_matches('/');
    if !embedded() {
        return text(StatusCode::NOT_FOUND, "text/html; charset=utf-8", NOT_BUILT);
    }
    match find(if path.is_empty() { "index.html" } else { path }) {
        Some((name, packed)) => file(name, packed, &headers),
        None if is_page(path) => elsewhere(&format!("/#/{path}")),
        None => plain(StatusCode::NOT_FOUND, "There is no such file here.\n"),
    }
}

fn elsewhere(address: &str) -> Response<Body> {
    let response = Response::builder().status(StatusCode::FOUND).header(LOCATION, address).body(Body::empty());
    response.unwrap_or_else(|_| plain(StatusCode::NOT_FOUND, "There is no such page here.\n"))
}

fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    FILES.iter().find(|(name, _)| *name == path).copied()
}

/// Pages have no dot in their last part; files do. What programs ask for is no page.
fn is_page(path: &str) -> bool {
    !path.starts_with("api/") && !path.rsplit('/').next().unwrap_or_default().contains('.')
}

fn file(name: &str, packed: &'static [u8], headers: &HeaderMap) -> Response<Body> {
    let has = |header, text: &str| {
        headers.get(header).and_then(|value| value.to_str().ok()).is_some_and(|v| v.contains(text))
    };
    let tag = format!("\"{:016x}\"", checksum(packed));
    // Names stay the same between versions, so a browser must ask each time; the answer is mostly 304.
    let response = Response::builder()
        .header(CONTENT_TYPE, content_type(name))
        .header(CACHE_CONTROL, "no-cache")
        .header(VARY, "accept-encoding")
        .header(ETAG, &tag);
    let response = if has(IF_NONE_MATCH, &tag) {
        response.status(StatusCode::NOT_MODIFIED).body(Body::empty())
    } else if has(ACCEPT_ENCODING, "br") {
        response.header(CONTENT_ENCODING, "br").body(Body::from(packed))
    } else {
        let mut plain = Vec::new();
        match brotli::BrotliDecompress(&mut &packed[..], &mut plain) {
            Ok(()) => response.body(Body::from(plain)),
            Err(_) => response.status(StatusCode::INTERNAL_SERVER_ERROR).body(Body::empty()),
        }
    };
    response.unwrap_or_else(|_| plain(StatusCode::INTERNAL_SERVER_ERROR, "The answer could not be built.\n"))
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("txt") => "text/plain; charset=utf-8",
        Some("json" | "webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn plain(status: StatusCode, sentence: &'static str) -> Response<Body> {
    text(status, "text/plain; charset=utf-8", sentence)
}

fn text(status: StatusCode, content_type: &'static str, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
