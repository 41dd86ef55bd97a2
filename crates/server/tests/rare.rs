//! What does not happen every day: votes, days per turn, proxies, a locked file.

use std::time::Duration;

use crate::common::{Client, Running, code, scratch, seated, spec_of, unlimited};
use protocol::{Access, Claim, Command, Refusal, ServerMessage, TableSpec};
use rules::Seat;
use server::Config;
use sqlx::Connection as _;

#[tokio::test]
async fn with_three_players_all_who_are_there_must_claim_the_same() {
    let server = Running::with(scratch().await, Config { grace: Duration::from_secs(1), ..unlimited() }).await;
    let (_, mut clients) = seated(&server, "sequence(players=3)", 3).await;
    drop(clients.pop());
    let out = |client: &Client| client.game().is_out("3".parse().unwrap());
    clients[0].claim_absent(Seat::THREE, Claim::Win).await;
    assert!(!out(&clients[0]), "one voice is not enough");
    let again = clients[0].ask(Command::Claim { seat: Seat::THREE, claim: Claim::Win }).await;
    assert_eq!(code(&again), "another_proposal", "a seat votes once");
    clients[1].ask(Command::Claim { seat: Seat::THREE, claim: Claim::Draw }).await;
    assert!(!out(&clients[1]), "they do not want the same");
    let ServerMessage::Acknowledged { seq, .. } =
        clients[1].ask(Command::Claim { seat: Seat::THREE, claim: Claim::Win }).await
    else {
        panic!("no")
    };
    clients[0].until_seq(seq).await;
    assert!(out(&clients[0]) && clients[0].follower.as_ref().unwrap().ended.is_none(), "two play on");
    server.stop().await;
}

#[tokio::test]
async fn of_four_in_two_teams_the_other_team_decides() {
    let server = Running::with(scratch().await, Config { grace: Duration::from_secs(1), ..unlimited() }).await;
    let (_, mut clients) = seated(&server, "quixo(players=4)", 4).await;
    drop(clients.pop());
    clients[0].claim_absent(Seat::FOUR, Claim::Win).await;
    assert!(clients[0].follower.as_ref().unwrap().ended.is_none(), "the partner has not said so yet");
    let ServerMessage::Acknowledged { seq, .. } =
        clients[2].ask(Command::Claim { seat: Seat::FOUR, claim: Claim::Win }).await
    else {
        panic!("no")
    };
    clients[0].until_seq(seq).await;
    assert_eq!(clients[0].follower.as_ref().unwrap().ended.as_ref().unwrap().1, protocol::EndCause::Departure);
    server.stop().await;
}

