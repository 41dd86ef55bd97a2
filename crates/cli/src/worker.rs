//! `fourfold worker`: searches for the bots of other nodes and analyses their games, without a port.

use std::path::PathBuf;

use clap::Args;
use fourfold::tablebase_bridge;
use locale::Language;
use server::Layer;

use crate::error::CliError;
use crate::serve::{refusal, settings};

/// Whose work to do. Each can also be set by the environment or in a file, as for `fourfold serve`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {
    /// The broker with the queue of work: nats://host:4222.
    #[arg(long, value_name = "URL")]
    bus: Option<String>,
    /// What the cluster's names on the broker begin with.
    #[arg(long, value_name = "NAME")]
    bus_prefix: Option<String>,
    /// The nodes' database: postgres://user:password@host/name.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// How many threads think; without it as many as there are cores.
    #[arg(long, value_name = "N")]
    bot_threads: Option<usize>,
    /// How logs are written: text or json.
    #[arg(long, value_name = "FORM")]
    log: Option<String>,
    /// A file with settings.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Works until the program gets a signal to stop.
pub(crate) fn run(arguments: &WorkerArguments, language: Language) -> Result<(), CliError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let flags = Layer {
        bus: arguments.bus.clone(),
        bus_prefix: arguments.bus_prefix.clone(),
        database: arguments.database.clone(),
        bot_threads: arguments.bot_threads.or(Some(cores)),
        log: arguments.log.clone(),
        ..Layer::default()
    };
    let mut config = settings(flags, arguments.config.as_ref())?;
    if config.bus.is_none() {
        return Err(CliError::new(language.worker_needs_bus()));
    }
    let damage = tablebase_bridge::to_stderr();
    config.knowledge = tablebase_bridge::open(config.tablebase.as_deref(), language, damage).map_err(CliError::new)?;
    server::start_log(config.log);
    let place = config.clone();
    let runtime = tokio::runtime::Runtime::new()?;
    let started = || println!("{}", language.worker_started(place.bot_threads));
    let worked = runtime.block_on(server::work(config, started, server::stopped()));
    worked.map_err(|error| CliError::new(refusal(language, &place, &error)))
}
