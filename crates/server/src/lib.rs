//! Serves the browser app, which is embedded, compressed, in the program.

mod files;

use std::net::SocketAddr;

use axum::Router;

/// Everything the server answers, ready to be driven by a test without a socket.
pub fn app() -> Router {
    Router::new().fallback(files::serve)
}

/// Serves until the program is told to stop.
///
/// `listening` is called once with the address, as soon as connections are accepted.
pub async fn serve(address: SocketAddr, listening: impl FnOnce(SocketAddr)) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    listening(listener.local_addr()?);
    axum::serve(listener, app()).with_graceful_shutdown(stopped()).await
}

async fn stopped() {
    // Without a signal handler there is nothing to wait for but the end of the process itself.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
