//! Clocks across nodes and machines.

use std::time::{Duration, Instant};

use protocol::Command;

use super::{alone, entries, log, nodes, nodes_with_clocks, seated};
use crate::bus::memory_bus::Faults;
use crate::hub::Outlet;
use crate::tables::{Event, LogEntry};

const HOUR: i64 = 3_600_000;

fn spent(log: &[LogEntry]) -> Vec<u32> {
    let spent = |line: &LogEntry| match line.event {
        Event::Played { spent, .. } => spent,
        _ => None,
    };
    log.iter().filter_map(spent).collect()
}

#[tokio::test]
async fn time_is_charged_once_and_alike_wherever_it_is_looked_at() {
    let (_bus, hubs) = nodes("clocks", Faults::default()).await;
    // What may be charged at most is measured, for a busy machine takes longer.
    let mut moments = vec![Instant::now()];
    let (table, mut ann, mut bob) = seated(&hubs, "quixo", "fischer=60+0").await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    moments.push(Instant::now());
    let done = ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
    bob.until(|follower| follower.seq >= done.seq).await;
    moments.push(Instant::now());
    tokio::time::sleep(Duration::from_millis(300)).await;
    bob.ask(Command::Act { action: "a2e2".to_owned(), at: 1 }).await.unwrap();
    moments.push(Instant::now());
    let between = |from: usize, to: usize| (moments[to] - moments[from]).as_millis() as u32 + 50;
    let spent = spent(&log(&hubs[0], &table).await);
    assert!((400..=between(0, 2)).contains(&spent[0]), "{spent:?}");
    assert!((290..=between(1, 3)).contains(&spent[1]), "{spent:?}");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let (began, mut left) = (Instant::now(), Vec::new());
    for hub in &hubs {
        let open = hub.open_table(&table).await.unwrap();
        left.push(open.state.lock().await.table.clocks(hub.now()).unwrap().left);
    }
    let took = began.elapsed().as_millis() as u64;
    for seat in 0..2 {
        assert!(left[0][seat].abs_diff(left[1][seat]) < 60 + took, "{left:?}");
    }
}

/// An hour before and an hour behind: no flag falls, each player is charged what passed, and one who really runs out of
/// time does so when the time is up. Only a database that nodes can share has a time of its own.
#[tokio::test]
async fn clocks_of_machines_may_differ_by_hours() {
    if std::env::var("FOURFOLD_TEST_DATABASE").is_err() {
        return;
    }
    let (_bus, hubs) = nodes_with_clocks("skew", Faults::default(), [HOUR, -HOUR]).await;
    let mut turn_began = Instant::now();
    let (table, mut ann, mut bob) = seated(&hubs, "quixo", "turn=6").await;
    let mut most = Vec::new();
    for (turn, action) in ["a3e3", "a2e2", "a1e1", "a4e4"].into_iter().enumerate() {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let asked = Instant::now();
        let player = if turn % 2 == 0 { &mut ann } else { &mut bob };
        let done = player.ask(Command::Act { action: action.to_owned(), at: turn as u32 }).await.unwrap();
        for player in [&mut ann, &mut bob] {
            player.until(|follower| follower.seq >= done.seq).await;
        }
        most.push(turn_began.elapsed().as_millis() as u32 + 300);
        turn_began = asked;
        // As after a crash: each node has to find out from the log how much has passed.
        for hub in &hubs {
            let open = hub.open_table(&table).await.unwrap();
            let mut state = open.state.lock().await;
            state.table = hub.load(&table).await.unwrap();
        }
    }
    let spent = spent(&log(&hubs[0], &table).await);
    let as_measured = |(spent, most): (&u32, &u32)| (600..=*most).contains(spent);
    assert!(spent.len() == 4 && spent.iter().zip(&most).all(as_measured), "{spent:?} of {most:?}");
    ann.until(|follower| follower.ended.is_some()).await;
    let lasted = turn_began.elapsed();
    assert!((Duration::from_millis(5500)..Duration::from_secs(15)).contains(&lasted), "{lasted:?}");
    assert_eq!(entries(&log(&hubs[0], &table).await).last().unwrap(), "time:1");
}

/// The clock of the machine is set, or it sleeps for an hour: no player is charged for that.
#[tokio::test]
async fn a_clock_of_a_machine_that_is_set_charges_no_player() {
    for step in [HOUR, -HOUR] {
        let hub = alone(&format!("set{}", step > 0)).await;
        let (table, mut ann, _bob) = seated(&[hub.clone(), hub.clone()], "quixo", "turn=60").await;
        hub.heartbeat.clock.ahead.store(step, std::sync::atomic::Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(3000)).await;
        hub.tables.clear();
        let open = hub.open_table(&table).await.unwrap();
        let left = open.state.lock().await.table.clocks(hub.now()).unwrap().left;
        assert!((50_000..=60_000).contains(&left[0]), "{step}: {left:?}");
        ann.watch = hub.watch(&table, &ann.me, 0, &Outlet::new().0).await.unwrap();
        ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
        let spent = spent(&log(&hub, &table).await);
        assert!(spent[0] < 10_000, "{step}: {spent:?}");
    }
}
