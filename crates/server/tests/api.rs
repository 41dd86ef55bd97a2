//! The HTTP side: accounts, records, streams, and what is refused.

use crate::common::{Client, Running, field, spec_of, unlimited};
use protocol::{Access, Command, Refusal, TableSpec};
use server::Config;

/// The header that sends back the cookie an answer sets.
fn cookie(head: &str) -> String {
    crate::common::with(&crate::common::cookie(head))
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_keeps_the_games() {
    let server = Running::start().await;
    let (status, head, body) = server.http("GET", "/api/me", "", "").await;
    assert_eq!((status, field(&body, "kind").as_str()), (200, "guest"));
    assert!(head.contains("httponly") && head.contains("samesite=lax"), "{head}");
    let guest = cookie(&head);
    let id = field(&body, "id");
    let (status, _, body) =
        server.http("POST", "/api/tables", &guest, r#"{"game":"quixo","seat":1,"bots":[null,1]}"#).await;
    assert_eq!(status, 200, "{body}");
    let table = field(&body, "table");
    let credentials = r#"{"name":"Olena","password":"correct horse"}"#;
    let (status, head, body) = server.http("POST", "/api/account/register", &guest, credentials).await;
    assert_eq!((status, field(&body, "id")), (200, id.clone()), "{body}");
    let logged_in = cookie(&head);
    let (_, _, body) = server.http("GET", "/api/me/games", &logged_in, "").await;
    assert!(body.contains(&table), "{body}");
    // The guest's cookie opens nothing any more, and the name is taken.
    let (_, _, body) = server.http("GET", "/api/me", &guest, "").await;
    assert_ne!(field(&body, "id"), id);
    let (status, _, _) =
        server.http("POST", "/api/account/register", "", r#"{"name":"OLENA","password":"12345678"}"#).await;
    assert_eq!(status, 400);
    let (status, _, _) =
        server.http("POST", "/api/account/login", "", r#"{"name":"olena","password":"wrong horse"}"#).await;
    assert_eq!(status, 401);
    let (status, head, _) =
        server.http("POST", "/api/account/login", "", r#"{"name":"olena","password":"correct horse"}"#).await;
    assert_eq!(status, 200);
    let elsewhere = cookie(&head);
    let change = r#"{"old":"correct horse","new":"battery staple"}"#;
    let (status, head, _) = server.http("POST", "/api/account/password", &elsewhere, change).await;
    assert_eq!(status, 200);
    let changed = cookie(&head);
    let (_, _, body) = server.http("GET", "/api/me", &logged_in, "").await;
    assert_eq!(field(&body, "kind"), "guest", "another password lets everybody else out");
    let (_, _, body) = server.http("GET", "/api/me/export", &changed, "").await;
    assert!(body.contains("[Game \\\"quixo\\\"]"), "{body}");
    assert_eq!(server.http("POST", "/api/account/logout-everywhere", &changed, "").await.0, 204);
    let (status, head, _) =
        server.http("POST", "/api/account/login", "", r#"{"name":"olena","password":"battery staple"}"#).await;
    assert_eq!(status, 200);
    let last = cookie(&head);
    let own = r#"{"password":"battery staple"}"#;
    assert_eq!(server.http("POST", "/api/account/delete", &last, own).await.0, 204);
    let (_, _, body) = server.http("GET", &format!("/api/people/{id}"), "", "").await;
    assert_eq!((field(&body, "kind").as_str(), field(&body, "name").as_str()), ("gone", ""));
    let (_, _, record) = server.http("GET", &format!("/api/tables/{table}/record"), "", "").await;
    assert!(!record.contains("Olena"), "{record}");
    server.stop().await;
}

#[tokio::test]
async fn a_table_can_be_played_with_plain_requests() {
    let server = Running::start().await;
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    let one = cookie(&head);
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    let two = cookie(&head);
    let (_, _, body) = server.http("POST", "/api/tables", &one, r#"{"game":"quixo","seat":1}"#).await;
    let table = field(&body, "table");
    let to = |what: &str| format!("/api/tables/{table}/{what}");
    assert_eq!(server.http("POST", &to("sit"), &two, r#"{"seat":2}"#).await.0, 200);
    let act = r#"{"action":"a3e3","at":0,"id":"x"}"#;
    assert_eq!(server.http("POST", &to("act"), &one, act).await.0, 200);
    assert_eq!(server.http("POST", &to("act"), &one, act).await.0, 200, "the same again is acknowledged again");
    let (status, _, body) =
        server.http("POST", &to("act"), &format!("{one}accept-language: uk\r\n"), r#"{"action":"a2e2","at":1}"#).await;
    assert_eq!(status, 409);
    assert!(body.contains("not_your_turn") && body.contains("Зараз не ваш хід."), "{body}");
    assert_eq!(server.http("POST", &to("resign"), &two, "").await.0, 200);
    let (_, _, record) = server.http("GET", &to("record"), "", "").await;
    assert!(record.contains("[Result \"p1win\"]") && record.contains("1. a3e3"), "{record}");
    server.stop().await;
}

#[tokio::test]
async fn events_come_as_a_stream_from_where_one_was() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Running::start().await;
    let mut client = server.client().await;
    let table = client.create(TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo") }).await;
    client.until_seq(3).await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET /api/tables/{table}/events?seen=2 HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    client.play(0).await.unwrap();
    let mut text = String::new();
    while !text.contains("id: 4") {
        let mut buffer = [0; 4096];
        let read = tokio::time::timeout(std::time::Duration::from_secs(10), stream.read(&mut buffer)).await;
        text += &String::from_utf8_lossy(&buffer[..read.unwrap().unwrap()]);
    }
    assert!(text.contains("text/event-stream") && text.contains("id: 3") && !text.contains("id: 2\n"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn a_running_record_shows_each_their_own_cards_alone() {
    let server = Running::start().await;
    let mut one = server.client().await;
    let table = one.create(spec_of("sequence")).await;
    let mut two = server.client().await;
    two.join(&table).await;
    let path = format!("/api/tables/{table}/record");
    let (_, _, own) = server.http("GET", &path, &format!("cookie: {}\r\n", one.cookie), "").await;
    let (_, _, others) = server.http("GET", &path, &format!("cookie: {}\r\n", two.cookie), "").await;
    let (_, _, nobodys) = server.http("GET", &path, "", "").await;
    let hidden = |text: &str| text.matches("draw:?").count();
    assert_eq!((hidden(&own), hidden(&others)), (hidden(&nobodys) / 2, hidden(&nobodys) / 2), "{own}\n{nobodys}");
    assert!(hidden(&own) > 0 && !nobodys.replace("draw:?", "").contains("draw:"));
    server.stop().await;
}

#[tokio::test]
async fn private_tables_have_no_spectators() {
    let server = Running::start().await;
    let mut one = server.client().await;
    let private = TableSpec { access: Access::Private, bots: vec![None, Some(1)], ..spec_of("quixo") };
    let table = one.create(private).await;
    let mut stranger = server.client().await;
    let refused = stranger.ask(Command::Watch { table: table.clone(), seen: 0 }).await;
    assert!(matches!(refused, protocol::ServerMessage::Refused { reason: Refusal::Private, .. }));
    assert_eq!(server.http("GET", &format!("/api/tables/{table}/record"), "", "").await.0, 403);
    server.stop().await;
}

#[tokio::test]
async fn bad_requests_get_the_right_status() {
    let server = Running::start().await;
    for (method, path, headers, body, expected) in [
        ("GET", "/api/tables/nowhere", "", "", 404),
        ("GET", "/api/tables/aaaaaaaaaaaa/events", "", "", 404),
        ("GET", "/api/people/unknown", "", "", 404),
        ("GET", "/api/nothing", "", "", 404),
        ("POST", "/api/tables", "", "{", 400),
        ("POST", "/api/tables", "", r#"{"game":"chess"}"#, 400),
        ("POST", "/api/tables", "", r#"{"game":"quixo","rated":true,"seat":1}"#, 403),
        ("POST", "/api/tables", "origin: https://elsewhere.example\r\n", r#"{"game":"quixo"}"#, 403),
        ("POST", "/api/tables", "sec-fetch-site: cross-site\r\n", r#"{"game":"quixo"}"#, 403),
        ("GET", "/api/me", "authorization: Bearer expired\r\n", "", 401),
        ("GET", "/api/me", "authorization: bearer expired\r\n", "", 401),
        ("PATCH", "/api/me", "", r#"{"name":"  "}"#, 400),
        ("POST", "/api/account/password", "", r#"{"old":"12345678","new":"12345678"}"#, 401),
        ("GET", "/ws", "", "", 400),
        ("GET", "/health", "", "", 200),
        ("GET", "/ready", "", "", 200),
        ("GET", "/api/openapi.json", "", "", 200),
    ] {
        let (status, _, answer) = server.http(method, path, headers, body).await;
        assert_eq!(status, expected, "{method} {path} {body}: {answer}");
    }
    let long = format!(r#"{{"game":"{}"}}"#, "x".repeat(20_000));
    for path in ["/api/tables", "/api/puzzles/storms"] {
        let (status, _, answer) = server.http("POST", path, "", &long).await;
        assert!(status == 413 && answer.contains("too_long"), "{path}: {status} {answer}");
    }
    let (_, head, _) = server.http("GET", "/api/lobby", "", "").await;
    assert!(head.contains("content-security-policy") && head.contains("nosniff") && head.contains("no-store"));
    let (_, _, numbers) = server.http("GET", "/metrics", "", "").await;
    assert!(numbers.contains("fourfold_tables"), "{numbers}");
    server.stop().await;
}

#[tokio::test]
async fn a_page_from_elsewhere_cannot_connect() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let server = Running::start().await;
    let mut request = format!("ws://{}/ws", server.address).into_client_request().unwrap();
    request.headers_mut().insert("origin", "https://elsewhere.example".parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.unwrap_err().to_string().contains("403"));
    let mut request = format!("ws://{}/ws", server.address).into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{}", server.address).parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.is_ok());
    server.stop().await;
}

#[tokio::test]
async fn too_many_requests_from_one_address_are_refused() {
    let config = Config { requests_per_second: 1, ..unlimited() };
    let server = Running::with(crate::common::scratch().await, config).await;
    // Ten at once, then one a second: a slow machine needs more.
    let mut answered = 0;
    while answered < 200 && server.http("GET", "/api/games", "", "").await.0 == 200 {
        answered += 1;
    }
    assert!((10..200).contains(&answered), "{answered}");
    server.stop().await;
}

#[tokio::test]
async fn a_bot_plays_with_a_token() {
    let server = Running::start().await;
    let (status, _, body) = server.http("POST", "/api/me/tokens", "", r#"{"name":"Deep Thought"}"#).await;
    assert_eq!(status, 200);
    let token = format!("authorization: Bearer {}\r\n", field(&body, "token"));
    let (_, _, me) = server.http("GET", "/api/me", &token, "").await;
    assert_eq!((field(&me, "kind").as_str(), field(&me, "name").as_str()), ("bot", "Deep Thought"));
    server.stop().await;
}

#[tokio::test]
async fn ratings_change_for_two_accounts_and_stand_beside_their_names() {
    let server = Running::start().await;
    let mut clients = Vec::new();
    for name in ["Ann", "Bob"] {
        let credentials = format!(r#"{{"name":"{name}","password":"correct horse"}}"#);
        let (_, head, _) = server.http("POST", "/api/account/register", "", &credentials).await;
        let header = cookie(&head);
        let value = header.trim().strip_prefix("cookie: ").unwrap().to_owned();
        clients.push(Client::connect(server.address, Some(&value)).await);
    }
    let shown = |client: &Client| -> Vec<Option<u32>> {
        client.follower.as_ref().unwrap().table.seats.iter().map(|seat| seat.rating).collect()
    };
    let (mut two, mut one) = (clients.pop().unwrap(), clients.pop().unwrap());
    let friendly = one.create(spec_of("quixo")).await;
    two.join(&friendly).await;
    assert_eq!(shown(&two), [None, None], "only where ratings change");
    let table = one.create(TableSpec { rated: true, ..spec_of("quixo") }).await;
    two.join(&table).await;
    one.until_seq(3).await;
    assert_eq!((shown(&one), shown(&two)), (vec![Some(1500); 2], vec![Some(1500); 2]));
    two.ask(Command::Resign {}).await;
    let rating = async |id: &str| {
        let (_, _, body) = server.http("GET", &format!("/api/people/{id}"), "", "").await;
        let start = body.find("\"rating\":").expect("a rating") + 9;
        body[start..].split(',').next().unwrap().parse::<u32>().unwrap()
    };
    let (winner, loser) = (rating(&one.me.id).await, rating(&two.me.id).await);
    assert!(winner > 1500 && loser < 1500, "{winner} {loser}");
    // The page of the winner has the history and the record; one game is not enough for the leaderboard.
    let (_, _, page) = server.http("GET", &format!("/api/people/{}", one.me.id), "", "").await;
    assert!(page.contains(&format!(r#""history":[{{"game":"quixo","rating":{winner},"at":"#)), "{page}");
    assert!(page.contains(r#""record":[{"game":"quixo","won":1,"lost":0,"drawn":0}]"#), "{page}");
    let changes = async |table: &str| server.http("GET", &format!("/api/tables/{table}/ratings"), "", "").await.2;
    let first = format!(r#"[{{"seat":1,"before":1500,"after":{winner}}},{{"seat":2,"before":1500,"after":{loser}}}]"#);
    assert_eq!((changes(&table).await, changes(&friendly).await), (first.clone(), "[]".to_owned()));
    assert_eq!(server.http("GET", "/api/leaderboard/quixo", "", "").await.2, "[]");
    assert_eq!(server.http("GET", "/api/leaderboard/chess", "", "").await.0, 404);
    let header = format!("cookie: {}\r\n", one.cookie);
    let follow = format!("/api/me/follows/{}", two.me.id);
    assert_eq!(server.http("PUT", &follow, &header, "").await.0, 204);
    let (_, _, follows) = server.http("GET", "/api/me/follows", &header, "").await;
    assert!(follows.contains(r#""name":"Bob","online":true"#), "{follows}");
    assert_eq!(server.http("DELETE", &follow, &header, "").await.0, 204);
    assert_eq!(server.http("GET", "/api/me/follows", &header, "").await.2, "[]");
    // The next game, one seat further, and the other one's view of it, also after a restart.
    two.ask(Command::Propose { offer: protocol::Offer::Rematch }).await;
    one.ask(Command::Propose { offer: protocol::Offer::Rematch }).await;
    while one.follower.as_ref().unwrap().again.is_none() {
        one.receive().await;
    }
    let next = one.follower.as_ref().unwrap().again.clone().unwrap();
    one.ask(Command::Watch { table: next.clone(), seen: 0 }).await;
    assert_eq!(shown(&one), [Some(loser), Some(winner)]);
    assert_eq!(changes(&next).await, "[]", "the game goes on");
    one.ask(Command::Resign {}).await;
    let second = changes(&next).await;
    assert!(second.contains(&format!(r#""seat":1,"before":{loser},"after":"#)), "{second}");
    assert!(second.contains(&format!(r#""seat":2,"before":{winner},"after":"#)), "{second}");
    assert_eq!(changes(&table).await, first, "later games change nothing");
    let other_game = one.create(TableSpec { rated: true, ..spec_of("four") }).await;
    assert_ne!(other_game, next);
    assert_eq!(shown(&one), [Some(1500), None], "each game has its own");
    let server = Running::with(server.stop().await, unlimited()).await;
    let (_, _, body) = server.http("GET", &format!("/api/tables/{next}"), "", "").await;
    assert!(body.contains(&format!("\"rating\":{winner}")) && body.contains(&format!("\"rating\":{loser}")), "{body}");
    server.stop().await;
}
