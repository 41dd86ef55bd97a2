//! What other sites may show: link previews, and boards in frames.

use crate::common::{Running, field, scratch, unlimited, with};

/// A guest with a table of a kind, on which one action has been played.
async fn played(server: &Running, access: &str) -> String {
    let (_, head, _) = server.http("GET", "/api/me", "", "").await;
    let guest = with(&crate::common::cookie(&head));
    let spec = format!(r#"{{"game":"quixo","seat":1,"bots":[null,1],"access":"{access}"}}"#);
    let (status, _, body) = server.http("POST", "/api/tables", &guest, &spec).await;
    assert_eq!(status, 200, "{body}");
    let table = field(&body, "table");
    let act = r#"{"action":"a3e3","at":0}"#;
    let (status, _, body) = server.http("POST", &format!("/api/tables/{table}/act"), &guest, act).await;
    assert_eq!(status, 200, "{body}");
    table
}

#[tokio::test]
async fn an_open_game_stands_in_a_frame_without_a_cookie_and_others_do_not() {
    let server = Running::start().await;
    let table = played(&server, "open").await;
    let (status, head, body) = server.http("GET", &format!("/embed/table/{table}?at=1"), "", "").await;
    assert_eq!(status, 200, "{body}");
    assert!(head.contains("frame-ancestors *") && !head.contains("x-frame-options"), "{head}");
    assert!(!head.contains("set-cookie"), "{head}");
    assert!(body.contains("<svg") && body.contains("a3e3") && body.contains("/embed/embed.js"), "{body}");
    for access in ["link", "private"] {
        let table = played(&server, access).await;
        let (status, _, body) = server.http("GET", &format!("/embed/table/{table}"), "", "").await;
        assert_eq!(status, 404);
        assert!(!body.contains("<svg"), "{body}");
    }
    // No other address may be framed.
    let (_, head, _) = server.http("GET", "/", "", "").await;
    assert!(head.contains("frame-ancestors 'none'") && head.contains("x-frame-options: deny"), "{head}");
    server.stop().await;
}

#[tokio::test]
async fn a_record_in_an_address_is_a_board_and_nonsense_is_not() {
    let server = Running::start().await;
    let record = "%5BGame%20%22quixo%22%5D%0A%0A1.%20a3e3%202.%20a2e2%0A";
    let (status, _, body) = server.http("GET", &format!("/embed/record?text={record}&at=1"), "", "").await;
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("1/2"), "{body}");
    for wrong in ["/embed/record", "/embed/record?text=nonsense", "/embed/table/none"] {
        assert_eq!(server.http("GET", wrong, "", "").await.0, 404, "{wrong}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_puzzle_stands_in_a_frame_and_its_solution_is_stepped_through() {
    let server = Running::start().await;
    for game in ["quarto", "quixo", "sequence", "four"] {
        let (status, head, body) = server.http("GET", &format!("/embed/puzzle/{game}"), "", "").await;
        assert_eq!(status, 200, "{game}: {body}");
        assert!(head.contains("frame-ancestors *") && !head.contains("set-cookie"), "{head}");
        assert!(body.contains("<svg") && body.contains("data-step=\"forward\""), "{game}");
        assert!(!body.contains("data-step=\"back\""), "the solution is not shown first: {game}");
        let (_, _, next) = server.http("GET", &format!("/embed/puzzle/{game}?at=1"), "", "").await;
        assert!(next.contains("1/") && next.contains("data-step=\"back\""), "{game}: {next}");
    }
    for wrong in ["/embed/puzzle/none", "/embed/puzzle/00000000"] {
        assert_eq!(server.http("GET", wrong, "", "").await.0, 404, "{wrong}");
    }
    server.stop().await;
}

#[tokio::test]
async fn previews_are_pictures() {
    let server = Running::start().await;
    let table = played(&server, "open").await;
    for path in
        [format!("/preview/table/{table}?language=uk"), "/preview/game/quixo".to_owned(), "/preview/home".to_owned()]
    {
        let (status, head, _) = server.http("GET", &path, "", "").await;
        assert_eq!(status, 200, "{path}");
        assert!(head.contains("content-type: image/png") && !head.contains("set-cookie"), "{head}");
    }
    for path in ["/preview/table/none", "/preview/game/chess"] {
        assert_eq!(server.http("GET", path, "", "").await.0, 404, "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn running_games_at_open_tables_are_listed_and_others_are_not() {
    let server = Running::start().await;
    let (open, link) = (played(&server, "open").await, played(&server, "link").await);
    let mut body = String::new();
    // A table whose bot's answer is still being written is listed a moment later.
    for _ in 0..50 {
        let (status, _, listed) = server.http("GET", "/api/live", "", "").await;
        assert_eq!(status, 200);
        body = listed;
        if body.contains(&open) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(body.contains(&open) && !body.contains(&link), "{body}");
    server.stop().await;
}

/// Frames and pictures are as closed as the API to a banned address, and to a page that lets a name of its own point here.
#[tokio::test]
async fn frames_and_pictures_are_not_for_banned_addresses_and_foreign_names() {
    let config = server::Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..unlimited() };
    let server = Running::with(scratch().await, config).await;
    let place = server.database.parse().unwrap();
    let key = server::operator_key(&place).await.unwrap().unwrap();
    let key = format!("authorization: Bearer {key}\r\n");
    assert_eq!(server.http("POST", "/api/operator/bans", &key, r#"{"target":"192.0.2.1"}"#).await.0, 204);
    for path in ["/preview/game/quixo", "/embed/embed.js"] {
        let from =
            async |address: &str| server.http("GET", path, &format!("x-forwarded-for: {address}\r\n"), "").await.0;
        assert_eq!((from("192.0.2.1").await, from("192.0.2.2").await), (403, 200), "{path}");
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: rebind.example.org\r\nconnection: close\r\n\r\n");
        tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut answer).await.unwrap();
        assert_eq!(&answer[9..], b"403", "{path}");
    }
    server.stop().await;
}
