//! Credentials that are revoked: tokens withdrawn, sessions ended, accounts deleted. Connections that used them are closed.

use std::time::Duration;

use crate::common::{Client, Running, account, cookie, field, scratch, spec_of, unlimited, with};
use protocol::{Access, ChatLine, Command, Phrase, Refusal, ServerMessage, TableSpec};
use server::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What [`account`] proves itself with.
const OWN: &str = r#"{"password":"correct horse"}"#;

async fn log_in(server: &Running, name: &str, password: &str) -> String {
    let credentials = format!(r#"{{"name":"{name}","password":"{password}"}}"#);
    let (status, head, body) = server.http("POST", "/api/account/login", "", &credentials).await;
    assert_eq!(status, 200, "{body}");
    cookie(&head)
}

/// A stream of events that is open; comes when the server ends it.
async fn stream(server: &Running, path: &str, header: &str) -> tokio::task::JoinHandle<()> {
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{header}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut first = [0; 16];
    stream.read_exact(&mut first).await.unwrap();
    assert!(first.starts_with(b"HTTP/1.1 200"), "{first:?}");
    tokio::spawn(async move {
        let mut rest = Vec::new();
        while !rest.ends_with(b"0\r\n\r\n") {
            let mut some = [0; 4096];
            match stream.read(&mut some).await {
                Ok(read) if read > 0 => rest.extend_from_slice(&some[..read]),
                _ => return,
            }
        }
    })
}

async fn ends(stream: tokio::task::JoinHandle<()>) {
    tokio::time::timeout(Duration::from_secs(10), stream).await.expect("the stream ends").unwrap();
}

#[tokio::test]
async fn a_withdrawn_token_is_refused_and_its_connections_close() {
    let server = Running::start().await;
    let owner = with(&account(&server, "Olena").await);
    let make = r#"{"name":"Deep Thought"}"#;
    let (status, _, made) = server.http("POST", "/api/me/tokens", &owner, make).await;
    assert_eq!(status, 200, "{made}");
    let (token, id) = (field(&made, "token"), field(&made, "id"));
    let bearer = format!("authorization: Bearer {token}\r\n");
    let (_, _, list) = server.http("GET", "/api/me/tokens", &owner, "").await;
    assert_eq!((field(&list, "id"), field(&list, "name").as_str()), (id.clone(), "Deep Thought"));
    assert!(list.contains("\"used_at\":null") && !list.contains(&token), "{list}");
    let one = format!("/api/me/tokens/{id}");
    let mut bot = Client::with_token(server.address, &token).await;
    let table = bot.create(spec_of("quixo")).await;
    let at_the_table = stream(&server, &format!("/api/tables/{table}/events"), &bearer).await;
    let in_the_lobby = stream(&server, "/api/lobby/events", &bearer).await;
    // No other account can, the bot itself cannot, and what is not there cannot be withdrawn.
    let another = with(&account(&server, "Taras").await);
    assert_eq!(server.http("DELETE", &one, &another, "").await.0, 404);
    assert_eq!(server.http("DELETE", &one, "", "").await.0, 404);
    for (method, path) in [("POST", "/api/me/tokens"), ("GET", "/api/me/tokens"), ("DELETE", one.as_str())] {
        assert_eq!(server.http(method, path, &bearer, make).await.0, 403, "a bot has no bots");
    }
    assert_eq!(server.http("DELETE", "/api/me/tokens/unknown", &owner, "").await.0, 404);
    let (_, _, list) = server.http("GET", "/api/me/tokens", &owner, "").await;
    assert!(!list.contains("\"used_at\":null"), "{list}");
    assert_eq!(server.http("DELETE", &one, &owner, "").await.0, 204);
    assert_eq!(bot.until_closing().await, Refusal::NotKnown);
    ends(at_the_table).await;
    ends(in_the_lobby).await;
    assert_eq!(server.http("GET", "/api/me", &bearer, "").await.0, 401);
    assert_eq!(server.http("GET", "/api/me/tokens", &owner, "").await.2, "[]");
    assert_eq!(server.http("DELETE", &one, &owner, "").await.0, 404);
    // What it was called stays in its games.
    let (_, _, body) = server.http("GET", &format!("/api/tables/{table}"), "", "").await;
    assert!(body.contains("Deep Thought"), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn a_guests_bots_stay_with_the_account_and_go_with_it() {
    let server = Running::start().await;
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    let guest = with(&cookie(&head));
    let (status, _, made) = server.http("POST", "/api/me/tokens", &guest, r#"{"name":"Marvin"}"#).await;
    assert_eq!(status, 200, "{made}");
    let token = field(&made, "token");
    let mut bot = Client::with_token(server.address, &token).await;
    let table = bot.create(spec_of("quixo")).await;
    let credentials = r#"{"name":"Olena","password":"correct horse"}"#;
    let (_, head, _) = server.http("POST", "/api/account/register", &guest, credentials).await;
    let owner = with(&cookie(&head));
    let (_, _, list) = server.http("GET", "/api/me/tokens", &owner, "").await;
    assert!(list.contains("Marvin"), "{list}");
    for number in 2..=50 {
        let spec = format!(r#"{{"name":"Bot {number}"}}"#);
        assert_eq!(server.http("POST", "/api/me/tokens", &owner, &spec).await.0, 200);
    }
    assert_eq!(server.http("POST", "/api/me/tokens", &owner, r#"{"name":"One more"}"#).await.0, 429);
    assert_eq!(server.http("POST", "/api/account/delete", &owner, OWN).await.0, 204);
    assert_eq!(bot.until_closing().await, Refusal::NotKnown);
    let bearer = format!("authorization: Bearer {token}\r\n");
    assert_eq!(server.http("GET", "/api/me", &bearer, "").await.0, 401);
    let (_, _, body) = server.http("GET", &format!("/api/tables/{table}"), "", "").await;
    assert!(!body.contains("Marvin"), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn a_logout_closes_the_connections_of_that_person_only() {
    let server = Running::start().await;
    let first = account(&server, "Olena").await;
    let second = log_in(&server, "Olena", "correct horse").await;
    let mut stranger = server.client().await;
    let mut one = Client::connect(server.address, Some(&first)).await;
    let mut two = Client::connect(server.address, Some(&second)).await;
    let table = one.create(spec_of("quixo")).await;
    let events = stream(&server, &format!("/api/tables/{table}/events"), &with(&first)).await;
    // Out in one place, in at the other.
    assert_eq!(server.http("POST", "/api/account/logout", &with(&second), "").await.0, 204);
    assert_eq!(two.until_closing().await, Refusal::NotKnown);
    assert!(matches!(one.ask(Command::Ping {}).await, ServerMessage::Acknowledged { .. }));
    let third = log_in(&server, "Olena", "correct horse").await;
    let mut three = Client::connect(server.address, Some(&third)).await;
    assert_eq!(server.http("POST", "/api/account/logout-everywhere", &with(&third), "").await.0, 204);
    assert_eq!((one.until_closing().await, three.until_closing().await), (Refusal::NotKnown, Refusal::NotKnown));
    ends(events).await;
    let (fourth, fifth) =
        (log_in(&server, "Olena", "correct horse").await, log_in(&server, "Olena", "correct horse").await);
    let mut four = Client::connect(server.address, Some(&fourth)).await;
    let change = r#"{"old":"correct horse","new":"battery staple"}"#;
    assert_eq!(server.http("POST", "/api/account/password", &with(&fifth), change).await.0, 200);
    assert_eq!(four.until_closing().await, Refusal::NotKnown);
    let sixth = log_in(&server, "Olena", "battery staple").await;
    let mut six = Client::connect(server.address, Some(&sixth)).await;
    let open = six.create(TableSpec { access: Access::Open, ..spec_of("four") }).await;
    let told = async |path: &str| server.http("GET", path, "", "").await.2;
    assert!(told(&format!("/api/tables/{open}")).await.contains("Olena") && told("/api/lobby").await.contains("Olena"));
    let own = r#"{"password":"battery staple"}"#;
    assert_eq!(server.http("POST", "/api/account/delete", &with(&sixth), own).await.0, 204);
    assert_eq!(six.until_closing().await, Refusal::NotKnown);
    assert!(!told(&format!("/api/tables/{open}")).await.contains("Olena"), "the name is gone at once");
    assert!(!told("/api/lobby").await.contains("Olena"));
    assert!(
        matches!(stranger.ask(Command::Ping {}).await, ServerMessage::Acknowledged { .. }),
        "others notice nothing"
    );
    server.stop().await;
}

#[tokio::test]
async fn an_older_connection_does_not_bring_an_older_name_back() {
    let server = Running::start().await;
    let mut guest = server.client().await;
    guest.create(spec_of("quixo")).await;
    let header = with(&guest.cookie);
    assert_eq!(server.http("PATCH", "/api/me", &header, r#"{"name":"Olena"}"#).await.0, 200);
    guest.create(spec_of("four")).await;
    assert!(guest.received.last().unwrap().contains("Olena"), "{:?}", guest.received.last());
    let (_, _, body) = server.http("GET", "/api/me", &header, "").await;
    assert_eq!(field(&body, "name"), "Olena");
    let credentials = r#"{"name":"Taras","password":"correct horse"}"#;
    let (_, head, _) = server.http("POST", "/api/account/register", &header, credentials).await;
    assert_eq!(guest.until_closing().await, Refusal::NotKnown, "who has an account comes in by it");
    let (_, _, body) = server.http("GET", "/api/me", &with(&cookie(&head)), "").await;
    assert_eq!(field(&body, "name"), "Taras");
    server.stop().await;
}

#[tokio::test]
async fn all_of_ones_games_can_be_taken_along() {
    let server = Running::start().await;
    let mut other = server.client().await;
    server.http("PATCH", "/api/me", &with(&other.cookie), r#"{"name":"Taras"}"#).await;
    let me = account(&server, "Olena").await;
    let mut mine = Client::connect(server.address, Some(&me)).await;
    let table = other.create(spec_of("quixo")).await;
    mine.join(&table).await;
    other.until_seq(3).await;
    other.play(0).await.unwrap();
    mine.ask(Command::Say { line: ChatLine::Text { text: "well played".to_owned() } }).await;
    mine.ask(Command::Resign {}).await;
    let mut spectated = server.client().await;
    let foreign = spectated.create(spec_of("four")).await;
    mine.ask(Command::Watch { table: foreign.clone(), seen: 0 }).await;
    mine.ask(Command::Say { line: ChatLine::Phrase { phrase: Phrase::Hello } }).await;
    let bot = r#"{"name":"Marvin"}"#;
    server.http("POST", "/api/me/tokens", &with(&me), bot).await;
    let (status, _, body) = server.http("GET", "/api/me/export", &with(&me), "").await;
    assert_eq!(status, 200);
    for part in [
        format!("\"table\":\"{table}\""),
        r#""seat":2,"players":["Taras","Olena"]"#.to_owned(),
        r#""result":"p1win","cause":"resignation""#.to_owned(),
        r#"[Seat1 \"person Taras\"]\n[Seat2 \"person Olena\"]"#.to_owned(),
        r#"[Result \"p1win\"]"#.to_owned(),
        r#""words":"well played""#.to_owned(),
        format!("{{\"table\":\"{foreign}\",\"seq\":"),
        r#""words":"hello""#.to_owned(),
        r#""name":"Marvin""#.to_owned(),
    ] {
        assert!(body.contains(&part), "{part} is not in {body}");
    }
    server.stop().await;
}

/// A bot of an account: its token as a header, and a connection it opened.
async fn bot(server: &Running, owner: &str) -> (String, Client) {
    let (status, _, made) = server.http("POST", "/api/me/tokens", owner, r#"{"name":"Marvin"}"#).await;
    assert_eq!(status, 200, "{made}");
    let token = field(&made, "token");
    (format!("authorization: Bearer {token}\r\n"), Client::with_token(server.address, &token).await)
}

#[tokio::test]
async fn tokens_end_with_the_password_and_with_a_logout_everywhere() {
    let server = Running::start().await;
    let first = with(&account(&server, "Olena").await);
    let (token, mut connected) = bot(&server, &first).await;
    assert_eq!(server.http("GET", "/api/me", &token, "").await.0, 200);
    let change = r#"{"old":"correct horse","new":"battery staple"}"#;
    let (status, head, _) = server.http("POST", "/api/account/password", &first, change).await;
    assert_eq!(status, 200);
    assert_eq!(connected.until_closing().await, Refusal::NotKnown);
    assert_eq!(server.http("GET", "/api/me", &token, "").await.0, 401);
    let second = with(&cookie(&head));
    let (token, mut connected) = bot(&server, &second).await;
    assert_eq!(server.http("POST", "/api/account/logout-everywhere", &second, "").await.0, 204);
    assert_eq!(connected.until_closing().await, Refusal::NotKnown);
    assert_eq!(server.http("GET", "/api/me", &token, "").await.0, 401);
    server.stop().await;
}

/// Guesses until one is refused because it comes too soon: after three wrong ones, unless the machine is so slow that the delay,
/// which doubles, has passed meanwhile.
async fn slowed_down(guess: impl AsyncFn(u32) -> u16) {
    for number in 0..12 {
        let status = guess(number).await;
        if status == 429 && number >= 3 {
            return;
        }
        assert_eq!(status, 401, "guess {number}");
    }
    panic!("twelve guesses, and none was refused");
}

#[tokio::test]
async fn guesses_of_a_password_are_slowed_down_wherever_they_come_from() {
    let config = Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    let owner = with(&account(&server, "Olena").await);
    let from = |number: u32| format!("x-forwarded-for: 192.0.2.{number}\r\n");
    let right = r#"{"name":"olena","password":"correct horse"}"#;
    let guess = r#"{"name":"Olena","password":"wrong horse"}"#;
    for _ in 0..12 {
        assert_eq!(server.http("POST", "/api/account/login", &from(1), right).await.0, 200, "no failure");
    }
    // Not even the right password helps an address from which the account was never entered, while the delay lasts.
    let mut refused = None;
    for round in 0..5 {
        slowed_down(async |number| server.http("POST", "/api/account/login", &from(20 + number), guess).await.0).await;
        let (status, head, _) = server.http("POST", "/api/account/login", &from(100 + round), right).await;
        if status == 429 {
            refused = Some(head);
            break;
        }
    }
    assert!(refused.is_some_and(|head| head.contains("retry-after: ")));
    // The owner is not locked out of where the account was entered before, and a guess there counts too.
    assert_eq!(server.http("POST", "/api/account/login", &from(1), right).await.0, 200);
    slowed_down(async |_| server.http("POST", "/api/account/login", &from(1), guess).await.0).await;
    // A stolen session does not get around the limit, from wherever.
    let change = r#"{"old":"wrong horse","new":"battery staple"}"#;
    let stolen = |number: u32| format!("{owner}{}", from(6 + number));
    slowed_down(async |number| server.http("POST", "/api/account/password", &stolen(number), change).await.0).await;
    let mut status = 429;
    for _ in 0..100 {
        status = server.http("POST", "/api/account/login", &from(9), right).await.0;
        if status != 429 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(status, 200, "once the delay is over");
    assert_eq!(server.http("POST", "/api/account/login", &from(9), guess).await.0, 401, "the count began anew");
    server.stop().await;
}

#[tokio::test]
async fn an_account_is_deleted_with_its_password_only() {
    let server = Running::start().await;
    let owner = with(&account(&server, "Olena").await);
    assert_eq!(server.http("DELETE", "/api/me", &owner, "").await.0, 403);
    for (body, expected) in [("", 400), (r#"{"password":"wrong horse"}"#, 401)] {
        assert_eq!(server.http("POST", "/api/account/delete", &owner, body).await.0, expected, "{body}");
    }
    assert_eq!(server.http("POST", "/api/account/delete", "", OWN).await.0, 401, "a guest has none");
    let (_, _, me) = server.http("GET", "/api/me", &owner, "").await;
    assert_eq!(field(&me, "name"), "Olena");
    assert_eq!(server.http("POST", "/api/account/delete", &owner, OWN).await.0, 204);
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    assert_eq!(server.http("DELETE", "/api/me", &with(&cookie(&head)), "").await.0, 204, "a guest needs no password");
    server.stop().await;
}

#[tokio::test]
async fn a_recovery_code_opens_the_account_once() {
    let server = Running::start().await;
    let owner = with(&account(&server, "Olena").await);
    let (token, _connected) = bot(&server, &owner).await;
    let codes = "/api/account/recovery-codes";
    assert_eq!(server.http("GET", codes, &owner, "").await.2, r#"{"left":0}"#);
    assert_eq!(server.http("POST", codes, &owner, r#"{"password":"wrong horse"}"#).await.0, 401);
    let made = async || {
        let (status, _, body) = server.http("POST", codes, &owner, OWN).await;
        assert_eq!(status, 200, "{body}");
        let codes: Vec<String> = body.split('"').filter(|text| text.len() == 19).map(str::to_owned).collect();
        assert_eq!(codes.len(), 8, "{body}");
        codes
    };
    let (old, new) = (made().await, made().await);
    let recover = async |name: &str, code: &str, password: &str| {
        let body = format!(r#"{{"name":"{name}","code":"{code}","password":"{password}"}}"#);
        server.http("POST", "/api/account/recover", "", &body).await
    };
    assert_eq!(recover("olena", &new[0], "short").await.0, 400);
    assert_eq!(recover("olena", &old[0], "battery staple").await.0, 401, "replaced by the new ones");
    assert_eq!(recover("taras", &new[0], "battery staple").await.0, 401, "another account's");
    let typed = new[0].to_uppercase().replace('-', " ");
    let (status, head, body) = recover("Olena", &typed, "battery staple").await;
    assert_eq!((status, field(&body, "name").as_str()), (200, "Olena"), "{body}");
    let recovered = with(&cookie(&head));
    assert_eq!(server.http("GET", codes, &recovered, "").await.2, r#"{"left":7}"#);
    // The old password, the other sessions and the tokens are gone with it.
    assert_eq!(server.http("GET", "/api/me", &token, "").await.0, 401);
    assert_eq!(field(&server.http("GET", "/api/me", &owner, "").await.2, "kind"), "guest");
    assert_eq!(recover("olena", &new[0], "correct horse").await.0, 401, "each once");
    let old_password = r#"{"name":"olena","password":"correct horse"}"#;
    assert_eq!(server.http("POST", "/api/account/login", "", old_password).await.0, 401);
    log_in(&server, "Olena", "battery staple").await;
    // Guesses delay those who guess, and not the owner with a code.
    let guess = r#"{"name":"olena","password":"wrong horse"}"#;
    for expected in [401, 401, 401, 429] {
        assert_eq!(server.http("POST", "/api/account/login", "", guess).await.0, expected);
    }
    for _ in 0..4 {
        assert_eq!(recover("olena", "aaaa-bbbb-cccc-dddd", "battery staple").await.0, 401);
    }
    assert_eq!(recover("olena", &new[1], "battery staple").await.0, 200);
    server.stop().await;
}
