//! A PostgreSQL and a NATS of our own, in a folder and on ports of their own, started by `deploy/one-machine.sh`.

use std::path::PathBuf;
use std::process::Stdio;

use tokio::process::Command;

/// The one place that knows how to start them.
const SCRIPT: &str = include_str!("../../../deploy/one-machine.sh");

/// Both, until this is dropped.
pub(crate) struct Services {
    folder: PathBuf,
    /// Where the database is.
    pub(crate) database: String,
    /// Where the broker is.
    pub(crate) bus: String,
}

impl Services {
    /// Starts both.
    pub(crate) async fn start() -> Result<Services, String> {
        let folder = std::env::temp_dir().join(format!("fourfold-services-{}", std::process::id()));
        let mut services = Services { folder, database: String::new(), bus: String::new() };
        let said = services.run("services").await?;
        let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        services.database = value("FOURFOLD_DATABASE=").ok_or("PostgreSQL did not start")?;
        services.bus = value("FOURFOLD_BUS=").ok_or("NATS did not start")?;
        Ok(services)
    }

    /// Does one thing of the script's, such as `kill-nats`.
    pub(crate) async fn run(&self, what: &str) -> Result<String, String> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "one-machine.sh", what]).arg(&self.folder).stdin(Stdio::null());
        let done = command.output().await.map_err(|error| format!("cannot run sh: {error}"))?;
        if done.status.success() {
            Ok(String::from_utf8_lossy(&done.stdout).into_owned())
        } else {
            Err(format!("{what}: {}", String::from_utf8_lossy(&done.stderr).trim()))
        }
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", SCRIPT, "one-machine.sh", "stop"]).arg(&self.folder);
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
