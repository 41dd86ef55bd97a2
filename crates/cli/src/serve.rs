//! `fourfold serve`: the browser app and tables to play at, from this program.

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};

use clap::Args;
use fourfold::tablebase_bridge;
use locale::Language;
use qrcodegen::{QrCode, QrCodeEcc};
use server::{BusError, Config, ConfigFlags, ServeError, StoreError};

use crate::error::CliError;

/// Where and how to serve. Each setting can also come from the environment (FOURFOLD_PORT and so on) or a file.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    flags: ConfigFlags,
    /// Print the settings that would be used, and exit.
    #[arg(long)]
    print_config: bool,
}

/// Serves until the program is told to stop.
pub(crate) fn run(arguments: &ServeArguments, language: Language) -> Result<(), CliError> {
    let mut config = arguments.flags.config()?;
    if arguments.print_config {
        print!("{config}");
        return Ok(());
    }
    let damage = tablebase_bridge::to_stderr();
    config.knowledge = tablebase_bridge::open(config.tablebase.as_deref(), language, damage).map_err(CliError::new)?;
    server::start_log(config.log);
    server::embed_app(app_files::FILES);
    let place = config.clone();
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    let runtime = tokio::runtime::Runtime::new()?;
    let listening = |address: SocketAddr| {
        // A closed standard output is no reason not to serve.
        let mut out = std::io::stdout();
        // An address that stands for all of this machine's can be listened at, but not opened.
        let here = if address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { address.ip() };
        let here = SocketAddr::new(here, address.port());
        let _ = writeln!(out, "{}", language.serve_at(format!("{scheme}://{here}/")));
        if let Some(network) = server::reachable_address(address.ip()) {
            let link = format!("{scheme}://{}/", SocketAddr::new(network, address.port()));
            let _ = writeln!(out, "{}", language.serve_network(&link));
            if out.is_terminal() {
                let _ = out.write_all(qr_code(&link).as_bytes());
            }
        }
        if !server::has_app() {
            let _ = writeln!(out, "{}", language.serve_without_app());
        }
    };
    let served = runtime.block_on(server::serve(config, listening, server::stopped()));
    served.map_err(|error| CliError::new(refusal(language, &place, &error)))
}

/// A text as a code for a phone's camera: two modules in each character, dark on a light border whatever the terminal's
/// colours are.
fn qr_code(text: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return String::new() };
    const BORDER: i32 = 2;
    let span = -BORDER..code.size() + BORDER;
    let mut drawn = String::new();
    for y in span.clone().step_by(2) {
        drawn.push_str("\x1b[30;107m");
        for x in span.clone() {
            drawn.push(match (code.get_module(x, y), code.get_module(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        drawn.push_str("\x1b[0m\n");
    }
    drawn
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
        ServeError::Tls(problem) => language.serve_no_certificate(problem),
        ServeError::Store(StoreError::Refused(problem)) => language.serve_database_refused(database, problem),
        ServeError::Store(StoreError::Unreachable(problem)) => language.serve_database_unreachable(database, problem),
        ServeError::Store(StoreError::Newer { found, known }) => language.serve_database_newer(database, found, known),
        ServeError::Store(StoreError::Schema(problem)) => language.serve_database_version(database, problem),
        ServeError::Store(StoreError::Locked) => language.serve_database_locked(database),
        ServeError::Store(StoreError::Replaced) => language.serve_database_replaced(database),
        ServeError::Store(error) => language.serve_no_database(database, error),
        ServeError::Bus(BusError::Unreachable(problem)) => language.serve_no_bus(bus, problem),
        ServeError::Bus(BusError::Refused) => language.serve_bus_refused(bus),
        ServeError::Bus(BusError::NoJetStream) => language.serve_no_jetstream(bus),
        ServeError::Bus(BusError::OtherCluster) => language.serve_other_cluster(bus),
        ServeError::Bus(BusError::NeedsPostgres) => language.serve_bus_needs_postgres(database),
    }
}
