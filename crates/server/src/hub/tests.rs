//! Two nodes on one database, in one process, with a bus that does what it should not.

mod clocks;
mod crowds;
mod expiry;
mod outages;
mod simulated;
mod subscriptions;
mod version_1;

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::{
    Access, ChatLine, Claim, Command, EndCause, GameResult, Person, PersonKind, Phrase, ServerMessage, TableSpec,
};
use rules::Seat;
use search::Random;
use session::Follower;

use super::{Done, Hub, Inlet, Out, Outlet, Via, Watch};
use crate::bus::Bus;
use crate::bus::memory_bus::{Faults, MemoryBus};
use crate::config::Config;
use crate::store::{Append, Place, Store};
use crate::tables::{Event, LogEntry, Refusal, Speech, read_entry, write_entry};

const NOTHING_ARRIVES: Faults = Faults { lost: 100, late: 0, doubled: 0, skewed: 0 };

/// A database of its own: a file, or a new one where FOURFOLD_TEST_DATABASE says.
async fn store(name: &str) -> Store {
    if let Ok(address) = std::env::var("FOURFOLD_TEST_DATABASE") {
        let pool = sqlx::PgPool::connect(&address).await.unwrap();
        let database = format!("nodes_{}_{name}", std::process::id());
        sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {database}"))).execute(&pool).await.unwrap();
        let place = Place::Postgres(format!("{}/{database}", address.rsplit_once('/').unwrap().0));
        return Store::open(&place).await.unwrap();
    }
    let folder = std::env::temp_dir().join(format!("fourfold-nodes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    Store::open(&Place::File(folder.join(format!("{name}.db")))).await.unwrap()
}

async fn nodes(name: &str, faults: Faults) -> (Arc<MemoryBus>, [Arc<Hub>; 2]) {
    nodes_with_clocks(name, faults, [0, 0]).await
}

/// Two nodes on machines whose clocks are ahead by so many milliseconds.
async fn nodes_with_clocks(name: &str, faults: Faults, ahead: [i64; 2]) -> (Arc<MemoryBus>, [Arc<Hub>; 2]) {
    let (bus, store) = (MemoryBus::with(faults), store(name).await);
    let node = |name: &'static str, clock_ahead| {
        let config =
            Config { grace: Duration::from_millis(300), bot_threads: Some(1), clock_ahead, ..Config::default() };
        Hub::begin(store.clone(), bus.node(name), config)
    };
    let nodes = [node("one", ahead[0]).await.unwrap(), node("two", ahead[1]).await.unwrap()];
    (bus, nodes)
}

fn spec_of(game: &str, clock: &str) -> TableSpec {
    let (game, clock) = (game.to_owned(), clock.to_owned());
    TableSpec {
        game,
        clock,
        access: Access::Link,
        rated: false,
        confer: false,
        seat: Some(Seat::ONE),
        first: None,
        signs: None,
        bots: Vec::new(),
    }
}

/// A client of a node.
struct Client {
    hub: Arc<Hub>,
    me: Person,
    received: Inlet,
    watch: Watch,
    follower: Option<Follower>,
    asked: u32,
}

impl Client {
    async fn at(hub: &Arc<Hub>, name: &str, table: &str) -> Client {
        let me = Person { id: name.to_owned(), name: name.to_uppercase(), kind: PersonKind::Guest };
        let (outlet, received) = Outlet::new();
        let watch = hub.watch(table, &me, 0, &outlet).await.unwrap();
        Client { hub: hub.clone(), me, received, watch, follower: None, asked: 0 }
    }

    async fn ask(&mut self, what: Command) -> Result<Done, Refusal> {
        self.asked += 1;
        let id = format!("k{}", self.asked);
        self.ask_as(&id, what).await
    }

    async fn ask_as(&mut self, id: &str, what: Command) -> Result<Done, Refusal> {
        self.hub.clone().ask(&self.watch.open, &self.me, id, &what, Duration::ZERO).await
    }

    /// Repeats a request until the node has noticed that its database takes writes again.
    async fn insist(&mut self, id: &str, what: Command) {
        let until = Instant::now() + Duration::from_secs(15);
        while let Err(refusal) = self.ask_as(id, what.clone()).await {
            assert!(refusal == Refusal::Storage && Instant::now() < until, "{refusal:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Follows what was sent; a gap or an impossible event is a panic.
    fn take(&mut self, out: Out) {
        let texts = match out {
            Out::One(text) => vec![text],
            Out::Many(texts) => texts,
            Out::Close(code) => panic!("closed: {code:?}"),
        };
        for text in texts {
            match protocol::read::<ServerMessage>(&text).unwrap() {
                ServerMessage::Table(info) if self.follower.is_none() => {
                    self.follower = Some(Follower::new(info, &self.me.id).unwrap());
                }
                message => {
                    self.follower.as_mut().unwrap().receive(&message).unwrap();
                }
            }
        }
    }

    /// Listens until something is so.
    async fn until(&mut self, mut is: impl FnMut(&Follower) -> bool) {
        let until = Instant::now() + Duration::from_secs(30);
        while !self.follower.as_ref().is_some_and(&mut is) {
            let left = until.saturating_duration_since(Instant::now());
            let received = tokio::time::timeout(left, self.received.next()).await;
            self.take(received.expect("no further message").unwrap().out);
        }
    }

    fn game(&self) -> &game::Match {
        self.follower.as_ref().unwrap().game.as_ref().unwrap()
    }
}

async fn seated(hubs: &[Arc<Hub>; 2], game: &str, clock: &str) -> (String, Client, Client) {
    let ann = Person { id: "ann".to_owned(), name: "ANN".to_owned(), kind: PersonKind::Guest };
    let table = hubs[0].create(&ann, "new", spec_of(game, clock)).await.unwrap();
    let mut ann = Client::at(&hubs[0], "ann", &table).await;
    let mut bob = Client::at(&hubs[1], "bob", &table).await;
    bob.ask(Command::Sit { seat: Some(Seat::TWO) }).await.unwrap();
    ann.until(|follower| follower.game.is_some()).await;
    bob.until(|follower| follower.game.is_some()).await;
    (table, ann, bob)
}

async fn log(hub: &Hub, table: &str) -> Vec<LogEntry> {
    let stored = hub.store.table(table).await.unwrap().unwrap();
    stored.lines.iter().map(|line| read_entry(line).unwrap()).collect()
}

fn entries(log: &[LogEntry]) -> Vec<String> {
    let entry = |line: &LogEntry| match &line.event {
        Event::Played { entry, .. } => Some(entry.to_string()),
        _ => None,
    };
    log.iter().filter_map(entry).collect()
}

#[tokio::test]
async fn a_game_across_nodes_is_the_same_whatever_the_bus_does() {
    let cases = [
        ("well", Faults::default(), 40),
        ("unruly", Faults { lost: 30, late: 40, doubled: 40, skewed: 20 }, 20),
        ("dead", NOTHING_ARRIVES, 8),
    ];
    for (name, faults, actions) in cases {
        let (_bus, hubs) = nodes(name, faults).await;
        let (table, ann, bob) = seated(&hubs, "sequence", "turn=60").await;
        let mut spectator = Client::at(&hubs[1], "cat", &table).await;
        let mut players = [ann, bob];
        let mut random = Random::new(5);
        for _ in 0..actions {
            let Some(seat) = players[0].game().to_act() else { break };
            let player = &mut players[seat.index()];
            let mut legal = player.game().legal();
            let action = legal.swap_remove(random.below(legal.len() as u32) as usize);
            let at = player.game().log().len() as u32;
            let done = player.ask(Command::Act { action, at }).await.unwrap();
            for player in &mut players {
                player.until(|follower| follower.seq >= done.seq).await;
            }
        }
        let seq = players[0].follower.as_ref().unwrap().seq;
        spectator.until(|follower| follower.seq >= seq).await;
        let log = log(&hubs[0], &table).await;
        assert_eq!(log.len() as u32, seq, "{name}");
        assert_eq!(entries(&log).len(), spectator.game().log().len(), "{name}");
    }
}

#[tokio::test]
async fn a_node_that_knows_less_than_its_client_reads_the_log_before_it_refuses() {
    let (bus, hubs) = nodes("stale", Faults::default()).await;
    let (table, mut ann, mut bob) = seated(&hubs, "quixo", "none").await;
    bus.set(NOTHING_ARRIVES);
    ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
    bob.ask(Command::Act { action: "a2e2".to_owned(), at: 1 }).await.unwrap();
    // And a refusal is still one, when the log says so too.
    let refused = bob.ask(Command::Act { action: "a2e2".to_owned(), at: 2 }).await.unwrap_err();
    assert!(matches!(refused, Refusal::NotYourTurn { .. }));
    assert_eq!(entries(&log(&hubs[0], &table).await), ["a3e3", "a2e2"]);
}

#[tokio::test]
async fn a_request_sent_again_to_another_node_is_done_once() {
    let (_bus, hubs) = nodes("twice", NOTHING_ARRIVES).await;
    let (table, mut ann, _bob) = seated(&hubs, "quixo", "none").await;
    let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
    let first = ann.ask_as("same", act.clone()).await.unwrap();
    let mut moved = Client::at(&hubs[1], "ann", &table).await;
    assert_eq!(moved.ask_as("same", act).await.unwrap(), first);
    assert_eq!(entries(&log(&hubs[0], &table).await), ["a3e3"]);
}

#[tokio::test]
async fn both_nodes_at_once_lose_nothing_and_double_nothing() {
    let (_bus, hubs) = nodes("race", Faults { lost: 20, late: 50, doubled: 20, skewed: 0 }).await;
    let (table, ann, bob) = seated(&hubs, "quixo", "none").await;
    let chat = |mut client: Client| {
        tokio::spawn(async move {
            for number in 0..25 {
                let line = ChatLine::Text { text: format!("{} {number}", client.me.id) };
                while client.ask(Command::Say { line: line.clone() }).await.is_err() {
                    // Lost too many races in a row: the same words again, under another name.
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        })
    };
    let (one, two) = (chat(ann), chat(bob));
    one.await.unwrap();
    two.await.unwrap();
    let said = log(&hubs[0], &table).await.into_iter().filter_map(|line| match line.event {
        Event::Said { what: Speech::Text(text), .. } => Some(text),
        _ => None,
    });
    let said: Vec<String> = said.collect();
    for who in ["ann", "bob"] {
        let own: Vec<&String> = said.iter().filter(|text| text.starts_with(who)).collect();
        let expected: Vec<String> = (0..25).map(|number| format!("{who} {number}")).collect();
        assert_eq!(own, expected.iter().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_flag_falls_once_though_every_node_sees_it_fall() {
    let (_bus, hubs) = nodes("flag", Faults::default()).await;
    let (table, mut ann, mut bob) = seated(&hubs, "quixo", "turn=0.5").await;
    ann.until(|follower| follower.ended.is_some()).await;
    bob.until(|follower| follower.ended.is_some()).await;
    assert_eq!(entries(&log(&hubs[0], &table).await), ["time:1"]);
    assert_eq!(bob.follower.unwrap().ended, Some((GameResult::SecondWins, EndCause::Time)));
}

#[tokio::test]
async fn a_flag_falls_though_no_node_has_the_table_open() {
    let (_bus, hubs) = nodes("unattended", Faults::default()).await;
    let (table, ann, bob) = seated(&hubs, "quixo", "turn=0.5").await;
    drop((ann, bob));
    // As after a crash: it is not in memory, and no alarm is set.
    tokio::time::sleep(Duration::from_millis(50)).await;
    for hub in &hubs {
        hub.tables.clear();
        hub.tables.alarms.set(&table, None);
    }
    let until = Instant::now() + Duration::from_secs(10);
    while entries(&log(&hubs[0], &table).await).is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(entries(&log(&hubs[0], &table).await), ["time:1"]);
}

#[tokio::test]
async fn presence_is_known_across_nodes() {
    let (bus, hubs) = nodes("around", Faults::default()).await;
    let (table, mut ann, bob) = seated(&hubs, "quixo", "none").await;
    let spectator = Client::at(&hubs[1], "cat", &table).await;
    ann.until(|follower| follower.presence.watching == 1 && follower.presence.away == [None, None]).await;
    let claim = Command::Claim { seat: Seat::TWO, claim: Claim::Win };
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(ann.ask(claim.clone()).await.unwrap_err().code(), "not_away", "bob is at the other node");
    drop(spectator);
    ann.until(|follower| follower.presence.watching == 0).await;
    drop(bob);
    ann.until(|follower| follower.presence.away[1].is_some()).await;
    // Without messages from the others no player counts as away.
    bus.set(NOTHING_ARRIVES);
    tokio::time::sleep(Duration::from_millis(3000)).await;
    assert_eq!(ann.ask(claim.clone()).await.unwrap_err().code(), "not_away", "it is not known where bob is");
    bus.set(Faults::default());
    let until = Instant::now() + Duration::from_secs(15);
    while ann.ask(claim.clone()).await.is_err() {
        assert!(Instant::now() < until, "bob is away, and nodes hear each other again");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    ann.until(|follower| follower.ended.is_some()).await;
}

#[tokio::test]
async fn the_lobby_is_one_and_strangers_at_different_nodes_meet() {
    let (_bus, hubs) = nodes("lobby", Faults::default()).await;
    let person = |name: &str| Person { id: name.to_owned(), name: name.to_owned(), kind: PersonKind::Guest };
    let (ann, bob) = (person("ann"), person("bob"));
    // At the same moment: the second must find what the first has made, though no message about it has arrived yet.
    let wanted = spec_of("four", "turn=60");
    let (one, two) = tokio::join!(
        hubs[0].pair(&ann, "p", wanted.clone(), Via::Connection),
        hubs[1].pair(&bob, "p", wanted.clone(), Via::Connection)
    );
    if std::env::var("FOURFOLD_TEST_DATABASE").is_ok() {
        assert_eq!(one.unwrap(), two.unwrap());
    }
    let open =
        hubs[0].create(&ann, "new", TableSpec { access: Access::Open, ..spec_of("quarto", "none") }).await.unwrap();
    let waiting = Client::at(&hubs[0], "ann", &open).await;
    let listed = |hub: &Hub| hub.lobby().iter().any(|table| table.id == open);
    let until = Instant::now() + Duration::from_secs(5);
    while !listed(&hubs[1]) && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(listed(&hubs[1]));
    assert_eq!(hubs[1].pair(&bob, "q", spec_of("quarto", "none"), Via::Connection).await.unwrap(), open);
    drop(waiting);
    while listed(&hubs[1]) && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!listed(&hubs[1]), "it has begun");
}

#[tokio::test]
async fn a_name_is_forgotten_on_every_node() {
    let (_bus, hubs) = nodes("forget", Faults::default()).await;
    let (table, mut ann, _bob) = seated(&hubs, "quixo", "none").await;
    ann.ask(Command::Say { line: ChatLine::Phrase { phrase: Phrase::Hello } }).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    hubs[0].forget(&ann.me.id).await.unwrap();
    let late = Client::at(&hubs[1], "dan", &table).await;
    let until = Instant::now() + Duration::from_secs(15);
    while late.watch.open.state.lock().await.table.entries().any(|entry| write_entry(entry).contains("ANN")) {
        assert!(Instant::now() < until, "the name is still known");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn new_tables_are_refused_before_running_games_suffer() {
    let (bus, hubs) = nodes("busy", Faults::default()).await;
    let (_, mut ann, _bob) = seated(&hubs, "quixo", "none").await;
    bus.set(NOTHING_ARRIVES);
    tokio::time::sleep(Duration::from_millis(3000)).await;
    let refused = hubs[0].create(&ann.me.clone(), "another", spec_of("quixo", "none")).await.unwrap_err();
    assert_eq!(refused, Refusal::Busy { problem: "the broker is lost".to_owned() });
    ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
}

/// One node alone, as most servers are.
async fn alone(name: &str) -> Arc<Hub> {
    let config = Config { bot_threads: Some(1), ..Config::default() };
    Hub::begin(store(name).await, Bus::alone("alone".to_owned()), config).await.unwrap()
}

#[tokio::test]
async fn a_bot_that_brings_nothing_is_not_waited_for() {
    let hub = alone("watchdog").await;
    hub.bots.fall_silent();
    let ann = Person { id: "ann".to_owned(), name: String::new(), kind: PersonKind::Guest };
    let table =
        hub.create(&ann, "new", TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "none") }).await.unwrap();
    let mut ann = Client::at(&hub, "ann", &table).await;
    ann.until(|follower| follower.game.is_some()).await;
    ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
    ann.until(|follower| follower.game.as_ref().is_some_and(|game| game.log().len() == 2)).await;
}

#[tokio::test]
async fn a_full_disk_refuses_what_it_cannot_keep_and_harms_nothing() {
    let hub = alone("full").await;
    if !matches!(hub.store, Store::Sqlite(_)) {
        return;
    }
    let (one, two) = (hub.clone(), hub.clone());
    let (table, mut ann, _bob) = seated(&[one, two], "quixo", "none").await;
    let limit = |pages: &'static str| hub.store.write(crate::store::Write::default().also(pages, []));
    limit("PRAGMA max_page_count = 1").await.unwrap();
    let chat = |words: &str| Command::Say { line: ChatLine::Text { text: words.repeat(290) } };
    let mut refused = None;
    for _ in 0..200 {
        if let Err(refusal) = ann.ask(chat("x")).await {
            refused = Some(refusal);
            break;
        }
    }
    assert_eq!(refused, Some(Refusal::Storage));
    let before = log(&hub, &table).await.len();
    limit("PRAGMA max_page_count = 1000000").await.unwrap();
    ann.insist("act", Command::Act { action: "a3e3".to_owned(), at: 0 }).await;
    assert_eq!(log(&hub, &table).await.len(), before + 1);
}

/// A write that fails leaves nothing behind: what was never durable is in no answer.
#[tokio::test]
async fn what_was_never_durable_is_never_read() {
    let hub = alone("never").await;
    let Store::Sqlite(_) = &hub.store else { return };
    let (table, mut ann, _bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    let write = |sql| hub.store.write(crate::store::Write::default().also(sql, []));
    write(
        "CREATE TRIGGER no_actions BEFORE INSERT ON events WHEN NEW.line LIKE '%did%' \
           BEGIN SELECT RAISE(ABORT, 'no room'); END",
    )
    .await
    .unwrap();
    let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
    assert_eq!(ann.ask_as("once", act.clone()).await.unwrap_err(), Refusal::Storage);
    let open = hub.open_table(&table).await.unwrap();
    assert!(open.state.lock().await.table.play().unwrap().log().is_empty(), "an action that was refused is in memory");
    write("DROP TRIGGER no_actions").await.unwrap();
    ann.insist("once", act).await;
    assert_eq!(entries(&log(&hub, &table).await), ["a3e3"]);
}

/// A write whose answer got lost may have happened: the log is read before anything else is decided or answered.
#[tokio::test]
async fn after_a_write_of_unknown_outcome_the_log_is_read_first() {
    let hub = alone("unknown").await;
    let (table, mut ann, mut bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    let open = hub.open_table(&table).await.unwrap();
    {
        let mut state = open.state.lock().await;
        let line = r#"{"at":9,"by":"ann","ask":"lost","what":{"did":{"entry":"a3e3"}}}"#;
        let append = super::execute::append(&state.table, state.table.seq(), &[read_entry(line).unwrap()], 9, None);
        hub.store.append(append).await.unwrap();
        state.tail = super::open_table::Tail::Unknown;
    }
    assert_eq!(hub.current(&open).await.unwrap().table.play().unwrap().log().len(), 1);
    let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
    ann.ask_as("lost", act).await.unwrap();
    bob.ask(Command::Act { action: "a2e2".to_owned(), at: 1 }).await.unwrap();
    assert_eq!(entries(&log(&hub, &table).await), ["a3e3", "a2e2"]);
}

/// A write that hangs is noticed while it does, not when it is over.
#[tokio::test]
async fn a_write_that_hangs_refuses_new_tables_at_once() {
    let hub = alone("hangs").await;
    let Store::Sqlite(_) = &hub.store else { return };
    let (_, mut ann, _bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    let me = ann.me.clone();
    hub.check_room().unwrap();
    let folder = std::env::temp_dir().join(format!("fourfold-nodes-{}", std::process::id()));
    let file = folder.join("hangs.db").display().to_string();
    let mut locker = <sqlx::SqliteConnection as sqlx::Connection>::connect(&file).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut locker).await.unwrap();
    let asking = tokio::spawn(async move { ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await });
    tokio::time::sleep(Duration::from_millis(1300)).await;
    let began = Instant::now();
    let refused = hub.create(&me, "another", spec_of("quixo", "none")).await.unwrap_err();
    assert_eq!(refused, Refusal::Busy { problem: "the database is slow".to_owned() });
    assert!(began.elapsed() < Duration::from_secs(1), "it is refused before anything waits");
    sqlx::query("ROLLBACK").execute(&mut locker).await.unwrap();
    asking.await.unwrap().unwrap();
    // One slow write is soon forgotten: the heartbeats are quick.
    let until = Instant::now() + Duration::from_secs(15);
    while hub.create(&me, "another", spec_of("quixo", "none")).await.is_err() {
        assert!(Instant::now() < until, "it is quick again and still refuses");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_long_history_waits_for_a_client_that_reads_nothing() {
    let hub = alone("history").await;
    let (table, ann, _bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    let seq = hub.open_table(&table).await.unwrap().state.lock().await.table.seq();
    let event = Event::Said { seat: None, name: "ANN".to_owned(), what: Speech::Text("x".repeat(300)) };
    let said = LogEntry { at: crate::runtime::wall(), by: Some("ann".to_owned()), request: None, event };
    let append = |after| Append {
        table: table.clone(),
        new: None,
        after,
        lines: vec![write_entry(&said); 300],
        state: "playing",
        at: said.at,
        due_at: None,
        seats: None,
        speaker: None,
        ending: None,
        ratings: Vec::new(),
    };
    // In parts: a write that takes ten seconds is given up.
    for part in 0..10 {
        hub.store.append(append(seq + part * 300)).await.unwrap();
    }
    hub.tables.clear();
    let (outlet, mut inlet) = Outlet::new();
    let watching = tokio::spawn({
        let (hub, me, outlet) = (hub.clone(), ann.me.clone(), outlet.clone());
        let table = table.clone();
        async move { hub.watch(&table, &me, 0, &outlet).await }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(!watching.is_finished() && outlet.unsent() <= 256 << 10, "{} bytes wait", outlet.unsent());
    let mut events = 0;
    while events < seq + 3000 {
        let queued = tokio::time::timeout(Duration::from_secs(20), inlet.next()).await.unwrap().unwrap();
        let Out::Many(texts) = &queued.out else { continue };
        events += texts.iter().filter(|text| text.contains("\"type\":\"event\"")).count() as u32;
    }
    watching.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_that_cannot_write_is_not_ready() {
    let hub = alone("ready").await;
    let Store::Sqlite(_) = &hub.store else { return };
    assert!(hub.is_writing());
    let folder = std::env::temp_dir().join(format!("fourfold-nodes-{}", std::process::id()));
    std::fs::rename(folder.join("ready.db"), folder.join("ready.moved")).unwrap();
    let until = Instant::now() + Duration::from_secs(15);
    while hub.is_writing() {
        assert!(Instant::now() < until, "no heartbeat can be written, and it is still ready");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
