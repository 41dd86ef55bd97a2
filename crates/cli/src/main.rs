//! The `fourfold` program: reads the command line and calls the command's module.
//!
//! To add a command, add a line to [`Command`], one to [`Command::run`], and its texts to `usage.rs`.

mod analyse;
mod audit;
mod backup;
mod book;
mod doctor;
mod error;
mod error_text;
mod join;
mod learn;
mod manual;
mod operator;
mod play;
mod puzzle;
mod serve;
mod tui;
mod usage;
mod worker;

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use locale::Language;

use error::CliError;
use fourfold::value::WrongUse;
use fourfold::{arena, bench, bot, solve, tablebase_bridge, tablebase_command, ugi};
use game::BadGame;

/// For the static program: the allocator of musl takes one lock for all threads of a server.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The version and the commit it was built from; the build script finds them.
const VERSION: &str = env!("FOURFOLD_VERSION");

/// Play, learn and analyse line games.
///
/// Without a command a menu opens.
#[derive(Debug, Parser)]
#[command(name = "fourfold", version = VERSION, disable_help_subcommand = true)]
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
    /// Play at a table of a server.
    Join(join::JoinArguments),
    /// Speak the engine protocol on standard input and output (docs/ugi.md).
    Ugi(UgiArguments),
    /// Measure how fast the rules are, with a signature that changes when they do.
    Bench(bench::BenchArguments),
    /// Solve exercises from the solved game.
    Learn(learn::LearnArguments),
    /// Make sets of puzzles and check them.
    Puzzle(puzzle::PuzzleArguments),
    /// Say what every action of a position is worth, or find the mistakes of a recorded game.
    Analyse(analyse::AnalyseArguments),
    /// Prove the value of a whole game.
    Solve(solve::SolveArguments),
    /// Look after a folder of Quixo tables.
    Tablebase(tablebase_command::TablebaseArguments),
    /// Let two players meet many times and say who is stronger, and how sure that is.
    Arena(arena::ArenaArguments),
    /// Serve the browser app and tables to play at, and print the address.
    Serve(serve::ServeArguments),
    /// Look at what a server needs on this machine and say what to do.
    Doctor(doctor::DoctorArguments),
    /// Look after a running server: tables, bans and reports.
    Operator(operator::OperatorArguments),
    /// Think for the bots of other nodes, without a port.
    Worker(worker::WorkerArguments),
    /// Copy a server's database, also while it runs.
    Backup(backup::BackupArguments),
    /// Put a copy back in the place of a server's database, while no server runs.
    Restore(backup::BackupArguments),
    /// Replay every log of a server's database by the rules and report what is wrong.
    Audit(audit::AuditArguments),
    /// Seat an engine at a table of a server.
    Bot(bot::BotArguments),
    /// Make an opening book.
    Book(book::BookArguments),
    /// Show the help of a command.
    Help(manual::HelpArguments),
    /// Print completions for a shell.
    Completions(manual::CompletionsArguments),
    /// Write manual pages into a folder.
    Man(manual::ManArguments),
}

/// Arguments of `fourfold ugi`.
#[derive(Debug, Args)]
struct UgiArguments {
    /// A folder of Quixo tables to play and analyse by.
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,
}

impl Command {
    fn run(self, language: Language) -> Result<(), CliError> {
        match self {
            Command::Play(arguments) => play::run(&arguments, language),
            Command::Join(arguments) => join::run(&arguments, language),
            Command::Serve(arguments) => serve::run(&arguments, language),
            Command::Doctor(arguments) => doctor::run(&arguments, language),
            Command::Operator(arguments) => operator::run(&arguments, language),
            Command::Worker(arguments) => worker::run(&arguments, language),
            Command::Backup(arguments) => backup::back_up(&arguments, language),
            Command::Restore(arguments) => backup::restore(&arguments, language),
            Command::Audit(arguments) => audit::run(&arguments, language),
            Command::Bot(arguments) => bot::run(&arguments).map_err(|error| told(error.as_ref(), language)),
            Command::Book(arguments) => book::run(&arguments, language),
            Command::Help(arguments) => manual::help(&arguments, language, described(language)),
            Command::Completions(arguments) => manual::completions(&arguments, language, described(language)),
            Command::Man(arguments) => manual::man(&arguments, language, described(language)),
            Command::Ugi(arguments) => {
                let damage = tablebase_bridge::to_stderr();
                let knowledge = tablebase_bridge::open(arguments.tablebase.as_deref(), language, damage);
                Ok(ugi::run(std::io::stdin().lock(), knowledge.map_err(CliError::new)?)?)
            }
            Command::Learn(arguments) => learn::run(&arguments, language),
            Command::Puzzle(arguments) => puzzle::run(&arguments, language),
            Command::Analyse(arguments) => analyse::run(&arguments, language),
            Command::Solve(arguments) => {
                solve::run(&arguments, language).map_err(|error| told(error.as_ref(), language))
            }
            Command::Tablebase(arguments) => {
                tablebase_command::run(&arguments, language).map_err(|error| told(error.as_ref(), language))
            }
            Command::Arena(arguments) => {
                arena::run(&arguments, language).map_err(|error| told(error.as_ref(), language))
            }
            Command::Bench(arguments) => {
                bench::run(&arguments, language).map_err(|error| told(error.as_ref(), language))
            }
        }
    }
}

/// The command line with its texts in a language.
fn described(language: Language) -> clap::Command {
    usage::in_words(Arguments::command(), language)
}

/// What a command of the library failed for, in words where it has any.
fn told(error: &(dyn Error + 'static), language: Language) -> CliError {
    if let Some(wrong) = error.downcast_ref::<WrongUse>() {
        return CliError::wrong_use(wrong);
    }
    match (error.downcast_ref::<BadGame>(), error.downcast_ref::<io::Error>()) {
        (Some(problem), _) => CliError::wrong_use(error_text::game(language, problem)),
        (_, Some(problem)) => CliError::new(error_text::file(language, problem)),
        _ => CliError::new(error),
    }
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    let language = match play::language(usage::asked_language(&given).as_deref()) {
        Ok(language) => language,
        Err(failure) => return failure.report(),
    };
    let command = described(language);
    let read =
        command.clone().try_get_matches_from(&given).and_then(|mut read| Arguments::from_arg_matches_mut(&mut read));
    let arguments = match read {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => return CliError::wrong_use(usage::refusal(&error, language, &command, &given)).report(),
    };
    let done = match arguments.command {
        Some(command) => command.run(language),
        None => play::menu(language),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
