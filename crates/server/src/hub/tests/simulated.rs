//! A node on simulated time with a store in memory: two simulated minutes take milliseconds, and a seed replays them.

use std::time::Duration;

use protocol::{Access, Command, Person, PersonKind, Refusal, TableSpec};

use super::spec_of;
use crate::bus::Bus;
use crate::bus::memory_bus::{Faults, MemoryBus};
use crate::config::Config;
use crate::hub::{Hub, Via};
use crate::runtime;
use crate::runtime::simulation::Simulation;
use crate::store::{Memory, Store, StoreFaults};

/// A game against a bot until the player's flag falls; the stored log.
fn play(seed: u64) -> Vec<String> {
    Simulation::new(seed).run(async {
        let config = Config { bot_threads: Some(1), ..Config::default() };
        let hub = Hub::begin(Store::in_memory(), Bus::alone("one".to_owned()), config).await.unwrap();
        let ann = Person { id: "ann".to_owned(), name: "Ann".to_owned(), kind: PersonKind::Guest };
        let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "turn=60") };
        let table = hub.create(&ann, "new", spec).await.unwrap();
        let open = hub.open_table(&table).await.unwrap();
        let act = |action: &str, at| Command::Act { action: action.to_owned(), at };
        hub.ask(&open, &ann, "k1", &act("a3e3", 0), Duration::ZERO).await.unwrap();
        runtime::sleep(Duration::from_secs(10)).await;
        assert_eq!(hub.current(&open).await.unwrap().table.play().unwrap().log().len(), 2, "the bot has moved");
        runtime::sleep(Duration::from_secs(60)).await;
        let late = hub.ask(&open, &ann, "k2", &act("a1e1", 2), Duration::ZERO).await.unwrap_err();
        assert_eq!(late, Refusal::Over);
        hub.store.table(&table).await.unwrap().unwrap().lines
    })
}

#[test]
fn a_node_runs_on_simulated_time_and_a_seed_replays_it() {
    let log = play(7);
    assert!(log.iter().any(|line| line.contains("time:1")), "{log:?}");
    assert_eq!(log, play(7), "the same seed is the same game, byte for byte");
}

#[test]
fn a_slow_write_is_not_charged_to_the_next_player() {
    for seed in 0..20 {
        let [at_once, later] = Simulation::new(seed).run(async {
            let memory = Memory::default();
            let begin = || Hub::begin(Store::Memory(memory.clone()), Bus::alone("one".to_owned()), Config::default());
            let hub = begin().await.unwrap();
            let person = |id: &str| Person { id: id.to_owned(), name: id.to_owned(), kind: PersonKind::Guest };
            let (ann, bob) = (person("ann"), person("bob"));
            let table = hub.create(&ann, "new", spec_of("quixo", "turn=60")).await.unwrap();
            let open = hub.open_table(&table).await.unwrap();
            hub.ask(&open, &bob, "k1", &Command::Sit { seat: None }, Duration::ZERO).await.unwrap();
            memory.set(StoreFaults { slowest: 3_000, ..StoreFaults::default() });
            let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
            hub.ask(&open, &ann, "k2", &act, Duration::ZERO).await.unwrap();
            let left = async |hub: &std::sync::Arc<Hub>| {
                let open = hub.open_table(&table).await.unwrap();
                let state = hub.current(&open).await.unwrap();
                state.table.clocks(hub.now()).unwrap().left[1]
            };
            let at_once = left(&hub).await;
            memory.set(StoreFaults::default());
            // Also for a node that reads the table from the database, once that knows.
            runtime::sleep(Duration::from_secs(10)).await;
            hub.tables.clear();
            [at_once, left(&hub).await]
        });
        assert_eq!(at_once, 60_000, "seed {seed}");
        // Nodes read the time from the database, which takes a moment.
        assert!((49_850..=50_150).contains(&later), "seed {seed}: {later}");
    }
}

