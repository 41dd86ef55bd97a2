//! `fourfold puzzle`: making sets of puzzles and checking them.

mod sets;

use clap::{Args, Subcommand};
use locale::Language;

use crate::error::CliError;

/// Arguments of `fourfold puzzle`.
#[derive(Debug, Args)]
pub(crate) struct PuzzleArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Find puzzles of a game and print them as a set.
    Make(sets::MakeArguments),
    /// Prove every puzzle of a set again.
    Check(sets::CheckArguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &PuzzleArguments, language: Language) -> Result<(), CliError> {
    match &arguments.task {
        Task::Make(arguments) => sets::make(arguments, language),
        Task::Check(arguments) => sets::check(arguments, language),
    }
}
