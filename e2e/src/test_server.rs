use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use server::{Config, Place};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::Problem;

/// A whole server with a database in a temporary folder.
#[derive(Debug)]
pub struct TestServer {
    address: SocketAddr,
    folder: PathBuf,
    config: Config,
    stop: watch::Sender<bool>,
    runtime: Option<Runtime>,
}

impl TestServer {
    /// Starts a server on which a player may be away for `grace` seconds before the others may claim the game.
    pub fn open(grace: u64) -> Result<TestServer, Problem> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("fourfold-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let config = Config {
            port: 0,
            database: Place::File(folder.join("server.db")),
            grace: Duration::from_secs(grace),
            requests_per_second: 0,
            tables_per_minute: 0,
            ..Config::default()
        };
        TestServer::open_with(folder, config)
    }

    fn open_with(folder: PathBuf, config: Config) -> Result<TestServer, Problem> {
        server::embed_app(app_files::FILES);
        let used = config.clone();
        let runtime = Runtime::new()?;
        let (stop, mut stopped) = watch::channel(false);
        let (tell, told) = std::sync::mpsc::channel();
        runtime.spawn(async move {
            let stop = async move { drop(stopped.wait_for(|stop| *stop).await) };
            server::serve(
                used,
                move |address| {
                    let _ = tell.send(address);
                },
                stop,
            )
            .await
        });
        let address = told.recv_timeout(Duration::from_secs(20))?;
        Ok(TestServer { address, folder, config, stop, runtime: Some(runtime) })
    }

    /// Where it listens, to be followed by a path.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Stops gracefully: clients are notified, and everything is written.
    pub fn close(&mut self) {
        let _ = self.stop.send(true);
        if let Some(runtime) = self.runtime.take() {
            // A runtime cannot be shut down from within another.
            let ended = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(2));
                runtime.shutdown_timeout(Duration::from_secs(6));
            });
            let _ = ended.join();
        }
    }

    /// Starts again at the same address with the same database.
    pub fn reopen(&mut self) -> Result<(), Problem> {
        self.close();
        let folder = std::mem::take(&mut self.folder);
        let config = Config { port: self.address.port(), ..self.config.clone() };
        *self = TestServer::open_with(folder, config)?;
        Ok(())
    }

    /// Starts again with a limit on the requests of one address.
    pub fn slow_down(&mut self, requests_per_second: u32) -> Result<(), Problem> {
        self.config.requests_per_second = requests_per_second;
        self.reopen()
    }

    /// A proxy to the server, whose connections can be cut.
    pub async fn proxy(&self) -> Result<Proxy, Problem> {
        Proxy::start(self.address).await
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A TCP proxy between a browser and the server, for tests of a lost network.
#[derive(Debug)]
pub struct Proxy {
    /// Where it listens for the browser.
    pub(crate) address: SocketAddr,
    whole: watch::Sender<bool>,
}

impl Proxy {
    async fn start(to: SocketAddr) -> Result<Proxy, Problem> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (whole, state) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut state = state.clone();
                if !*state.borrow() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(to).await else { return };
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        _ = state.wait_for(|whole| !*whole) => {}
                    }
                });
            }
        });
        Ok(Proxy { address, whole })
    }

    /// Breaks open connections and refuses new ones.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Lets connections through again.
    pub fn restore(&self) {
        self.whole.send_replace(true);
    }
}
