//! `fourfold puzzle`: solving puzzles, making sets of them and checking these.

mod account;
mod own;
mod parallel;
mod sets;
mod solve;

use clap::{Args, Subcommand};
use locale::Language;

use puzzles::RunKind;
use solve::{DailyArguments, RatedArguments, RunArguments};

use crate::error::CliError;

/// Arguments of `fourfold puzzle`.
#[derive(Debug, Args)]
pub(crate) struct PuzzleArguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Solve the puzzles of the day; the same as no command.
    Daily(DailyArguments),
    /// Solve puzzles of your strength; your rating moves.
    Rated(RatedArguments),
    /// Solve puzzles that get harder, until the first mistake.
    Streak(RunArguments),
    /// Solve as many puzzles as you can in three minutes.
    Storm(RunArguments),
    /// Solve the moments where you went wrong in your own games.
    Own(solve::OwnArguments),
    /// Log in to an account, whose server then keeps your rating.
    Login(account::LoginArguments),
    /// Log out of the account.
    Logout,
    /// Print who solved a day's puzzle fastest, or the best storms.
    Leaders(account::LeadersArguments),
    /// Find puzzles of a game and print them as a set.
    Make(sets::MakeArguments),
    /// Measure how hard the puzzles of a set are, by how the levels fare.
    Grade(sets::GradeArguments),
    /// Prove every puzzle of a set again.
    Check(sets::CheckArguments),
    /// Pack a set as programs carry it.
    Pack(sets::PackArguments),
    /// Choose the puzzles of the day from the sets of all games and print their names.
    Choose(sets::ChooseArguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &PuzzleArguments, language: Language) -> Result<(), CliError> {
    let Some(task) = &arguments.task else { return solve::run_daily(&DailyArguments::default(), language) };
    match task {
        Task::Daily(arguments) => solve::run_daily(arguments, language),
        Task::Rated(arguments) => solve::run_rated(arguments, language),
        Task::Streak(arguments) => solve::run_in_a_row(arguments, RunKind::Streak, language),
        Task::Storm(arguments) => solve::run_in_a_row(arguments, RunKind::Storm, language),
        Task::Own(arguments) => solve::run_own(arguments, language),
        Task::Login(arguments) => account::login(arguments, language),
        Task::Logout => account::logout(language),
        Task::Leaders(arguments) => account::leaders(arguments, language),
        Task::Make(arguments) => sets::make(arguments, language),
        Task::Grade(arguments) => sets::grade(arguments, language),
        Task::Check(arguments) => sets::check(arguments, language),
        Task::Pack(arguments) => sets::pack(arguments, language),
        Task::Choose(arguments) => sets::choose(arguments, language),
    }
}
