//! The `fourfold` program: one module per command, and nothing here but the way to them.
//!
//! To add a command, add a line to [`Command`] and one to [`Command::run`].

mod failure;
mod play;
mod tui;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;
use fourfold::{bench, ugi};

/// Play, learn and understand four line games.
///
/// Without a command a menu opens.
#[derive(Debug, Parser)]
#[command(name = "fourfold", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The language: uk, ru or en. Without it the environment decides.
    #[arg(long, global = true, value_name = "LANGUAGE")]
    lang: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game against people at the same screen or against bots.
    Play(play::PlayArguments),
    /// Speak the engine protocol on standard input and output (docs/ugi.md).
    Ugi,
    /// Measure how fast the rules are, with a signature that changes when they do.
    Bench(bench::BenchArguments),
}

impl Command {
    fn run(self, lang: Option<&str>) -> Result<(), Failure> {
        match self {
            Command::Play(arguments) => play::run(&arguments, lang),
            Command::Ugi => Ok(ugi::run(std::io::stdin().lock())?),
            Command::Bench(arguments) => bench::run(&arguments).map_err(Failure::new),
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let lang = arguments.lang.as_deref();
    let done = match arguments.command {
        Some(command) => command.run(lang),
        None => play::menu(lang),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
