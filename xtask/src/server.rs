//! The server's promises, checked from outside: kills under load, PostgreSQL, and the API against its own description.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::shell::{Failure, cargo, output, root, run, works};

/// What was left out, if anything.
pub(crate) enum Checked {
    All,
    Without(String),
}

/// `cargo xtask test --only server`.
pub(crate) fn test() -> Result<Checked, Failure> {
    let program = ["run", "--quiet", "--release", "--package", "fourfold", "--"];
    run(cargo().args(program).args(["crashtest", "--kills", "8", "--tables", "12"]))?;
    run(cargo().args(program).args(["loadtest", "--tables", "100", "--seconds", "5"]))?;
    let mut without = Vec::new();
    match postgres()? {
        Checked::All => {}
        Checked::Without(why) => without.push(why),
    }
    match api()? {
        Checked::All => {}
        Checked::Without(why) => without.push(why),
    }
    Ok(if without.is_empty() { Checked::All } else { Checked::Without(without.join("; ")) })
}

/// The server's tests once more, on a PostgreSQL that is made for them and removed afterwards.
fn postgres() -> Result<Checked, Failure> {
    let Some(binaries) = find_postgres().or_else(install_postgres) else {
        return Ok(Checked::Without("no PostgreSQL: apt-get install postgresql".to_owned()));
    };
    let cluster = Cluster::start(&binaries)?;
    let mut command = cargo();
    command.args(["test", "--quiet", "--package", "server"]).env("FOURFOLD_TEST_DATABASE", cluster.address());
    run(&mut command).map(|()| Checked::All)
}

fn find_postgres() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let versions = folders.map(|entry| entry.path().join("bin"));
    versions.filter(|folder| folder.join("initdb").is_file()).max()
}

fn install_postgres() -> Option<PathBuf> {
    if !is_root() || !works(Command::new("apt-get").arg("--version")) {
        return None;
    }
    println!("   installing PostgreSQL");
    run(Command::new("apt-get").args(["install", "--yes", "--quiet", "postgresql"])).ok()?;
    find_postgres()
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// A PostgreSQL of our own, on a port and in a folder of its own.
struct Cluster {
    server: Child,
    folder: PathBuf,
    port: u16,
}

impl Cluster {
    fn start(binaries: &Path) -> Result<Cluster, Failure> {
        let folder = std::env::temp_dir().join(format!("fourfold-postgres-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("cannot make a folder: {error}")))?;
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&folder))?;
        }
        let data = folder.join("data");
        run(as_postgres(&binaries.join("initdb"))
            .args(["--auth=trust", "--username=postgres", "--no-sync", "-D"])
            .arg(&data))?;
        let port = 20_000 + (std::process::id() % 20_000) as u16;
        let server = as_postgres(&binaries.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-p", &port.to_string(), "-c", "max_connections=500", "-c", "listen_addresses=127.0.0.1", "-k"])
            .arg(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::new(format!("PostgreSQL does not start: {error}")))?;
        let cluster = Cluster { server, folder, port };
        for _ in 0..100 {
            let ready =
                Command::new(binaries.join("pg_isready")).args(["-h", "127.0.0.1", "-p", &port.to_string()]).output();
            if ready.is_ok_and(|ready| ready.status.success()) {
                return Ok(cluster);
            }
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        Err(Failure::new("PostgreSQL does not get ready"))
    }

    fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // SIGTERM to runuser reaches its child; what is left goes with the folder.
        let _ = Command::new("kill").arg(self.server.id().to_string()).status();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// PostgreSQL does not run as root.
fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

/// The API against its own description, with schemathesis.
fn api() -> Result<Checked, Failure> {
    let Some(tool) = schemathesis() else {
        return Ok(Checked::Without("no schemathesis: pip install schemathesis".to_owned()));
    };
    let folder = std::env::temp_dir().join(format!("fourfold-api-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("cannot make a folder: {error}")))?;
    let port = (22_000 + std::process::id() % 20_000).to_string();
    let program = root().join(cargo_target()).join("release/fourfold");
    let mut server = Command::new(program)
        .args(["serve", "--requests-per-second", "0", "--port", &port, "--database"])
        .arg(folder.join("api.db"))
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| Failure::new(format!("the server does not start: {error}")))?;
    std::thread::sleep(std::time::Duration::from_secs(2));
    let checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
    let tested = run(Command::new(tool)
        .current_dir(&folder)
        .arg("run")
        .arg(format!("http://127.0.0.1:{port}/api/openapi.json"))
        .args(["--checks", checks, "--max-examples", "30", "--phases", "coverage,fuzzing", "--no-color"])
        // A stream does not end by itself.
        .args(["--exclude-path-regex", "events"]));
    let _ = server.kill();
    let _ = server.wait();
    let _ = fs::remove_dir_all(&folder);
    tested.map(|()| Checked::All)
}

fn cargo_target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from)
}

/// Installed where it is missing, in an environment of its own.
fn schemathesis() -> Option<PathBuf> {
    let environment = root().join(cargo_target()).join("schemathesis");
    let tool = environment.join("bin/schemathesis");
    if works(Command::new(&tool).arg("--version")) {
        return Some(tool);
    }
    println!("   installing schemathesis, which tries the API against its description");
    let made = run(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let installed =
        made.and_then(|()| run(Command::new(environment.join("bin/pip")).args(["install", "--quiet", "schemathesis"])));
    installed.ok().map(|()| tool)
}
