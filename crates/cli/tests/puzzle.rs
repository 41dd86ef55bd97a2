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

#[test]
fn a_bad_set_is_refused_and_a_damaged_puzzle_left_out_with_a_note() {
    let home = folder("bad-sets");
    let puzzle_of_day = puzzle_sets::daily("2026-11-17".parse().unwrap(), GameId::Quixo).unwrap();
    let step = &puzzle_of_day.steps[0];
    let wrong = step.values.iter().find(|(_, worth)| *worth != step.best()).unwrap();
    let good = puzzle_of_day.to_string();
    let wrong = good.replacen(&format!("| {}:", step.played), &format!("| {}:", wrong.0), 1);
    let file = |name: &str, bytes: &[u8]| {
        let file = home.join(name);
        fs::write(&file, bytes).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let set = format!("{}\n{good}\n{wrong}\n{}\n", puzzles::HEADER, &good[..good.len() / 2]);
    let packed = puzzle_sets::pack(&set).unwrap();
    let mut damaged = packed.clone();
    damaged[packed.len() / 2] ^= 0xff;
    let other_version = file("newer.puzzles", set.replacen(" 2", " 99", 1).as_bytes());
    let broken = [file("damaged.puzzles.br", &damaged), file("cut.puzzles.br", &packed[..packed.len() / 2])];
    let half = file("half.puzzles", set.as_bytes());
    let out = home.join("out.puzzles.br");
    for command in ["check", "grade", "pack", "choose"] {
        let more: &[&str] = if command == "pack" { &[out.to_str().unwrap()] } else { &[] };
        let run = |set: &str| puzzle(&home, &[&[command, set], more].concat(), "");
        assert!(run(&other_version).contains("fourfold-puzzles 2"), "{command}: {}", run(&other_version));
        for broken in &broken {
            let told = run(broken);
            assert!(told.contains(broken.as_str()) && !told.contains(&good), "{command}: {told}");
        }
        let told = run(&half);
        assert!(told.contains("line 3") || told.contains(":3: "), "{command}: {told}");
        assert!(told.contains("is not the best action") && told.contains("expected `game theme"), "{command}: {told}");
    }
    // What is packed or graded are the good ones alone.
    assert_eq!(puzzle_sets::unpack(&fs::read(&out).unwrap()).unwrap(), format!("{}\n{good}\n", puzzles::HEADER));
    fs::remove_dir_all(&home).unwrap();
}
