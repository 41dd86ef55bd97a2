//! `fourfold operator` as operators run it, beside a real server.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

mod common;

use std::process::Command;

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
