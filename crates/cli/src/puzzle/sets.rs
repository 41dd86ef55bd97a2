//! `fourfold puzzle make` and `fourfold puzzle check`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use locale::Language;
use puzzles::check::check_set;

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
}

/// Arguments of `fourfold puzzle check`.
#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The sets.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check only one puzzle in so many.
    #[arg(long, default_value_t = 1)]
    every: usize,
}

/// Prints a set; progress goes to standard error.
pub(super) fn make(arguments: &MakeArguments, language: Language) -> Result<(), CliError> {
    let game = read_game(&arguments.game, language)?.id();
    let begun = Instant::now();
    let mut progress = |found: usize| eprintln!("{}", language.puzzles_found(found, seconds(begun)));
    let set = puzzles::make(game, arguments.seed, &mut progress)
        .ok_or_else(|| CliError::new(language.puzzles_not_made_here(game.name())))?;
    io::stdout().write_all(set.as_bytes())?;
    Ok(())
}

/// Checks sets and fails if a puzzle is wrong.
pub(super) fn check(arguments: &CheckArguments, language: Language) -> Result<(), CliError> {
    let mut faults = 0;
    for file in &arguments.files {
        let begun = Instant::now();
        let text = fs::read_to_string(file).map_err(|error| CliError::new(error_text::file(language, &error)))?;
        let report = check_set(&text, arguments.every);
        for (line, fault) in &report.faults {
            println!("{}:{line}: {fault}", file.display());
        }
        faults += report.faults.len();
        let (puzzles, values) = (report.puzzles, report.values);
        println!("{}", language.puzzles_checked(file.display(), puzzles, values, report.faults.len(), seconds(begun)));
    }
    if faults == 0 { Ok(()) } else { Err(CliError::new(language.puzzles_faulty())) }
}

fn seconds(begun: Instant) -> String {
    format!("{:.1}", begun.elapsed().as_secs_f64())
}
