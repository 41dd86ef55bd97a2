//! Serves the browser app, which is embedded, compressed, in the program.

mod files;

use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;

/// Everything the server answers, ready to be driven by a test without a socket.
pub fn app() -> Router {
    Router::new().fallback(files::serve)
}

/// Whether the browser app is part of this build.
pub fn has_app() -> bool {
    files::embedded()
}

/// Serves until the program is told to stop.
///
/// `listening` is called once with the address, as soon as connections are accepted.
pub async fn serve(address: SocketAddr, listening: impl FnOnce(SocketAddr)) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    listening(listener.local_addr()?);
    tokio::select! {
        // Connections that a browser keeps open must not keep the program from ending.
        () = stopped() => Ok(()),
        served = async { axum::serve(listener, app()).await } => served,
    }
}

async fn stopped() {
    // Without a signal handler there is nothing to wait for but the end of the process itself.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
