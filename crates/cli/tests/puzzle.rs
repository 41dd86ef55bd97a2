//! `fourfold puzzle` as users run it: an account at a real server, and puzzles from saved games.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

mod common;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::started;
use jiff::Timestamp;
use puzzles::Day;
use rules::GameId;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fourfold-puzzle-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a command with this input; what it prints.
fn puzzle(home: &Path, arguments: &[&str], input: &str) -> String {
    let mut process = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .arg("puzzle")
        .args(arguments)
        .args(["--lang", "en"])
        .env("XDG_DATA_HOME", home)
        .env_remove("FOURFOLD_PASSWORD")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn an_account_keeps_the_rating_and_leads_the_list() {
    let home = folder("account");
    let (server, address) = started(&["--database", home.join("games.db").to_str().unwrap()]);
    let url = format!("http://{address}");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let register = |name: &str| {
        let body = format!(r#"{{"name":"{name}","password":"long enough"}}"#);
        let path = "api/account/register";
        let sent = client::http::request(&url, "POST", path, None, &body, Duration::from_secs(20));
        assert_eq!(runtime.block_on(sent).unwrap().status, 200);
    };
    register("Olena");
    assert!(puzzle(&home, &["login", &url], "Olena\nwrong one\n").contains("wrong"));
    let told = puzzle(&home, &["login", &url], "Olena\nlong enough\n");
    assert!(told.contains(&format!("Logged in as Olena; {url} keeps the rating")), "{told}");
    assert!(puzzle(&home, &["leaders", "quixo"], "").contains("Be the first"));

    let of_day = puzzle_sets::daily(Day::at(Timestamp::now().as_millisecond() as u64), GameId::Quixo).unwrap();
    let own = of_day.steps.iter().filter(|step| step.seat == of_day.solver());
    let moves: String = own.map(|step| format!("{}\n", step.played)).collect();
    let told = puzzle(&home, &["daily", "quixo"], &moves);
    assert!(told.contains("Solved!") && told.contains("kept by the server"), "{told}");
    let told = puzzle(&home, &["leaders", "quixo"], "");
    assert!(told.contains("Olena ← you"), "{told}");

    // Without the server the result waits, and is sent with the next one.
    drop(server);
    let told = puzzle(&home, &["rated", "quixo"], "show\nquit\n");
    assert!(told.contains("rating of this device") && told.contains("1 result waits for the network"), "{told}");
    let (_server, again) = started(&["--database", home.join("games.db").to_str().unwrap()]);
    // Any port is free for a test but the same one; a real server comes back where it was.
    let account = home.join("fourfold/puzzles.account");
    fs::write(&account, fs::read_to_string(&account).unwrap().replace(&address, &again)).unwrap();
    let told = puzzle(&home, &["rated", "quixo"], "show\nquit\n");
    assert!(told.contains("kept by the server") && !told.contains("wait"), "{told}");
    assert_eq!(fs::read_to_string(home.join("fourfold/puzzles.outbox")).unwrap(), "");

    assert!(puzzle(&home, &["logout"], "").contains("Logged out"));
    assert!(puzzle(&home, &["rated", "quixo"], "quit\n").contains("rating of this device"));
    fs::remove_dir_all(&home).unwrap();
}

#[test]
fn a_mistake_in_a_record_becomes_a_puzzle() {
    let home = folder("own");
    let record = home.join("game.fourfold");
    let text = "[Game \"quarto\"]\n[Start \"..../..../..../124. - 2 c1\"]\n\n1. 0\n";
    fs::write(&record, text).unwrap();
    let told = puzzle(&home, &["own", record.to_str().unwrap()], "0\nhint\nshow\n");
    for part in ["Looking through your games: 1 of 1", "You went wrong here", "Not this one: ", "Solution: "] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = puzzle(&home, &["own"], "");
    assert!(told.contains("No mistakes found yet"), "{told}");
    fs::remove_dir_all(&home).unwrap();
}
