//! `fourfold solve quixo`: every position's value, and with `--depth` in how many plies it ends.

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use locale::Language;
use search::Value;
use serde_json::json;
use tablebase::{
    BadFile, Board, Compared, Counts, Cpu, Depths, Engine, Flaw, Folder, Gpu, Keep, Mover, Pair, Progress, Size,
    SolveError, compare, solve,
};

use super::opening::Kept;

/// Arguments for Quixo only.
#[derive(Debug, Args)]
pub(super) struct QuixoArguments {
    /// Quixo: cubes a side, 3 to 5.
    #[arg(long, default_value = "5", value_parser = crate::value::size)]
    size: Size,
    /// Quixo: solve on an NVIDIA graphics card.
    #[arg(long)]
    gpu: bool,
    /// Quixo: count the plies to the end as well.
    #[arg(long)]
    depth: bool,
    /// Quixo: write the tables into this folder; what is there already is not solved again.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Quixo: write the counts of every class to this file, as comma-separated values.
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
    /// Quixo: solve only positions with at least this many cubes.
    #[arg(long, default_value_t = 0, value_name = "CUBES")]
    least: u32,
    /// Quixo: solve on the card and on the processor down to this many cubes, and compare every bit.
    #[arg(long, value_name = "CUBES")]
    compare: Option<u32>,
    /// Quixo, with --compare: leave out pairs of classes with more million positions.
    #[arg(long, default_value_t = 300, value_name = "MILLIONS")]
    each: u64,
    /// Quixo on the board of five: write what is known of the first moves to this file, to be compiled in.
    #[arg(long, value_name = "FILE")]
    opening: Option<PathBuf>,
    /// Quixo, with --opening: at most this many bytes.
    #[arg(long, default_value_t = 4_000, value_name = "BYTES")]
    opening_bytes: usize,
    /// Quixo: threads to use without a graphics card; all cores by default.
    #[arg(long)]
    threads: Option<usize>,
}

/// Solves, shows how far it is, and prints what was found.
pub(super) fn run(arguments: &QuixoArguments, as_json: bool, language: Language) -> Result<(), Box<dyn Error>> {
    let done = match arguments.compare {
        Some(least) => compare_engines(arguments, least, as_json, language),
        None => solve_board(arguments, as_json, language),
    };
    done.map_err(|failure| crate::tablebase_command::in_words(failure, language).into())
}

fn solve_board(arguments: &QuixoArguments, as_json: bool, language: Language) -> Result<(), SolveError> {
    let began = Instant::now();
    let board = Board::new(arguments.size);
    let least = arguments.least.min(board.cells());
    let depths = if arguments.depth { Depths::Yes } else { Depths::No };
    let folder = arguments.out.as_ref().map(|path| Folder::open(path, arguments.size, depths)).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut engine: Box<dyn Engine + '_> = if arguments.gpu {
        Box::new(Gpu::new(&board, depths, Keep::Needed)?)
    } else {
        Box::new(Cpu::new(&board, depths, threads(arguments), &stop))
    };
    stop_on_interrupt(&stop);
    let ready = began.elapsed();
    let mut kept = Kept::default();
    let counts = solve(&board, engine.as_mut(), least, folder.as_ref(), &mut |progress, engine| {
        show(progress, began, language);
        if arguments.opening.is_some() {
            kept.take(progress, engine)?;
        }
        // The processor looks by itself, and sooner.
        if stop.load(Ordering::Relaxed) { Err(SolveError::Stopped) } else { Ok(()) }
    })?;
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    let start = if least == 0 { Some(engine.table(Pair { few: 0, many: 0 }, Mover::Many)?.value(0, 0)) } else { None };
    if as_json {
        print_json(arguments, &counts, start, began.elapsed());
    } else {
        print_words(&counts, start, [began.elapsed(), ready], language);
    }
    if let Some(path) = arguments.opening.as_ref().filter(|_| least == 0 && arguments.size == Size::Five) {
        kept.write(&board, path, arguments.opening_bytes, language)?;
    }
    if let Some(path) = &arguments.counts {
        let failed = |error| BadFile { path: path.clone(), flaw: Flaw::Unreadable(error) };
        std::fs::write(path, Counts::csv(&counts)).map_err(failed)?;
    }
    Ok(())
}

/// What was found, as one JSON object; the value of the empty board is null where it was not reached.
fn print_json(arguments: &QuixoArguments, counts: &[Counts], start: Option<Value>, took: Duration) {
    let sum = |part: fn(&Counts) -> u64| counts.iter().map(part).sum::<u64>();
    let told = json!({
        "game": "quixo",
        "size": arguments.size.side(),
        "positions": sum(Counts::all),
        "won": sum(|counts| counts.won),
        "lost": sum(|counts| counts.lost),
        "drawn": sum(|counts| counts.drawn),
        "value": start.map(crate::json::value),
        "seconds": took.as_secs_f64(),
    });
    println!("{told}");
}

fn print_words(counts: &[Counts], start: Option<Value>, [all, ready]: [Duration; 2], language: Language) {
    print_totals(counts, language);
    if let Some(start) = start {
        let plies = |plies: Option<u32>| plies.map_or_else(|| "?".to_owned(), |plies| plies.to_string());
        println!(
            "{}",
            match start {
                Value::Win(end) => language.solved_start_won(plies(end)),
                Value::Draw | Value::Estimate(_) => language.solved_start_drawn().to_owned(),
                Value::Loss(end) => language.solved_start_lost(plies(end)),
            }
        );
    }
    let seconds = |time: std::time::Duration| format!("{:.1}", time.as_secs_f64());
    println!("{}", language.solved_time(seconds(all), seconds(ready)));
}

