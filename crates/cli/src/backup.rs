//! `fourfold backup` and `fourfold restore`: copies of a server's database.

use std::path::PathBuf;

use clap::Args;
use locale::Language;
use server::Place;

use crate::error::CliError;

/// What to copy where.
#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// The copy's file.
    #[arg(value_name = "FILE")]
    copy: PathBuf,
    /// The server's database; default: where `fourfold serve` puts it.
    #[arg(long, value_name = "FILE", env = "FOURFOLD_DATABASE", hide_env_values = true)]
    database: Option<Place>,
}

/// Copies the database, also while a server runs.
pub(crate) fn back_up(arguments: &BackupArguments, language: Language) -> Result<(), CliError> {
    let place = arguments.database.clone().unwrap_or_default();
    tokio::runtime::Runtime::new()?.block_on(server::back_up(&place, &arguments.copy))?;
    println!("{}", language.backup_made(&place, arguments.copy.display()));
    Ok(())
}

/// Puts a copy in the place of the database; no server may be running on it.
pub(crate) fn restore(arguments: &BackupArguments, language: Language) -> Result<(), CliError> {
    let place = arguments.database.clone().unwrap_or_default();
    let tables = tokio::runtime::Runtime::new()?.block_on(server::restore(&arguments.copy, &place))?;
    println!("{}", language.backup_restored(&place, arguments.copy.display(), tables));
    Ok(())
}
