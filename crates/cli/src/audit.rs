//! `fourfold audit`: replays every log of a server's database and reports what is wrong.

use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;
use locale::Language;
use server::{Place, Promise};

use crate::error::CliError;

/// What to check, and how to report.
#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The server's database; default: where `fourfold serve` puts it.
    #[arg(long, value_name = "FILE|URL", env = "FOURFOLD_DATABASE", hide_env_values = true)]
    database: Option<Place>,
    /// Prints a JSON array with one object per table.
    #[arg(long)]
    json: bool,
    /// A JSON array of acknowledged actions that the logs must hold; - is standard input.
    #[arg(long, value_name = "FILE")]
    promises: Option<PathBuf>,
}

/// Checks every log; fails if one of them has a problem.
pub(crate) fn run(arguments: &AuditArguments, language: Language) -> Result<(), CliError> {
    let place = arguments.database.clone().unwrap_or_default();
    let promises = promises(arguments)?;
    let audits = tokio::runtime::Runtime::new()?.block_on(server::audit(&place, &promises))?;
    let problems: Vec<&String> = audits.iter().flat_map(|table| &table.problems).collect();
    let entries: usize = audits.iter().map(|table| table.entries).sum();
    let summary = language.audit_done(audits.len(), entries, problems.len());
    if arguments.json {
        println!("{}", serde_json::to_string(&audits)?);
    } else {
        problems.iter().for_each(|problem| println!("{problem}"));
    }
    match (problems.is_empty(), arguments.json) {
        (false, _) => Err(CliError::new(summary)),
        (true, false) => {
            println!("{summary}");
            Ok(())
        }
        (true, true) => Ok(()),
    }
}

fn promises(arguments: &AuditArguments) -> Result<Vec<Promise>, CliError> {
    let Some(path) = &arguments.promises else { return Ok(Vec::new()) };
    let mut text = String::new();
    match path.to_str() {
        Some("-") => std::io::stdin().read_to_string(&mut text).map(drop),
        _ => std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text)).map(drop),
    }
    .map_err(|error| CliError::new(format!("{}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| CliError::new(format!("{}: {error}", path.display())))
}
