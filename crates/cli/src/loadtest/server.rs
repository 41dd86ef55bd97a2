use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// A server in a process of its own, on a database of its own.
pub struct Child {
    process: tokio::process::Child,
    /// Where it is: `http://127.0.0.1:41234`.
    pub address: String,
    folder: Option<PathBuf>,
}

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

impl Child {
    /// Starts this very program as a server; without a database it gets a new file that goes with it.
    pub async fn start(database: Option<&str>, arguments: &[&str]) -> Result<Child, String> {
        let (database, folder) = match database {
            Some(database) => (database.to_owned(), None),
            None => {
                let folder = std::env::temp_dir().join(format!("fourfold-load-{}-{}", std::process::id(), unique()));
                std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
                (folder.join("fourfold.db").display().to_string(), Some(folder))
            }
        };
        let flags = ["serve", "--port", "0", "--database", &database, "--messages-per-second", "0"];
        let (process, line) = spawn(&[&flags, arguments].concat()).await?;
        let address = line.split_whitespace().find(|word| word.starts_with("http://"));
        let address = address.ok_or_else(|| format!("no address in {line:?}"))?.trim_end_matches('/').to_owned();
        Ok(Child { process, address, folder })
    }

    /// Starts this very program as a worker, which has no address.
    pub async fn worker(database: &str, bus: &str) -> Result<Child, String> {
        let (process, _) = spawn(&["worker", "--database", database, "--bus", bus]).await?;
        Ok(Child { process, address: String::new(), folder: None })
    }

    /// The number of the process.
    pub fn pid(&self) -> u32 {
        self.process.id().unwrap_or_default()
    }

    /// Ends it as a power cut would.
    pub async fn kill(mut self) -> Option<PathBuf> {
        let _ = self.process.kill().await;
        self.folder.take()
    }

    /// Tells it to stop, as a system does, and waits until it has.
    pub async fn leave(mut self) -> Result<(), String> {
        let told = Command::new("kill").arg("-TERM").arg(self.pid().to_string()).status().await;
        if !told.is_ok_and(|status| status.success()) {
            return Err("cannot tell a node to stop".to_owned());
        }
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await.map_err(|_| "a node does not stop")?;
        match ended {
            Ok(status) if status.success() => Ok(()),
            ended => Err(format!("a node that was told to stop ended with {ended:?}")),
        }
    }

    /// Ends it, and its database if it is its own.
    pub async fn stop(self) {
        if let Some(folder) = self.kill().await {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Starts this very program, and waits for the first line it says.
async fn spawn(arguments: &[&str]) -> Result<(tokio::process::Child, String), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut process = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("the server does not start: {error}"))?;
    let output = process.stdout.take().ok_or("the server has no output")?;
    let mut lines = BufReader::new(output).lines();
    let first = tokio::time::timeout(PATIENCE, lines.next_line()).await;
    let line = first.map_err(|_| "the server does not start")?.map_err(|error| error.to_string())?;
    let line = line.ok_or("the server ended at once")?;
    // What else it says must not fill the pipe.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((process, line))
}

/// A number for names of folders.
fn unique() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

/// The resident memory of a process in bytes, where the system tells it.
pub fn memory_of(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
