//! Makes the file of the Quixo player's network from what training wrote.
//!
//! ```sh
//! cargo run --release -p search --example coarsen_quixo -- TRAINED crates/search/src/bots/quixo/quixo.net ERROR < more.txt
//! ```
//!
//! Searches from the positions of `more.txt`, written by `lessons_quixo` (docs/solved-quixo.md), show which numbers of the
//! network matter how much. ERROR says how much the error of a row may matter: the greater, the smaller the file; 0 keeps
//! all bits.

use std::error::Error;
use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};

use search::bots::quixo::coarse::Coarse;
use search::bots::quixo::oracle::Exact;
use search::bots::quixo::{QuixoBot, Tables};
use search::{Bot, Level, Limits, Random, Situation, Value};

/// The positions searched from, and the nodes of a search.
const SEARCHES: usize = 50_000;
const NODES: u64 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, trained, out, error] = &arguments[..] else {
        return Err("TRAINED OUT ERROR are needed".into());
    };
    let error: f64 = error.parse()?;
    let mut coarse = Coarse::read(&std::fs::read(trained)?)?;
    let lines = std::io::stdin().lock().lines().collect::<Result<Vec<_>, _>>()?;
    if lines.is_empty() {
        return Err("there are no positions".into());
    }
    let mut random = Random::new(1);
    let listener = Arc::new(Listener { heard: Mutex::new(Vec::new()) });
    for _ in 0..SEARCHES {
        let position = Exact::parse(&lines[random.below(lines.len() as u32) as usize])?.position()?;
        let mut bot = QuixoBot::with_tables(Arc::clone(&listener) as Arc<dyn Tables>);
        let limits = Limits::nodes(NODES).with_seed(1).with_memory(1 << 20);
        bot.choose(&Situation { view: &position, earlier: &[] }, Level::HIGHEST, &limits);
        let heard = std::mem::take(&mut *listener.heard.lock().unwrap_or_else(PoisonError::into_inner));
        for (own, other) in heard {
            if random.below(4) == 0 {
                coarse.learn(own, other, &mut random);
            }
        }
    }
    let bytes = coarse.write(error);
    println!("{} bytes", bytes.len());
    std::fs::write(out, bytes)?;
    Ok(())
}

/// Knows nothing, but notes what it is asked.
struct Listener {
    heard: Mutex<Vec<(u32, u32)>>,
}

impl Tables for Listener {
    fn look_up(&self, own: u32, other: u32) -> Option<Value> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push((own, other));
        None
    }
}
