//! Two nodes as processes would be, with a broker and a PostgreSQL: only where FOURFOLD_TEST_DATABASE and
//! FOURFOLD_TEST_BUS say where those are, as `cargo xtask test --only server` does.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Client, Running, play_out, scratch, wish};
use protocol::{Do, Say, Sitting, Tell, Wish};
use server::{BusError, Config, Layer, Place, ServeError, StoreError};

/// A layer that joins nodes under a name of their own; nothing where there is no broker.
fn cluster(name: &str) -> Option<Layer> {
    std::env::var("FOURFOLD_TEST_DATABASE").ok()?;
    let bus = Some(std::env::var("FOURFOLD_TEST_BUS").ok()?);
    Some(Layer { bus, bus_prefix: Some(format!("{name}-{}", std::process::id())), ..Layer::default() })
}

async fn two(name: &str) -> Option<[Running; 2]> {
    let (layer, database) = (cluster(name)?, scratch().await);
    Some([Running::with(database.clone(), layer.clone()).await, Running::with(database, layer).await])
}

#[tokio::test]
async fn every_game_is_played_across_nodes() {
    let Some(nodes) = two("games").await else { return };
    for game in ["quarto", "quixo", "sequence", "four"] {
        let mut one = nodes[0].client().await;
        let table = one.create(wish(game)).await;
        let mut other = nodes[1].client().await;
        other.join(&table).await;
        let mut spectator = nodes[1].client().await;
        spectator.ask(Do::Watch { table, seen: 0 }).await;
        let seq = other.follower.as_ref().unwrap().seq;
        one.until_seq(seq).await;
        let mut clients = [one, other, spectator];
        play_out(&mut clients, 11).await;
        let truth = clients[0].game().record().to_string();
        assert!(clients.iter().all(|client| client.game().record().to_string() == truth), "{game}");
    }
    for node in nodes {
        node.stop().await;
    }
}

#[tokio::test]
async fn a_bot_of_the_queue_answers() {
    let Some(nodes) = two("bots").await else { return };
    let mut client = nodes[0].client().await;
    client.create(Wish { bots: vec![0, 1], ..wish("quixo") }).await;
    client.until_seq(3).await;
    assert!(matches!(client.follower.as_ref().unwrap().table.seats[1].who, Some(Sitting::Bot(1))));
    for turn in 1..4 {
        client.play(turn).await.unwrap();
        while client.game().log().len() < 2 * turn as usize {
            client.hear().await;
        }
    }
    for node in nodes {
        node.stop().await;
    }
}

#[tokio::test]
async fn a_node_that_stops_hands_its_clients_over() {
    let Some([first, second]) = two("drain").await else { return };
    let mut one = first.client().await;
    let table = one.create(wish("quixo")).await;
    let mut other = second.client().await;
    other.join(&table).await;
    one.until_seq(3).await;
    one.play(0).await.unwrap();
    let (cookie, seen) = (one.cookie.clone(), one.follower.as_ref().unwrap().seq);
    let stopping = tokio::spawn(first.stop());
    while !matches!(one.hear_raw().await, Tell::Bye { .. }) {}
    let mut back = Client::connect(second.address, Some(&cookie)).await;
    back.ask(Do::Watch { table, seen: 0 }).await;
    assert_eq!(back.follower.as_ref().unwrap().seq, seen);
    other.until_seq(seen).await;
    other.play(1).await.unwrap();
    back.until_seq(seen + 1).await;
    back.ask(Do::Say(Say::Phrase("thanks".to_owned()))).await;
    stopping.await.unwrap();
    second.stop().await;
}

async fn refused(layer: Layer) -> ServeError {
    let config = Config::from_layers(&[layer, Layer { port: Some(0), ..Layer::default() }]).unwrap();
    let served = server::serve(config, |_| {}, std::future::ready(())).await;
    served.expect_err("it should not have started")
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_at_the_start() {
    let Some(layer) = cluster("bad") else { return };
    let database = scratch().await;
    let with = |database: &str, bus: &str| Layer {
        database: Some(database.to_owned()),
        bus: Some(bus.to_owned()),
        ..layer.clone()
    };
    let bus = layer.bus.clone().unwrap();
    let nobody = "nats://127.0.0.1:9";
    assert!(matches!(refused(with(&database, nobody)).await, ServeError::Bus(BusError::Unreachable(_))));
    let nowhere = "postgres://postgres@127.0.0.1:9/none";
    assert!(matches!(refused(with(nowhere, &bus)).await, ServeError::Store(StoreError::Database(_))));
    let missing = format!("{}/no_such_database", database.rsplit_once('/').unwrap().0);
    assert!(matches!(refused(with(&missing, &bus)).await, ServeError::Store(StoreError::Refused(_))));
    let stranger = database.replacen("postgres@", "stranger:secret@", 1);
    assert!(matches!(refused(with(&stranger, &bus)).await, ServeError::Store(StoreError::Refused(_))));
    let file = std::env::temp_dir().join(format!("fourfold-nodes-{}.db", std::process::id()));
    let file = file.display().to_string();
    assert!(matches!(refused(with(&file, &bus)).await, ServeError::Bus(BusError::NeedsPostgres)));
}

#[tokio::test]
async fn two_clusters_on_one_broker_need_two_prefixes() {
    let Some(layer) = cluster("twins") else { return };
    let first = Running::with(scratch().await, layer.clone()).await;
    let other = Layer { database: Some(scratch().await), ..layer.clone() };
    assert!(matches!(refused(other.clone()).await, ServeError::Bus(BusError::OtherCluster)));
    let apart = Layer { bus_prefix: Some(format!("twin-{}", std::process::id())), ..layer };
    let second = Running::with(other.database.unwrap(), apart).await;
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn a_newer_database_is_refused() {
    let Some(layer) = cluster("newer") else { return };
    let database = scratch().await;
    let Ok(place) = database.parse::<Place>();
    drop(server::Store::open(&place).await.unwrap());
    let pool = sqlx::PgPool::connect(&database).await.unwrap();
    let row = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (99, 'later', true, '\\x00', 0)";
    sqlx::query(row).execute(&pool).await.unwrap();
    let newer = Layer { database: Some(database), ..layer };
    assert!(matches!(refused(newer).await, ServeError::Store(StoreError::Schema(_))));
}
