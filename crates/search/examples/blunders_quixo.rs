//! Counts how often the Quixo player gives value away on positions with exact values.
//!
//! ```sh
//! cargo run --release -p search --example blunders_quixo -- --time 100 --sample 12000 < labelled.txt
//! ```
//!
//! `labelled.txt` is written by `study_quixo` (docs/solved-quixo.md): positions of games with none to all moves at random,
//! in each of which some move is a mistake. Only those that were kept out of training are played, unless `--all` is given.
//! With `--all` it also plays exercises (`crates/tablebase/data/quixo-exercises.txt`): much harder positions, in which one
//! result alone keeps the value. A position is thought about by one thread with a player of its own. `--nodes N` limits
//! nodes instead of time; `--level L` plays a level below the highest; `--show` prints each blunder; `--alone` leaves the
//! player only its network and its search, without what is compiled in about the opening. `--cpu` counts the processor's
//! time instead of the clock's (on Linux), for a machine that does other things too.

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use search::bots::quixo::QuixoBot;
use search::bots::quixo::oracle::{Exact, blunder_rate};
use search::{Bot, Level, Limits, Situation};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let given = |name: &str| arguments.iter().position(|argument| argument == name);
    let number = |name: &str| -> Result<Option<u64>, Box<dyn Error>> {
        let text = given(name).and_then(|place| arguments.get(place + 1));
        Ok(text.map(|text| text.parse()).transpose()?)
    };
    let nodes = number("--nodes")?;
    let time = Duration::from_millis(number("--time")?.unwrap_or(100));
    let sample = number("--sample")?.unwrap_or(1000) as usize;
    let level = number("--level")?.and_then(|level| Level::new(level as u8)).unwrap_or(Level::HIGHEST);
    let mut positions = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let exact = if line.contains('|') { Exact::of_exercise(&line)? } else { Exact::parse(&line)? };
        if exact.is_held_out() || given("--all").is_some() {
            positions.push(exact);
        }
    }
    positions.truncate(sample);
    let alone = given("--alone").is_some();
    let start = Instant::now();
    let now = || match given("--cpu") {
        Some(_) => processor_time(),
        None => start.elapsed(),
    };
    let started = now();
    let (mut total_nodes, mut total_depth, mut latest) = (0, 0, Duration::ZERO);
    let rate = blunder_rate(
        &positions,
        |position| {
            let begun = now();
            let limits = Limits {
                now: &|| now() - begun,
                deadline: nodes.is_none().then_some(time),
                nodes,
                seed: 1,
                memory: 64 << 20,
                ..Limits::unlimited()
            };
            // A new bot each time: nothing may be remembered from another position.
            let mut bot = if alone { QuixoBot::without_knowledge() } else { QuixoBot::default() };
            let result = bot.choose(&Situation { view: position, earlier: &[] }, level, &limits);
            total_nodes += result.nodes;
            total_depth += result.depth;
            latest = latest.max(now() - begun);
            result.action
        },
        |exact, action| {
            if given("--show").is_some() {
                println!("ply {} value {} plays {action} {:x} {:x}", exact.ply, exact.value, exact.own, exact.other);
            }
        },
    );
    println!("{rate}");
    println!(
        "{} nodes, {:.2} million a second, mean depth {:.1}, longest search {latest:?}",
        total_nodes,
        total_nodes as f64 / (now() - started).as_secs_f64() / 1e6,
        f64::from(total_depth) / positions.len().max(1) as f64
    );
    Ok(())
}

/// How long this thread has run.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts the time of threads");
    Duration::from_nanos(text.split(' ').next().and_then(|nanos| nanos.parse().ok()).expect("nanoseconds"))
}
