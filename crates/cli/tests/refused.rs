//! The error of a server that cannot start: one sentence with what is wrong, where, and what to do.
//!
//! What needs a PostgreSQL and a NATS is tried where FOURFOLD_TEST_DATABASE and FOURFOLD_TEST_BUS say where they are, as
//! `cargo xtask test --only server` does.
#![cfg(target_os = "linux")] // the sentences quote the operating system
#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

mod common;

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::{Running, serve, started};

/// The error of a server that does not start.
fn refused(arguments: &[&str]) -> String {
    let output = serve(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap().trim_end().to_owned()
}

/// The addresses of the services; `None` without them.
fn services() -> Option<(String, String)> {
    Some((std::env::var("FOURFOLD_TEST_DATABASE").ok()?, std::env::var("FOURFOLD_TEST_BUS").ok()?))
}

/// Runs a statement in PostgreSQL.
fn sql(database: &str, statements: &str) {
    let done = Command::new("psql").args(["--quiet", "-v", "ON_ERROR_STOP=1", database, "-c", statements]).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// What each version of the program adds to a database, in order.
fn schemas() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/migrations/postgres");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// A database of its own, and what is seen of its address.
fn scratch(server: &str) -> (String, String) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("refused_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    sql(server, &format!("CREATE DATABASE {name}"));
    let address = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    let seen = format!("postgres://…@{}", address.rsplit_once('@').unwrap().1);
    (address, seen)
}

/// A NATS server of its own.
fn nats(arguments: &[&str]) -> (Running, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new("nats-server");
    command.args(["--addr", "127.0.0.1", "--port", &port.to_string()]).args(arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let running = Running(child);
    for _ in 0..100 {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return (running, port);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("nats-server does not start");
}

fn unique(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

#[test]
fn no_database() {
    assert_eq!(
        refused(&["--database", "postgres://ada:secret@127.0.0.1:9/none"]),
        "fourfold: No PostgreSQL answers at postgres://…@127.0.0.1:9/none: Connection refused (os error 111); start \
         it, or correct the address in --database"
    );
}

#[test]
fn a_database_that_says_nothing() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    assert_eq!(
        refused(&["--database", &format!("postgres://ada@127.0.0.1:{port}/none")]),
        format!(
            "fourfold: No PostgreSQL answers at postgres://…@127.0.0.1:{port}/none: no answer in 5 seconds; start it, \
             or correct the address in --database"
        )
    );
}

#[test]
fn wrong_credentials() {
    let Some((database, _)) = services() else { return };
    let (address, seen) = scratch(&database);
    sql(&address, "DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'right'");
    let mend = "correct the name, the password or the database in --database";
    assert_eq!(
        refused(&["--database", &address.replacen("postgres@", "guarded:wrong@", 1)]),
        format!(
            "fourfold: The database {seen} refuses the connection: password authentication failed for user \"guarded\"; \
             {mend}"
        )
    );
    assert_eq!(
        refused(&["--database", &address.replacen("postgres@", "stranger@", 1)]),
        format!("fourfold: The database {seen} refuses the connection: role \"stranger\" does not exist; {mend}")
    );
    let (missing, seen) = (format!("{address}_not"), format!("{seen}_not"));
    let name = missing.rsplit_once('/').unwrap().1;
    assert_eq!(
        refused(&["--database", &missing]),
        format!("fourfold: The database {seen} refuses the connection: database \"{name}\" does not exist; {mend}")
    );
}

#[test]
fn a_newer_schema() {
    let Some((database, _)) = services() else { return };
    let (address, seen) = scratch(&database);
    drop(started(&["--database", &address]));
    sql(
        &address,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (99, 'later', true, '\\x00', 0)",
    );
    assert_eq!(
        refused(&["--database", &address]),
        format!(
            "fourfold: The database {seen} has schema 99, but this program knows only {}; start the newer program, or \
             restore an older backup",
            schemas().len()
        )
    );
}

/// It is brought up to date, also by two nodes that start at the same moment.
#[test]
fn an_older_schema() {
    let Some((database, bus)) = services() else { return };
    let (address, _) = scratch(&database);
    drop(started(&["--database", &address]));
    // Back to the second version: everything is made again but the list of what was done.
    sql(
        &address,
        "CREATE SCHEMA kept; ALTER TABLE _sqlx_migrations SET SCHEMA kept; DROP SCHEMA public CASCADE; \
         CREATE SCHEMA public; ALTER TABLE kept._sqlx_migrations SET SCHEMA public; \
         DELETE FROM _sqlx_migrations WHERE version >= 3",
    );
    schemas()[..2].iter().for_each(|schema| sql(&address, schema));
    let prefix = unique("older");
    let node = || {
        let (address, bus, prefix) = (address.clone(), bus.clone(), prefix.clone());
        std::thread::spawn(move || started(&["--database", &address, "--bus", &bus, "--bus-prefix", &prefix]))
    };
    let nodes = [node(), node()].map(|node| node.join().unwrap());
    sql(&address, "SELECT * FROM analyses, spoke");
    drop(nodes);
}

#[test]
fn no_broker() {
    let Some((database, _)) = services() else { return };
    let (address, _) = scratch(&database);
    assert_eq!(
        refused(&["--database", &address, "--bus", "nats://ada:secret@127.0.0.1:9"]),
        "fourfold: No broker answers at nats://…@127.0.0.1:9: Connection refused (os error 111); start nats-server, or \
         correct the address in --bus"
    );
}

#[test]
fn a_broker_that_wants_another_password() {
    let Some((database, _)) = services() else { return };
    let (address, _) = scratch(&database);
    let (_nats, port) = nats(&["--user", "ada", "--pass", "right"]);
    assert_eq!(
        refused(&["--database", &address, "--bus", &format!("nats://ada:wrong@127.0.0.1:{port}")]),
        format!(
            "fourfold: The broker nats://…@127.0.0.1:{port} does not accept the name and password; correct them in --bus \
             nats://name:password@host"
        )
    );
}

#[test]
fn a_broker_without_jetstream() {
    let Some((database, _)) = services() else { return };
    let (address, _) = scratch(&database);
    let (_nats, port) = nats(&[]);
    assert_eq!(
        refused(&["--database", &address, "--bus", &format!("nats://127.0.0.1:{port}")]),
        format!("fourfold: The broker nats://127.0.0.1:{port} has no JetStream; start nats-server with --jetstream")
    );
}

#[test]
fn two_clusters_on_one_broker() {
    let Some((database, bus)) = services() else { return };
    let ((one, _), (two, _)) = (scratch(&database), scratch(&database));
    let prefix = unique("one");
    let _first = started(&["--database", &one, "--bus", &bus, "--bus-prefix", &prefix]);
    assert_eq!(
        refused(&["--database", &two, "--bus", &bus, "--bus-prefix", &prefix]),
        format!(
            "fourfold: At the broker {bus} nodes with another database use the same prefix; choose another with \
             --bus-prefix"
        )
    );
    drop(started(&["--database", &two, "--bus", &bus, "--bus-prefix", &unique("two")]));
}

#[test]
fn a_file_for_several_nodes() {
    let file = std::env::temp_dir().join(format!("fourfold-refused-{}.db", std::process::id())).display().to_string();
    assert_eq!(
        refused(&["--database", &file, "--bus", "nats://127.0.0.1:4222"]),
        format!("fourfold: Several nodes need a PostgreSQL database; {file} is a file for one")
    );
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{file}{end}"));
    }
}

#[test]
fn a_file_to_read_that_is_not_there() {
    let folder = std::env::temp_dir();
    let missing = folder.join(format!("fourfold-missing-{}.db", std::process::id()));
    for task in [&["audit"][..], &["operator", "tables"]] {
        for (path, why) in [(&missing, "there is no such file"), (&folder, "it is a folder, not a database")] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_fourfold"));
            let output = command.args(task).arg("--database").arg(path).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let problem = String::from_utf8(output.stderr).unwrap();
            assert!(problem.contains(&format!("{}: {why}", path.display())), "{problem}");
            assert!(!missing.exists(), "{task:?}");
        }
    }
}
