//! Makes the opening book of Quarto:
//! `cargo run --release -p search --example quarto_book -- FILE [THREADS [MB [EMPTY,…]]]`.
//!
//! `EMPTY,…` is, for each of the eight classes, the fewest empty squares its states have (12 if not told; 17
//! leaves a class out).
//! That is hours of work for one core. What is solved of each class is kept in `FILE.CLASS.EMPTY`, in batches, so
//! that the work can be stopped and taken up again; megabytes are for each thread's table.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use search::Limits;
use search::bots::quarto::Class;
use search::bots::quarto::book::{Chapter, Draft, FULL, Solved, write};

const BATCH: usize = 32;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("the file to write");
    let threads: usize = arguments.next().map_or(1, |text| text.parse().expect("a number of threads"));
    let megabytes: usize = arguments.next().map_or(1024, |text| text.parse().expect("megabytes"));
    let empty: Vec<u32> =
        arguments.next().map_or(vec![FULL; 8], |text| text.split(',').map(|n| n.parse().expect("a number")).collect());
    assert_eq!(empty.len(), 8, "there are eight classes");
    let begun = Instant::now();
    let stop = AtomicBool::new(false);
    let limits = Limits {
        now: &|| Duration::ZERO,
        deadline: None,
        nodes: None,
        depth: None,
        stop: &stop,
        seed: 0,
        memory: megabytes << 20,
    };
    let mut chapters: [Chapter; 8] = Default::default();
    for ((class, chapter), empty) in Class::all().zip(&mut chapters).zip(empty) {
        if empty > 16 {
            chapter.empty = empty;
            continue;
        }
        let draft = Draft::new(class, empty);
        let part = format!("{file}.{}.{empty}", class.index());
        let known = read_part(&part);
        let kept = OpenOptions::new().append(true).create(true).open(&part).expect("the part can be written");
        let kept = Mutex::new(kept);
        let batches: Vec<usize> = (0..draft.len()).step_by(BATCH).filter(|from| !known.contains_key(from)).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut work = draft.worker(&limits);
                    while let Some(&from) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let batch = work(from..draft.len().min(from + BATCH)).expect("there is no limit");
                        let text: String = batch.iter().map(|(key, value)| format!(" {key:x}:{value}")).collect();
                        let mut kept = kept.lock().expect("no thread panics");
                        writeln!(kept, "{from}{text}").expect("the part can be written");
                    }
                });
            }
        });
        let solved: Solved = read_part(&part).into_values().flatten().collect();
        assert_eq!(solved.len(), draft.len(), "{part} must hold every state; is it from another version?");
        let count = |value| solved.iter().filter(|state| state.1 == value).count();
        let [won, drawn, lost] = [1, 0, -1].map(count);
        println!("{class:?}: {} states, {won} won, {drawn} drawn, {lost} lost, {:.0?}", draft.len(), begun.elapsed());
        *chapter = Chapter { empty, solved };
    }
    let bytes = write(&chapters);
    println!("{} bytes", bytes.len());
    std::fs::write(file, bytes).expect("the file can be written");
}

/// The batches that were solved before, by their first state; a line that was cut off is left out.
fn read_part(path: &str) -> HashMap<usize, Solved> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let state = |word: &str| {
        let (key, value) = word.split_once(':')?;
        Some((u64::from_str_radix(key, 16).ok()?, value.parse().ok()?))
    };
    text.split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.parse().ok()?, words.map(state).collect::<Option<Solved>>()?))
        })
        .collect()
}
