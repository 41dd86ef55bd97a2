//! Two nodes as processes would be, with a broker and a PostgreSQL: only where FOURFOLD_TEST_DATABASE and
//! FOURFOLD_TEST_BUS say where those are, as `cargo xtask test --only server` does.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::common::{Client, Running, account, play_out, scratch, spec_of, unlimited};
use protocol::{Command, Occupant, Refusal, ServerMessage, TableSpec};
use server::{BusError, Config, Place, Promise, ServeError, StoreError};

/// A config that joins nodes under a name of their own; nothing where there is no broker.
fn cluster(name: &str) -> Option<Config> {
    std::env::var("FOURFOLD_TEST_DATABASE").ok()?;
    let bus = Some(std::env::var("FOURFOLD_TEST_BUS").ok()?.parse().unwrap());
    Some(Config { bus, bus_prefix: format!("{name}-{}", std::process::id()).parse().unwrap(), ..unlimited() })
}

async fn two(name: &str) -> Option<[Running; 2]> {
    let (config, database) = (cluster(name)?, scratch().await);
    Some([Running::with(database.clone(), config.clone()).await, Running::with(database, config).await])
}

#[tokio::test]
async fn every_game_is_played_across_nodes() {
    let Some(nodes) = two("games").await else { return };
    for game in rules::GameId::ALL.map(rules::GameId::name) {
        let mut one = nodes[0].client().await;
        let table = one.create(spec_of(game)).await;
        let mut other = nodes[1].client().await;
        other.join(&table).await;
        let mut spectator = nodes[1].client().await;
        spectator.ask(Command::Watch { table, seen: 0 }).await;
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
    client.create(TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo") }).await;
    client.until_seq(3).await;
    assert!(matches!(client.follower.as_ref().unwrap().table.seats[1].occupant, Some(Occupant::Bot { level: 1 })));
    for turn in 1..4 {
        client.play(turn).await.unwrap();
        while client.game().log().len() < 2 * turn as usize {
            client.receive().await;
        }
    }
    for node in nodes {
        node.stop().await;
    }
}

#[tokio::test]
async fn a_credential_revoked_at_one_node_is_revoked_at_the_other() {
    let Some(nodes) = two("credentials").await else { return };
    let field = |body: &str, name: &str| {
        body.split(&format!("\"{name}\":\"")).nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let credentials = r#"{"name":"Olena","password":"correct horse"}"#;
    let (_, head, _) = nodes[0].http("POST", "/api/account/register", "", credentials).await;
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap().split(';').next().unwrap();
    let owner = format!("cookie: {cookie}\r\n");
    let (_, _, made) = nodes[0].http("POST", "/api/me/tokens", &owner, r#"{"name":"Marvin"}"#).await;
    let mut bot = Client::with_token(nodes[1].address, &field(&made, "token")).await;
    let mut person = Client::connect(nodes[1].address, Some(cookie)).await;
    let withdraw = format!("/api/me/tokens/{}", field(&made, "id"));
    let began = Instant::now();
    assert_eq!(nodes[0].http("DELETE", &withdraw, &owner, "").await.0, 204);
    assert_eq!(bot.until_closing().await, Refusal::NotKnown);
    let first = began.elapsed();
    let began = Instant::now();
    assert_eq!(nodes[0].http("POST", "/api/account/logout-everywhere", &owner, "").await.0, 204);
    assert_eq!(person.until_closing().await, Refusal::NotKnown);
    // Every five seconds each node looks for revoked credentials; both in time by chance is unlikely.
    let second = began.elapsed();
    assert!(first.min(second) < Duration::from_secs(2), "only when it was looked for: {first:?}, {second:?}");
    for node in nodes {
        node.stop().await;
    }
}

/// What one client saw of the handover: when the node closed its connection, and what either node acknowledged.
struct HandedOver {
    at: Instant,
    table: String,
    promises: Vec<Promise>,
}

/// Plays on with an opponent at the second node; when the first node closes the connection, the second is asked for what is missing, and
/// for what was not acknowledged once more.
async fn play_through(mut one: Client, mut other: Client, second: SocketAddr, table: String) -> HandedOver {
    let (mut at, mut promises) = (None, Vec::new());
    for turn in 0..40 {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let game = other.game();
        let Some(seat) = game.to_act() else { break };
        let mut legal = game.legal();
        let action = legal.swap_remove(turn * 7 % legal.len());
        let (ask, place) = (format!("a{turn}"), game.log().len() as u32);
        let act = Command::Act { action: action.clone(), at: place };
        let mine = other.follower.as_ref().unwrap().seat() == Some(seat);
        let seq = if mine {
            acknowledged(other.ask_as(&ask, act).await)
        } else {
            one.send(&ask, act.clone()).await;
            loop {
                match one.receive().await {
                    ServerMessage::Acknowledged { id, seq, .. } if id == ask => break seq,
                    ServerMessage::Refused { reason, .. } => panic!("refused: {reason:?}"),
                    ServerMessage::Closing { reason } => {
                        assert_eq!(reason, Refusal::Stopping);
                        at = Some(Instant::now());
                        one = come_back(one, second, &table).await;
                        break acknowledged(one.ask_as(&ask, act.clone()).await);
                    }
                    _ => {}
                }
            }
        };
        let person = if mine { other.me.id.clone() } else { one.me.id.clone() };
        promises.push(Promise { table: table.clone(), person, request: ask, action, at: place });
        other.until_seq(seq).await;
        while one.follower.as_ref().unwrap().seq < seq {
            if let ServerMessage::Closing { .. } = one.receive().await {
                at = Some(Instant::now());
                one = come_back(one, second, &table).await;
            }
        }
    }
    assert_eq!(one.game().record().to_string(), other.game().record().to_string());
    HandedOver { at: at.expect("it was handed over"), table, promises }
}

fn acknowledged(message: ServerMessage) -> u32 {
    match message {
        ServerMessage::Acknowledged { seq, .. } => seq,
        other => panic!("{other:?}"),
    }
}

/// The same person at another node, who knows what they knew; a gap or a doubled event would be a panic.
async fn come_back(mut one: Client, node: SocketAddr, table: &str) -> Client {
    let mut back = Client::connect(node, Some(&one.cookie)).await;
    back.follower = one.follower.take();
    let seen = back.follower.as_ref().unwrap().seq;
    back.ask(Command::Watch { table: table.to_owned(), seen }).await;
    back
}

#[tokio::test]
async fn a_node_that_stops_hands_its_clients_over_a_few_at_a_time() {
    let Some(config) = cluster("drain") else { return };
    let config = Config { handover_per_second: 20, ..config };
    let database = scratch().await;
    let first = Running::with(database.clone(), config.clone()).await;
    let second = Running::with(database.clone(), config).await;
    let mut games = Vec::new();
    for _ in 0..24 {
        let mut one = first.client().await;
        let table = one.create(spec_of("quixo")).await;
        let mut other = second.client().await;
        other.join(&table).await;
        one.until_seq(3).await;
        games.push((one, other, table));
    }
    let address = second.address;
    let playing: Vec<_> =
        games.into_iter().map(|(one, other, table)| tokio::spawn(play_through(one, other, address, table))).collect();
    tokio::time::sleep(Duration::from_millis(400)).await;
    first.stop().await;
    let mut over = Vec::new();
    for game in playing {
        over.push(game.await.unwrap());
    }
    let (first, last) = (over.iter().map(|one| one.at).min().unwrap(), over.iter().map(|one| one.at).max().unwrap());
    assert!(last - first > Duration::from_millis(500), "all of them within {:?}", last - first);
    second.stop().await;
    let place = database.parse::<Place>().unwrap();
    let promises: Vec<Promise> = over.iter().flat_map(|game| game.promises.clone()).collect();
    for audited in server::audit(&place, &promises).await.unwrap() {
        assert_eq!(audited.problems, Vec::<String>::new());
    }
    for HandedOver { table, promises, .. } in &over {
        assert!(promises.len() > 20, "{table}: only {} actions", promises.len());
    }
}

async fn refused(config: Config) -> ServeError {
    let config = Config { port: 0, ..config };
    let served = server::serve(config, |_| {}, std::future::ready(())).await;
    served.expect_err("it should not have started")
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_at_the_start() {
    let Some(config) = cluster("bad") else { return };
    let database = scratch().await;
    let with = |database: &str, bus: &str| {
        let database = database.parse().unwrap();
        Config { database, bus: Some(bus.parse().unwrap()), ..config.clone() }
    };
    let bus = std::env::var("FOURFOLD_TEST_BUS").unwrap();
    let no_broker = "nats://127.0.0.1:9";
    assert!(matches!(refused(with(&database, no_broker)).await, ServeError::Bus(BusError::Unreachable(_))));
    let nowhere = "postgres://postgres@127.0.0.1:9/none";
    assert!(matches!(refused(with(nowhere, &bus)).await, ServeError::Store(StoreError::Unreachable(_))));
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
    let Some(config) = cluster("twins") else { return };
    let first = Running::with(scratch().await, config.clone()).await;
    let database = scratch().await;
    let place = database.parse().unwrap();
    let other = Config { database: place, ..config.clone() };
    assert!(matches!(refused(other).await, ServeError::Bus(BusError::OtherCluster)));
    let apart = Config { bus_prefix: format!("twin-{}", std::process::id()).parse().unwrap(), ..config };
    let second = Running::with(database, apart).await;
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn a_newer_database_is_refused() {
    let Some(config) = cluster("newer") else { return };
    let database = scratch().await;
    let place = database.parse::<Place>().unwrap();
    drop(server::Store::open(&place).await.unwrap());
    let pool = sqlx::PgPool::connect(&database).await.unwrap();
    let row = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (99, 'later', true, '\\x00', 0)";
    sqlx::query(row).execute(&pool).await.unwrap();
    let newer = Config { database: place, ..config };
    assert!(matches!(refused(newer).await, ServeError::Store(StoreError::Newer { found: 99, .. })));
}

#[tokio::test]
async fn a_ban_at_one_node_holds_at_the_other() {
    let Some(nodes) = two("bans").await else { return };
    let key = server::operator_key(&nodes[0].database.parse().unwrap()).await.unwrap().unwrap();
    let key = format!("authorization: Bearer {key}\r\n");
    let olena = account(&nodes[0], "Olena").await;
    let mut connected = Client::connect(nodes[1].address, Some(&olena)).await;
    let began = Instant::now();
    assert_eq!(nodes[0].http("POST", "/api/operator/bans", &key, r#"{"target":"name:Olena"}"#).await.0, 204);
    assert_eq!(connected.until_closing().await, Refusal::NotKnown);
    assert!(began.elapsed() < Duration::from_secs(2), "only when it was looked for: {:?}", began.elapsed());
    let credentials = r#"{"name":"Olena","password":"correct horse"}"#;
    let until = Instant::now() + Duration::from_secs(5);
    for node in &nodes {
        assert_eq!(node.http("POST", "/api/account/login", "", credentials).await.0, 403);
    }
    assert_eq!(nodes[1].http("POST", "/api/operator/unban", &key, r#"{"target":"name:Olena"}"#).await.0, 204);
    while nodes[0].http("POST", "/api/account/login", "", credentials).await.0 != 200 {
        assert!(Instant::now() < until, "the ban was lifted at the other node");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for node in nodes {
        node.stop().await;
    }
}

/// One request, sent to both nodes at the same moment: one table, one seat, one action.
#[tokio::test]
async fn a_request_that_reaches_both_nodes_happens_once() {
    let Some(nodes) = two("twice").await else { return };
    let mut ann = nodes[0].client().await;
    let mut same = Client::connect(nodes[1].address, Some(&ann.cookie)).await;
    for round in 0..10 {
        let id = format!("new {round}");
        let (one, two) = tokio::join!(
            ann.ask_as(&id, Command::Create(spec_of("quixo"))),
            same.ask_as(&id, Command::Create(spec_of("quixo")))
        );
        let (ServerMessage::Acknowledged { table: Some(one), .. }, ServerMessage::Acknowledged { table: two, .. }) =
            (one, two)
        else {
            panic!("each is answered");
        };
        assert_eq!(Some(&one), two.as_ref(), "one table");
        let mut bob = nodes[round % 2].client().await;
        bob.join(&one).await;
        let seq = bob.follower.as_ref().unwrap().seq;
        ann.until_seq(seq).await;
        same.until_seq(seq).await;
        let act = Command::Act { action: ann.game().legal()[round].clone(), at: 0 };
        let (first, second) = tokio::join!(ann.ask_as("act", act.clone()), same.ask_as("act", act));
        assert_eq!(acknowledged(first), acknowledged(second), "one action");
        bob.until_seq(seq + 1).await;
        assert_eq!(bob.game().log().len(), 1);
    }
    for node in nodes {
        node.stop().await;
    }
}
