//! Hostile messages: each is answered or cut off with a reason, and the others at the table notice nothing.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use std::time::Duration;

use common::{Client, Running, seated, wish};
use futures_util::{SinkExt, StreamExt};
use protocol::{Access, ChatLine, Command, Refusal, ServerMessage, TableSpec};
use search::Random;
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
        let heard = loop {
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
        if heard {
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
    let table = one.create(wish("sequence")).await;
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
                && client.play(turns).await.is_some_and(|tell| matches!(tell, ServerMessage::Acknowledged { .. }))
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
    let table = one.create(TableSpec { access: Access::Private, ..wish("quixo") }).await;
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
    assert!(!outsider.heard.iter().any(|text| text.contains("entry") || text.contains("secret")));
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
    assert!(stranger.heard.len() > 3 && !stranger.heard.iter().any(|text| text.contains("secret")));
    let said = stranger.ask(say("hello")).await;
    assert!(matches!(said, ServerMessage::Refused { .. }), "{said:?}");
    server.stop().await;
}

fn say(text: &str) -> Command {
    Command::Say { line: ChatLine::Text { text: text.to_owned() } }
}
