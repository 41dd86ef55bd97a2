//! One request over HTTP, with TLS where the address asks for it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The longest answer that is read.
const LONGEST: u64 = 1 << 20;

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The body.
    pub text: String,
    /// The cookie that it set, as `name=value`.
    pub cookie: Option<String>,
}

/// Sends a request to `path` of a server such as `https://play.example.org` and waits for its answer.
pub async fn request(
    server: &str,
    method: &str,
    path: &str,
    cookie: Option<&str>,
    body: &str,
    patience: Duration,
) -> io::Result<HttpAnswer> {
    let sending = async {
        let (scheme, rest) = server.trim_end_matches('/').split_once("://").ok_or(io::ErrorKind::InvalidInput)?;
        let (host, before) =
            rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, format!("/{path}")));
        let cookie = cookie.map(|cookie| format!("cookie: {cookie}\r\n")).unwrap_or_default();
        let length = body.len();
        // Version 1.0: the answer ends with the connection, in one piece.
        let text = format!(
            "{method} {before}/{path} HTTP/1.0\r\nhost: {host}\r\n{cookie}content-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        let port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => {
                (name, port.parse().map_err(|_| io::ErrorKind::InvalidInput)?)
            }
            _ => (host, port),
        };
        let name = name.trim_matches(['[', ']']);
        let stream = TcpStream::connect((name, port)).await?;
        if scheme == "https" {
            let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
            exchange(tls()?.connect(name, stream).await?, &text).await
        } else {
            exchange(stream, &text).await
        }
    };
    tokio::time::timeout(patience, sending).await.map_err(|_| io::ErrorKind::TimedOut)?
}

/// Trusts what the system trusts.
fn tls() -> io::Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    Ok(TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
}

async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, text: &str) -> io::Result<HttpAnswer> {
    stream.write_all(text.as_bytes()).await?;
    stream.flush().await?;
    let mut answer = Vec::new();
    let read = stream.take(LONGEST).read_to_end(&mut answer).await;
    // Many servers end an encrypted connection without saying so.
    if !matches!(&read, Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !answer.is_empty()) {
        read?;
    }
    read_answer(&String::from_utf8_lossy(&answer)).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn read_answer(answer: &str) -> Option<HttpAnswer> {
    let (head, text) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let cookie = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let value = value.split(';').next()?.trim();
        (name.eq_ignore_ascii_case("set-cookie") && !value.ends_with('=')).then(|| value.to_owned())
    });
    Some(HttpAnswer { status, text: text.to_owned(), cookie })
}
