//! `fourfold serve`: the browser app and tables to play at, from this program.

use std::io::ErrorKind;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use fourfold::consulted::{self, Tell};
use locale::Language;
use server::{Config, Layer, ServeError};

use crate::failure::Failure;

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
pub(crate) fn run(arguments: &ServeArguments, language: Language) -> Result<(), Failure> {
    let config = config(arguments)?;
    if arguments.print_config {
        print!("{config}");
        return Ok(());
    }
    consulted::open(config.tablebase.as_deref(), language, Tell::AtOnce).map_err(Failure::new)?;
    server::start_log(config.log);
    let (address, port) = (config.address, config.port);
    let runtime = tokio::runtime::Runtime::new()?;
    let listening = |address: std::net::SocketAddr| {
        println!("{}", language.serve_at(address));
        if !server::has_app() {
            println!("{}", language.serve_without_app());
        }
    };
    runtime.block_on(server::serve(config, listening, server::stopped())).map_err(|error| match error {
        ServeError::Listen(error) => Failure::new(refusal(language, address, port, &error)),
        other => Failure::new(other),
    })
}

/// The settings, from flags, environment and file.
fn config(arguments: &ServeArguments) -> Result<Config, Failure> {
    let flags = Layer {
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
        log: arguments.log.clone(),
    };
    let mut layers = vec![flags, Layer::from_environment(std::env::vars())?];
    let file = arguments.config.clone().or_else(|| std::env::var_os("FOURFOLD_CONFIG").map(PathBuf::from));
    if let Some(path) = file {
        let problem = |problem: &dyn std::fmt::Display| Failure::new(format!("{}: {problem}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| problem(&error))?;
        layers.push(Layer::from_file(&text).map_err(|error| problem(&error))?);
    }
    Ok(Config::from_layers(&layers)?)
}

fn refusal(language: Language, address: IpAddr, port: u16, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => language.serve_port_taken(port),
        ErrorKind::PermissionDenied => language.serve_port_forbidden(port),
        ErrorKind::AddrNotAvailable => language.serve_no_address(address),
        _ => language.serve_cannot(address, port, error),
    }
}
