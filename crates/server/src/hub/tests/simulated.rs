//! A node on simulated time with a store in memory: two simulated minutes take milliseconds, and a seed replays them.

use std::time::Duration;

use protocol::{Access, Command, Person, PersonKind, Refusal, TableSpec};

use super::spec_of;
use crate::bus::Bus;
use crate::bus::memory_bus::{Faults, MemoryBus};
use crate::config::Config;
use crate::hub::execute::{Failed, Origin};
use crate::hub::{Hub, Role, Via};
use crate::runtime;
use crate::runtime::simulation::Simulation;
use crate::store::{Memory, Store, StoreFaults};

/// The time that each action was charged with.
fn spent(log: &[String]) -> Vec<u32> {
    let spent = |line: &String| match crate::tables::read_entry(line).unwrap().event {
        crate::tables::Event::Played { spent, .. } => spent,
        _ => None,
    };
    log.iter().filter_map(spent).collect()
}

fn person(id: &str) -> Person {
    Person { id: id.to_owned(), name: id.to_owned(), kind: PersonKind::Guest }
}

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

/// Nor to the first player of a table that is made with all its players.
#[test]
fn a_slow_write_of_a_new_table_is_charged_to_nobody() {
    for seed in 0..20 {
        let left = Simulation::new(seed).run(async {
            let memory = Memory::default();
            let begin = || Hub::begin(Store::Memory(memory.clone()), Bus::alone("one".to_owned()), Config::default());
            let hub = begin().await.unwrap();
            memory.set(StoreFaults { slowest: 3_000, ..StoreFaults::default() });
            let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "turn=60") };
            let table = hub.create(&person("ann"), "new", spec).await.unwrap();
            let open = hub.open_table(&table).await.unwrap();
            let at_once = open.state.lock().await.table.clocks(hub.now()).unwrap().left[0];
            memory.set(StoreFaults::default());
            // Also for a node that reads the table from the database, once that knows.
            runtime::sleep(Duration::from_secs(10)).await;
            hub.tables.clear();
            let open = hub.open_table(&table).await.unwrap();
            let later = open.state.lock().await.table.clocks(hub.now()).unwrap().left[0];
            [at_once, later]
        });
        assert_eq!(left[0], 60_000, "seed {seed}");
        assert!((49_700..=50_300).contains(&left[1]), "seed {seed}: {left:?}");
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
        let spent = spent(&log);
        assert!(spent.len() == 2 && spent[1] < 20_000, "seed {seed}: {spent:?}");
    }
}

/// A worker thinks on while the only node is frozen, and after a while makes the move; the time since then does not count.
#[test]
fn a_worker_does_not_charge_a_bot_for_the_time_in_which_no_node_served() {
    for seed in 0..20 {
        let simulation = Simulation::new(seed);
        let (machine, world) = (simulation.add_machine(0), simulation.clone());
        let spent = simulation.run(async move {
            let (store, bus) = (Store::in_memory(), MemoryBus::with(Faults::default()));
            let (send, made) = tokio::sync::oneshot::channel();
            let (go, may_act) = tokio::sync::oneshot::channel::<()>();
            let (own, at) = (store.clone(), bus.node("node"));
            let node = async move {
                let hub = Hub::begin(own, at, Config::default()).await.unwrap();
                hub.bots.fall_silent();
                let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "fischer=300+5") };
                let table = hub.create(&person("ann"), "new", spec).await.unwrap();
                let open = hub.open_table(&table).await.unwrap();
                let _ = send.send(table);
                may_act.await.unwrap();
                let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
                hub.ask(&open, &person("ann"), "k1", &act, Duration::ZERO).await.unwrap();
                std::future::pending::<()>().await;
            };
            world.spawn_on(machine, Box::pin(node));
            let table = made.await.unwrap();
            let worker =
                Hub::begin_as(Role::Worker, store.clone(), bus.node("worker"), Config::default()).await.unwrap();
            worker.bots.fall_silent();
            let open = worker.open_table(&table).await.unwrap();
            go.send(()).unwrap();
            runtime::sleep(Duration::from_secs(1)).await;
            world.freeze(machine, true);
            runtime::sleep(Duration::from_secs(30)).await;
            drop(open);
            spent(&store.table(&table).await.unwrap().unwrap().lines)
        });
        // The move is made more than eight seconds after the bot's turn has begun.
        assert!(spent.len() == 2 && spent[1] < 5_000, "seed {seed}: {spent:?}");
    }
}