/// Whichever task goes on first when a process goes on, also one that lets a bot move.
#[test]
fn a_bot_is_not_charged_for_the_time_in_which_its_process_was_frozen() {
    for seed in 0..40 {
        let simulation = Simulation::new(seed);
        let (machine, world) = (simulation.add_machine(0), simulation.clone());
        let log = simulation.run(async move {
            let (store, (send, made)) = (Store::in_memory(), tokio::sync::oneshot::channel());
            let own = store.clone();
            let node = async move {
                let hub = Hub::begin(own, Bus::alone("one".to_owned()), Config::default()).await.unwrap();
                // The move is then made by the task that waits for the bot, in the middle of the standstill.
                hub.bots.fall_silent();
                let ann = Person { id: "ann".to_owned(), name: "Ann".to_owned(), kind: PersonKind::Guest };
                let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "fischer=300+5") };
                let table = hub.create(&ann, "new", spec).await.unwrap();
                let open = hub.open_table(&table).await.unwrap();
                let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
                hub.ask(&open, &ann, "k1", &act, Duration::ZERO).await.unwrap();
                let _ = send.send(table);
                std::future::pending::<()>().await;
            };
            world.spawn_on(machine, Box::pin(node));
            let table = made.await.unwrap();
            world.freeze(machine, true);
            runtime::sleep(Duration::from_secs(50)).await;
            world.freeze(machine, false);
            runtime::sleep(Duration::from_secs(30)).await;
            store.table(&table).await.unwrap().unwrap().lines
        });
        let spent = log.iter().filter_map(|line| match crate::tables::read_entry(line).unwrap().event {
            crate::tables::Event::Played { spent, .. } => spent,
            _ => None,
        });
        let spent: Vec<u32> = spent.collect();
        assert!(spent.len() == 2 && spent[1] < 20_000, "seed {seed}: {spent:?}");
    }
}

/// A request whose answer got lost is sent again, also when the game that it led to is over by then: that makes one more
/// table, and not one each time.
#[test]
fn a_request_that_is_repeated_after_its_game_makes_one_more_table() {
    let names = Simulation::new(3).run(async {
        let hub = Hub::begin(Store::in_memory(), Bus::alone("one".to_owned()), Config::default()).await.unwrap();
        let ann = Person { id: "ann".to_owned(), name: "Ann".to_owned(), kind: PersonKind::Guest };
        let make = async || {
            let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "turn=60") };
            hub.create(&ann, "new", spec).await.unwrap()
        };
        let (first, again) = (make().await, make().await);
        runtime::sleep(Duration::from_secs(70)).await;
        let (second, once_more) = (make().await, make().await);
        [first, again, second, once_more]
    });
    assert_eq!((&names[0], &names[2]), (&names[1], &names[3]));
    assert_ne!(names[0], names[2]);
}

/// A request to be paired that is sent again through another node, before the first one has seated its sender.
#[test]
fn a_request_to_be_paired_that_is_repeated_elsewhere_leads_to_one_table() {
    let names = Simulation::new(4).run(async {
        let (bus, store) = (MemoryBus::with(Faults::default()), Store::in_memory());
        let mut nodes = Vec::new();
        for name in ["one", "two", "three"] {
            nodes.push(Hub::begin(store.clone(), bus.node(name), Config::default()).await.unwrap());
        }
        runtime::sleep(Duration::from_secs(5)).await;
        let spec = TableSpec { access: Access::Open, seat: None, ..spec_of("quixo", "turn=60") };
        let wanted = crate::tables::TableSpec::try_from(spec.clone()).unwrap();
        let busy = store.lock(&format!("pair {} {}", wanted.game, wanted.clock)).await;
        let mut tasks = Vec::new();
        for (node, name, id) in [(0, "ann", "k1"), (1, "bob", "k2"), (2, "ann", "k1")] {
            let (hub, spec) = (nodes[node].clone(), spec.clone());
            let who = Person { id: name.to_owned(), name: name.to_owned(), kind: PersonKind::Guest };
            tasks.push(runtime::spawn(async move { hub.pair(&who, id, spec, Via::Connection).await.unwrap() }));
            // In this order.
            runtime::sleep(Duration::from_millis(100)).await;
        }
        drop(busy);
        let mut names = Vec::new();
        for task in tasks {
            names.push(task.await.unwrap());
        }
        names
    });
    assert_eq!((&names[0], &names[0]), (&names[1], &names[2]));
}
