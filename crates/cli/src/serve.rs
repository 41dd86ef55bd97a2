//! `fourfold serve`: the browser app, from this program.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};

use clap::Args;

use crate::failure::Failure;

/// Where to serve.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The port; 0 takes any free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The address of this machine to listen at; 0.0.0.0 lets others in the network in.
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
}

/// Serves the browser app until the program is told to stop.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let address = SocketAddr::new(arguments.address, arguments.port);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime
        .block_on(server::serve(address, |address| {
            println!("Fourfold is at http://{address}/ – stop it with Ctrl-C");
            if !server::has_app() {
                println!("This build is without the browser app; cargo xtask run makes one with it.");
            }
        }))
        .map_err(|error| Failure::new(refusal(address, &error)))
}

fn refusal(address: SocketAddr, error: &std::io::Error) -> String {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => format!("port {port} is taken by another program; choose one with --port"),
        ErrorKind::PermissionDenied => format!("port {port} is not allowed here; choose one above 1023 with --port"),
        ErrorKind::AddrNotAvailable => {
            format!("{} is no address of this machine; 127.0.0.1 always is", address.ip())
        }
        _ => format!("cannot serve at {address}: {error}"),
    }
}
