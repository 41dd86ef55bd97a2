//! `fourfold worker`: searches for the bots of other nodes and analyses their games, without a port.

use clap::Args;
use fourfold::tablebase_bridge;
use locale::Language;
use server::ConfigFlags;

use crate::error::CliError;
use crate::serve::refusal;

/// The cluster to work for. The environment and the file of `fourfold serve` count here too; the settings of its port are
/// ignored.
#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {
    #[command(flatten)]
    flags: ConfigFlags,
}

/// Works until the program is told to stop.
pub(crate) fn run(arguments: &WorkerArguments, language: Language) -> Result<(), CliError> {
    let mut config = arguments.flags.config()?;
    if config.bus.is_none() {
        return Err(CliError::wrong_use(language.worker_needs_bus()));
    }
    let damage = tablebase_bridge::to_stderr();
    config.knowledge = tablebase_bridge::open(config.tablebase.as_deref(), language, damage).map_err(CliError::new)?;
    server::start_log(config.log);
    let place = config.clone();
    let runtime = tokio::runtime::Runtime::new()?;
    let started = || println!("{}", language.worker_started(place.worker_threads()));
    let worked = runtime.block_on(server::work(config, started, server::stopped()));
    worked.map_err(|error| CliError::new(refusal(language, &place, &error)))
}
