//! What follows a person from page to page and from device to device: settings and challenges.

use std::time::Duration;

use crate::common::{Client, Running, account, field, scratch, spec_of, unlimited, with};
use protocol::{Access, TableSpec};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn settings(name: &str, value: &str, at: i64) -> String {
    format!(r#"{{"version":1,"settings":[{{"name":"{name}","value":"{value}","at":{at}}}]}}"#)
}

#[tokio::test]
async fn of_two_choices_the_later_one_stays_whichever_device_speaks_first() {
    let server = Running::start().await;
    let olena = with(&account(&server, "Olena").await);
    let put = async |body: &str| server.http("PUT", "/api/me/settings", &olena, body).await;
    assert_eq!(put(&settings("theme", "dark", 2_000)).await.0, 200);
    let (_, _, body) = put(&settings("theme", "light", 1_000)).await;
    assert!(body.contains(r#"{"name":"theme","value":"dark","at":2000}"#), "{body}");
    put(&settings("look-quixo", "slate", 1_500)).await;
    let (_, _, body) = put(&settings("theme", "system", 2_001)).await;
    assert!(body.contains(r#""value":"system""#) && body.contains("slate"), "{body}");
    // A clock that is ahead does not win for ever.
    put(&settings("speed", "slow", i64::MAX)).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let (_, _, body) = put(&settings("speed", "fast", i64::MAX)).await;
    assert!(body.contains("fast") && !body.contains(&i64::MAX.to_string()), "{body}");
    // Nothing of it is another person's, and a guest keeps nothing.
    let taras = with(&account(&server, "Taras").await);
    let (_, _, other) = server.http("GET", "/api/me/settings", &taras, "").await;
    assert!(other.contains(r#""settings":[]"#), "{other}");
    assert_eq!(server.http("GET", "/api/me/settings", "", "").await.0, 403);
    let (_, _, export) = server.http("GET", "/api/me/export", &olena, "").await;
    assert!(export.contains(r#""name":"look-quixo""#), "{export}");
    server.stop().await;
}

#[tokio::test]
async fn settings_have_limits() {
    let server = Running::start().await;
    let olena = with(&account(&server, "Olena").await);
    let put = async |body: &str| server.http("PUT", "/api/me/settings", &olena, body).await.0;
    assert_eq!(put(&settings("theme", &"x".repeat(65), 1)).await, 400);
    assert_eq!(put(&settings("The me", "x", 1)).await, 400);
    assert_eq!(put(&settings("theme", "a\\u0000", 1)).await, 400, "PostgreSQL could not keep it");
    assert_eq!(put(r#"{"version":2,"settings":[]}"#).await, 400);
    for batch in 0..2 {
        let many = (0..64).map(|it| format!(r#"{{"name":"b{batch}-{it}","value":"x","at":1}}"#));
        let many = many.collect::<Vec<_>>().join(",");
        assert_eq!(put(&format!(r#"{{"version":1,"settings":[{many}]}}"#)).await, 200);
    }
    let (_, _, body) = server.http("GET", "/api/me/settings", &olena, "").await;
    assert_eq!(body.matches("\"name\"").count(), 64);
    server.stop().await;
}

/// Reads a stream of events until a text comes.
async fn stream_until(stream: &mut TcpStream, text: &str) {
    let mut read = String::new();
    let mut buffer = [0; 4096];
    let reading = async {
        while !read.contains(text) {
            let count = stream.read(&mut buffer).await.unwrap();
            assert!(count > 0, "the stream ended: {read}");
            read.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    };
    tokio::time::timeout(Duration::from_secs(10), reading).await.unwrap_or_else(|_| panic!("no {text}"));
}

#[tokio::test]
async fn a_challenge_reaches_the_other_player_and_is_accepted_or_declined() {
    let server = Running::start().await;
    let (one, two) = (account(&server, "Olena").await, account(&server, "Taras").await);
    let (olena, taras) = (with(&one), with(&two));
    let id = |body: &str| field(body, "id");
    let taras_id = id(&server.http("GET", "/api/me", &taras, "").await.2);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET /api/me/events HTTP/1.1\r\nhost: {}\r\n{taras}\r\n", server.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    stream_until(&mut stream, r#"{"challenges":0}"#).await;

    let mut maker = Client::connect(server.address, Some(&one)).await;
    let seat = Some(rules::Seat::ONE);
    let table = maker.create(TableSpec { access: Access::Link, seat, ..spec_of("quixo") }).await;
    let challenge = format!("/api/tables/{table}/challenges/{taras_id}");
    assert_eq!(server.http("PUT", &challenge, &taras, "").await.0, 403, "only those at the table may");
    assert_eq!(server.http("PUT", &challenge, &olena, "").await.0, 204);
    stream_until(&mut stream, r#"{"challenges":1}"#).await;
    let (_, _, list) = server.http("GET", "/api/me/challenges", &taras, "").await;
    assert!(list.contains(&table) && list.contains("Olena") && list.contains(r#""game":"quixo""#), "{list}");

    let declined = format!("/api/me/challenges/{table}");
    assert_eq!(server.http("DELETE", &declined, &olena, "").await.0, 404, "it is not hers to decline");
    assert_eq!(server.http("DELETE", &declined, &taras, "").await.0, 204);
    stream_until(&mut stream, r#"{"challenges":0}"#).await;
    let (_, _, sent) = server.http("GET", "/api/me/challenges", &olena, "").await;
    assert!(sent.contains(r#""declined":true"#), "{sent}");

    // Another one is accepted by sitting down, and is open no more.
    let table = maker.create(TableSpec { access: Access::Link, seat, ..spec_of("four(size=9)") }).await;
    let challenge = format!("/api/tables/{table}/challenges/{taras_id}");
    assert_eq!(server.http("PUT", &challenge, &olena, "").await.0, 204);
    stream_until(&mut stream, r#"{"challenges":1}"#).await;
    assert_eq!(server.http("POST", &format!("/api/tables/{table}/sit"), &taras, "{}").await.0, 200);
    let (_, _, list) = server.http("GET", "/api/me/challenges", &taras, "").await;
    assert!(list.contains(r#""received":[]"#), "{list}");
    assert_eq!(server.http("PUT", &challenge, &olena, "").await.0, 409, "the game has begun");
    server.stop().await;
}

#[tokio::test]
async fn challenges_respect_blocks_and_limits() {
    let server = Running::start().await;
    let (one, two) = (account(&server, "Olena").await, account(&server, "Taras").await);
    let (olena, taras) = (with(&one), with(&two));
    let olena_id = field(&server.http("GET", "/api/me", &olena, "").await.2, "id");
    let taras_id = field(&server.http("GET", "/api/me", &taras, "").await.2, "id");
    let mut maker = Client::connect(server.address, Some(&one)).await;
    let mut last = String::new();
    for count in 0..4 {
        let table =
            maker.create(TableSpec { access: Access::Link, seat: Some(rules::Seat::ONE), ..spec_of("quarto") }).await;
        let (status, _, body) =
            server.http("PUT", &format!("/api/tables/{table}/challenges/{taras_id}"), &olena, "").await;
        assert_eq!(status, if count < 3 { 204 } else { 429 }, "{count}: {body}");
        last = table;
    }
    let again = format!("/api/tables/{last}/challenges/{olena_id}");
    assert_eq!(server.http("PUT", &again, &olena, "").await.0, 404, "nobody challenges themselves");
    assert_eq!(server.http("PUT", &format!("/api/me/blocks/{olena_id}"), &taras, "").await.0, 204);
    let mut other = Client::connect(server.address, Some(&one)).await;
    let table = other.create(TableSpec { access: Access::Link, seat: Some(rules::Seat::ONE), ..spec_of("four") }).await;
    let blocked = format!("/api/tables/{table}/challenges/{taras_id}");
    assert_eq!(server.http("PUT", &blocked, &olena, "").await.0, 403);
    server.stop().await;
}

/// Thirty guests could fill the list of a person, whom no friend could challenge then.
#[tokio::test]
async fn strangers_do_not_crowd_friends_out_of_a_list_of_challenges() {
    let server = Running::start().await;
    let taras = with(&account(&server, "Taras").await);
    let taras_id = field(&server.http("GET", "/api/me", &taras, "").await.2, "id");
    let challenge = async |cookie: &str, table: &str, person: &str| {
        server.http("PUT", &format!("/api/tables/{table}/challenges/{person}"), &with(cookie), "").await.0
    };
    let waiting = || TableSpec { access: Access::Link, ..spec_of("quixo") };
    let mut from_guests = 0;
    for _ in 0..12 {
        let mut guest = server.client().await;
        let table = guest.create(waiting()).await;
        from_guests += u32::from(challenge(&guest.cookie, &table, &taras_id).await == 204);
    }
    assert_eq!(from_guests, 10);
    let mut from_accounts = 0;
    for number in 0..8 {
        let stranger = account(&server, &format!("Stranger {number}")).await;
        let mut stranger = Client::connect(server.address, Some(&stranger)).await;
        for _ in 0..3 {
            let table = stranger.create(waiting()).await;
            from_accounts += u32::from(challenge(&stranger.cookie, &table, &taras_id).await == 204);
        }
    }
    assert_eq!(from_accounts, 20, "guests do not take the room of accounts");
    let olena = account(&server, "Olena").await;
    let mut olena = Client::connect(server.address, Some(&olena)).await;
    let table = olena.create(waiting()).await;
    assert_eq!(challenge(&olena.cookie, &table, &taras_id).await, 429, "she is a stranger");
    assert_eq!(server.http("PUT", &format!("/api/me/follows/{}", olena.me.id), &taras, "").await.0, 204);
    assert_eq!(challenge(&olena.cookie, &table, &taras_id).await, 204, "nobody takes the room of friends");
    // And one person does not challenge everybody.
    let mut people = Vec::new();
    for number in 0..31 {
        let named = format!(r#"{{"name":"Player {number}"}}"#);
        people.push(field(&server.http("PATCH", "/api/me", "", &named).await.2, "id"));
    }
    let mut sent = 1;
    for person in &people {
        sent += u32::from(challenge(&olena.cookie, &table, person).await == 204);
    }
    assert_eq!(sent, 30);
    server.stop().await;
}

/// The log is read for the latest forty alone.
#[tokio::test]
async fn a_long_list_says_of_every_game_who_played_and_won() {
    let server = Running::with(scratch().await, unlimited()).await;
    let (ann, bob) = (with(&account(&server, "Ann").await), with(&account(&server, "Bob").await));
    for number in 0..42 {
        let (status, _, made) = server.http("POST", "/api/tables", &ann, r#"{"game":"quixo","seat":1}"#).await;
        assert_eq!(status, 200, "{made}");
        let table = format!("/api/tables/{}", field(&made, "table"));
        assert_eq!(server.http("POST", &format!("{table}/sit"), &bob, r#"{"seat":2}"#).await.0, 200);
        // The first one, which the others push down the list, goes on.
        if number > 0 {
            assert_eq!(server.http("POST", &format!("{table}/resign"), &bob, "").await.0, 200);
        }
    }
    let (_, _, body) = server.http("GET", "/api/me/games", &bob, "").await;
    let games: Vec<serde_json::Value> = serde_json::from_str(&body).unwrap();
    assert_eq!(games.len(), 42);
    for game in &games {
        assert_eq!((&game["seat"], &game["players"]), (&2.into(), &serde_json::json!(["Ann", "Bob"])), "{game}");
    }
    assert_eq!(games.iter().filter(|game| game["result"] == "p1win").count(), 41);
    assert!(games[41]["state"] == "playing" && games[41]["to_act"] == 1, "{}", games[41]);
    server.stop().await;
}
