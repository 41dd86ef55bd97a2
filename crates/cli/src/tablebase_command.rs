//! `fourfold tablebase`, and what is wrong with tables in words.

use std::error::Error;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use locale::Language;
use serde_json::json;
use tablebase::{BadFile, Flaw, Size, SolveError, Tablebase, verify};

/// Arguments of `fourfold tablebase`.
#[derive(Debug, Args)]
pub struct TablebaseArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Prove random positions of a folder again from those one move further.
    Verify(VerifyArguments),
}

#[derive(Debug, Args)]
struct VerifyArguments {
    /// The folder.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Cubes a side.
    #[arg(long, default_value = "5", value_parser = crate::value::size)]
    size: Size,
    /// Random positions for every class.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &TablebaseArguments, language: Language) -> Result<(), Box<dyn Error>> {
    let Task::Verify(arguments) = &arguments.task;
    let tables = Tablebase::open(&arguments.dir, arguments.size).map_err(|bad| file_in_words(&bad, language))?;
    tables.check().map_err(|bad| file_in_words(&bad, language))?;
    let found = verify(&tables, arguments.count, arguments.seed).map_err(|bad| file_in_words(&bad, language))?;
    if arguments.json {
        println!("{}", json!({ "right": found.right, "wrong": found.wrong, "skipped": found.skipped }));
    }
    let said = language.tables_verified(found.right, found.wrong, found.skipped);
    match found.example {
        Some((own, other)) => Err(format!("{said} ({own:x} {other:x})").into()),
        None if arguments.json => Ok(()),
        None => {
            println!("{said}");
            Ok(())
        }
    }
}

/// Why solving broke off.
pub(crate) fn in_words(failure: SolveError, language: Language) -> String {
    let gigabytes = |bytes: u64| format!("{:.1}", bytes as f64 / 1e9);
    match failure {
        SolveError::Stopped => language.solve_stopped().to_owned(),
        // A static program cannot load a driver, whatever card there is.
        SolveError::NoCard if cfg!(target_env = "musl") => language.solve_static().to_owned(),
        SolveError::NoCard => language.solve_no_card().to_owned(),
        SolveError::CardMemory { needed, free } => language.solve_card_memory(gigabytes(needed), gigabytes(free)),
        SolveError::Card(reason) => language.solve_card_failed(reason),
        SolveError::TooDeep => language.solve_too_deep().to_owned(),
        SolveError::File(bad) => file_in_words(&bad, language),
    }
}

/// Why a file of tables cannot be used.
pub fn file_in_words(bad: &BadFile, language: Language) -> String {
    let path = bad.path.display();
    match &bad.flaw {
        Flaw::Unreadable(error) => language.tables_unreadable(path, error),
        Flaw::Foreign => language.tables_foreign(path),
        Flaw::Misplaced => language.tables_misplaced(path),
        Flaw::Damaged => language.tables_damaged(path),
        Flaw::Empty => language.tables_empty(path),
    }
}
