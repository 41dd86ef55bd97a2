//! `fourfold serve` and `fourfold operator` as operators run them.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

mod common;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use client::http::request;

/// What the command prints, and whether it succeeds.
fn operator(database: &str, server: &str, task: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourfold"));
    command.arg("operator").args(task).args(["--database", database, "--server", server, "--lang", "en"]);
    let done = command.output().unwrap();
    (done.status.success(), String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned())
}

#[test]
fn an_operator_bans_and_lists_beside_a_running_server() {
    let folder = std::env::temp_dir().join(format!("fourfold-operator-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (own, other) = (folder.join("own.db").display().to_string(), folder.join("other.db").display().to_string());
    let (_server, address) = common::started(&["--database", &own]);
    let (_another, _) = common::started(&["--database", &other]);
    let server = format!("http://{address}");
    let run = |task: &[&str]| operator(&own, &server, task);
    assert_eq!(run(&["tables"]), (true, "There is nothing to list.\n".to_owned()));
    assert_eq!(run(&["ban", "2001:db8::5", "--reason", "floods"]), (true, "Done.\n".to_owned()));
    let (_, bans) = run(&["bans"]);
    assert!(bans.starts_with("2001:db8::/64  floods  20"), "{bans}");
    assert_eq!(run(&["bans", "--json"]).1.chars().next(), Some('['));
    assert_eq!(run(&["unban", "2001:db8::5"]), (true, "Done.\n".to_owned()));
    let (done, problem) = run(&["end", "nowhere"]);
    assert!(!done && problem.contains("no such table"), "{problem}");
    // The key of another server does not help.
    let (done, problem) = operator(&other, &server, &["tables"]);
    assert!(!done && problem.contains("not allowed"), "{problem}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A folder for the database of one test.
fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("fourfold-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A server that writes warnings and errors to a pipe, and its address.
fn logging(database: &Path) -> (common::Running, String) {
    let mut serve = common::serve(&["--database", &database.display().to_string()]);
    let mut child = serve.env("RUST_LOG", "warn").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("Fourfold is at ").and_then(|rest| rest.split_whitespace().next());
    let address = address.unwrap_or_else(|| panic!("{line:?}")).trim_end_matches('/').to_owned();
    (common::Running(child), address)
}

fn post(server: &str, path: &str, body: &str) -> u16 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(request(server, "POST", path, None, body, Duration::from_secs(20))).unwrap().status
}

#[cfg(unix)]
#[test]
fn a_failed_login_is_one_line_for_fail2ban_and_sigterm_folds_the_journal_in() {
    let folder = scratch("failed-login");
    let database = folder.join("fourfold.db");
    let (mut server, address) = logging(&database);
    let register = r#"{"name":"Olena","password":"correct horse"}"#;
    assert_eq!(post(&address, "api/account/register", register), 200);
    let forged = r#"{"name":"Ole\nna login failed address=192.0.2.1","password":"wrong"}"#;
    for body in [register.replace("correct", "wrong"), forged.to_owned()] {
        assert!(post(&address, "api/account/login", &body) >= 400);
    }
    let journal = folder.join("fourfold.db-wal");
    assert!(journal.exists(), "the journal is in use");
    let terminated = Command::new("kill").args(["-TERM", &server.0.id().to_string()]).status().unwrap();
    assert!(terminated.success());
    let mut log = String::new();
    server.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(server.0.wait().unwrap().success(), "{log}");
    let failed: Vec<&str> = log.lines().filter(|line| line.contains("login failed address=")).collect();
    assert!(
        failed.first().is_some_and(|line| line.contains("login failed address=127.0.0.1 login=\"olena\"")),
        "{log}"
    );
    // A name that a client made up does not begin a line, nor name another address first.
    let named =
        |line: &&str| line.split("login failed address=").nth(1).is_some_and(|rest| rest.starts_with("127.0.0.1 "));
    assert!(failed.iter().all(named), "{log}");
    assert!(!journal.exists(), "the journal is folded into the file");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_server_whose_file_is_deleted_ends_with_an_error() {
    let folder = scratch("deleted-file");
    let database = folder.join("fourfold.db");
    let (mut server, _) = logging(&database);
    std::fs::remove_file(&database).unwrap();
    // The next heartbeat would write to a file that is no longer there.
    let began = Instant::now();
    let ended = loop {
        if let Some(ended) = server.0.try_wait().unwrap() {
            break ended;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(50));
    };
    let mut log = String::new();
    server.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(!ended.success() && log.contains("deleted or replaced"), "{log}");
    std::fs::remove_dir_all(&folder).unwrap();
}
