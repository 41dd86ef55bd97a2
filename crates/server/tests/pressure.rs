//! A slow or lost database or broker: new tables are refused with a clear sentence, running games go on.

use std::time::{Duration, Instant};

use crate::common::{Client, Proxy, Running, scratch, seated, spec_of, unlimited};
use protocol::{Command, Refusal, ServerMessage};
use server::Config;
use sqlx::Connection as _;

const BUSY: &str = "The server is too busy for new tables at the moment; running games go on. Try again later.";

/// Asks for a table; nothing if there is one, or why not.
async fn new_table(client: &mut Client) -> Option<String> {
    match client.ask(Command::Create(spec_of("quixo"))).await {
        ServerMessage::Refused { reason, .. } => {
            assert_eq!(reason.sentence(locale::Language::English), BUSY);
            let Refusal::Busy { problem } = reason else { panic!("{reason:?}") };
            Some(problem)
        }
        _ => None,
    }
}

/// Plays on; how long the acknowledgement took.
async fn play_on(clients: &mut [Client], turn: usize) -> Duration {
    let began = Instant::now();
    let player = &mut clients[turn % 2];
    let Some(ServerMessage::Acknowledged { seq, .. }) = player.play(turn as u32).await else {
        panic!("turn {turn} was not played")
    };
    let took = began.elapsed();
    for client in clients {
        client.until_seq(seq).await;
    }
    took
}

