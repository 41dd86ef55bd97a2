//! The fuzz targets on the stable toolchain: over their seeds, so that what fuzzing found once stays found, and over
//! mutations of them. `cargo xtask fuzz`, which learns from coverage, finds more and needs nightly.

use std::path::Path;

use search::Random;

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "in the fuzz crate these functions are public")]
mod targets;

/// Runs a target over its seeds and `mutations` texts made of them. A panic is preceded by the text that causes it.
fn replay(name: &str, mutations: usize, target: fn(&[u8])) {
    let seeds = seeds(name);
    let run = |bytes: &[u8]| {
        println!("{:?}", String::from_utf8_lossy(bytes));
        target(bytes);
    };
    seeds.iter().for_each(|seed| run(seed));
    let mut random = Random::new(1);
    for _ in 0..mutations {
        run(&mutated(&seeds, &mut random));
    }
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let entries = std::fs::read_dir(folder).expect("every target has seeds");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    files.sort();
    assert!(files.len() >= 5, "{name} has only {} seeds", files.len());
    files.iter().map(|file| std::fs::read(file).expect("a seed can be read")).collect()
}

fn below(random: &mut Random, n: usize) -> usize {
    random.below(n.try_into().expect("a seed is small")) as usize
}

/// A seed with a few pieces left out, repeated, changed, or taken from another seed.
fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[below(random, seeds.len())].clone();
    for _ in 0..=below(random, 4) {
        let at = below(random, bytes.len() + 1);
        let end = (at + 1 + below(random, 8)).min(bytes.len());
        let piece = match below(random, 5) {
            0 => Vec::new(),
            1 => bytes[at.min(end)..end].repeat(2),
            2 => bytes[at.min(end)..end].iter().map(|byte| byte ^ (1 << below(random, 7))).collect(),
            3 => vec![b" \n\t;.,/=()#-0123456789"[below(random, 21)]],
            _ => {
                let other = &seeds[below(random, seeds.len())];
                let start = below(random, other.len() + 1);
                other[start..(start + below(random, 40)).min(other.len())].to_vec()
            }
        };
        bytes.splice(at.min(end)..end, piece);
    }
    bytes
}

/// A target that takes text: what is not UTF-8 never reaches it.
fn text(bytes: &[u8], target: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        target(text);
    }
}

#[test]
fn options() {
    replay("options", 500, |bytes| text(bytes, targets::options));
}

#[test]
fn position_text() {
    replay("position_text", 500, |bytes| text(bytes, targets::position_text));
}

#[test]
fn action_text() {
    replay("action_text", 500, |bytes| text(bytes, targets::action_text));
}

#[test]
fn record() {
    replay("record", 500, |bytes| text(bytes, targets::record));
}

#[test]
fn ugi_line() {
    replay("ugi_line", 500, |bytes| text(bytes, targets::ugi_line));
}

#[test]
fn table_asks() {
    replay("table_asks", 500, |bytes| text(bytes, targets::table_asks));
}

#[test]
fn ws_frames() {
    replay("ws_frames", 500, targets::ws_frames);
}
