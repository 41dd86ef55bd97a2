//! What is asked again, said too often, or sent in too many pieces.

use std::time::{Duration, Instant};

use crate::common::{Client, Running, spec_of};
use protocol::{ChatLine, Command, Refusal, ServerMessage, TableSpec};

fn table_of(answer: &ServerMessage) -> String {
    match answer {
        ServerMessage::Acknowledged { table: Some(table), .. } => table.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_table_asked_for_again_is_the_same_until_its_game_is_over() {
    let server = Running::start().await;
    let mut maker = server.client().await;
    let made = table_of(&maker.ask_as("make", Command::Create(spec_of("quixo"))).await);
    // The acknowledgement got lost with the connection.
    let mut maker = Client::connect(server.address, Some(&maker.cookie)).await;
    assert_eq!(table_of(&maker.ask_as("make", Command::Create(spec_of("quixo"))).await), made);
    assert_ne!(table_of(&maker.ask_as("another", Command::Create(spec_of("quixo"))).await), made);
    assert_ne!(table_of(&maker.ask_as("make", Command::Create(spec_of("four"))).await), made, "another spec");
    let mut stranger = server.client().await;
    assert_ne!(table_of(&stranger.ask_as("make", Command::Create(spec_of("quixo"))).await), made, "another's spec");
    stranger.join(&made).await;
    stranger.ask(Command::Resign {}).await;
    assert_ne!(table_of(&maker.ask_as("make", Command::Create(spec_of("quixo"))).await), made, "that one is over");
    let body = r#"{"game":"quixo","seat":1,"id":"post"}"#;
    let header = format!("cookie: {}\r\n", maker.cookie);
    let (_, _, first) = server.http("POST", "/api/tables", &header, body).await;
    let (_, _, second) = server.http("POST", "/api/tables", &header, body).await;
    assert_eq!(first, second);
    let long = format!(r#"{{"game":"quixo","id":"{}"}}"#, "x".repeat(41));
    assert_eq!(server.http("POST", "/api/tables", &header, &long).await.0, 400);
    server.stop().await;
}

#[tokio::test]
async fn a_repeated_pairing_request_leads_to_the_same_table() {
    let server = Running::start().await;
    let looking = TableSpec { clock: "turn=60".to_owned(), ..spec_of("four(size=9)") };
    let mut one = server.client().await;
    let mut two = server.client().await;
    let table = table_of(&one.ask_as("1", Command::Pair(looking.clone())).await);
    assert_eq!(table_of(&two.ask_as("1", Command::Pair(looking.clone())).await), table);
    for client in [&one, &two] {
        let mut back = Client::connect(server.address, Some(&client.cookie)).await;
        assert_eq!(
            table_of(&back.ask_as("1", Command::Pair(looking.clone())).await),
            table,
            "the game has begun meanwhile"
        );
    }
    // What is asked at the table has ids of its own.
    two.ask(Command::Watch { table: table.clone(), seen: 0 }).await;
    two.ask_as("1", Command::Resign {}).await;
    assert!(
        two.follower.as_ref().unwrap().ended.is_some() || matches!(two.receive().await, ServerMessage::Event { .. })
    );
    let third = table_of(&one.ask_as("1", Command::Pair(looking)).await);
    assert_ne!(third, table, "that one is over");
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_chat_is_dammed_and_play_goes_on() {
    let server = Running::start().await;
    let mut one = server.client().await;
    let table = one.create(spec_of("quixo")).await;
    let mut two = server.client().await;
    two.join(&table).await;
    let mut spectator = server.client().await;
    spectator.ask(Command::Watch { table, seen: 0 }).await;
    let (mut said, mut refused) = (0, 0);
    for _ in 0..300 {
        match spectator.ask(Command::Say { line: ChatLine::Text { text: "spam".to_owned() } }).await {
            ServerMessage::Acknowledged { .. } => said += 1,
            ServerMessage::Refused { reason: Refusal::TooFast, .. } => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(said >= 20 && refused >= 100, "{said} {refused}");
    assert!(
        matches!(
            two.ask(Command::Say { line: ChatLine::Text { text: "hush".to_owned() } }).await,
            ServerMessage::Acknowledged { .. }
        ),
        "players have their own"
    );
    one.until_seq(3 + said).await;
    // Nor does a flood keep other people from a seat.
    let waiting = one.create(spec_of("quixo")).await;
    spectator.ask(Command::Watch { table: waiting.clone(), seen: 0 }).await;
    for _ in 0..100 {
        spectator.ask(Command::Say { line: ChatLine::Text { text: "spam".to_owned() } }).await;
    }
    server.client().await.join(&waiting).await;
    one.ask(Command::Watch { table: two.follower.as_ref().unwrap().table.id.clone(), seen: 0 }).await;
    assert!(matches!(one.play(0).await, Some(ServerMessage::Acknowledged { .. })));
    server.stop().await;
}

#[tokio::test]
async fn only_chat_that_a_person_received_can_be_reported() {
    let server = Running::start().await;
    let mut clients = vec![server.client().await];
    let table = clients[0].create(TableSpec { confer: true, ..spec_of("quixo(players=4)") }).await;
    for _ in 1..4 {
        let mut client = server.client().await;
        client.join(&table).await;
        clients.push(client);
    }
    clients[0].until_seq(5).await;
    let ServerMessage::Acknowledged { seq, .. } =
        clients[0].ask(Command::Say { line: ChatLine::Team { text: "our plan".to_owned() } }).await
    else {
        panic!()
    };
    let report = async |client: &Client, seq: u32| {
        let header = format!("cookie: {}\r\n", client.cookie);
        let body = format!(r#"{{"seq":{seq},"words":"rude"}}"#);
        server.http("POST", &format!("/api/tables/{table}/report"), &header, &body).await.0
    };
    assert_eq!(report(&clients[2], seq).await, 204);
    assert_eq!(report(&clients[1], seq).await, 404, "it was not said to them");
    assert_eq!(report(&clients[2], 1).await, 404, "nothing was said there");
    assert_eq!((report(&clients[2], 0).await, report(&clients[2], 999).await), (404, 404));
    server.stop().await;
}

#[tokio::test]
async fn a_message_with_an_id_is_refused_under_it() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let mut refused = async |text: &str| {
        client.send_text(text).await;
        match client.receive().await {
            ServerMessage::Refused { id, reason: Refusal::Unreadable { problem } } => (id, problem.unwrap()),
            other => panic!("{other:?}"),
        }
    };
    // And the refusal says what is wrong, and what is possible.
    let (id, problem) = refused(r#"{"id":"k7","command":{"type":"watch","table":"x","seen":-1}}"#).await;
    assert!(id.as_deref() == Some("k7") && problem.contains("-1"), "{problem}");
    let (_, problem) = refused(r#"{"id":"k8","command":{"type":"sit","saet":1}}"#).await;
    assert!(problem.contains("unknown field `saet`, expected `seat`"), "{problem}");
    let (id, problem) = refused(&format!(r#"{{"id":"{}","command":{{"type":"ping"}}}}"#, "x".repeat(41))).await;
    assert_eq!((id, problem.as_str()), (None, "the id of a request has 1 to 40 bytes"));
    let (_, problem) = refused(&format!(r#"{{"id":"k9","command":{{"type":"{}"}}}}"#, "x".repeat(2000))).await;
    assert_eq!(problem.chars().count(), 300, "what the client wrote is not sent back whole");
    server.stop().await;
}

/// Every refusal over HTTP is an object with a code and a sentence, also of what never reaches a handler.
#[tokio::test]
async fn what_cannot_be_read_over_http_is_refused_with_a_reason() {
    let server = Running::start().await;
    for (method, path, body, status, problem) in [
        ("POST", "/api/tables", r#"{"gmae":"quixo"}"#, 400, "unknown field `gmae`, expected one of `game`"),
        ("POST", "/api/tables", "", 400, "JSON"),
        ("POST", "/api/tables", r#"{"game":"quixo","seat":3}"#, 400, "quixo has no seat 3: possible are 1 to 2"),
        ("POST", "/api/tables", r#"{"game":"quixo","bots":[9]}"#, 400, "no bot of level 9: possible are 1 to 8"),
        ("POST", "/api/tables", r#"{"game":"quixo","bots":[1,1,1]}"#, 400, "3 bots or places for people"),
        ("GET", "/api/tables/abcdefghijkm/events?seen=some", "", 400, "seen"),
        ("GET", "/api/puzzles/daily?day=today", "", 400, "2026-11-17"),
        ("GET", "/api/openings?game=chess&position=x", "", 400, "chess"),
        ("GET", "/api/quixo/values?position=x", "", 400, "x"),
        ("GET", "/api/quixo/values", "", 400, "position"),
        ("GET", "/api/people/%00", "", 404, ""),
        ("GET", "/api/people/%ff", "", 404, ""),
        ("DELETE", "/api/me/blocks/%00", "", 404, ""),
        ("GET", "/api/table", "", 404, ""),
    ] {
        let (answered, _, answer) = server.http(method, path, "", body).await;
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{path}: {answer}"));
        let text = answer["problem"].as_str().unwrap_or_default();
        assert!(answered == status && text.contains(problem), "{path}: {answered} {answer}");
        assert!(answer["code"].is_string() && answer["text"].is_string(), "{path}: {answer}");
    }
    server.stop().await;
}

/// An answer of several messages must not wait for the network to acknowledge the first, which takes it 40 ms.
#[tokio::test]
async fn an_answer_in_pieces_comes_at_once() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let table = client.create(spec_of("quixo")).await;
    let mut times = Vec::new();
    for _ in 0..40 {
        let began = Instant::now();
        client.ask(Command::Watch { table: table.clone(), seen: 1 }).await;
        times.push(began.elapsed());
    }
    times.sort();
    assert!(times[20] < Duration::from_millis(30), "{times:?}");
    server.stop().await;
}

#[tokio::test]
async fn what_breaks_the_connection_is_named() {
    use futures_util::SinkExt;
    use tokio_tungstenite::tungstenite::Message;
    let server = Running::start().await;
    let mut client = server.client().await;
    client.socket.send(Message::text("x".repeat(70_000))).await.unwrap();
    assert_eq!(client.until_closing().await, Refusal::TooLong);
    let mut client = server.client().await;
    // A frame that is not masked.
    let tokio_tungstenite::MaybeTlsStream::Plain(stream) = client.socket.get_mut() else { panic!() };
    tokio::io::AsyncWriteExt::write_all(stream, b"\x81\x02hi").await.unwrap();
    assert_eq!(client.until_closing().await, Refusal::Unreadable { problem: None });
    server.stop().await;
}

/// The names on the seats, as a client follows them.
fn seated_names(client: &Client) -> Vec<String> {
    let seats = &client.follower.as_ref().unwrap().table.seats;
    let id = |seat: &protocol::SeatInfo| match &seat.occupant {
        Some(protocol::Occupant::Person(person)) => person.id.clone(),
        other => panic!("{other:?}"),
    };
    seats.iter().map(id).collect()
}

#[tokio::test]
async fn who_begins_is_drawn_by_lot() {
    let server = Running::start().await;
    let mut begins = std::collections::HashSet::new();
    for _ in 0..40 {
        let (mut one, mut two) = (server.client().await, server.client().await);
        let spec = TableSpec { first: Some(protocol::FirstPlayer::Lot), ..spec_of("quixo") };
        let table = one.create(spec).await;
        two.join(&table).await;
        while two.follower.as_ref().unwrap().game.is_none() {
            two.receive().await;
        }
        one.until_seq(two.follower.as_ref().unwrap().seq).await;
        assert_eq!(seated_names(&one), seated_names(&two));
        let first = seated_names(&one).first() == Some(&one.me.id);
        let beginner = if first { &mut one } else { &mut two };
        assert!(matches!(beginner.play(0).await, Some(ServerMessage::Acknowledged { .. })));
        begins.insert(first);
        if begins.len() == 2 {
            return;
        }
    }
    panic!("the same player began forty times");
}

#[tokio::test]
async fn the_loser_begins_the_rematch() {
    use protocol::{FirstPlayer, Offer};
    let server = Running::start().await;
    for loser in 0..2 {
        let mut players = [server.client().await, server.client().await];
        let table = players[0].create(TableSpec { first: Some(FirstPlayer::Loser), ..spec_of("quixo") }).await;
        players[1].join(&table).await;
        let known = |player: &Client| player.follower.as_ref().map(|it| (it.table.first, it.table.drawn)).unwrap();
        assert_eq!(known(&players[0]), (Some(FirstPlayer::Loser), true), "the first game is drawn");
        let record = server.http("GET", &format!("/api/tables/{table}/record"), "", "").await.2;
        assert!(record.contains("[First \"lot\"]"), "{record}");
        players[loser].ask(Command::Resign {}).await;
        for player in &mut players {
            player.ask(Command::Propose { offer: Offer::Rematch }).await;
        }
        while players[0].follower.as_ref().unwrap().again.is_none() {
            players[0].receive().await;
        }
        let next = players[0].follower.as_ref().unwrap().again.clone().unwrap();
        players[0].ask(Command::Watch { table: next, seen: 0 }).await;
        assert_eq!(seated_names(&players[0])[0], players[loser].me.id);
        assert_eq!(known(&players[0]), (Some(FirstPlayer::Loser), false));
    }
    server.stop().await;
}

/// G9: symbols and colours are a setting that everybody at the table sees, and they go with their players.
#[tokio::test]
async fn g9_signs_are_a_setting_of_the_table() {
    use protocol::Offer;
    let server = Running::start().await;
    let mut players = [server.client().await, server.client().await];
    let spec = TableSpec { signs: Some("nought cross".to_owned()), ..spec_of("quixo") };
    let table = players[0].create(spec).await;
    players[1].join(&table).await;
    for player in &mut players {
        while player.follower.as_ref().unwrap().game.is_none() {
            player.receive().await;
        }
        let follower = player.follower.as_ref().unwrap();
        assert_eq!(follower.table.signs.as_deref(), Some("nought cross"));
        let record = follower.game.as_ref().unwrap().record().to_string();
        assert!(record.contains("[Signs \"nought cross\"]"), "{record}");
    }
    players[0].ask(Command::Resign {}).await;
    for player in &mut players {
        player.ask(Command::Propose { offer: Offer::Rematch }).await;
    }
    while players[0].follower.as_ref().unwrap().again.is_none() {
        players[0].receive().await;
    }
    let next = players[0].follower.as_ref().unwrap().again.clone().unwrap();
    players[0].ask(Command::Watch { table: next, seen: 0 }).await;
    let follower = players[0].follower.as_ref().unwrap();
    assert_eq!(follower.table.signs.as_deref(), Some("cross nought"), "who had noughts has them again");
    for (game, signs) in [("quixo", "nought"), ("quarto", "dark light"), ("sequence", "red red")] {
        let body = format!(r#"{{"game":"{game}","signs":"{signs}"}}"#);
        let (status, _, answer) = server.http("POST", "/api/tables", "content-type: application/json\r\n", &body).await;
        assert_eq!(status, 400, "{answer}");
        assert!(answer.contains("signs"), "{answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn games_offer_presets_and_a_clock_to_begin_with() {
    let server = Running::start().await;
    let (_, _, games) = server.http("GET", "/api/games", "accept-language: uk\r\n", "").await;
    let games: serde_json::Value = serde_json::from_str(&games).unwrap();
    let quarto = games.as_array().unwrap().iter().find(|game| game["id"] == "quarto").unwrap();
    assert_eq!(quarto["clock"], "turn=60");
    assert!(quarto["presets"].as_array().unwrap().iter().any(|preset| preset["game"] == "quarto(call=open)"));
    assert!(games.as_array().unwrap().iter().filter(|game| game["clock"] == "none").count() >= 3);
    server.stop().await;
}