async fn until_new_tables_are_made(client: &mut Client) {
    let until = Instant::now() + Duration::from_secs(20);
    while let Some(why) = new_table(client).await {
        assert!(Instant::now() < until, "still refused: {why}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_slow_database_refuses_new_tables_and_running_games_go_on() {
    if std::env::var("FOURFOLD_TEST_DATABASE").is_err() {
        return;
    }
    let (proxy, database) = Proxy::before(&scratch().await).await;
    let server = Running::with(database, Config { slowest_write: Duration::from_millis(150), ..unlimited() }).await;
    let (_, mut clients) = seated(&server, "quixo", 2).await;
    let mut stranger = server.client().await;
    assert_eq!(new_table(&mut stranger).await, None);
    proxy.delay(Duration::from_millis(40));
    let mut why = None;
    let mut turn = 0;
    while why.is_none() && turn < 20 {
        play_on(&mut clients, turn).await;
        turn += 1;
        why = new_table(&mut stranger).await;
    }
    assert_eq!(why.as_deref(), Some("the database is slow"));
    for turn in turn..turn + 3 {
        assert!(play_on(&mut clients, turn).await < Duration::from_secs(5));
    }
    let (_, _, numbers) = server.http("GET", "/metrics", "", "").await;
    assert!(numbers.contains("fourfold_tables_refused_total") && numbers.contains("fourfold_write_queue"), "{numbers}");
    proxy.delay(Duration::ZERO);
    until_new_tables_are_made(&mut stranger).await;
    server.stop().await;
}

/// No game is played, nothing is written, and the database stops answering: noticed by the heartbeat.
#[tokio::test]
async fn a_database_that_falls_silent_is_noticed_without_requests() {
    if std::env::var("FOURFOLD_TEST_DATABASE").is_err() {
        return;
    }
    let (proxy, database) = Proxy::before(&scratch().await).await;
    let server = Running::with(database, Config { slowest_write: Duration::from_millis(200), ..unlimited() }).await;
    let mut stranger = server.client().await;
    assert_eq!(new_table(&mut stranger).await, None);
    proxy.delay(Duration::from_secs(4));
    // A heartbeat later, and as long as a write may take.
    tokio::time::sleep(Duration::from_millis(4000)).await;
    let began = Instant::now();
    assert_eq!(new_table(&mut stranger).await.as_deref(), Some("the database is slow"));
    assert!(began.elapsed() < Duration::from_secs(3), "refused only after {:?}", began.elapsed());
    proxy.delay(Duration::ZERO);
    until_new_tables_are_made(&mut stranger).await;
    server.stop().await;
}

/// Everything waits for a lock that another connection holds: noticed while it hangs, and harmless when it is over.
#[tokio::test]
async fn a_database_that_hangs_refuses_new_tables_while_it_does() {
    let server =
        Running::with(scratch().await, Config { slowest_write: Duration::from_millis(200), ..unlimited() }).await;
    let (_, mut clients) = seated(&server, "quixo", 2).await;
    let mut stranger = server.client().await;
    let (held, hold) = tokio::sync::oneshot::channel();
    let (let_go, told) = tokio::sync::oneshot::channel::<()>();
    let database = server.database.clone();
    let holding = tokio::spawn(async move {
        if database.starts_with("postgres") {
            let mut locker = sqlx::PgConnection::connect(&database).await.unwrap();
            sqlx::query("BEGIN").execute(&mut locker).await.unwrap();
            sqlx::query("LOCK TABLE events IN EXCLUSIVE MODE").execute(&mut locker).await.unwrap();
            held.send(()).unwrap();
            told.await.unwrap();
            sqlx::query("ROLLBACK").execute(&mut locker).await.unwrap();
        } else {
            let mut locker = sqlx::SqliteConnection::connect(&database).await.unwrap();
            sqlx::query("BEGIN IMMEDIATE").execute(&mut locker).await.unwrap();
            held.send(()).unwrap();
            told.await.unwrap();
            sqlx::query("ROLLBACK").execute(&mut locker).await.unwrap();
        }
    });
    hold.await.unwrap();
    clients[0].send("a", Command::Act { action: "a3e3".to_owned(), at: 0 }).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    assert_eq!(new_table(&mut stranger).await.as_deref(), Some("the database is slow"));
    assert!(began.elapsed() < Duration::from_secs(5), "refused only after {:?}", began.elapsed());
    let_go.send(()).unwrap();
    holding.await.unwrap();
    while !matches!(clients[0].receive().await, ServerMessage::Acknowledged { id, .. } if id == "a") {}
    assert_eq!(clients[0].game().log().len(), 1, "it was done, once");
    until_new_tables_are_made(&mut stranger).await;
    server.stop().await;
}

#[tokio::test]
async fn a_lost_broker_refuses_new_tables_and_running_games_go_on() {
    let (Ok(_), Ok(bus)) = (std::env::var("FOURFOLD_TEST_DATABASE"), std::env::var("FOURFOLD_TEST_BUS")) else {
        return;
    };
    let (proxy, bus) = Proxy::before(&bus).await;
    let prefix = format!("lost-{}", std::process::id());
    let config = Config { bus: Some(bus.parse().unwrap()), bus_prefix: prefix.parse().unwrap(), ..unlimited() };
    let database = scratch().await;
    let first = Running::with(database.clone(), config.clone()).await;
    let second = Running::with(database, config).await;
    let mut one = first.client().await;
    let table = one.create(spec_of("quixo")).await;
    let mut two = second.client().await;
    two.join(&table).await;
    one.until_seq(3).await;
    let mut clients = [one, two];
    play_on(&mut clients, 0).await;
    let mut stranger = second.client().await;
    proxy.cut(true);
    // Until then it may only be slow.
    tokio::time::sleep(Duration::from_millis(3500)).await;
    assert_eq!(new_table(&mut stranger).await.as_deref(), Some("the broker is lost"));
    for turn in 1..5 {
        let began = Instant::now();
        let took = play_on(&mut clients, turn).await;
        assert!(took < Duration::from_secs(4), "an action took {took:?}");
        assert!(began.elapsed() < Duration::from_secs(8), "the other node heard of it after {:?}", began.elapsed());
    }
    proxy.cut(false);
    until_new_tables_are_made(&mut stranger).await;
    first.stop().await;
    second.stop().await;
}
