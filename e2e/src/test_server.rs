use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use server::{Config, Layer};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::Problem;

/// A whole server with tables, and a folder for what it keeps.
#[derive(Debug)]
pub struct House {
    address: SocketAddr,
    folder: PathBuf,
    layer: Layer,
    stop: watch::Sender<bool>,
    runtime: Option<Runtime>,
}

impl House {
    /// Opens a house whose people may be away for so many seconds before the others may go on.
    pub fn open(grace: u64) -> Result<House, Problem> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("fourfold-house-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let layer = Layer {
            port: Some(0),
            database: Some(folder.join("house.db").display().to_string()),
            grace: Some(grace),
            requests_per_second: Some(0),
            ..Layer::default()
        };
        House::open_with(folder, layer)
    }

    fn open_with(folder: PathBuf, layer: Layer) -> Result<House, Problem> {
        let config = Config::from_layers(std::slice::from_ref(&layer))?;
        let runtime = Runtime::new()?;
        let (stop, mut stopped) = watch::channel(false);
        let (tell, told) = std::sync::mpsc::channel();
        runtime.spawn(async move {
            let stop = async move { drop(stopped.wait_for(|stop| *stop).await) };
            server::serve(
                config,
                move |address| {
                    let _ = tell.send(address);
                },
                stop,
            )
            .await
        });
        let address = told.recv_timeout(Duration::from_secs(20))?;
        Ok(House { address, folder, layer, stop, runtime: Some(runtime) })
    }

    /// Stops as a server does that is told to: clients hear of it, and everything is written down.
    pub fn close(&mut self) {
        let _ = self.stop.send(true);
        if let Some(runtime) = self.runtime.take() {
            // A runtime cannot be ended from within another.
            let ended = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(2));
                runtime.shutdown_timeout(Duration::from_secs(6));
            });
            let _ = ended.join();
        }
    }

    /// Opens again where it was, with what it kept.
    pub fn reopen(&mut self) -> Result<(), Problem> {
        self.close();
        let folder = std::mem::take(&mut self.folder);
        let layer = Layer { port: Some(self.address.port()), ..self.layer.clone() };
        *self = House::open_with(folder, layer)?;
        Ok(())
    }

    /// Opens again, and lets nobody ask more often than so many times a second.
    pub fn slow_down(&mut self, requests_per_second: u32) -> Result<(), Problem> {
        self.layer.requests_per_second = Some(requests_per_second);
        self.reopen()
    }

    /// A cable to it, which can be cut.
    pub async fn cable(&self) -> Result<Cable, Problem> {
        Cable::lay(self.address).await
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A cable between a browser and the server.
#[derive(Debug)]
pub struct Cable {
    /// Where the browser's end is.
    pub(crate) address: SocketAddr,
    whole: watch::Sender<bool>,
}

impl Cable {
    async fn lay(to: SocketAddr) -> Result<Cable, Problem> {
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
        Ok(Cable { address, whole })
    }

    /// Cuts it: whatever is open breaks, and nothing new gets through.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Mends it.
    pub fn mend(&self) {
        self.whole.send_replace(true);
    }
}
