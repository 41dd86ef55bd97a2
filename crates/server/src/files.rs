//! The files of the browser app, which the program embeds.

use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri};
use routes::Route;

/// What the program brought along.
static FILES: OnceLock<Vec<File>> = OnceLock::new();

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Fourfold</title>\
<h1>The browser app is not part of this build</h1><p>Build it and start again with: <code>cargo xtask run</code></p>\n";

/// The file that every page of the app is.
const PAGE: &str = "index.html";

/// An embedded file.
struct File {
    name: &'static str,
    /// A tag that differs whenever the content does.
    tag: &'static str,
    brotli: &'static [u8],
    /// The content itself, unpacked for the first client that does not understand brotli.
    plain: OnceLock<Bytes>,
}

impl File {
    fn named(name: &str) -> Option<&'static File> {
        files().binary_search_by(|file| file.name.cmp(name)).ok().map(|at| &files()[at])
    }

    fn plain(&self) -> Bytes {
        let unpack = || {
            let mut plain = Vec::new();
            // What the build packed can be unpacked.
            let _ = brotli::BrotliDecompress(&mut &*self.brotli, &mut plain);
            Bytes::from(plain)
        };
        self.plain.get_or_init(unpack).clone()
    }
}

/// Takes the files to serve; the first call counts.
pub(crate) fn embed(files: &[(&'static str, &'static str, &'static [u8])]) {
    FILES.get_or_init(|| {
        let file = |&(name, tag, brotli)| File { name, tag, brotli, plain: OnceLock::new() };
        let mut files: Vec<File> = files.iter().map(file).collect();
        files.sort_by_key(|file| file.name);
        files
    });
}

/// Every embedded file, in the order of names.
fn files() -> &'static [File] {
    FILES.get().map_or(&[], Vec::as_slice)
}

/// Whether there is anything to serve.
pub(crate) fn embedded() -> bool {
    !files().is_empty()
}

/// Answers with an embedded file or a page of the app. Any other address is not found; browsers get the app all the same,
/// which says so and shows the way home.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response<Body> {
    if method != Method::GET && method != Method::HEAD {
        return text(StatusCode::METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", "Only GET is possible here.\n");
    }
    if !embedded() {
        return text(StatusCode::NOT_FOUND, "text/html; charset=utf-8", NOT_BUILT);
    }
    let path = uri.path();
    let found = if Route::read(path).is_some() { File::named(PAGE) } else { File::named(path.trim_start_matches('/')) };
    match found {
        Some(file) => answer(StatusCode::OK, file, &headers),
        None if wants_html(&headers) => match File::named(PAGE) {
            Some(page) => answer(StatusCode::NOT_FOUND, page, &headers),
            None => no_such_file(),
        },
        None => no_such_file(),
    }
}

/// The app's page as text; nothing in a build without the app.
pub(crate) fn page() -> Option<String> {
    String::from_utf8(File::named(PAGE)?.plain().to_vec()).ok()
}

/// A short text packed with brotli, fast rather than small.
pub(crate) fn packed(text: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 5, ..Default::default() };
    brotli::BrotliCompress(&mut &*text, &mut packed, &parameters).ok()?;
    Some(packed)
}

fn answer(status: StatusCode, file: &File, headers: &HeaderMap) -> Response<Body> {
    let packed = accepts_brotli(headers);
    let tag = if packed { format!("\"{}-br\"", file.tag) } else { format!("\"{}\"", file.tag) };
    let known = status == StatusCode::OK && values(headers, IF_NONE_MATCH).any(|known| known == tag);
    let body = match (known, packed) {
        (true, _) => Body::empty(),
        (false, true) => Body::from(file.brotli),
        (false, false) => Body::from(file.plain()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = if known { StatusCode::NOT_MODIFIED } else { status };
    // The folder of a build is named by its content; a file anywhere else may change under the same name.
    let keep = if file.name.starts_with("build-") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let fields = response.headers_mut();
    fields.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(file.name)));
    fields.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    fields.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        fields.insert(ETAG, tag);
    }
    if packed && !known {
        fields.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    response
}

/// The comma-separated values of a header.
fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(',')).map(str::trim)
}

