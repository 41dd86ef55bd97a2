//! `fourfold bench overrun`: whether the players keep the time they are given.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use game::Game;
use locale::Language;
use search::{Level, Limits};
use serde_json::json;

use super::thinking::played;

/// After how many random actions players are asked: in the opening, the middle and towards the end.
const AFTER: &[u32] = &[0, 1, 2, 4, 7, 11, 16, 22, 29, 40, 60];
const LEVELS: [u8; 3] = [1, 5, 8];
const BUDGET: Duration = Duration::from_millis(100);

/// Asks every player in many positions and prints how long it took beyond its budget.
pub(super) fn run(l: Language, as_json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if !as_json {
        writeln!(out, "{}", l.bench_budget(BUDGET.as_millis()))?;
        let (level, questions, mean, worst) = (l.bench_level(), l.bench_questions(), l.bench_mean(), l.bench_worst());
        writeln!(out, "{:<28}{level:>8}{questions:>10}{mean:>20}{worst:>14}", "")?;
    }
    let mut worst = 0.0f64;
    for game in super::usual() {
        let name = game.to_string();
        for level in LEVELS.into_iter().filter_map(Level::new) {
            let late = overruns(&game, level);
            let most = late.iter().copied().fold(0.0, f64::max);
            let mean = late.iter().sum::<f64>() / (late.len() as f64).max(1.0);
            worst = worst.max(most);
            let number = level.number();
            if as_json {
                let rounded = |milliseconds: f64| (milliseconds * 10.0).round() / 10.0;
                let line = json!({ "game": name, "level": number, "questions": late.len(),
                    "budget_ms": BUDGET.as_millis() as u64, "mean_ms": rounded(mean), "worst_ms": rounded(most) });
                writeln!(out, "{line}")?;
            } else {
                writeln!(out, "{name:<28}{number:>8}{:>10}{mean:>20.1}{most:>14.1}", late.len())?;
            }
            out.flush()?;
        }
    }
    if as_json {
        return Ok(());
    }
    writeln!(out, "{}: {worst:.1}", l.bench_worst())
}

/// How many milliseconds beyond its budget a player took in each position; none if it was in time.
fn overruns(game: &Game, level: Level) -> Vec<f64> {
    let mut bot = game.bot();
    let positions = AFTER.iter().flat_map(|&after| (1..=2).map(move |seed| (after, seed)));
    positions
        .filter_map(|(after, seed)| {
            let positions = played(game, after, seed)?;
            let began = Instant::now();
            let now = || began.elapsed();
            let limits = Limits::until(&now, BUDGET).with_seed(seed).with_memory(64 << 20);
            bot.choose(&positions, level, &limits)?;
            Some(began.elapsed().saturating_sub(BUDGET).as_secs_f64() * 1000.0)
        })
        .collect()
}
