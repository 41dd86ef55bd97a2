//! `fourfold book quarto`: makes the opening book that `search` embeds.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::{Args, Subcommand};
use locale::Language;
use search::Limits;
use search::bots::quarto::Class;
use search::bots::quarto::book::{Chapter, Draft, FULL, Solved, write};

use crate::error::CliError;

/// Which book to make.
#[derive(Debug, Args)]
pub(crate) struct BookArguments {
    #[command(subcommand)]
    game: Book,
}

#[derive(Debug, Subcommand)]
enum Book {
    /// The values of Quarto's openings, for all option classes: hours of work for one core.
    ///
    /// What is solved of each class is kept in FILE.CLASS.EMPTY, so the work can be stopped and taken up again.
    Quarto(QuartoBook),
}

#[derive(Debug, Args)]
struct QuartoBook {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many states are solved at a time.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Megabytes for each thread's table.
    #[arg(long, default_value_t = 1024, value_name = "MB")]
    hash: usize,
    /// For each of the eight classes, the fewest empty squares of its states; 17 leaves a class out.
    #[arg(long, value_delimiter = ',', default_values_t = [FULL; 8], value_name = "EMPTY,…")]
    empty: Vec<u32>,
}

/// Makes a book.
pub(crate) fn run(arguments: &BookArguments, language: Language) -> Result<(), CliError> {
    let Book::Quarto(book) = &arguments.game;
    if book.empty.len() != 8 {
        return Err(CliError::new(language.book_empty(book.empty.len())));
    }
    let begun = Instant::now();
    let mut chapters: [Chapter; 8] = Default::default();
    for ((class, chapter), &empty) in Class::all().zip(&mut chapters).zip(&book.empty) {
        chapter.empty = empty;
        if empty > 16 {
            continue;
        }
        chapter.solved = solve_class(book, class, empty, language)?;
        let count = |value| chapter.solved.iter().filter(|state| state.1 == value).count();
        let [won, drawn, lost] = [1, 0, -1].map(count);
        let (states, squares) = (chapter.solved.len(), class.squares.name());
        let time = format!("{:.0?}", begun.elapsed());
        let class = language.book_class(class.attributes, squares, states, empty);
        println!("{class}, {}, {time}", language.arena_counts(won, drawn, lost));
    }
    let bytes = write(&chapters);
    std::fs::write(&book.out, &bytes)?;
    println!("{}", language.book_bytes(bytes.len()));
    Ok(())
}

/// States solved between two writes to the part.
const BATCH: usize = 32;

fn solve_class(book: &QuartoBook, class: Class, empty: u32, language: Language) -> Result<Solved, CliError> {
    let limits = Limits::unlimited().with_memory(book.hash << 20);
    let draft = Draft::new(class, empty);
    let part = PathBuf::from(format!("{}.{}.{empty}", book.out.display(), class.index()));
    let known = read_part(&part);
    let kept = Mutex::new(OpenOptions::new().append(true).create(true).open(&part)?);
    let batches: Vec<usize> = (0..draft.len()).step_by(BATCH).filter(|from| !known.contains_key(from)).collect();
    let next = AtomicUsize::new(0);
    let work_through = || -> std::io::Result<()> {
        let mut work = draft.worker(&limits);
        while let Some(&from) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(batch) = work(from..draft.len().min(from + BATCH)) else { break };
            let text: String = batch.iter().map(|(key, value)| format!(" {key:x}:{value}")).collect();
            let mut kept = kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            writeln!(kept, "{from}{text}")?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..book.threads.max(1)).map(|_| scope.spawn(work_through)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(std::io::Error::other("a thread that solves has failed")))
        })
    })?;
    let solved: Solved = read_part(&part).into_values().flatten().collect();
    if solved.len() != draft.len() {
        return Err(CliError::new(language.book_stale(part.display())));
    }
    Ok(solved)
}

/// The batches that were solved before, by their first state; a line that was cut off is left out.
fn read_part(path: &Path) -> HashMap<usize, Solved> {
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
