//! The `trial` program: puts a Fourfold server under load, kills it, breaks what it depends on, and checks from outside
//! that every acknowledged action is still there.
//!
//! It knows a server only by its protocol, and the database only through `fourfold audit --json`.

mod crashtest;
mod faults;
mod loadtest;
mod player;
mod powercut;
mod program;
mod services;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use program::Program;

/// Load, crash and fault tests of a Fourfold server.
#[derive(Debug, Parser)]
#[command(name = "trial", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The program `fourfold` that is started as a server; default: the one beside this program
    #[arg(long, global = true, value_name = "FILE")]
    program: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play legal random games at many tables, check every message, and measure how fast the server answers
    Loadtest(loadtest::LoadtestArguments),
    /// Kill a server under load again and again, and check that no acknowledged action is lost
    Crashtest(crashtest::CrashtestArguments),
    /// Break nodes, workers, NATS and PostgreSQL under load, and check that no acknowledged action is lost
    Faults(faults::FaultsArguments),
    /// Record what a server, backup, restore and the tablebase writer write and sync, cut the power at any moment, and check
    /// what is left
    Powercut(powercut::PowercutArguments),
}

async fn run(arguments: Arguments) -> Result<(), String> {
    let program = Program::find(arguments.program);
    match arguments.command {
        Command::Loadtest(arguments) => loadtest::run(&arguments, &program).await,
        Command::Crashtest(arguments) => crashtest::run(&arguments, &program).await,
        Command::Faults(arguments) => faults::run(&arguments, &program).await,
        Command::Powercut(arguments) => powercut::run(&arguments, &program).await,
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("trial: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the first problems; an error with their number if there are any.
fn report(problems: &[String]) -> Result<(), String> {
    for problem in problems.iter().take(20) {
        println!("problem: {problem}");
    }
    match problems.len() {
        0 => Ok(()),
        1 => Err("1 problem".to_owned()),
        count => Err(format!("{count} problems")),
    }
}
