//! The program under test, in processes of its own.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

/// How long a server may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the program `fourfold` is.
pub(crate) struct Program(PathBuf);

impl Program {
    /// The given file, or the one beside this program.
    pub(crate) fn find(given: Option<PathBuf>) -> Program {
        let name = format!("fourfold{}", std::env::consts::EXE_SUFFIX);
        let beside = || std::env::current_exe().ok()?.parent().map(|folder| folder.join(&name));
        Program(given.or_else(beside).unwrap_or_else(|| PathBuf::from(&name)))
    }

    /// Starts a server; without a database it gets a new file that is removed with it.
    pub(crate) async fn serve(&self, database: Option<&str>, arguments: &[&str]) -> Result<Node, String> {
        self.serve_with(database, arguments, &[]).await
    }

    /// The same with changes of its environment.
    pub(crate) async fn serve_with(
        &self,
        database: Option<&str>,
        arguments: &[&str],
        environment: &[(&str, PathBuf)],
    ) -> Result<Node, String> {
        let (database, folder) = match database {
            Some(database) => (database.to_owned(), None),
            None => {
                let folder = std::env::temp_dir().join(format!("fourfold-load-{}-{}", std::process::id(), unique()));
                std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
                (folder.join("fourfold.db").display().to_string(), Some(folder))
            }
        };
        let flags = ["serve", "--port", "0", "--database", &database];
        let limits = ["--messages-per-second", "0", "--requests-per-second", "0"];
        let (process, line) = self.spawn(&[&flags[..], &limits[..], arguments].concat(), environment).await?;
        let address = line.split_whitespace().find(|word| word.starts_with("http://"));
        let address = address.ok_or_else(|| format!("no address in {line:?}"))?.trim_end_matches('/').to_owned();
        Ok(Node { process, address, folder })
    }

    /// Starts a worker, which has no address.
    pub(crate) async fn worker(&self, database: &str, bus: &str) -> Result<Node, String> {
        let (process, _) = self.spawn(&["worker", "--database", database, "--bus", bus], &[]).await?;
        Ok(Node { process, address: String::new(), folder: None })
    }

    /// Lets `fourfold audit` compare every log in a database with what was acknowledged.
    pub(crate) async fn audit(&self, database: &str, promises: &[Promise]) -> Result<Vec<TableAudit>, String> {
        let mut process = Command::new(&self.0)
            .args(["audit", "--json", "--promises", "-", "--database", database])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let mut input = process.stdin.take().ok_or("the audit has no input")?;
        let promises = serde_json::to_vec(promises).map_err(|error| error.to_string())?;
        input.write_all(&promises).await.map_err(|error| format!("the audit reads nothing: {error}"))?;
        drop(input);
        let done = process.wait_with_output().await.map_err(|error| error.to_string())?;
        serde_json::from_slice(&done.stdout).map_err(|error| format!("the audit's answer is unreadable: {error}"))
    }

    /// Runs a command to its end.
    pub(crate) async fn run(&self, arguments: &[&str], environment: &[(&str, PathBuf)]) -> Result<(), String> {
        let mut command = Command::new(&self.0);
        command.args(arguments).envs(environment.iter().map(|(name, value)| (name, value))).stdin(Stdio::null());
        let done = command.output().await.map_err(|error| self.not_started(&error))?;
        if done.status.success() {
            return Ok(());
        }
        Err(format!("fourfold {}: {}", arguments.join(" "), String::from_utf8_lossy(&done.stderr).trim()))
    }

    fn not_started(&self, error: &std::io::Error) -> String {
        format!("{} does not start: {error}; name the program with --program FILE", self.0.display())
    }

    /// Starts the program, and waits for the first line it prints.
    async fn spawn(
        &self,
        arguments: &[&str],
        environment: &[(&str, PathBuf)],
    ) -> Result<(tokio::process::Child, String), String> {
        let mut process = Command::new(Path::new(&self.0))
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let output = process.stdout.take().ok_or("the server has no output")?;
        let mut lines = BufReader::new(output).lines();
        let first = tokio::time::timeout(PATIENCE, lines.next_line()).await;
        let line = first.map_err(|_| "the server does not start")?.map_err(|error| error.to_string())?;
        let line = line.ok_or("the server ended at once")?;
        // Later output must not fill the pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok((process, line))
    }
}

/// An action that a server has acknowledged, as `fourfold audit --promises` reads it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Promise {
    pub(crate) table: String,
    pub(crate) person: String,
    /// The id of the request.
    pub(crate) request: String,
    pub(crate) action: String,
    /// The place of the action in the match's log.
    pub(crate) at: u32,
}

/// What `fourfold audit --json` says of one table.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TableAudit {
    pub(crate) table: String,
    /// How many entries its log has.
    pub(crate) entries: usize,
    /// Whether the game was played to the end.
    pub(crate) ended: bool,
    /// When a seat lost on time, in milliseconds since 1970.
    pub(crate) lost_on_time: Option<i64>,
    pub(crate) problems: Vec<String>,
}

/// A server or a worker that runs.
pub(crate) struct Node {
    process: tokio::process::Child,
    /// Where it is: `http://127.0.0.1:41234`.
    pub(crate) address: String,
    folder: Option<PathBuf>,
}

impl Node {
    /// The resident memory of the process in bytes, where the system tells it.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()?)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Ends it as a power cut would; a database of its own is removed.
    pub(crate) async fn kill(mut self) {
        let _ = self.process.kill().await;
        if let Some(folder) = self.folder.take() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }

    /// Sends the signal to stop, as a service manager does, and waits until the process has ended.
    pub(crate) async fn stop(mut self) -> Result<(), String> {
        let pid = self.process.id().unwrap_or_default().to_string();
        let sent = Command::new("kill").arg("-TERM").arg(pid).status().await;
        if !sent.is_ok_and(|status| status.success()) {
            return Err("cannot send a node the signal to stop".to_owned());
        }
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await.map_err(|_| "a node does not stop")?;
        match ended {
            Ok(status) if status.success() => Ok(()),
            ended => Err(format!("a node ended with {ended:?} after the signal to stop")),
        }
    }
}

/// A number for names of folders.
fn unique() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}
