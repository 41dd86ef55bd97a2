//! Hostile messages: each is answered or cut off with a reason, and the others at the table notice nothing.

use std::time::Duration;

use crate::common::{Client, Running, scratch, seated, spec_of, unlimited};
use futures_util::{SinkExt, StreamExt};
use protocol::{Access, ChatLine, Claim, Command, Refusal, ServerMessage, TableSpec};
use rules::Seat;
use search::Random;
use server::Config;
use tokio_tungstenite::tungstenite::Message;

/// How many, unless FOURFOLD_HOSTILE says otherwise.
const MESSAGES: u32 = 10_000;

fn nonsense(random: &mut Random, table: &str) -> Message {
    let number = random.below(1 << 30);
    let ask = |what: &str| format!(r#"{{"id":"h{number}","command":{what}}}"#);
    let text = match random.below(16) {
        0 => String::new(),
        1 => "{".repeat(random.below(200) as usize),
        2 => "x".repeat(4097 + random.below(60_000) as usize),
        3 => return Message::binary(vec![0_u8; random.below(3000) as usize]),
        4 => ask(r#"{"type":"act","action":"a3e3","at":0}"#),
        5 => ask(&format!(r#"{{"type":"act","action":"{}","at":{}}}"#, "ї".repeat(random.below(300) as usize), number)),
        6 => ask(r#"{"type":"resign"}"#),
        7 => ask(r#"{"type":"agree","offer":"draw"}"#),
        8 => ask(&format!(r#"{{"type":"watch","table":"{table}","seen":{number}}}"#)),
        9 => ask(r#"{"type":"watch","table":"../../etc/passwd"}"#),
        10 => ask(r#"{"type":"sit","seat":255}"#),
        11 => ask(r#"{"type":"claim","seat":9,"claim":"win"}"#),
        12 => ask(r#"{"type":"hello","version":4294967295}"#),
        13 => ask(&format!(
            r#"{{"type":"say","line":{{"type":"text","text":"{}"}}}}"#,
            "\\u0000<script>".repeat(random.below(30) as usize)
        )),
        14 => ask(r#"{"type":"create","game":"quixo(players=99)","bots":[255,255]}"#),
        _ => {
            let mut bytes: Vec<u8> = ask(r#"{"type":"bot","seat":1,"level":3}"#).into_bytes();
            let at = random.below(bytes.len() as u32) as usize;
            bytes[at] = random.below(256) as u8;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    Message::text(text)
}

/// Sends one thing after another, reconnecting when cut off; how many were answered, and how many cut off with a reason.
async fn attack(server: &Running, table: &str, messages: u32, seed: u64) -> (u32, u32) {
    let mut random = Random::new(seed);
    let (mut answered, mut cut) = (0, 0);
    let mut client = Client::connect(server.address, None).await;
    for _ in 0..messages {
        // An unreadable message has no id to wait for, so what is waited for is any answer at all.
        let mut reason = client.socket.send(nonsense(&mut random, table)).await.err().map(|error| error.to_string());
        let received = loop {
            if reason.is_some() {
                break false;
            }
            match tokio::time::timeout(Duration::from_secs(10), client.socket.next()).await.expect("an answer comes") {
                Some(Ok(Message::Text(text))) => match protocol::read::<ServerMessage>(&text).unwrap() {
                    ServerMessage::Acknowledged { .. }
                    | ServerMessage::Refused { .. }
                    | ServerMessage::Welcome { .. } => break true,
                    ServerMessage::Closing { reason: code } => reason = Some(format!("{code:?}")),
                    _ => {}
                },
                Some(Ok(Message::Close(Some(frame)))) => reason = Some(frame.reason.to_string()),
                Some(Ok(Message::Close(None))) | Some(Err(_)) | None => panic!("cut off without a reason"),
                Some(Ok(_)) => {}
            }
        };
        if received {
            answered += 1;
        } else {
            cut += 1;
            client = Client::connect(server.address, None).await;
        }
    }
    (answered, cut)
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_hostile_messages() {
    let messages = std::env::var("FOURFOLD_HOSTILE").ok().and_then(|text| text.parse().ok()).unwrap_or(MESSAGES);
    let server = std::sync::Arc::new(Running::start().await);
    let mut one = server.client().await;
    let table = one.create(spec_of("sequence")).await;
    let mut two = server.client().await;
    two.join(&table).await;
    one.until_seq(two.follower.as_ref().unwrap().seq).await;
    let attackers: Vec<_> = (0..4)
        .map(|seed| {
            let (server, table) = (server.clone(), table.clone());
            tokio::spawn(async move { attack(&server, &table, messages / 4, seed).await })
        })
        .collect();
    // Meanwhile two people play on at that very table, and are not made to wait.
    let (mut clients, mut slowest, mut turns) = ([one, two], Duration::ZERO, 0);
    while attackers.iter().any(|attacker| !attacker.is_finished()) {
        let seq = clients.iter().map(|client| client.follower.as_ref().unwrap().seq).max().unwrap();
        for client in &mut clients {
            client.until_seq(seq).await;
            let began = std::time::Instant::now();
            if clients_may_play(client)
                && client.play(turns).await.is_some_and(|message| matches!(message, ServerMessage::Acknowledged { .. }))
            {
                slowest = slowest.max(began.elapsed());
                turns += 1;
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (mut answered, mut cut) = (0, 0);
    for attacker in attackers {
        let (one, two) = attacker.await.unwrap();
        answered += one;
        cut += two;
    }
    println!("{answered} answered, {cut} cut off with a reason; {turns} turns meanwhile, the slowest took {slowest:?}");
    assert_eq!(answered + cut, messages / 4 * 4);
    assert!(turns > 0 && slowest < Duration::from_secs(5));
}

fn clients_may_play(client: &Client) -> bool {
    client.follower.as_ref().unwrap().ended.is_none()
}

#[tokio::test]
async fn a_private_game_is_for_its_players_alone() {
    let server = Running::start().await;
    let (mut one, mut two, mut outsider) = (server.client().await, server.client().await, server.client().await);
    let table = one.create(TableSpec { access: Access::Private, ..spec_of("quixo") }).await;
    // Until it begins, a person with the link may come and take a seat.
    let watched = outsider.ask(Command::Watch { table: table.clone(), seen: 0 }).await;
    assert!(matches!(watched, ServerMessage::Acknowledged { .. }), "{watched:?}");
    two.join(&table).await;
    one.until_seq(3).await;
    one.play(0).await.unwrap();
    one.ask(say("secret")).await;
    // A spectator from before is sent away, and can neither speak nor read by any other way.
    let refused = |answer: &ServerMessage| matches!(answer, ServerMessage::Refused { reason: Refusal::Private, .. });
    let said = outsider.ask(say("hello")).await;
    assert!(refused(&said), "{said:?}");
    assert!(refused(&outsider.ask(Command::Watch { table: table.clone(), seen: 0 }).await));
    assert!(!outsider.received.iter().any(|text| text.contains("entry") || text.contains("secret")));
    let cookie = format!("cookie: {}\r\n", outsider.cookie);
    let line = r#"{"id":"x","command":{"type":"say","line":{"type":"text","text":"hello"}}}"#;
    for (method, path, body) in
        [("GET", "", ""), ("GET", "/record", ""), ("GET", "/events", ""), ("POST", "/requests", line)]
    {
        let (status, _, body) = server.http(method, &format!("/api/tables/{table}{path}"), &cookie, body).await;
        assert_eq!(status, 403, "{method} {path}: {body}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_chat_of_friends_is_not_for_those_who_find_the_game_later() {
    let server = Running::start().await;
    let (table, mut players) = seated(&server, "quixo", 2).await;
    players[0].ask(say("secret")).await;
    players[0].ask(Command::Resign {}).await;
    let mut stranger = server.client().await;
    stranger.ask(Command::Watch { table: table.clone(), seen: 0 }).await;
    assert!(stranger.received.len() > 3 && !stranger.received.iter().any(|text| text.contains("secret")));
    let said = stranger.ask(say("hello")).await;
    assert!(matches!(said, ServerMessage::Refused { .. }), "{said:?}");
    server.stop().await;
}

fn say(text: &str) -> Command {
    Command::Say { line: ChatLine::Text { text: text.to_owned() } }
}

#[tokio::test]
async fn a_player_over_plain_http_is_there() {
    let grace = Duration::from_secs(4);
    let server = Running::with(scratch().await, Config { grace, ..unlimited() }).await;
    let mut connected = server.client().await;
    let table = connected.create(spec_of("quixo")).await;
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    let cookie = head.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let headers = format!("cookie: {cookie}\r\n");
    assert_eq!(server.http("POST", &format!("/api/tables/{table}/sit"), &headers, "{}").await.0, 200);
    connected.until_seq(3).await;
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(server.http("GET", &format!("/api/tables/{table}"), &headers, "").await.0, 200);
    }
    let claimed = connected.ask(Command::Claim { seat: Seat::TWO, claim: Claim::Win }).await;
    assert!(matches!(claimed, ServerMessage::Refused { reason: Refusal::NotAway { .. }, .. }), "{claimed:?}");
    server.stop().await;
}

#[tokio::test]
async fn people_who_ask_for_an_opponent_over_plain_http_meet() {
    let server = Running::start().await;
    let mut tables = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let (status, _, body) = server.http("POST", "/api/pair", "", r#"{"game":"quixo"}"#).await;
        assert_eq!(status, 200, "{body}");
        tables.insert(body);
    }
    assert_eq!(tables.len(), 10, "two at each");
    server.stop().await;
}

#[tokio::test]
async fn one_address_cannot_fill_the_server() {
    let proxies = vec!["127.0.0.1".parse().unwrap()];
    let limits = Config { trusted_proxies: proxies, tables_per_minute: 5, connections_per_address: 3, ..unlimited() };
    let server = Running::with(scratch().await, limits).await;
    let make = async |address: &str| {
        let headers = format!("x-forwarded-for: {address}\r\n");
        server.http("POST", "/api/tables", &headers, r#"{"game":"quixo","seat":1}"#).await.0
    };
    for _ in 0..5 {
        assert_eq!(make("198.51.100.7").await, 200);
    }
    assert_eq!(make("198.51.100.7").await, 429);
    assert_eq!(make("198.51.100.8").await, 200, "another address");
    for number in 0..5 {
        assert_eq!(make(&format!("2001:db8::{number}")).await, 200);
    }
    assert_eq!(make("2001:db8::9").await, 429, "the same network");
    // Streams stay open as long as the client reads.
    let mut open = Vec::new();
    for number in 0..4 {
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let request = "GET /api/lobby/events HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.9\r\n\r\n";
        tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut answer).await.unwrap();
        assert_eq!(&answer[9..], if number < 3 { b"200" } else { b"429" });
        open.push(stream);
    }
    drop(open);
    server.stop().await;
}

#[tokio::test]
async fn an_id_stands_for_one_action() {
    let server = Running::start().await;
    let (_, mut players) = seated(&server, "quixo", 2).await;
    let act = |action: &str| Command::Act { action: action.to_owned(), at: 0 };
    let first = players[0].ask_as("same", act("a3e3")).await;
    assert_eq!(players[0].ask_as("same", act("a3e3")).await, first, "sent again");
    let other = players[0].ask_as("same", act("a1e1")).await;
    assert!(matches!(other, ServerMessage::Refused { reason: Refusal::Stale, .. }), "{other:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_request_that_is_sent_twice_at_once_makes_one_table() {
    let server = Running::start().await;
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    let cookie = head.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let headers = format!("cookie: {cookie}\r\n");
    let body = r#"{"game":"quixo","seat":1,"id":"once"}"#;
    let make = || server.http("POST", "/api/tables", &headers, body);
    let answers = tokio::join!(make(), make(), make(), make());
    for (status, _, body) in [&answers.0, &answers.1, &answers.2, &answers.3] {
        assert_eq!((*status, body), (200, &answers.0.2));
    }
    server.stop().await;
}

#[tokio::test]
async fn names_and_lines_hide_nothing() {
    let server = Running::start().await;
    let (_, mut players) = seated(&server, "quixo", 2).await;
    players[0].ask(say("a\u{202e}b\u{200b}c")).await;
    assert!(players[0].received.iter().any(|text| text.contains("\"abc\"")), "{:?}", players[0].received.last());
    let named = async |cookie: &str, name: &str| {
        let headers = format!("cookie: {cookie}\r\n");
        server.http("PATCH", "/api/me", &headers, &format!(r#"{{"name":"{name}"}}"#)).await.0
    };
    let account = format!("cookie: {}\r\n", players[0].cookie);
    let credentials = r#"{"name":"Olena","password":"correct horse"}"#;
    assert_eq!(server.http("POST", "/api/account/register", &account, credentials).await.0, 200);
    for name in ["bot:8", "Bot:1", "olena", "OLENA", "Ole\u{200b}na"] {
        assert_eq!(named(&players[1].cookie, name).await, 400, "{name}");
    }
    assert_eq!(named(&players[1].cookie, "Olenka").await, 200);
    server.stop().await;
}
