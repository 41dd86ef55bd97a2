//! The server's promises, checked from outside: kills under load, several nodes on PostgreSQL and NATS with faults, and
//! the API against its own description.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::compiled::Compiled;
use crate::setup;
use crate::shell::{TaskError, output, root, run, works};

/// What was left out, if anything.
pub(crate) enum Checked {
    All,
    Without(String),
}

/// `cargo xtask test --only server`.
pub(crate) fn test() -> Result<Checked, TaskError> {
    // The tests' own program: nothing here measures speed, and a release build takes minutes.
    let compiled = Compiled::workspace()?;
    let (program, trial) = (compiled.program("fourfold")?, compiled.program("trial")?);
    // Beside one another: most of the time each waits for clocks, pauses and the disk.
    let missing = fetch();
    let (alone, nodes, broken, api) = std::thread::scope(|scope| {
        let nodes = scope.spawn(|| if missing.is_none() { many_nodes(&compiled) } else { Ok(()) });
        let broken = scope.spawn(|| if missing.is_none() { broken_nodes(program, trial) } else { Ok(()) });
        let api = scope.spawn(|| api(program));
        let alone = one_node(&compiled, program, trial);
        let panicked = || TaskError::new("a check of the server panicked");
        let ended = |result: std::thread::Result<Result<(), TaskError>>| result.unwrap_or_else(|_| Err(panicked()));
        (alone, ended(nodes.join()), ended(broken.join()), api.join().unwrap_or_else(|_| Err(panicked())))
    });
    let mut without: Vec<String> =
        missing.map(|package| format!("no {package}: apt-get install {package}")).into_iter().collect();
    let api = api.map(|checked| match checked {
        Checked::Without(why) => without.push(why),
        Checked::All => {}
    });
    let failed = [alone, nodes, broken, api].into_iter().filter_map(Result::err);
    let failures: Vec<String> = failed.map(|failure| failure.to_string()).collect();
    if !failures.is_empty() {
        return Err(TaskError::new(failures.join("; ")));
    }
    Ok(if without.is_empty() { Checked::All } else { Checked::Without(without.join("; ")) })
}

/// What needs nothing but the program.
fn one_node(compiled: &Compiled, program: &Path, trial: &Path) -> Result<(), TaskError> {
    run(Command::new(trial).args(["crashtest", "--kills", "8", "--tables", "12"]).arg("--program").arg(program))?;
    // In a process of its own: it measures how much memory a thousand logins that hang up take.
    let alone = |command: &mut Command| {
        command.args(["--ignored", "--nocapture", "memory"]);
    };
    compiled.test_file("crates/server", "over_network", alone)?;
    // As many new seeds as fit; the first is printed, so that a failure can be repeated.
    run(Command::new(compiled.program("simulate")?).args(["--minutes", "0.17"]))?;
    run(Command::new(trial).args(["loadtest", "--tables", "100", "--seconds", "5"]).arg("--program").arg(program))
}

/// What needs PostgreSQL and NATS, which are made for it and removed afterwards: the server's tests once more.
fn many_nodes(compiled: &Compiled) -> Result<(), TaskError> {
    let services = Services::start()?;
    let prepare = |command: &mut Command| {
        services.named_to(command);
        // Most tests wait for clocks and sockets.
        command.env("RUST_TEST_THREADS", "4");
    };
    // Beside kills, loads and faults a test that waits for something may once have to wait for too long.
    let tested = compiled.test("crates/server", 2, prepare);
    // What the program says about databases that it cannot use.
    tested.and(compiled.test_file("crates/cli", "refused", prepare))
}

/// Two nodes on a PostgreSQL and a NATS of their own, under load, and with faults.
fn broken_nodes(program: &Path, trial: &Path) -> Result<(), TaskError> {
    let load = ["loadtest", "--nodes", "2", "--tables", "100", "--seconds", "5"];
    run(Command::new(trial).args(load).arg("--program").arg(program))?;
    let faults = ["faults", "--faults", "8", "--tables", "16", "--pause", "4"];
    run(Command::new(trial).args(faults).arg("--program").arg(program))
}

/// Installs PostgreSQL and NATS where they are missing; the one that cannot be had.
pub(crate) fn fetch() -> Option<&'static str> {
    let needed = [("initdb", "postgresql"), ("nats-server", "nats-server")];
    needed
        .into_iter()
        .find(|(name, package)| !has(name) && setup::packages(&[package], "which several nodes share").is_err())
        .map(|(_, package)| package)
}