#[tokio::test]
async fn a_correspondence_table_waits_in_the_lobby_without_clients_and_after_a_restart() {
    let server = Running::start().await;
    let mut one = server.client().await;
    let slow = TableSpec { clock: "turn=259200".to_owned(), access: Access::Open, ..spec_of("quarto") };
    let table = one.create(slow).await;
    let fast = TableSpec { clock: "turn=60".to_owned(), access: Access::Open, ..spec_of("quarto") };
    let other = one.create(fast).await;
    drop(one);
    let mut listed = server.http("GET", "/api/lobby", "", "").await.2;
    for _ in 0..100 {
        if !listed.contains(&other) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        listed = server.http("GET", "/api/lobby", "", "").await.2;
    }
    assert!(listed.contains(&table) && !listed.contains(&other), "{listed}");
    let server = Running::with(server.stop().await, unlimited()).await;
    let (_, _, listed) = server.http("GET", "/api/lobby", "", "").await;
    assert!(listed.contains(&table), "{listed}");
    let mut two = server.client().await;
    two.join(&table).await;
    let clocks = two.follower.as_ref().unwrap().clocks.clone();
    if let Some(clocks) = clocks {
        assert!(clocks.left.iter().all(|left| (259_190_000..=259_200_000).contains(left)), "{clocks:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn clients_are_sent_changes_of_the_lobby() {
    let server = Running::start().await;
    let mut reader = server.client().await;
    reader.ask(Command::Lobby {}).await;
    let mut maker = server.client().await;
    let table = maker.create(TableSpec { access: Access::Open, ..spec_of("four") }).await;
    let listed = |message: &ServerMessage| match message {
        ServerMessage::Lobby { tables } => Some(tables.iter().any(|other| other.id == table)),
        _ => None,
    };
    while listed(&reader.receive_raw().await) != Some(true) {}
    let mut second = server.client().await;
    second.join(&table).await;
    while listed(&reader.receive_raw().await) != Some(false) {}
    server.stop().await;
}

#[tokio::test]
async fn only_a_trusted_proxy_says_whose_request_it_is() {
    let limited = |proxies: &[&str]| Config {
        requests_per_second: 1,
        trusted_proxies: proxies.iter().map(|proxy| proxy.parse().unwrap()).collect(),
        ..unlimited()
    };
    for (proxies, told_apart) in [(&["127.0.0.1"][..], true), (&[][..], false)] {
        let server = Running::with(scratch().await, limited(proxies)).await;
        let limited = "x-forwarded-for: 198.51.100.7\r\n";
        // Ten at once, then one a second: a slow machine needs more.
        let mut last = 200;
        for _ in 0..200 {
            last = server.http("GET", "/api/games", limited, "").await.0;
            if last == 429 {
                break;
            }
        }
        assert_eq!(last, 429);
        let other = server.http("GET", "/api/games", "x-forwarded-for: 198.51.100.8\r\n", "").await.0;
        assert_eq!(other == 200, told_apart);
        // What a client writes in front of what the proxy adds is not believed: each is another address only to itself.
        let mut last = 200;
        for number in 0..200 {
            let forged = format!("x-forwarded-for: 203.0.113.{number}, 198.51.100.7\r\n");
            last = server.http("GET", "/api/games", &forged, "").await.0;
            if last == 429 {
                break;
            }
        }
        assert_eq!(last, 429);
        server.stop().await;
    }
}

#[tokio::test]
async fn a_locked_file_refuses_writes_and_loses_nothing() {
    if std::env::var("FOURFOLD_TEST_DATABASE").is_ok() {
        return;
    }
    let server = Running::start().await;
    let (_, mut clients) = seated(&server, "quixo", 2).await;
    let mut locker = sqlx::SqliteConnection::connect(&server.database).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut locker).await.unwrap();
    let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
    let refused = clients[0].ask_as("same", act.clone()).await;
    assert_eq!(code(&refused), "storage");
    sqlx::query("ROLLBACK").execute(&mut locker).await.unwrap();
    let mut done = clients[0].ask_as("same", act.clone()).await;
    // The server notices with its next heartbeat that the database takes writes again.
    for _ in 0..100 {
        if !matches!(done, ServerMessage::Refused { reason: Refusal::Storage, .. }) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        done = clients[0].ask_as("same", act.clone()).await;
    }
    assert!(matches!(done, ServerMessage::Acknowledged { .. }), "{done:?}");
    assert_eq!(clients[0].game().log().len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_newer_client_is_told_the_version_and_an_older_one_is_refused() {
    let server = Running::start().await;
    let mut client = server.client().await;
    client.send("h", Command::Hello { version: protocol::VERSION + 1 }).await;
    assert!(matches!(client.receive_raw().await, ServerMessage::Welcome { version: protocol::VERSION, .. }));
    client.send("o", Command::Hello { version: 0 }).await;
    assert_eq!(code(&client.receive_raw().await), "version");
    server.stop().await;
}

#[tokio::test]
async fn a_finished_game_is_analysed() {
    let server = Running::start().await;
    let (_, mut clients) = seated(&server, "quarto", 2).await;
    let table = clients[0].follower.as_ref().unwrap().table.id.clone();
    let path = format!("/api/tables/{table}/analysis");
    assert_eq!(server.http("GET", &path, "", "").await.0, 403, "not while it is played");
    for _ in 0..3 {
        for client in &mut clients {
            if let Some(ServerMessage::Acknowledged { .. }) = client.play(3).await {
                break;
            }
        }
        let seq = clients.iter().map(|client| client.follower.as_ref().unwrap().seq).max().unwrap();
        for client in &mut clients {
            client.until_seq(seq).await;
        }
    }
    clients[0].ask(Command::Resign {}).await;
    assert_eq!(server.http("GET", &path, "", "").await.0, 202);
    let mut answer = (202, String::new(), String::new());
    for _ in 0..600 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        answer = server.http("GET", &path, "", "").await;
        if answer.0 == 200 {
            break;
        }
    }
    assert_eq!(answer.0, 200);
    assert!(answer.2.contains('['), "{answer:?}");
    server.stop().await;
}

#[tokio::test]
async fn the_length_of_every_queue_is_a_metric() {
    let server = Running::start().await;
    let (_, _, numbers) = server.http("GET", "/metrics", "", "").await;
    let shared = ["bus_queue", "bus_unheard", "work_queue", "analysis_queue"];
    for queue in ["client_queue", "write_queue", "bot_queue", "password_queue"].into_iter().chain(shared) {
        assert!(numbers.contains(&format!("\nfourfold_{queue} ")), "{queue} is missing in {numbers}");
    }
    server.stop().await;
}
