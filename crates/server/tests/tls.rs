//! A server that is encrypted by itself, as an attacker finds it: no handshake, half of one, or one that is none.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{Running, scratch, unlimited};
use server::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, pem::PemObject as _};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio_rustls::{TlsConnector, client::TlsStream};

/// A server with a certificate of its own, and the folder that holds it.
async fn encrypted(name: &str) -> (Running, PathBuf) {
    let folder = std::env::temp_dir().join(format!("fourfold-tls-{name}-{}", std::process::id()));
    let config = Config { tls: Some(folder.clone()), ..unlimited() };
    (Running::with(scratch().await, config).await, folder)
}

async fn handshake(server: &Running, folder: &std::path::Path) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("certificate.pem")).unwrap()).unwrap();
    let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(server.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(client)).connect(name, stream).await.unwrap()
}

/// What comes until the server hangs up.
async fn answer(stream: &mut (impl AsyncReadExt + Unpin)) -> Vec<u8> {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await;
    assert!(read.is_ok(), "the server keeps the connection: {answer:?}");
    answer
}

#[tokio::test]
async fn what_is_no_handshake_is_hung_up_on_at_once() {
    let (server, folder) = encrypted("none").await;
    let long = [b"\x16\x03\x01\xff\xff".to_vec(), vec![b'x'; 60 << 10]].concat();
    // A ClientHello that says it has 16 MB, in as many records as the server takes.
    let record = [b"\x16\x03\x01\x40\x00".to_vec(), vec![b'x'; 16 << 10]].concat();
    let huge = [b"\x16\x03\x01\x00\x04\x01\xff\xff\xff".to_vec(), record.repeat(64)].concat();
    for (name, bytes) in [("plain HTTP", b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".to_vec()), ("long", long), ("huge", huge)]
    {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // The server may hang up before the end.
        let _ = stream.write_all(&bytes).await;
        let answer = answer(&mut stream).await;
        assert!(answer.len() < 100 && !answer.starts_with(b"HTTP"), "{name}: an alert at most, not {answer:?}");
    }
    let mut stream = handshake(&server, &folder).await;
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
    assert!(answer(&mut stream).await.ends_with(b"ok\n"), "others are served");
    server.stop().await;
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn half_open_handshakes_hold_up_neither_others_nor_the_end() {
    let (server, folder) = encrypted("half").await;
    let mut half = Vec::new();
    for number in 0..200 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        if number % 2 == 0 {
            stream.write_all(b"\x16\x03\x01\x02\x00\x01\x00").await.unwrap();
        }
        half.push(stream);
    }
    let began = std::time::Instant::now();
    let mut stream = handshake(&server, &folder).await;
    stream.write_all(b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let stopped = tokio::time::timeout(Duration::from_secs(20), server.stop()).await;
    assert!(stopped.is_ok(), "clients that only keep a place do not keep the server from ending");
    drop(half);
    std::fs::remove_dir_all(folder).unwrap();
}
