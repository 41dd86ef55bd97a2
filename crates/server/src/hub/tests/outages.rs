//! Who may stay, and whose time it was, when something was closed or stood still.

use std::time::Duration;

use protocol::{Command, Person};
use rules::Seat;

use super::{Client, NOTHING_ARRIVES, nodes, spec_of, store};
use crate::bus::Bus;
use crate::bus::memory_bus::{Faults, MemoryBus};
use crate::config::Config;
use crate::hub::{Credential, Hub, Role};

const LOCAL: std::net::IpAddr = std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

#[tokio::test]
async fn a_credential_revoked_elsewhere_is_noticed_though_the_message_is_lost() {
    let (_bus, hubs) = nodes("doors", NOTHING_ARRIVES).await;
    let session = |person: &str| crate::store::SessionRow {
        token_hash: format!("hash of {person}"),
        person: person.to_owned(),
        kind: "bot".to_owned(),
        label: String::new(),
        created_at: 1,
        expires_at: i64::MAX,
        used_at: None,
    };
    let mut inside = Vec::new();
    for person in ["ann", "bob"] {
        hubs[0].store.keep_session(session(person), 9).await.unwrap();
        let hash = Some(session(person).token_hash);
        inside.push(
            hubs[1]
                .connect(Credential {
                    person: person.to_owned(),
                    session: hash,
                    epoch: hubs[1].auth_epoch(),
                    address: LOCAL,
                })
                .unwrap(),
        );
    }
    hubs[0].store.end_sessions("ann").await.unwrap();
    hubs[0].close_revoked("ann").await;
    let shut = async |which: usize, wait: u64| {
        tokio::time::timeout(Duration::from_millis(wait), inside[which].revoked()).await.is_ok()
    };
    // Every five seconds it is looked for; and a valid session stays.
    assert!(shut(0, 20_000).await, "no connection was closed");
    assert!(!shut(1, 100).await);
    // Closed between being looked up and coming in.
    let epoch = hubs[1].auth_epoch();
    hubs[1].store.end_sessions("bob").await.unwrap();
    hubs[1].close_revoked("bob").await;
    let late = Credential { person: "bob".to_owned(), session: Some(session("bob").token_hash), epoch, address: LOCAL };
    let late = hubs[1].connect(late).unwrap();
    assert!(tokio::time::timeout(Duration::from_secs(10), late.revoked()).await.is_ok(), "it came in all the same");
}

/// A runtime of one thread that sleeps is a process that was stopped and goes on.
#[tokio::test]
async fn time_in_which_a_process_was_frozen_is_not_charged() {
    let config = Config { bot_threads: Some(1), ..Config::default() };
    let hub = Hub::begin(store("frozen").await, Bus::alone("one".to_owned()), config).await.unwrap();
    let ann = Person { id: "ann".to_owned(), ..Person::default() };
    let mut tables = Vec::new();
    for clock in ["turn=4", "fischer=60+0"] {
        let table = hub.create(&ann, clock, spec_of("quixo", clock)).await.unwrap();
        let mut one = Client::at(&hub, "ann", &table).await;
        Client::at(&hub, "bob", &table).await.ask(Command::Sit { seat: Some(Seat::TWO) }).await.unwrap();
        one.until(|follower| follower.game.is_some()).await;
        tables.push((table, one));
    }
    std::thread::sleep(Duration::from_secs(8));
    tokio::time::sleep(Duration::from_secs(1)).await;
    for (table, one) in &mut tables {
        one.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap_or_else(|no| panic!("{table}: {no:?}"));
    }
    let left = hub.load(&tables[1].0).await.unwrap().clocks(hub.now()).unwrap().left[0];
    assert!(left > 55_000, "{left}");
}

/// The same where the log has gained a chat message that says nothing about the clock.
#[tokio::test]
async fn no_player_is_charged_for_an_outage_though_the_log_has_grown() {
    let config = Config { bot_threads: Some(1), ..Config::default() };
    let hub = Hub::begin(store("grown").await, Bus::alone("one".to_owned()), config).await.unwrap();
    let ann = Person { id: "ann".to_owned(), ..Person::default() };
    let table = hub.create(&ann, "new", spec_of("quixo", "fischer=60+0")).await.unwrap();
    Client::at(&hub, "bob", &table).await.ask(Command::Sit { seat: Some(Seat::TWO) }).await.unwrap();
    let open = hub.open_table(&table).await.unwrap();
    {
        let state = open.state.lock().await;
        let at = state.table.last_at();
        let line = format!(r#"{{"at":{at},"what":{{"said":{{"seat":0,"name":"","what":{{"phrase":"hello"}}}}}}}}"#);
        let entries = [crate::tables::read_entry(&line).unwrap()];
        let append = crate::hub::execute::append(&state.table, state.table.seq(), &entries, at, None);
        hub.store.append(append).await.unwrap();
    }
    std::thread::sleep(Duration::from_secs(8));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let left = hub.current(&open).await.unwrap().table.clocks(hub.now()).unwrap().left[0];
    assert!(left > 55_000, "{left}");
}

#[tokio::test]
async fn clocks_are_paused_while_only_a_worker_runs() {
    let store = store("worker").await;
    let (bus, config) = (MemoryBus::with(Faults::default()), Config { bot_threads: Some(1), ..Config::default() });
    let node = Hub::begin(store.clone(), bus.node("node"), config.clone()).await.unwrap();
    let worker = Hub::begin_as(Role::Worker, store.clone(), bus.node("worker"), config.clone()).await.unwrap();
    let ann = Person { id: "ann".to_owned(), ..Person::default() };
    let table = node.create(&ann, "new", spec_of("quixo", "turn=4")).await.unwrap();
    Client::at(&node, "bob", &table).await.ask(Command::Sit { seat: Some(Seat::TWO) }).await.unwrap();
    // The worker has the table open, as for a bot; the node ends.
    worker.open_table(&table).await.unwrap();
    node.last_beat().await;
    drop(node);
    tokio::time::sleep(Duration::from_secs(8)).await;
    let left = worker.load(&table).await.unwrap().clocks(worker.now()).unwrap().left[0];
    assert!(left > 2_000, "charged by the worker: {left}");
    let node = Hub::begin(store, bus.node("another"), config).await.unwrap();
    let mut one = Client::at(&node, "ann", &table).await;
    one.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
}
