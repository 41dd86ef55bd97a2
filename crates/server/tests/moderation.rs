//! What keeps a server liveable: bans, block lists, the operator's requests, and what expires.

use crate::common::{Client, Running, account, code, field, scratch, spec_of, unlimited, with};
use protocol::{Access, ChatLine, Command, Event, Refusal, ServerMessage, TableSpec};
use server::Config;

/// The header with the operator's key.
async fn operator(server: &Running) -> String {
    let place = server.database.parse().unwrap();
    let key = server::operator_key(&place).await.unwrap().expect("a server has run");
    format!("authorization: Bearer {key}\r\n")
}

fn say(text: &str) -> Command {
    Command::Say { line: ChatLine::Text { text: text.to_owned() } }
}

#[tokio::test]
async fn only_the_operator_on_this_machine_sees_the_operators_side() {
    let config = Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    let key = operator(&server).await;
    assert_eq!(server.http("GET", "/api/operator/tables", &key, "").await.0, 200);
    let elsewhere = format!("{key}x-forwarded-for: 192.0.2.1\r\n");
    for headers in ["", "authorization: Bearer wrong\r\n", &elsewhere] {
        assert_eq!(server.http("GET", "/api/operator/tables", headers, "").await.0, 403, "{headers}");
        assert_eq!(server.http("POST", "/api/operator/bans", headers, r#"{"target":"192.0.2.1"}"#).await.0, 403);
    }
    server.stop().await;
}

#[tokio::test]
async fn an_operator_lists_and_ends_tables() {
    let server = Running::start().await;
    let key = operator(&server).await;
    let (mut one, mut two) = (server.client().await, server.client().await);
    let waiting = two.create(TableSpec { access: Access::Open, ..spec_of("four") }).await;
    let playing = one.create(TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo") }).await;
    one.until_seq(3).await;
    let (_, _, list) = server.http("GET", "/api/operator/tables", &key, "").await;
    for part in [&waiting, &playing, &one.me.id, "bot:1", r#""state":"waiting""#, r#""state":"playing""#] {
        assert!(list.contains(part), "{part} is not in {list}");
    }
    let end = async |id: &str| server.http("POST", &format!("/api/operator/tables/{id}/end"), &key, "").await.0;
    assert_eq!((end(&playing).await, end(&playing).await), (204, 409), "once");
    while one.follower.as_ref().unwrap().ended.is_none() {
        one.receive().await;
    }
    let (_, _, record) = server.http("GET", &format!("/api/tables/{playing}/record"), "", "").await;
    assert!(record.contains("[Result \"none\"]") && record.contains("abandon"), "{record}");
    assert_eq!((end(&waiting).await, end(&waiting).await, end("nowhere").await), (204, 404, 404));
    let told = two.receive_raw().await;
    assert!(matches!(told, ServerMessage::Refused { reason: Refusal::NoTable, .. }), "{told:?}");
    assert_eq!(server.http("GET", &format!("/api/tables/{waiting}"), "", "").await.0, 404);
    assert_eq!(server.http("GET", "/api/lobby", "", "").await.2, "[]");
    server.stop().await;
}

#[tokio::test]
async fn a_banned_account_is_out_until_the_ban_is_lifted() {
    let server = Running::start().await;
    let key = operator(&server).await;
    let taras = account(&server, "Taras").await;
    let mut connected = Client::connect(server.address, Some(&taras)).await;
    let ban = async |path: &str, target: &str| {
        let body = format!(r#"{{"target":"{target}","reason":"spam"}}"#);
        server.http("POST", &format!("/api/operator/{path}"), &key, &body).await.0
    };
    assert_eq!(ban("bans", "Nemo").await, 404);
    assert_eq!(ban("bans", "TARAS").await, 204);
    assert_eq!(connected.until_closing().await, Refusal::NotKnown);
    let credentials = r#"{"name":"taras","password":"correct horse"}"#;
    let (status, _, body) = server.http("POST", "/api/account/login", "", credentials).await;
    assert!(status == 403 && body.contains(r#""code":"banned""#), "{body}");
    let (_, _, list) = server.http("GET", "/api/operator/bans", &key, "").await;
    assert!(list.contains("Taras") && list.contains("spam"), "{list}");
    // Bans outlive a restart.
    let server = Running::with(server.stop().await, unlimited()).await;
    assert_eq!(server.http("POST", "/api/account/login", "", credentials).await.0, 403);
    let unban = r#"{"target":"taras"}"#;
    assert_eq!(server.http("POST", "/api/operator/unban", &key, unban).await.0, 204);
    assert_eq!(server.http("POST", "/api/operator/unban", &key, unban).await.0, 404);
    assert_eq!(server.http("POST", "/api/account/login", "", credentials).await.0, 200);
    server.stop().await;
}

/// What a script passes on as a reason may be a stranger's words; the operator reads the list in a terminal.
#[tokio::test]
async fn the_reason_of_a_ban_is_one_line_that_can_be_seen() {
    let server = Running::start().await;
    let key = operator(&server).await;
    let long = "x".repeat(400);
    let body = format!(r#"{{"target":"192.0.2.9","reason":"this\u001b[2J\u0000\n\u202eforged {long}"}}"#);
    assert_eq!(server.http("POST", "/api/operator/bans", &key, &body).await.0, 204);
    let (_, _, list) = server.http("GET", "/api/operator/bans", &key, "").await;
    let reason = field(&list, "reason");
    assert!(reason.starts_with("this [2J forged xxx") && reason.chars().count() == 300, "{reason}");
    server.stop().await;
}

/// A person can take the id of another, or an address, for a name.
#[tokio::test]
async fn a_ban_does_not_hit_a_person_who_is_named_like_the_target() {
    let server = Running::start().await;
    let key = operator(&server).await;
    let mut rude = server.client().await;
    rude.create(spec_of("quixo")).await;
    let decoys = [account(&server, &rude.me.id).await, account(&server, "192.0.2.7").await];
    let ban = async |path: &str, target: &str| {
        let body = format!(r#"{{"target":"{target}"}}"#);
        let (status, _, body) = server.http("POST", &format!("/api/operator/{path}"), &key, &body).await;
        (status, body)
    };
    for target in [rude.me.id.as_str(), "192.0.2.7"] {
        let (status, body) = ban("bans", target).await;
        assert!(status == 409 && body.contains("put name:, address: or id: before it"), "{target}: {status} {body}");
    }
    let is_in = async |cookie: &str| server.http("GET", "/api/me/follows", &with(cookie), "").await.0 == 200;
    assert!(is_in(&rude.cookie).await && is_in(&decoys[0]).await);
    assert_eq!(ban("bans", &format!("id:{}", rude.me.id)).await.0, 204);
    assert!(!is_in(&rude.cookie).await && is_in(&decoys[0]).await);
    assert_eq!(ban("bans", "address:192.0.2.7").await.0, 204);
    assert_eq!(ban("bans", &format!("name:{}", rude.me.id)).await.0, 204);
    let (_, _, list) = server.http("GET", "/api/operator/bans", &key, "").await;
    assert_eq!(list.matches("\"target\"").count(), 3, "{list}");
    server.stop().await;
}

#[tokio::test]
async fn a_banned_address_is_refused_and_its_neighbours_of_ipv6_with_it() {
    let config = Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    let key = operator(&server).await;
    let from =
        async |address: &str| server.http("GET", "/api/me", &format!("x-forwarded-for: {address}\r\n"), "").await.0;
    assert_eq!((from("192.0.2.1").await, from("2001:db8::1").await), (200, 200));
    for target in ["192.0.2.1", "2001:db8::1"] {
        let body = format!(r#"{{"target":"{target}"}}"#);
        assert_eq!(server.http("POST", "/api/operator/bans", &key, &body).await.0, 204);
    }
    assert_eq!((from("192.0.2.1").await, from("192.0.2.2").await), (403, 200));
    assert_eq!((from("2001:db8::ffff").await, from("2001:db8:0:1::1").await), (403, 200));
    let (_, _, list) = server.http("GET", "/api/operator/bans", &key, "").await;
    assert!(list.contains("2001:db8::/64"), "{list}");
    // Whole ranges, until they are lifted.
    let ban = async |path: &str, target: &str| {
        server.http("POST", &format!("/api/operator/{path}"), &key, &format!(r#"{{"target":"{target}"}}"#)).await.0
    };
    assert_eq!((ban("bans", "198.51.100.9/24").await, ban("bans", "2001:db8:7::/48").await), (204, 204));
    assert_eq!((from("198.51.100.200").await, from("198.51.101.1").await), (403, 200));
    assert_eq!((from("2001:db8:7:ffff::1").await, from("2001:db8:8::1").await), (403, 200));
    assert_eq!(ban("bans", "0.0.0.0/0").await, 404, "no range of all addresses");
    assert_eq!((ban("unban", "198.51.100.0/24").await, ban("unban", "192.0.2.1").await), (204, 204));
    assert_eq!((from("198.51.100.200").await, from("192.0.2.1").await), (200, 200));
    assert_eq!(ban("unban", "198.51.100.0/24").await, 404);
    server.stop().await;
}

#[tokio::test]
async fn chat_of_a_blocked_person_does_not_arrive_and_the_two_are_not_paired() {
    let server = Running::start().await;
    let mut ann = Client::connect(server.address, Some(&account(&server, "Ann").await)).await;
    let mut bob = Client::connect(server.address, Some(&account(&server, "Bob").await)).await;
    let mut guest = server.client().await;
    let headers = with(&ann.cookie);
    let table = ann.create(spec_of("quixo")).await;
    bob.join(&table).await;
    ann.until_seq(3).await;
    guest.ask(Command::Watch { table: table.clone(), seen: 0 }).await;
    bob.ask(say("before")).await;
    let received = |client: &Client, words: &str| client.received.iter().any(|text| text.contains(words));
    ann.until_seq(4).await;
    assert!(received(&ann, "before"));
    let block = format!("/api/me/blocks/{}", bob.me.id);
    assert_eq!(server.http("PUT", &block, &headers, "").await.0, 204);
    assert_eq!(server.http("PUT", "/api/me/blocks/unknown", &headers, "").await.0, 404);
    assert!(server.http("GET", "/api/me/blocks", &headers, "").await.2.contains("Bob"));
    // Nor does Bob learn when Ann is online.
    let follow = format!("/api/me/follows/{}", ann.me.id);
    assert_eq!(server.http("PUT", &follow, &with(&bob.cookie), "").await.0, 204);
    let (_, _, followed) = server.http("GET", "/api/me/follows", &with(&bob.cookie), "").await;
    assert!(followed.contains("Ann") && followed.contains(r#""online":false"#), "{followed}");
    bob.ask(say("after")).await;
    for client in [&mut ann, &mut guest] {
        client.until_seq(5).await;
    }
    assert!(!received(&ann, "after") && received(&guest, "after"), "only for the person who blocked");
    // Nor in the history, on another connection.
    let mut again = Client::connect(server.address, Some(&ann.cookie)).await;
    again.ask(Command::Watch { table, seen: 0 }).await;
    assert!(!received(&again, "before") && again.received.iter().filter(|text| text.contains("redacted")).count() == 2);
    // Bob cannot sit down with Ann, and neither is paired with the other.
    let open = ann.create(TableSpec { access: Access::Open, ..spec_of("four") }).await;
    bob.ask(Command::Watch { table: open.clone(), seen: 0 }).await;
    assert_eq!(code(&bob.ask(Command::Sit { seat: None }).await), "forbidden");
    // Nor can his bot.
    let (_, _, token) = server.http("POST", "/api/me/tokens", &with(&bob.cookie), r#"{"name":"Marvin"}"#).await;
    let mut bot = Client::with_token(server.address, &field(&token, "token")).await;
    bot.ask(Command::Watch { table: open.clone(), seen: 0 }).await;
    assert_eq!(code(&bot.ask(Command::Sit { seat: None }).await), "forbidden");
    let spec = || TableSpec { access: Access::Open, ..TableSpec::new("four") };
    let paired = |message: ServerMessage| match message {
        ServerMessage::Acknowledged { table: Some(table), .. } => table,
        other => panic!("{other:?}"),
    };
    let bobs = paired(bob.ask(Command::Pair(spec())).await);
    assert_ne!(bobs, open);
    ann.ask(Command::Watch { table: open.clone(), seen: 0 }).await;
    ann.ask(Command::Stand {}).await;
    assert_ne!(paired(ann.ask(Command::Pair(spec())).await), bobs);
    assert_eq!(server.http("DELETE", &block, &headers, "").await.0, 204);
    assert_eq!(server.http("GET", "/api/me/blocks", &headers, "").await.2, "[]");
    server.stop().await;
}

#[tokio::test]
async fn an_operator_reads_reports() {
    let server = Running::start().await;
    let (mut one, mut two) = (server.client().await, server.client().await);
    let table = one.create(spec_of("quixo")).await;
    two.join(&table).await;
    let ServerMessage::Acknowledged { seq, .. } = two.ask(say("something rude")).await else { panic!() };
    // The operator reads it in a terminal: no line of a list that is not there, and nothing that the terminal obeys.
    let body = format!(r#"{{"seq":{seq},"words":"this\u001b[2J\u0000\n\u202eforged"}}"#);
    let path = format!("/api/tables/{table}/report");
    assert_eq!(server.http("POST", &path, &with(&one.cookie), &body).await.0, 204);
    let (_, _, list) = server.http("GET", "/api/operator/reports", &operator(&server).await, "").await;
    for part in ["something rude", "\"this [2J forged\"", &table, &two.me.id, &one.me.id] {
        assert!(list.contains(part), "{part} is not in {list}");
    }
    server.stop().await;
}

#[tokio::test]
async fn chat_that_has_expired_is_a_gap_in_the_log() {
    let entry = r#"{"at":7,"what":{"said":{"seat":1,"name":"","what":{"text":""}}}}"#;
    let server = Running::start().await;
    let (mut one, mut two) = (server.client().await, server.client().await);
    let table = one.create(spec_of("quixo")).await;
    two.join(&table).await;
    two.ask(say("hello")).await;
    two.ask(Command::Resign {}).await;
    let database = server.stop().await;
    if database.starts_with("postgres") {
        return;
    }
    // As `Hub::expire` leaves it; that it does is tested beside it.
    let pool = sqlx::SqlitePool::connect(&format!("sqlite://{database}")).await.unwrap();
    sqlx::query("UPDATE events SET line = $1 WHERE line LIKE '%hello%'").bind(entry).execute(&pool).await.unwrap();
    pool.close().await;
    let server = Running::with(database, unlimited()).await;
    let mut one = Client::connect(server.address, Some(&one.cookie)).await;
    one.ask(Command::Watch { table, seen: 0 }).await;
    let redacted = |text: &&String| {
        protocol::read(text).is_ok_and(|message| matches!(message, ServerMessage::Event { event: Event::Redacted, .. }))
    };
    assert_eq!(one.received.iter().filter(redacted).count(), 1);
    server.stop().await;
}
