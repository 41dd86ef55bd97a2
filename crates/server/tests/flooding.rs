//! What one client may cost: messages that count, limits that an address shares, and names that point here from elsewhere.

use crate::common::{Client, Running, account, cookie, field, scratch, spec_of, unlimited, with};
use futures_util::SinkExt;
use protocol::{ChatLine, Command, Refusal, ServerMessage, TableSpec};
use server::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

/// A server behind a proxy on this machine, so that a test can come from any address.
async fn behind_a_proxy() -> Running {
    let config = Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..unlimited() };
    Running::with(scratch().await, config).await
}

fn from(address: &str) -> String {
    format!("x-forwarded-for: {address}\r\n")
}

#[tokio::test]
async fn pongs_that_no_ping_asked_for_count_as_messages() {
    let config = Config { messages_per_second: 5, ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    let mut client = server.client().await;
    for _ in 0..100 {
        // The server may hang up before the last.
        if client.socket.send(Message::Pong(vec![0; 8].into())).await.is_err() {
            break;
        }
    }
    assert_eq!(client.until_closing().await, Refusal::TooFast);
    server.stop().await;
}

#[tokio::test]
async fn a_name_that_another_page_lets_point_here_reads_nothing() {
    let server = Running::start().await;
    let read = async |path: &str, host: &str| {
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).split(' ').nth(1).unwrap().parse::<u16>().unwrap()
    };
    for path in ["/api/lobby", "/metrics", "/preview/home", "/embed/puzzle/quixo"] {
        assert_eq!(read(path, "rebind.example.org").await, 403, "{path}");
        for host in ["localhost:1", "192.168.1.4", "box.local"] {
            assert_eq!(read(path, host).await, 200, "{path} of {host}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn asking_whether_the_server_is_ready_counts_as_a_request() {
    let config = Config { requests_per_second: 1, ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    // Ten at once, then one a second: a slow machine needs more.
    let mut answered = 0;
    while answered < 200 && server.http("GET", "/ready", "", "").await.0 != 429 {
        answered += 1;
    }
    assert!((10..200).contains(&answered), "{answered}");
    server.stop().await;
}

#[tokio::test]
async fn a_long_head_is_refused_before_it_takes_memory() {
    let server = Running::start().await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let head = format!("GET /api/lobby HTTP/1.1\r\nhost: x\r\nlong: {}\r\n\r\n", "x".repeat(100 << 10));
    // The server may hang up while it is still being sent.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    server.stop().await;
}

/// A request in the body of another is no request: who sends both lengths, or one twice, is refused or hung up on.
#[tokio::test]
async fn no_request_hides_in_the_body_of_another() {
    let server = Running::start().await;
    let inner = "GET /api/games HTTP/1.1\r\nhost: x\r\n\r\n";
    for lengths in [
        "content-length: 5\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ncontent-length: 5\r\n",
        "content-length: 5\r\ncontent-length: 60\r\n",
        "transfer-encoding: identity\r\ncontent-length: 5\r\n",
        "transfer-encoding: chunked, identity\r\n",
    ] {
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let text = format!(
            "POST /api/account/logout HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{lengths}\r\n0\r\n\r\n{inner}"
        );
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(std::time::Duration::from_secs(2), stream.read_to_end(&mut answer)).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        // With `chunked` alone the body ends where it says, and what follows is a request of this connection.
        let chunked = lengths.starts_with("content-length: 5\r\ntransfer")
            || lengths.starts_with("transfer-encoding: chunked\r\n");
        let allowed = usize::from(chunked);
        assert!(answer.matches("\"presets\"").count() <= allowed * 10, "{lengths:?}: {answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_address_registers_and_exports_only_so_often() {
    let server = behind_a_proxy().await;
    let register = async |address: &str, number: u32| {
        let credentials = format!(r#"{{"name":"Name {number}","password":"correct horse"}}"#);
        server.http("POST", "/api/account/register", &from(address), &credentials).await.0
    };
    for number in 0..10 {
        assert_eq!(register(&format!("2001:db8::{number}"), number).await, 200);
    }
    assert_eq!(register("2001:db8::a", 10).await, 429, "the same network");
    assert_eq!(register("2001:db8:1::a", 10).await, 200);
    let export = async |address: &str| server.http("GET", "/api/me/export", &from(address), "").await.0;
    for _ in 0..5 {
        assert_eq!(export("192.0.2.1").await, 200);
    }
    assert_eq!((export("192.0.2.1").await, export("192.0.2.2").await), (429, 200));
    server.stop().await;
}

/// A request without a cookie is a new guest, and one who leaves a trace is kept for a year.
#[tokio::test]
async fn an_address_brings_so_many_guests_in_a_minute() {
    let server = behind_a_proxy().await;
    let rename = async |headers: &str| server.http("PATCH", "/api/me", headers, r#"{"name":"Ann"}"#).await;
    let (_, head, _) = rename(&from("192.0.2.1")).await;
    let known = with(&cookie(&head)) + &from("192.0.2.1");
    // One is allowed again each second: the test must not depend on how fast it is.
    let use_up = async || {
        let mut guests = 0;
        while guests < 300 && rename(&from("192.0.2.1")).await.0 == 200 {
            guests += 1;
        }
        guests
    };
    let guests = 1 + use_up().await;
    assert!((60..300).contains(&guests), "{guests}");
    for (method, path, body) in [
        ("POST", "/api/tables", r#"{"game":"quixo"}"#),
        ("POST", "/api/pair", r#"{"game":"quixo"}"#),
        ("POST", "/api/me/tokens", r#"{"name":"Marvin"}"#),
    ] {
        let mut attempts = 0;
        while server.http(method, path, &from("192.0.2.1"), body).await.0 != 429 {
            attempts += 1;
            assert!(attempts < 10, "{path} by one more guest");
            use_up().await;
        }
        assert_eq!(server.http(method, path, &known, body).await.0, 200, "{path} by a guest who is known");
        assert_eq!(server.http(method, path, &from("192.0.2.2"), body).await.0, 200, "{path} from elsewhere");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_line_is_reported_once_by_each_person_and_its_speaker_can_be_banned() {
    let server = behind_a_proxy().await;
    let place = server.database.parse().unwrap();
    let key = server::operator_key(&place).await.unwrap().unwrap();
    let key = format!("authorization: Bearer {key}\r\n");
    let mut one = server.client().await;
    let table = one.create(spec_of("quixo")).await;
    // A guest who never sits down, but talks.
    let mut speaker = server.client().await;
    speaker.ask(Command::Watch { table: table.clone(), seen: 0 }).await;
    let said = speaker.ask(Command::Say { line: ChatLine::Text { text: "rude".to_owned() } }).await;
    let ServerMessage::Acknowledged { seq, .. } = said else { panic!("{said:?}") };
    let report = async |words: &str| {
        let body = format!(r#"{{"seq":{seq},"words":"{words}"}}"#);
        let headers = with(&one.cookie) + &from("192.0.2.1");
        server.http("POST", &format!("/api/tables/{table}/report"), &headers, &body).await.0
    };
    assert_eq!((report("first").await, report("second").await), (204, 204));
    let (_, _, list) = server.http("GET", "/api/operator/reports", &key, "").await;
    assert!(list.matches("\"rude\"").count() == 1 && list.contains("second") && !list.contains("first"), "{list}");
    for _ in 0..8 {
        assert_eq!(report("more").await, 204);
    }
    assert_eq!(report("too many").await, 429);
    let body = format!(r#"{{"target":"{}"}}"#, speaker.me.id);
    assert_eq!(server.http("POST", "/api/operator/bans", &key, &body).await.0, 204);
    server.stop().await;
}

#[tokio::test]
async fn there_is_no_rematch_with_a_person_who_is_blocked() {
    let server = Running::start().await;
    let mut ann = Client::connect(server.address, Some(&account(&server, "Ann").await)).await;
    let mut bob = Client::connect(server.address, Some(&account(&server, "Bob").await)).await;
    let table = ann.create(spec_of("quixo")).await;
    bob.join(&table).await;
    ann.until_seq(3).await;
    bob.ask(Command::Resign {}).await;
    let rematch = || Command::Propose { offer: protocol::Offer::Rematch };
    assert!(matches!(bob.ask(rematch()).await, ServerMessage::Acknowledged { .. }));
    let block = format!("/api/me/blocks/{}", bob.me.id);
    assert_eq!(server.http("PUT", &block, &with(&ann.cookie), "").await.0, 204);
    // Neither what was proposed before nor a new proposal, from either side.
    assert_eq!(crate::common::code(&ann.ask(Command::Agree { offer: protocol::Offer::Rematch }).await), "forbidden");
    assert!(matches!(
        ann.ask(Command::Decline { offer: protocol::Offer::Rematch }).await,
        ServerMessage::Acknowledged { .. }
    ));
    assert_eq!(crate::common::code(&ann.ask(rematch()).await), "forbidden");
    assert_eq!(crate::common::code(&bob.ask(rematch()).await), "forbidden");
    assert_eq!(server.http("DELETE", &block, &with(&ann.cookie), "").await.0, 204);
    assert!(matches!(ann.ask(rematch()).await, ServerMessage::Acknowledged { .. }));
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_knows_no_rules_plays_by_what_it_may_play() {
    let server = Running::start().await;
    for game in ["quixo", "sequence"] {
        let headers = with(&cookie(&server.http("GET", "/api/me", "", "").await.1));
        let body = format!(r#"{{"game":"{game}","seat":1,"bots":[null,1]}}"#);
        let (_, _, made) = server.http("POST", "/api/tables", &headers, &body).await;
        let table = crate::common::field(&made, "table");
        let turn = async |headers: &str| {
            let (status, _, body) = server.http("GET", &format!("/api/tables/{table}/turn"), headers, "").await;
            assert_eq!(status, 200, "{body}");
            serde_json::from_str::<serde_json::Value>(&body).unwrap()
        };
        // With two chips and a corner no bot has won yet.
        let mut own = 0;
        while own < 2 {
            let now = turn(&headers).await;
            let Some(action) = now["actions"].get(0) else {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            };
            assert_eq!((&now["you"], &now["to_act"]), (&1.into(), &1.into()));
            let others = turn("").await;
            assert!(others["actions"] == serde_json::json!([]) && others["to_act"] == 1, "{others}");
            let body = format!(r#"{{"action":{action},"at":{}}}"#, now["at"]);
            let (status, _, body) = server.http("POST", &format!("/api/tables/{table}/act"), &headers, &body).await;
            assert_eq!(status, 200, "{body}");
            own += 1;
        }
        assert_eq!(server.http("POST", &format!("/api/tables/{table}/resign"), &headers, "").await.0, 200);
        let over = turn(&headers).await;
        assert!(over["state"] == "over" && over["result"] == "p2win" && over["to_act"].is_null(), "{over}");
    }
    server.stop().await;
}

#[tokio::test]
async fn reading_old_games_does_not_keep_them_in_memory() {
    let server = Running::with(scratch().await, Config { most_tables: 3, ..unlimited() }).await;
    let mut client = server.client().await;
    let mut made = 0;
    // Each is over and left at once, so there is always room for the next after a while.
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(40);
    while made < 5 {
        let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo") };
        match client.ask(Command::Create(spec)).await {
            ServerMessage::Acknowledged { .. } => {
                made += 1;
                client.ask(Command::Resign {}).await;
            }
            refused => {
                assert_eq!(crate::common::code(&refused), "full");
                assert!(tokio::time::Instant::now() < until, "{made} tables");
                tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_networks_of_one_ipv6_site_share_a_wider_limit() {
    let config = Config {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        tables_per_minute: 1,
        connections_per_address: 1,
        ..unlimited()
    };
    let server = Running::with(scratch().await, config).await;
    let make = async |address: &str| {
        server.http("POST", "/api/tables", &from(address), r#"{"game":"quixo","seat":1}"#).await.0
    };
    // Sixteen at once, and one more every four seconds.
    let mut made = 0;
    while made < 100 && make(&format!("2001:db8:1:{made:x}::1")).await == 200 {
        made += 1;
    }
    assert!((16..100).contains(&made), "a table from each of {made} networks of one /48");
    assert_eq!(make("2001:db8:2::1").await, 200);
    // The same for connections that stay.
    let mut open = Vec::new();
    let mut accepted = 0;
    for number in 0..20 {
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let forwarded = from(&format!("2001:db8:3:{number:x}::1"));
        let request = format!("GET /api/lobby/events HTTP/1.1\r\nhost: x\r\n{forwarded}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        accepted += u32::from(&answer[9..] == b"200");
        open.push(stream);
    }
    assert_eq!(accepted, 16);
    drop(open);
    server.stop().await;
}

/// A list of a person's games replays dozens of logs: it costs a hundred times what other requests do.
#[tokio::test]
async fn an_address_reads_so_many_lists_of_games_in_a_minute() {
    let server = behind_a_proxy().await;
    let cookie = account(&server, "Ann").await;
    let headers = |address: &str| format!("{}{}", with(&cookie), from(address));
    let (_, _, me) = server.http("GET", "/api/me", &headers("192.0.2.9"), "").await;
    let page = format!("/api/people/{}", crate::common::field(&me, "id"));
    // One is allowed again each second: the test must not depend on how fast it is.
    let mut answered = 0;
    let ask = async |path: &str| server.http("GET", path, &headers("192.0.2.1"), "").await.0 == 200;
    while answered < 300 && ask(&page).await && ask("/api/me/games").await {
        answered += 2;
    }
    assert!((58..300).contains(&answered), "{answered}");
    assert_eq!(server.http("GET", &page, &headers("192.0.2.2"), "").await.0, 200);
    server.stop().await;
}

/// The page of a table reads the table from the database, though the page itself is a file.
#[tokio::test]
async fn the_preview_of_a_table_counts_as_a_request() {
    let config = Config { requests_per_second: 1, ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    // Ten at once: the list alone would be refused the eleventh time.
    let mut answered = 0;
    while answered < 10 && server.http("GET", "/api/lobby", "", "").await.0 == 200 {
        answered += 1;
        for _ in 0..4 {
            assert_ne!(server.http("GET", "/t/abcdefghijkm", "", "").await.0, 429, "the page itself is a file");
        }
    }
    assert!(answered < 10, "{answered}");
    server.stop().await;
}

/// Parts of a message that never ends are no messages, and nothing else counts them.
#[tokio::test]
async fn frames_that_are_no_messages_are_read_slowly() {
    let config = Config { messages_per_second: 2, ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let upgrade = "GET /ws HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
                   sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(upgrade.as_bytes()).await.unwrap();
    // The beginning of a text, then empty continuations of it.
    stream.write_all(&[0x01, 0x80, 0, 0, 0, 0]).await.unwrap();
    let empty = [0x00, 0x80, 0, 0, 0, 0].repeat(10_000);
    let (mut sent, began) = (0, std::time::Instant::now());
    while began.elapsed().as_secs() < 4 {
        match tokio::time::timeout(std::time::Duration::from_millis(500), stream.write_all(&empty)).await {
            Ok(Ok(())) => sent += empty.len(),
            Ok(Err(_)) => break,
            Err(_) => {}
        }
    }
    // What the limit lets through, some hundred kilobytes, and what the network holds.
    assert!(sent < 6 << 20, "{sent} bytes");
    server.stop().await;
}

/// A bot is a person who is kept, and one could be made and withdrawn twenty times a second.
#[tokio::test]
async fn an_address_makes_so_many_bots_in_a_minute() {
    let server = behind_a_proxy().await;
    let (_, head, _) = server.http("PATCH", "/api/me", &from("192.0.2.1"), r#"{"name":"Ann"}"#).await;
    let ann = with(&cookie(&head));
    let make = async |address: &str| {
        server.http("POST", "/api/me/tokens", &format!("{ann}{}", from(address)), r#"{"name":"Marvin"}"#).await
    };
    // One is allowed again each second: the test must not depend on how fast it is.
    let mut made = 0;
    while made < 300 {
        let (status, _, body) = make("192.0.2.1").await;
        if status != 200 {
            break;
        }
        made += 1;
        let path = format!("/api/me/tokens/{}", field(&body, "id"));
        assert_eq!(server.http("DELETE", &path, &ann, "").await.0, 204);
    }
    assert!((60..300).contains(&made), "{made}");
    assert_eq!((make("192.0.2.1").await.0, make("192.0.2.2").await.0), (429, 200));
    server.stop().await;
}