/// The database may be lost and come back while a task reads a log: the clock that it has set then is to be set again.
#[test]
fn nothing_is_decided_with_a_clock_that_was_set_before_the_database_was_lost() {
    Simulation::new(5).run(async {
        let hub = Hub::begin(Store::in_memory(), Bus::alone("one".to_owned()), Config::default()).await.unwrap();
        let spec = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "turn=60") };
        let table = hub.create(&person("ann"), "new", spec).await.unwrap();
        let open = hub.open_table(&table).await.unwrap();
        let mut state = open.state.lock().await;
        state.losses = hub.heartbeat.losses() + 1;
        let tick = hub.execute(&open, &mut state, crate::tables::Command::Tick, Origin::default()).await;
        assert!(matches!(tick, Err(Failed::Race)));
        drop(state);
        // A request sets the clock first.
        let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
        hub.ask(&open, &person("ann"), "k1", &act, Duration::ZERO).await.unwrap();
    });
}

/// What nodes take for the time must be the same, also if one began while the database was slow, and was frozen meanwhile.
#[test]
fn a_node_that_begins_while_the_database_is_slow_knows_the_time() {
    for seed in 0..20 {
        let simulation = Simulation::new(seed);
        let (machine, world) = (simulation.add_machine(0), simulation.clone());
        let off_by = simulation.run(async move {
            let (memory, (send, receive)) = (Memory::default(), tokio::sync::oneshot::channel());
            // Its time begins when it is first asked.
            Store::Memory(memory.clone()).clock().await.unwrap();
            memory.set(StoreFaults { slowest: 2_000, ..StoreFaults::default() });
            let node = async move {
                let store = Store::Memory(memory);
                let hub = Hub::begin(store, Bus::alone("one".to_owned()), Config::default()).await.unwrap();
                let _ = send.send(hub.heartbeat.wall() - runtime::wall());
            };
            world.spawn_on(machine, Box::pin(node));
            runtime::sleep(Duration::from_millis(500)).await;
            world.freeze(machine, true);
            runtime::sleep(Duration::from_secs(30)).await;
            world.freeze(machine, false);
            receive.await.unwrap()
        });
        assert!(off_by.abs() < 400, "seed {seed}: {off_by} ms");
    }
}

/// A node may read an entry from the database before the message about it comes, and take the turn to have begun when the
/// entry was decided; the message says when it became durable.
#[test]
fn a_node_that_read_an_entry_before_its_message_learns_when_it_became_durable() {
    let mut most = 0;
    for seed in 0..20 {
        let (early, left) = Simulation::new(seed).run(async {
            let (memory, bus) = (Memory::default(), MemoryBus::with(Faults::default()));
            let begin = |name| Hub::begin(Store::Memory(memory.clone()), bus.node(name), Config::default());
            let (one, two) = (begin("one").await.unwrap(), begin("two").await.unwrap());
            let table = one.create(&person("ann"), "new", spec_of("quixo", "turn=60")).await.unwrap();
            let open = one.open_table(&table).await.unwrap();
            one.ask(&open, &person("bob"), "k1", &Command::Sit { seat: None }, Duration::ZERO).await.unwrap();
            let elsewhere = two.open_table(&table).await.unwrap();
            let stored = || memory.logs().iter().find(|log| log.table == table).unwrap().lines.len();
            let before = stored();
            memory.set(StoreFaults { slowest: 3_000, ..StoreFaults::default() });
            let (node, at) = (one.clone(), open.clone());
            let asked = runtime::spawn(async move {
                let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
                node.ask(&at, &person("ann"), "k2", &act, Duration::ZERO).await
            });
            while stored() == before {
                runtime::sleep(Duration::from_millis(10)).await;
            }
            // The answer to the write is on its way, and may take long.
            memory.set(StoreFaults::default());
            let mut state = elsewhere.state.lock().await;
            two.read_tail(&elsewhere, &mut state).await.unwrap();
            let early = state.table.clocks(two.now()).unwrap().left[1];
            drop(state);
            asked.await.unwrap().unwrap();
            runtime::sleep(Duration::from_secs(1)).await;
            let here = open.state.lock().await.table.clocks(one.now()).unwrap().left[1];
            let there = elsewhere.state.lock().await.table.clocks(two.now()).unwrap().left[1];
            (early, [here, there])
        });
        assert_eq!(left[0], 59_000, "seed {seed}");
        assert!((58_850..=59_150).contains(&left[1]), "seed {seed}: {left:?}");
        most = most.max(60_000 - early);
    }
    assert!(most > 1_000, "no write was slow enough: {most} ms");
}

