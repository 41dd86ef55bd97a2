//! Writes what the Quixo player learns from and is measured on, with exact values from a graphics card.
//!
//! ```sh
//! cargo run --release -p tablebase --example lessons_quixo -- DIR SEED SECONDS THREADS
//! ```
//!
//! It solves Quixo without depths, keeps all tables in the card's memory (it needs 32 GB), and writes files described in
//! docs/solved-quixo.md: `games-N.bin`, `labelled.txt`, `more.txt`, and `leaves-N.bin`, which is what searches evaluate.
//! Those searches run meanwhile on so many threads for so many seconds.

mod played;

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::quixo::Quixo;
use rules::{ActionList, Position};
use search::bots::quixo::{QuixoBot, Tables};
use search::{Bot, Level, Limits, Random, Situation, Value};
use tablebase::{Board, Depths, Gpu, Keep, Size, solve};

use played::{MOST_PLIES, labelled, positions, study};

/// Games in a file of games, and how many files.
const GAMES: u32 = 1 << 20;
const FILES: u64 = 14;
/// Positions with the value of every move, for each kind of game: to measure on, and more of them.
const LABELLED: usize = 4000;
const MORE: usize = 15_000;
/// Of 256 moves, how many are chosen at random in each kind of game.
const ODDS: [u32; 8] = [0, 8, 16, 32, 64, 100, 160, 256];
/// Of the positions a search looks at one in so many is kept, and of its successors so many.
const STRIDE: u32 = 8;
const EACH: u32 = 6;
/// Positions the card is asked about at a time.
const PORTION: usize = 1 << 22;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, seed, seconds, threads] = &arguments[..] else {
        return Err("DIR SEED SECONDS THREADS are needed".into());
    };
    let (folder, seed) = (Path::new(folder), seed.parse::<u64>()?);
    let (seconds, threads) = (Duration::from_secs(seconds.parse()?), threads.parse::<u64>()?);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let searches: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || searched(seed ^ thread << 32, || began.elapsed() > seconds)))
            .collect();
        let board = Board::new(Size::Five);
        let mut gpu = Gpu::new(&board, Depths::No, Keep::All)?;
        solve(&board, &mut gpu, 0, None, &mut |_, _| Ok(()))?;
        println!("solved in {:.1} s", began.elapsed().as_secs_f64());
        let positions = positions(&board.geometry, &gpu.play(1 << 16, MOST_PLIES, seed ^ 0x5eed)?);
        let studied = study(&board.geometry, &gpu, &positions)?;
        std::fs::write(folder.join("labelled.txt"), labelled(&board.geometry, &studied, LABELLED))?;
        std::fs::write(folder.join("more.txt"), labelled(&board.geometry, &studied, MORE))?;
        println!("{} positions labelled, {:.1} s", studied.len(), began.elapsed().as_secs_f64());
        for file in 0..FILES {
            let games = gpu.play(GAMES, MOST_PLIES, seed.wrapping_add(file * 1_000_003))?;
            std::fs::write(folder.join(format!("games-{file}.bin")), &games)?;
        }
        println!("games written, {:.1} s", began.elapsed().as_secs_f64());
        let looked_at: Vec<Vec<u64>> = searches.into_iter().filter_map(|search| search.join().ok()).collect();
        let count = write_leaves(&gpu, &looked_at, seed, folder)?;
        println!("{count} leaves written, {:.1} s", began.elapsed().as_secs_f64());
        Ok(())
    })
}

/// Writes successors of these positions with their values; returns how many.
fn write_leaves(gpu: &Gpu<'_>, looked_at: &[Vec<u64>], seed: u64, folder: &Path) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    for (number, portion) in (0..).zip(looked_at.iter().flat_map(|positions| positions.chunks(PORTION))) {
        let leaves = gpu.successors(portion, EACH, seed.wrapping_add(number))?;
        count += leaves.len();
        let bytes: Vec<u8> = leaves.iter().flat_map(|leaf| leaf.to_le_bytes()).collect();
        std::fs::write(folder.join(format!("leaves-{number}.bin")), bytes)?;
    }
    Ok(count)
}

/// Knows nothing, but notes some of what it is asked.
struct Listener {
    heard: Mutex<(Random, Vec<u64>)>,
}

impl Tables for Listener {
    fn look_up(&self, own: u32, other: u32) -> Option<Value> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if heard.0.below(STRIDE) == 0 {
            heard.1.push(u64::from(own) | u64::from(other) << 25);
        }
        None
    }
}

/// Positions that searches look at, from games of all kinds.
fn searched(seed: u64, is_over: impl Fn() -> bool) -> Vec<u64> {
    let mut random = Random::new(seed);
    let listener = Arc::new(Listener { heard: Mutex::new((Random::new(!seed), Vec::new())) });
    let mut bot = QuixoBot::with_tables(Arc::clone(&listener) as Arc<dyn Tables>);
    let mut game = Quixo::start(&Default::default());
    let (mut odds, mut ply) = (ODDS[0], 0);
    while !is_over() {
        let mut actions = ActionList::new();
        game.actions(&mut actions);
        if actions.is_empty() || ply == MOST_PLIES {
            game = Quixo::start(&Default::default());
            (odds, ply) = (ODDS[random.below(8) as usize], 0);
            continue;
        }
        let nodes = 1000 << random.below(6);
        let limits = Limits::nodes(nodes).with_seed(random.next_u64()).with_memory(16 << 20);
        let best = bot.choose(&Situation { view: &game, earlier: &[] }, Level::HIGHEST, &limits).action;
        let any = actions[random.below(actions.len() as u32) as usize];
        if game.play(if random.below(256) < odds { any } else { best }).is_err() {
            ply = MOST_PLIES;
        } else {
            ply += 1;
        }
    }
    let mut heard = listener.heard.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut heard.1)
}
