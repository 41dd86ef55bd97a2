//! Limits and headers of the HTTP side, as a proxy, a flood or a careless set-up meets them.

use std::time::Duration;

use crate::common::{Client, Running, scratch, seated, spec_of, unlimited};
use futures_util::{SinkExt, StreamExt};
use protocol::{Command, TableSpec};
use server::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

fn behind_a_proxy(config: Config) -> Config {
    Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..config }
}

fn from(address: &str) -> String {
    format!("x-forwarded-for: {address}\r\n")
}

#[tokio::test]
async fn a_clients_address_is_the_last_that_a_trusted_proxy_has_added() {
    let config = behind_a_proxy(Config { requests_per_second: 1, ..unlimited() });
    let server = Running::with(scratch().await, config).await;
    let flood = async |header: &str| {
        let mut refused = 0;
        for _ in 0..12 {
            refused += u32::from(server.http("GET", "/api/games", header, "").await.0 == 429);
        }
        refused
    };
    assert!(flood(&from("192.0.2.1")).await > 0);
    assert_eq!(server.http("GET", "/api/games", &from("192.0.2.2"), "").await.0, 200, "another client");
    // What stands before the proxy's own entry is the client's word and buys no new limit.
    assert_eq!(server.http("GET", "/api/games", &from("203.0.113.7, 192.0.2.1"), "").await.0, 429);
    // An entry that cannot be read makes the client the proxy itself, whatever stands before it.
    assert!(flood(&from("203.0.113.8, unknown")).await > 0);
    assert_eq!(server.http("GET", "/api/games", &from("203.0.113.9, nonsense"), "").await.0, 429);
    server.stop().await;
}

#[tokio::test]
async fn without_a_trusted_proxy_forwarded_addresses_are_not_believed() {
    let server = Running::with(scratch().await, Config { requests_per_second: 1, ..unlimited() }).await;
    let mut refused = 0;
    for number in 0..15 {
        refused += u32::from(server.http("GET", "/api/games", &from(&format!("192.0.2.{number}")), "").await.0 == 429);
    }
    assert!(refused > 0);
    server.stop().await;
}

#[tokio::test]
async fn files_and_the_description_of_the_api_are_limited_too() {
    let server = Running::with(scratch().await, Config { requests_per_second: 1, ..unlimited() }).await;
    let mut refused = (0, 0);
    for _ in 0..15 {
        refused.0 += u32::from(server.http("GET", "/api/openapi.json", "", "").await.0 == 429);
    }
    // A page loads many files at once, so there may be ten times as many.
    for _ in 0..130 {
        let (status, head, _) = server.http("GET", "/nothing.js", "", "").await;
        assert!(status == 404 || (status == 429 && head.contains("retry-after:")), "{head}");
        refused.1 += u32::from(status == 429);
    }
    assert!(refused.0 > 0 && (1..=30).contains(&refused.1), "{refused:?}");
    server.stop().await;
}

#[tokio::test]
async fn numbers_are_for_this_machine_alone() {
    let direct = Running::start().await;
    assert_eq!(direct.http("GET", "/metrics", "", "").await.0, 200);
    assert_eq!(direct.http("GET", "/metrics", &from("192.0.2.1"), "").await.0, 403, "a proxy that is not trusted");
    assert_eq!(direct.http("GET", "/metrics", "forwarded: for=192.0.2.1\r\n", "").await.0, 403);
    direct.stop().await;
    let proxied = Running::with(scratch().await, behind_a_proxy(unlimited())).await;
    assert_eq!(proxied.http("GET", "/metrics", &from("192.0.2.1"), "").await.0, 403);
    assert_eq!(proxied.http("GET", "/metrics", &from("127.0.0.1"), "").await.0, 200);
    proxied.stop().await;
}

#[tokio::test]
async fn an_encrypted_server_says_so_to_browsers() {
    let public = Some("https://play.example.org".parse().unwrap());
    let server = Running::with(scratch().await, Config { public, ..unlimited() }).await;
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    assert!(head.contains("strict-transport-security: max-age=31536000"), "{head}");
    let cookie = head.lines().find(|line| line.starts_with("set-cookie: ")).unwrap();
    assert!(cookie.starts_with("set-cookie: __host-fourfold=") && cookie.contains("secure"), "{cookie}");
    assert!(cookie.contains("path=/") && !cookie.contains("domain"), "{cookie}");
    assert!(server.http("GET", "/", "", "").await.1.contains("strict-transport-security"));
    // Under the name that any neighbouring host could set, the same value opens nothing.
    let value = cookie.split_once('=').unwrap().1.split(';').next().unwrap();
    let named = async |name: &str| server.http("GET", "/api/me", &format!("cookie: {name}={value}\r\n"), "").await.1;
    assert!(!named("__Host-fourfold").await.contains("set-cookie"));
    assert!(named("fourfold").await.contains("set-cookie"));
    server.stop().await;
    let plain = Running::start().await;
    let (_, head, _) = plain.http("GET", "/api/me", "", "").await;
    assert!(!head.contains("strict-transport") && head.contains("set-cookie: fourfold="), "{head}");
    plain.stop().await;
}

#[tokio::test]
async fn pings_count_as_messages() {
    let server = Running::with(scratch().await, Config { messages_per_second: 5, ..unlimited() }).await;
    let mut client = server.client().await;
    let flood = async {
        for _ in 0..200 {
            if client.socket.send(Message::Ping(vec![0; 100].into())).await.is_err() {
                break;
            }
        }
        loop {
            match client.socket.next().await {
                Some(Ok(Message::Close(Some(frame)))) => return u16::from(frame.code),
                Some(Ok(_)) => {}
                _ => return 0,
            }
        }
    };
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), flood).await, Ok(1008));
    server.stop().await;
}