fn threads(arguments: &QuixoArguments) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.threads.unwrap_or(cores)
}

/// Solves on the card and on the processor.
fn compare_engines(
    arguments: &QuixoArguments,
    least: u32,
    as_json: bool,
    language: Language,
) -> Result<(), SolveError> {
    let board = Board::new(arguments.size);
    let depths = if arguments.depth { Depths::Yes } else { Depths::No };
    let stop = Arc::new(AtomicBool::new(false));
    let mut card = Gpu::new(&board, depths, Keep::Needed)?;
    let mut processor = Cpu::new(&board, depths, threads(arguments), &stop);
    stop_on_interrupt(&stop);
    let each = arguments.each.saturating_mul(1_000_000);
    let found = compare(&board, [&mut card, &mut processor], least, each, &mut |pair, so_far| {
        if std::io::stderr().is_terminal() {
            let Pair { few, many } = pair;
            eprint!("\r({few}, {many})  {}     ", so_far.positions);
        }
        Ok(())
    })?;
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    if as_json {
        println!("{}", compared_json(arguments.size, &found));
    } else {
        let [card, processor] = found.took.map(|took| format!("{:.1}", took.as_secs_f64()));
        println!("{}", language.solved_compared(found.pairs, found.positions, found.left_out, card, processor));
    }
    if found.different.is_empty() {
        if !as_json {
            println!("{}", language.solved_equal());
        }
        return Ok(());
    }
    let pairs: Vec<String> = found.different.iter().map(|Pair { few, many }| format!("({few}, {many})")).collect();
    Err(SolveError::Card(language.solved_different(pairs.join(", "))))
}

/// What a comparison found, as one JSON object; the pairs in `different` are cubes of one side and of the other.
fn compared_json(size: Size, found: &Compared) -> serde_json::Value {
    let [card, processor] = found.took.map(|took| took.as_secs_f64());
    json!({
        "game": "quixo",
        "size": size.side(),
        "pairs": found.pairs,
        "positions": found.positions,
        "left_out": found.left_out,
        "different": found.different.iter().map(|pair| [pair.few, pair.many]).collect::<Vec<_>>(),
        "card_seconds": card,
        "processor_seconds": processor,
    })
}

/// An interrupt lets the pair at hand go; finished pairs are kept where a folder was given.
fn stop_on_interrupt(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build()
            && runtime.block_on(tokio::signal::ctrl_c()).is_ok()
        {
            stop.store(true, Ordering::Relaxed);
        }
    });
}

fn show(progress: Progress, began: Instant, language: Language) {
    let mut out = std::io::stderr();
    let done = progress.done as f64 / progress.all as f64;
    let left = progress.left.map_or_else(|| "?".to_owned(), clock);
    let Pair { few, many } = progress.pair;
    if out.is_terminal() {
        let bar = "█".repeat((done * 30.0) as usize);
        let text = language.solved_progress(format!("{:.1}", 100.0 * done), few, many, clock(began.elapsed()), left);
        let _ = write!(out, "\r{bar:░<30} {text}     ");
    } else if many - few < 2 && progress.left.is_some_and(|left| left > LONG) {
        // Without a terminal there is no progress bar: one line at the end of each layer, while much is left.
        let _ = writeln!(out, "{}", language.solved_layer(few + many, clock(began.elapsed()), left));
    }
}

/// With less time left than this, layers are not reported.
const LONG: Duration = Duration::from_secs(60);

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

fn print_totals(counts: &[Counts], language: Language) {
    let sum = |part: fn(&Counts) -> u64| counts.iter().map(part).sum::<u64>();
    println!(
        "{}",
        language.solved_total(
            sum(Counts::all),
            sum(|counts| counts.won),
            sum(|counts| counts.lost),
            sum(|counts| counts.drawn)
        )
    );
    let longest = |part: fn(&Counts) -> &Vec<u64>| {
        (0..256).rev().find(|&plies| counts.iter().any(|counts| part(counts)[plies] > 0))
    };
    if let (Some(won), Some(lost)) = (longest(|counts| &counts.won_in), longest(|counts| &counts.lost_in)) {
        println!("{}", language.solved_longest(won, lost));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_as_json_names_the_pairs_that_differ() {
        let (board, stop) = (Board::new(Size::Three), AtomicBool::new(false));
        let mut one = Cpu::new(&board, Depths::No, 1, &stop);
        let mut other = Cpu::new(&board, Depths::No, 1, &stop);
        let mut found = compare(&board, [&mut one, &mut other], 7, u64::MAX, &mut |_, _| Ok(())).unwrap();
        let same = compared_json(Size::Three, &found);
        assert_eq!((&same["size"], &same["different"]), (&json!(3), &json!([])));
        assert!(same["positions"].as_u64() > Some(0) && same["card_seconds"].is_f64(), "{same}");
        found.different.push(Pair { few: 3, many: 4 });
        assert_eq!(compared_json(Size::Three, &found)["different"], json!([[3, 4]]));
    }
}
