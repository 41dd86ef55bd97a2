//! `fourfold puzzle make` and `fourfold puzzle check`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;
use locale::Language;
use puzzles::check::{Numbered, Report, lines_to_check};
use puzzles::{HEADER, Note, Puzzle, Shelf};

use super::parallel::in_parallel;
use crate::error::CliError;
use crate::error_text;
use crate::play::read_game;

/// Arguments of `fourfold puzzle make`.
#[derive(Debug, Args)]
pub(super) struct MakeArguments {
    /// The game.
    game: String,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads work; the set is the same with any number.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Arguments of `fourfold puzzle grade`.
#[derive(Debug, Args)]
pub(super) struct GradeArguments {
    /// The set.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many threads work; the ratings are the same with any number.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Arguments of `fourfold puzzle check`.
#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The sets.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check only one puzzle in this many.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// How many threads work.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Arguments of `fourfold puzzle pack`.
#[derive(Debug, Args)]
pub(super) struct PackArguments {
    /// The set.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the packed set goes.
    #[arg(value_name = "PACKED")]
    packed: PathBuf,
}

/// Arguments of `fourfold puzzle choose`.
#[derive(Debug, Args)]
pub(super) struct ChooseArguments {
    /// The sets, packed or not: one of each game.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints a set; progress goes to standard error.
pub(super) fn make(arguments: &MakeArguments, language: Language) -> Result<(), CliError> {
    let game = read_game(&arguments.game, language)?.id();
    let begun = Instant::now();
    let all = AtomicUsize::new(0);
    let progress = |found: usize| {
        let all = all.fetch_add(found, Ordering::Relaxed) + found;
        eprintln!("{}", language.puzzles_found(all, seconds(begun)));
    };
    let jobs = puzzles::jobs(game, arguments.seed)
        .ok_or_else(|| CliError::new(language.puzzles_not_made_here(game.name())))?;
    let found = in_parallel(jobs, arguments.threads, |job| {
        let found = job.run();
        progress(found.len());
        found
    });
    io::stdout().write_all(puzzles::assemble(arguments.seed, found).as_bytes())?;
    Ok(())
}

/// Prints a set with the rating of every puzzle; progress goes to standard error.
pub(super) fn grade(arguments: &GradeArguments, language: Language) -> Result<(), CliError> {
    const EVERY: usize = 1000;
    let puzzles = read_set(&arguments.file, arguments.threads, language)?;
    let begun = Instant::now();
    let all = AtomicUsize::new(0);
    let graded = in_parallel(puzzles, arguments.threads, |mut puzzle: Puzzle| {
        puzzle.rating = Some(puzzles::grade(&puzzle));
        let all = all.fetch_add(1, Ordering::Relaxed) + 1;
        if all.is_multiple_of(EVERY) {
            eprintln!("{}", language.puzzles_found(all, seconds(begun)));
        }
        puzzle.to_string()
    });
    eprintln!("{}", language.puzzles_found(all.into_inner(), seconds(begun)));
    let mut out = io::stdout().lock();
    writeln!(out, "{HEADER}")?;
    for line in graded {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Checks sets and fails if a puzzle is wrong.
pub(super) fn check(arguments: &CheckArguments, language: Language) -> Result<(), CliError> {
    let mut faults = 0;
    for file in &arguments.files {
        let begun = Instant::now();
        let text = read(file, language)?;
        let lines = lines_to_check(&text, arguments.every);
        let report = Report::of(lines.map(|lines| in_parallel(lines, arguments.threads, Numbered::check)));
        for (line, fault) in &report.faults {
            println!("{}:{line}: {fault}", file.display());
        }
        faults += report.faults.len();
        let (puzzles, values) = (report.puzzles, report.values);
        println!("{}", language.puzzles_checked(file.display(), puzzles, values, report.faults.len(), seconds(begun)));
    }
    if faults == 0 { Ok(()) } else { Err(CliError::new(language.puzzles_faulty())) }
}

/// Packs a set.
pub(super) fn pack(arguments: &PackArguments, language: Language) -> Result<(), CliError> {
    let puzzles = read_set(&arguments.file, 1, language)?;
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let written =
        puzzle_sets::pack(&format!("{HEADER}\n{text}")).and_then(|packed| fs::write(&arguments.packed, packed));
    written.map_err(|error| CliError::new(error_text::file(language, &error)))
}

/// Prints the list of the puzzles of the day.
pub(super) fn choose(arguments: &ChooseArguments, language: Language) -> Result<(), CliError> {
    let mut shelves = Vec::new();
    for file in &arguments.files {
        let lines = read_set(file, 1, language)?.iter().map(|puzzle| format!("{puzzle}\n")).collect::<String>();
        let shelf = Shelf::new(format!("{HEADER}\n{lines}")).map_err(CliError::new)?;
        let game = shelf.entries().first().map(|entry| entry.game);
        shelves.push((game.ok_or_else(|| CliError::new(language.puzzles_faulty()))?, shelf));
    }
    // A line names the games in the order of menus.
    shelves.sort_by_key(|(game, _)| *game);
    io::stdout().write_all(puzzles::daily::choose(&shelves, arguments.seed).as_bytes())?;
    Ok(())
}

/// The puzzles of a set. One of another version is refused; damaged puzzles are left out with a note.
fn read_set(file: &Path, threads: usize, language: Language) -> Result<Vec<Puzzle>, CliError> {
    let text = read(file, language)?;
    let lines = lines_to_check(&text, 1).map_err(|_| CliError::new(format!("{}: {}", file.display(), Note::Header)))?;
    let read = in_parallel(lines, threads, |line: Numbered<'_>| line.read());
    let puzzle = |read: Result<Puzzle, Note>| read.map_err(|note| eprintln!("{}: {note}", file.display())).ok();
    Ok(read.into_iter().filter_map(puzzle).collect())
}

/// Reads a set, packed or not.
fn read(file: &Path, language: Language) -> Result<String, CliError> {
    let bytes = fs::read(file);
    let text = bytes.and_then(|bytes| match file.extension().is_some_and(|extension| extension == "br") {
        true => puzzle_sets::unpack(&bytes),
        false => String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
    });
    text.map_err(|error| CliError::new(format!("{}: {}", file.display(), error_text::file(language, &error))))
}

fn seconds(begun: Instant) -> String {
    format!("{:.1}", begun.elapsed().as_secs_f64())
}