/// Whether a client understands brotli. A coding with a quality of 0 is refused, and `*` speaks for all not named.
pub(crate) fn accepts_brotli(headers: &HeaderMap) -> bool {
    let quality = |coding: &str| {
        values(headers, ACCEPT_ENCODING).find_map(|value| {
            let (name, parameters) = value.split_once(';').unwrap_or((value, ""));
            let quality = parameters.trim().strip_prefix("q=").and_then(|quality| quality.trim().parse().ok());
            name.trim().eq_ignore_ascii_case(coding).then_some(quality.unwrap_or(1.0))
        })
    };
    quality("br").or_else(|| quality("*")).is_some_and(|quality: f32| quality > 0.0)
}

/// Whether a person is to read the answer in a browser.
fn wants_html(headers: &HeaderMap) -> bool {
    values(headers, ACCEPT).any(|value| value.split(';').next() == Some("text/html"))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("txt") => "text/plain; charset=utf-8",
        Some("json" | "webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn no_such_file() -> Response<Body> {
    text(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", "There is no such file here.\n")
}

fn text(status: StatusCode, content_type: &'static str, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_quality_of_zero_refuses_brotli() {
        let accepts = |value| accepts_brotli(&asking(ACCEPT_ENCODING, value));
        assert!(accepts("gzip, deflate, br, zstd"));
        assert!(accepts("BR;q=0.1"));
        assert!(accepts("*"));
        assert!(!accepts("gzip, br;q=0"));
        assert!(!accepts("br; q=0.000, *"));
        assert!(!accepts("*;q=0"));
        assert!(!accepts("gzip, brotli"));
        assert!(!accepts_brotli(&HeaderMap::new()));
    }

    #[test]
    fn browsers_ask_for_html_and_programs_do_not() {
        assert!(wants_html(&asking(ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")));
        assert!(!wants_html(&asking(ACCEPT, "*/*")));
        assert!(!wants_html(&HeaderMap::new()));
    }

    /// An app of one page.
    fn embed_page() {
        let mut packed = Vec::new();
        let page = b"<!doctype html><title>Fourfold</title>";
        brotli::BrotliCompress(&mut &page[..], &mut packed, &Default::default()).expect("memory can be written");
        embed(&[(PAGE, "1", packed.leak())]);
    }

    #[tokio::test]
    async fn what_is_no_page_is_not_found() {
        embed_page();
        let status = async |path: &'static str, accept: &'static str| {
            let response = serve(Method::GET, Uri::from_static(path), asking(ACCEPT, accept)).await;
            (response.status(), response.headers()[CONTENT_TYPE].to_str().unwrap_or_default().to_owned())
        };
        for path in ["/", "/quarto", "/quarto/", "/t/abc", "/learn/quixo", "/online/new/four"] {
            assert_eq!(status(path, "text/html").await.0, StatusCode::OK, "{path}");
        }
        for path in ["/nowhere", "/learn/chess", "/t", "/quarto/nowhere", "/build-0/boot.js", "/api/nothing"] {
            let (status, content_type) = status(path, "text/html,*/*").await;
            assert_eq!((status, content_type.as_str()), (StatusCode::NOT_FOUND, "text/html; charset=utf-8"), "{path}");
        }
        assert_eq!(status("/nowhere", "*/*").await.1, "text/plain; charset=utf-8");
    }

    #[test]
    fn a_file_is_unpacked_once() {
        embed_page();
        let page = File::named(PAGE).expect("it is embedded");
        assert!(page.plain().starts_with(b"<!doctype html>"));
        assert_eq!(page.plain().as_ptr(), page.plain().as_ptr());
    }

    #[test]
    fn a_known_tag_is_answered_without_content() {
        embed_page();
        let page = File::named(PAGE).expect("it is embedded");
        let tag = answer(StatusCode::OK, page, &HeaderMap::new()).headers()[ETAG].clone();
        let known = HeaderMap::from_iter([(IF_NONE_MATCH, tag)]);
        assert_eq!(answer(StatusCode::OK, page, &known).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(answer(StatusCode::NOT_FOUND, page, &known).status(), StatusCode::NOT_FOUND);
    }
}