/// A copy of a request to be paired comes late, through a node that was frozen, when its sender has already stood up.
#[test]
fn a_late_copy_of_a_request_to_be_paired_makes_no_other_table() {
    let (first, late) = Simulation::new(6).run(async {
        let (bus, store) = (MemoryBus::with(Faults::default()), Store::in_memory());
        let one = Hub::begin(store.clone(), bus.node("one"), Config::default()).await.unwrap();
        let two = Hub::begin(store.clone(), bus.node("two"), Config::default()).await.unwrap();
        let spec = TableSpec { access: Access::Open, seat: None, ..spec_of("quixo", "turn=60") };
        let first = one.pair(&person("ann"), "k1", spec.clone(), Via::Connection).await.unwrap();
        let open = one.open_table(&first).await.unwrap();
        one.ask(&open, &person("ann"), "k2", &Command::Stand {}, Duration::ZERO).await.unwrap();
        runtime::sleep(Duration::from_secs(15)).await;
        (first, two.pair(&person("ann"), "k1", spec, Via::Connection).await.unwrap())
    });
    assert_eq!(first, late);
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

/// A player without a connection who asks now and then could otherwise never claim the game: with each request the table was
/// read anew, and how long the other player had been away was forgotten.
#[test]
fn a_table_stays_open_for_a_while_after_the_last_request_of_a_player() {
    Simulation::new(7).run(async {
        let hub = Hub::begin(Store::in_memory(), Bus::alone("one".to_owned()), Config::default()).await.unwrap();
        let table = hub.create(&person("ann"), "new", spec_of("quixo", "none")).await.unwrap();
        let open = hub.open_table(&table).await.unwrap();
        hub.ask(&open, &person("bob"), "k1", &Command::Sit { seat: None }, Duration::ZERO).await.unwrap();
        drop(open);
        hub.tables.clear();
        for who in ["ann", "zoe"] {
            hub.note_request(&hub.open_table(&table).await.unwrap(), &person(who)).await;
            runtime::sleep(Duration::from_secs(100)).await;
            assert_eq!(hub.tables.get(&table).is_some(), who == "ann", "{who}");
            runtime::sleep(Duration::from_secs(150)).await;
            assert!(hub.tables.get(&table).is_none());
        }
    });
}

/// While other bots had all threads, a game among bots went on with moves at random.
#[test]
fn a_game_among_bots_waits_for_a_thread_unless_its_clock_runs() {
    for (clock, moves) in [("none", false), ("turn=60", true)] {
        let log = Simulation::new(8).run(async {
            let hub = Hub::begin(Store::in_memory(), Bus::alone("one".to_owned()), Config::default()).await.unwrap();
            hub.bots.fall_silent();
            let spec = TableSpec { seat: None, bots: vec![Some(1), Some(1)], ..spec_of("quixo", clock) };
            let table = hub.create(&person("ann"), "new", spec).await.unwrap();
            runtime::sleep(Duration::from_secs(50)).await;
            hub.store.table(&table).await.unwrap().unwrap().lines
        });
        assert_eq!(log.iter().any(|line| line.contains(r#""did""#)), moves, "{log:?}");
    }
}