/// Installs what tries the API, where it is missing.
pub(crate) fn fetch_api_tools() {
    let _ = api_tools();
}

fn has(program: &str) -> bool {
    let postgres = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = postgres.map(|entry| entry.path().join("bin")).collect();
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    folders.iter().any(|folder| folder.join(program).is_file())
}

/// A PostgreSQL and a NATS of our own, on ports and in a folder of their own.
struct Services {
    folder: PathBuf,
    database: String,
    bus: String,
}

impl Services {
    fn start() -> Result<Services, TaskError> {
        let folder = std::env::temp_dir().join(format!("fourfold-xtask-{}", std::process::id()));
        let mut services = Services { folder, database: String::new(), bus: String::new() };
        let said = output(&mut services.script("services"))?;
        let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        services.database = value("FOURFOLD_DATABASE=").unwrap_or_default();
        services.bus = value("FOURFOLD_BUS=").unwrap_or_default();
        Ok(services)
    }

    /// Tests that find these use them; otherwise SQLite and a bus within the process.
    fn named_to(&self, command: &mut Command) {
        command.env("FOURFOLD_TEST_DATABASE", &self.database).env("FOURFOLD_TEST_BUS", &self.bus);
    }

    fn script(&self, what: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg(root().join("deploy/one-machine.sh")).arg(what).arg(&self.folder);
        // Every test has a database of its own, and none is needed afterwards.
        command.env("FOURFOLD_POSTGRES_OPTIONS", "-c fsync=off -c full_page_writes=off");
        command
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        // At once: an orderly end would write everything to the disk first.
        let _ = output(&mut self.script("kill-postgres"));
        let _ = output(&mut self.script("stop"));
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The description of the API, with openapi-spec-validator; a client that knows nothing else and plays; and the API against
/// it, with schemathesis.
fn api(program: &Path) -> Result<Checked, TaskError> {
    let Some(tools) = api_tools() else {
        return Ok(Checked::Without("pip cannot install schemathesis and openapi-spec-validator".to_owned()));
    };
    let folder = std::env::temp_dir().join(format!("fourfold-api-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| TaskError::new(format!("cannot make a folder: {error}")))?;
    let port = free_port()?;
    let mut server = Command::new(program)
        .args(["serve", "--requests-per-second", "0", "--port", &port.to_string(), "--database"])
        .arg(folder.join("api.db"))
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| TaskError::new(format!("the server does not start: {error}")))?;
    wait_for(port);
    let address = format!("http://127.0.0.1:{port}/api/openapi.json");
    // A generator of clients refuses a description that is not valid; schemathesis is more lenient.
    let valid = run(Command::new(tools.join("python")).arg("-c").arg(VALIDATE).arg(&address));
    let client = root().join("crates/server/tests/openapi_client.py");
    let played = run(Command::new(tools.join("python")).arg(client).arg(&address));
    let checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
    let tested = run(Command::new(tools.join("schemathesis"))
        .current_dir(&folder)
        .arg("run")
        .arg(&address)
        .args(["--checks", checks, "--max-examples", "30", "--phases", "coverage,fuzzing", "--no-color"])
        // A stream does not end by itself.
        .args(["--exclude-path-regex", "events"]));
    let _ = server.kill();
    let _ = server.wait();
    let _ = fs::remove_dir_all(&folder);
    valid.and(played).and(tested).map(|()| Checked::All)
}

/// A port that no program uses at the moment.
fn free_port() -> Result<u16, TaskError> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|error| TaskError::new(format!("no port is free: {error}")))
}

/// Waits until a server listens; one that never does fails the first check.
fn wait_for(port: u16) {
    for _ in 0..200 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Reads a description from an address and fails if it is not valid.
const VALIDATE: &str = "import json, sys, urllib.request; from openapi_spec_validator import validate; \
                        validate(json.load(urllib.request.urlopen(sys.argv[1])))";

fn cargo_target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from)
}

/// The folder of the tools, which are installed where they are missing, in an environment of their own.
fn api_tools() -> Option<PathBuf> {
    let environment = root().join(cargo_target()).join("schemathesis");
    let tools = environment.join("bin");
    if works(Command::new(tools.join("python")).args(["-c", "import schemathesis, openapi_spec_validator, jsonschema"]))
    {
        return Some(tools);
    }
    println!("   installing schemathesis and openapi-spec-validator, which try the API against its description");
    let made = run(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let packages = ["install", "--quiet", "schemathesis", "openapi-spec-validator", "jsonschema"];
    made.and_then(|()| run(Command::new(tools.join("pip")).args(packages))).ok().map(|()| tools)
}
