//! `fourfold serve`: the browser app and tables to play at, from this program.

use std::io::{ErrorKind, Write as _};
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use fourfold::tablebase_bridge;
use locale::Language;
use server::{BusError, Config, Layer, ServeError, StoreError};

use crate::error::CliError;

/// Where and how to serve. Each can also be set by the environment (FOURFOLD_PORT and so on) or in a file.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The port; 0 takes any free one. Without it 8080.
    #[arg(long)]
    port: Option<u16>,
    /// The address of this machine to listen at; 0.0.0.0 lets others in the network in. Without it 127.0.0.1.
    #[arg(long)]
    address: Option<IpAddr>,
    /// Where games are kept: a file, or postgres://user:password@host/name.
    #[arg(long, value_name = "FILE|URL")]
    database: Option<String>,
    /// The address people use, such as https://play.example.org; only pages from there may connect.
    #[arg(long, value_name = "URL")]
    public: Option<String>,
    /// A proxy whose word about forwarded addresses counts; may be repeated.
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,
    /// The most tables in memory.
    #[arg(long, value_name = "N")]
    most_tables: Option<usize>,
    /// The most connections.
    #[arg(long, value_name = "N")]
    most_connections: Option<usize>,
    /// How many threads think for bots.
    #[arg(long, value_name = "N")]
    bot_threads: Option<usize>,
    /// A folder of Quixo tables: the strongest level then plays by them.
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,
    /// Seconds somebody must be away before others may claim the game.
    #[arg(long, value_name = "SECONDS")]
    grace: Option<u64>,
    /// Requests per second from one address; 0 for no limit.
    #[arg(long, value_name = "N")]
    requests_per_second: Option<u32>,
    /// Messages per second from one connection; 0 for no limit.
    #[arg(long, value_name = "N")]
    messages_per_second: Option<u32>,
    /// The broker that joins several nodes on one PostgreSQL database: nats://host:4222.
    #[arg(long, value_name = "URL")]
    bus: Option<String>,
    /// What a cluster's names on the broker begin with; two clusters on one broker need two.
    #[arg(long, value_name = "NAME")]
    bus_prefix: Option<String>,
    /// New tables are refused while more writes than this wait.
    #[arg(long, value_name = "N")]
    most_writes: Option<usize>,
    /// New tables are refused while a write takes longer than this, in milliseconds.
    #[arg(long, value_name = "MS")]
    slowest_write: Option<u64>,
    /// Seconds that a node which is told to stop goes on while a load balancer notices.
    #[arg(long, value_name = "SECONDS")]
    drain: Option<u64>,
    /// How many clients a second are told to go elsewhere when the server stops; 0 for all at once.
    #[arg(long, value_name = "N")]
    handover_per_second: Option<u32>,
    /// How logs are written: text or json.
    #[arg(long, value_name = "FORM")]
    log: Option<String>,
    /// A file with settings, as --print-config writes it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Prints the settings that would be used, and does nothing else.
    #[arg(long)]
    print_config: bool,
}

/// Serves until the program is told to stop.
pub(crate) fn run(arguments: &ServeArguments, language: Language) -> Result<(), CliError> {
    let mut config = settings(flags(arguments), arguments.config.as_ref())?;
    if arguments.print_config {
        print!("{config}");
        return Ok(());
    }
    let damage = tablebase_bridge::to_stderr();
    config.knowledge = tablebase_bridge::open(config.tablebase.as_deref(), language, damage).map_err(CliError::new)?;
    server::start_log(config.log);
    let place = config.clone();
    let runtime = tokio::runtime::Runtime::new()?;
    let listening = |address: std::net::SocketAddr| {
        // Whoever started it may not want to read this, and it serves all the same.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{}", language.serve_at(address));
        if !server::has_app() {
            let _ = writeln!(out, "{}", language.serve_without_app());
        }
    };
    let served = runtime.block_on(server::serve(config, listening, server::stopped()));
    served.map_err(|error| CliError::new(refusal(language, &place, &error)))
}

fn flags(arguments: &ServeArguments) -> Layer {
    Layer {
        address: arguments.address,
        port: arguments.port,
        database: arguments.database.clone(),
        public: arguments.public.clone(),
        trusted_proxies: Some(arguments.trusted_proxy.clone()).filter(|proxies| !proxies.is_empty()),
        most_tables: arguments.most_tables,
        most_connections: arguments.most_connections,
        bot_threads: arguments.bot_threads,
        tablebase: arguments.tablebase.clone(),
        grace: arguments.grace,
        requests_per_second: arguments.requests_per_second,
        messages_per_second: arguments.messages_per_second,
        bus: arguments.bus.clone(),
        bus_prefix: arguments.bus_prefix.clone(),
        most_writes: arguments.most_writes,
        slowest_write: arguments.slowest_write,
        drain: arguments.drain,
        handover_per_second: arguments.handover_per_second,
        log: arguments.log.clone(),
    }
}

/// The settings, from flags, environment and file.
pub(crate) fn settings(flags: Layer, file: Option<&PathBuf>) -> Result<Config, CliError> {
    let mut layers = vec![flags, Layer::from_environment(std::env::vars())?];
    let file = file.cloned().or_else(|| std::env::var_os("FOURFOLD_CONFIG").map(PathBuf::from));
    if let Some(path) = file {
        let problem = |problem: &dyn std::fmt::Display| CliError::new(format!("{}: {problem}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| problem(&error))?;
        layers.push(Layer::from_file(&text).map_err(|error| problem(&error))?);
    }
    Ok(Config::from_layers(&layers)?)
}

/// Why a server or worker does not start, as a sentence.
pub(crate) fn refusal(language: Language, config: &Config, error: &ServeError) -> String {
    let (database, bus) = (&config.database, config.bus.as_ref().map(ToString::to_string).unwrap_or_default());
    match error {
        ServeError::Listen(error) => match error.kind() {
            ErrorKind::AddrInUse => language.serve_port_taken(config.port),
            ErrorKind::PermissionDenied => language.serve_port_forbidden(config.port),
            ErrorKind::AddrNotAvailable => language.serve_no_address(config.address),
            _ => language.serve_cannot(config.address, config.port, error),
        },
        ServeError::Store(StoreError::Refused(problem)) => language.serve_database_refused(database, problem),
        ServeError::Store(StoreError::Unreachable(problem)) => language.serve_database_unreachable(database, problem),
        ServeError::Store(StoreError::Newer { found, known }) => language.serve_database_newer(database, found, known),
        ServeError::Store(StoreError::Schema(problem)) => language.serve_database_version(database, problem),
        ServeError::Store(error) => language.serve_no_database(database, error),
        ServeError::Bus(BusError::Unreachable(problem)) => language.serve_no_bus(bus, problem),
        ServeError::Bus(BusError::Refused) => language.serve_bus_refused(bus),
        ServeError::Bus(BusError::NoJetStream) => language.serve_no_jetstream(bus),
        ServeError::Bus(BusError::OtherCluster) => language.serve_other_cluster(bus),
        ServeError::Bus(BusError::NeedsPostgres) => language.serve_bus_needs_postgres(database),
    }
}
