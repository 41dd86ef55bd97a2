//! `fourfold bot` before it has a server to play at.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fourfold");

fn bot(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("bot").args(arguments).env("LC_ALL", "en_GB.UTF-8").env_remove("FOURFOLD_TOKEN");
    command
}

#[test]
fn a_missing_engine_is_refused_before_the_server_is_asked() {
    let output =
        bot(&["--server", "http://127.0.0.1:9", "--token", "t", "--engine", "/no/such/engine"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the engine could not be started"), "{said}");
    let unset = bot(&["--server", "http://127.0.0.1:9", "--engine", "x"]).output().unwrap();
    assert_eq!(unset.status.code(), Some(2));
    let missing = bot(&["--token", "t", "--engine", "x"]).output().unwrap();
    assert!(missing.status.code() == Some(2) && String::from_utf8(missing.stderr).unwrap().contains("server"));
}

#[test]
fn a_server_that_is_away_is_waited_for() {
    let engine = format!("{PROGRAM} ugi");
    let mut child = bot(&["--server", "http://127.0.0.1:9", "--token", "t", "--engine", &engine])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: Vec<String> = BufReader::new(child.stderr.take().unwrap()).lines().take(2).map(Result::unwrap).collect();
    assert!(lines[0].ends_with("trying again in 1 s") && lines[1].ends_with("trying again in 2 s"), "{lines:?}");
    assert!(child.try_wait().unwrap().is_none(), "it does not give up");
    child.kill().unwrap();
    child.wait().unwrap();
}