#[tokio::test]
async fn one_address_cannot_fill_the_queue_for_analyses() {
    let server = Running::with(scratch().await, behind_a_proxy(unlimited())).await;
    let (table, mut players) = seated(&server, "quixo", 2).await;
    players[0].ask(Command::Resign {}).await;
    let path = format!("/api/tables/{table}/analysis");
    let mut answered = 0;
    while answered < 100 && server.http("GET", &path, &from("192.0.2.1"), "").await.0 != 429 {
        answered += 1;
    }
    assert!(answered < 100, "{answered}");
    assert_ne!(server.http("GET", &path, &from("192.0.2.2"), "").await.0, 429, "another address has its own");
    server.stop().await;
}

#[tokio::test]
async fn a_stream_of_events_begins_with_the_version_that_was_asked_for() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let table = client.create(TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo") }).await;
    let begin = async |query: &str| {
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let request = format!("GET /api/tables/{table}/events?{query} HTTP/1.1\r\nhost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        while !text.contains("}\n\n") && !text.contains("\"code\"") {
            let mut buffer = [0; 4096];
            let read = tokio::time::timeout(Duration::from_secs(10), stream.read(&mut buffer)).await;
            text += &String::from_utf8_lossy(&buffer[..read.unwrap().unwrap()]);
        }
        text
    };
    let asked = begin(&format!("version={}", protocol::VERSION)).await;
    assert!(asked.contains(&format!("data: {{\"type\":\"welcome\",\"version\":{}", protocol::VERSION)), "{asked}");
    assert!(begin("version=0").await.contains("\"code\":\"version\""));
    let bare = begin("seen=0").await;
    // The head has a "data: " of its own, in the policy for pictures.
    let (_, body) = bare.split_once("\r\n\r\n").unwrap();
    let first = body.split("data: ").nth(1).unwrap();
    assert!(first.starts_with("{\"type\":\"table\""), "{bare}");
    server.stop().await;
}

#[tokio::test]
async fn the_limit_of_open_files_is_raised_at_the_start() {
    use rlimit::Resource;
    let (_, hard) = Resource::NOFILE.get().unwrap();
    Resource::NOFILE.set(256, hard).unwrap();
    let config = Config { most_connections: 300, ..unlimited() };
    let needed = server::needed_files(&config);
    let server = Running::with(scratch().await, config).await;
    assert!(needed > 300 && Resource::NOFILE.get().unwrap().0 >= needed.min(hard));
    let connected: Vec<Client> = futures_util::future::join_all((0..20).map(|_| server.client())).await;
    drop(connected);
    server.stop().await;
}

/// Names that look like those of others.
#[tokio::test]
async fn no_guest_passes_for_an_account() {
    let server = Running::start().await;
    let register = async |name: &str| {
        let credentials = format!(r#"{{"name":"{name}","password":"correct horse"}}"#);
        server.http("POST", "/api/account/register", "", &credentials).await.0
    };
    let rename = async |name: &str| server.http("PATCH", "/api/me", "", &format!(r#"{{"name":"{name}"}}"#)).await.0;
    assert_eq!(register("Oleg Popov").await, 200);
    for name in [
        "oleg popov",
        "ＯＬＥＧ Ｐｏｐｏｖ",
        "Oleg  Popov",
        "Ol\u{200b}eg Popov",
        "Oleg Ророv",
        "0leg Popov",
        "OIeg Popov",
        "Oleg P\u{585}pov",
        "Ólég Pópóv",
    ] {
        let allowed = usize::from(name == "Ólég Pópóv");
        assert_eq!([400, 200][allowed], rename(name).await, "a guest called {name}");
        if allowed == 0 {
            assert_eq!(register(name).await, 400, "an account called {name}");
        }
    }
    for name in ["bot:8", "ｂｏｔ:8", "ƄOT:8", "BОT:1"] {
        assert_eq!(rename(name).await, 400, "{name}");
    }
    for name in ["Олена", "Zoë", "李明", "Анна 7"] {
        assert_eq!(rename(name).await, 200, "{name}");
    }
    server.stop().await;
}

/// The resident memory of this process in megabytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux");
    line.trim().split(' ').next().unwrap().parse::<u64>().unwrap() / 1024
}

/// Each hash of a password takes 19 MiB for a moment. Run alone, it prints what is left:
/// `cargo test --workspace --test over_network -- --ignored --nocapture memory`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures the memory of the whole process"]
async fn memory_after_logins_and_a_thousand_that_hang_up() {
    let server = Running::start().await;
    let credentials = |number: u32| format!(r#"{{"name":"name {number}","password":"wrong horse"}}"#);
    let log_in = async |number: u32| server.http("POST", "/api/account/login", "", &credentials(number)).await.0;
    assert_eq!(log_in(0).await, 401);
    let before = resident();
    for number in 1..=100 {
        assert_eq!(log_in(number).await, 401);
    }
    let ordinary = resident();
    let mut peak = ordinary;
    for batch in 0..20 {
        let hang_up = async |number: u32| {
            let body = credentials(1000 + batch * 50 + number);
            let request = format!(
                "POST /api/account/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
        };
        futures_util::future::join_all((0..50).map(hang_up)).await;
        peak = peak.max(resident());
    }
    // Whatever was begun is over before the next is answered.
    let mut number = 5000;
    while log_in(number).await != 401 {
        number += 1;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let after = resident();
    println!("memory: {before} MB, after 100 logins {ordinary} MB, after 1000 hang-ups {after} MB (peak {peak} MB)");
    assert!(ordinary <= before + 60 && peak.max(after) <= before + 60);
    server.stop().await;
}
