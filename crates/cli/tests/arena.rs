//! `fourfold arena` as a user runs it.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fourfold");

fn arena(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("arena").args(arguments).env("LC_ALL", "en_GB.UTF-8").output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fourfold-arena-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn a_missing_engine_is_refused_before_the_first_game() {
    let records = file("missing.fourfold");
    let output = arena(&[
        "--game",
        "quixo",
        "--a",
        "ugi:/no/such/engine",
        "--b",
        "random",
        "--records",
        records.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let problem = String::from_utf8(output.stderr).unwrap();
    assert!(problem.contains("/no/such/engine could not be started: there is no such program"), "{problem}");
    assert!(!records.exists(), "nothing was begun");
    let once = arena(&["--game", "quixo", "--engine", "random"]);
    assert_eq!(once.status.code(), Some(2), "wrong use is no failure");
}

#[test]
fn several_contestants_meet_and_names_stand_in_the_records() {
    let records = file("several.fourfold");
    let path = records.to_str().unwrap();
    let contestants = ["--engine", "weak=bot:1", "--engine", "greedy", "--engine", "random"];
    let common = ["--game", "quixo", "--games", "2", "--nodes", "60", "--records", path];
    let found = json(&arena(&[&common[..], &contestants, &["--json"]].concat()));
    let pairings = found["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 3);
    assert_eq!((pairings[0]["a"].as_str(), pairings[0]["b"].as_str()), (Some("weak"), Some("greedy")));
    assert!(pairings.iter().all(|pairing| pairing["games"] == 2), "{found}");
    assert_eq!(found["ratings"].as_array().unwrap().len(), 3);
    let text = fs::read_to_string(&records).unwrap();
    assert_eq!(text.matches("[Game ").count(), 6);
    assert!(
        text.contains("\"bot:1 weak\"") && text.contains("\"person greedy\"") && text.contains("[Round \"3.1.2\"]"),
        "{text}"
    );
    // A cross-table for people; nothing is played twice.
    let again = arena(&[&common[..], &contestants, &["--resume"]].concat());
    let table = String::from_utf8(again.stdout).unwrap();
    assert!(table.contains("| contestant | Elo | weak | greedy | random |"), "{table}");
    assert_eq!(fs::read_to_string(&records).unwrap(), text);
    fs::remove_file(records).unwrap();
}

#[test]
fn a_run_that_was_broken_off_is_resumed() {
    let (whole, part) = (file("whole.fourfold"), file("part.fourfold"));
    let run = |path: &PathBuf, more: &[&str]| {
        let path = path.to_str().unwrap();
        let common = ["--game", "quixo", "--a", "bot:2", "--b", "random", "--nodes", "50", "--games", "6", "--json"];
        json(&arena(&[&common[..], &["--records", path], more].concat()))
    };
    let expected = run(&whole, &[]);
    let text = fs::read_to_string(&whole).unwrap();
    fs::write(&part, &text[..text.len() * 2 / 5]).unwrap();
    let resumed = run(&part, &["--resume"]);
    assert_eq!(resumed["pairings"], expected["pairings"]);
    assert_eq!(fs::read_to_string(&part).unwrap().matches("[Game ").count(), 6);
    let refused = arena(&[
        "--game",
        "quixo",
        "--a",
        "bot:3",
        "--b",
        "random",
        "--nodes",
        "50",
        "--resume",
        "--records",
        part.to_str().unwrap(),
    ]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("other settings"));
    let kept = fs::read_to_string(&whole).unwrap();
    let common = ["--game", "quixo", "--a", "random", "--b", "random", "--games", "2"];
    let again = arena(&[&common[..], &["--records", whole.to_str().unwrap()]].concat());
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    assert!(String::from_utf8(again.stderr).unwrap().contains("--resume"));
    assert_eq!(fs::read_to_string(&whole).unwrap(), kept, "hours of play are not overwritten");
    fs::remove_file(whole).unwrap();
    fs::remove_file(part).unwrap();
}

#[test]
fn openings_clocks_and_adjudication_decide_games() {
    let (openings, records) = (file("openings.txt"), file("openings.fourfold"));
    fs::write(&openings, "# two openings\na3e3 a2e2\n...../...../....x/....o/..... 1\n").unwrap();
    let found = json(&arena(&[
        "--game",
        "quixo",
        "--a",
        "bot:3",
        "--b",
        "random",
        "--games",
        "4",
        "--clock",
        "fischer=2+0.05",
        "--openings",
        openings.to_str().unwrap(),
        "--adjudicate",
        "0.95,2",
        "--longest",
        "60",
        "--records",
        records.to_str().unwrap(),
        "--json",
    ]));
    assert_eq!(found["pairings"][0]["games"], 4);
    let text = fs::read_to_string(&records).unwrap();
    assert_eq!(text.matches("[Clock \"fischer=2+0.05\"]").count(), 4);
    assert_eq!(text.matches("[Start \"...../...../....x/....o/..... 1\"]").count(), 2);
    assert_eq!(text.matches("1. a3e3 2. a2e2 3.").count(), 2, "{text}");
    game::Record::read_all(&text).unwrap();
    fs::write(&openings, "a3e3 c3c3\n").unwrap();
    let bad = arena(&["--game", "quixo", "--a", "random", "--b", "random", "--openings", openings.to_str().unwrap()]);
    assert!(bad.status.code() == Some(2) && String::from_utf8(bad.stderr).unwrap().contains("1: c3c3"));
    fs::remove_file(openings).unwrap();
    fs::remove_file(records).unwrap();
}

#[test]
fn engines_are_told_no_hidden_card() {
    let engine = format!("own=ugi:{PROGRAM} ugi");
    let common = ["--game", "sequence", "--b", "random", "--games", "2", "--nodes", "60", "--json"];
    let found = json(&arena(&[&common[..], &["--a", &engine]].concat()));
    assert_eq!(found["pairings"][0]["games"], 2);
    assert_eq!(found["pairings"][0]["faults"].as_array().unwrap().len(), 0, "{found}");
}

#[cfg(target_os = "linux")]
#[test]
fn processor_time_may_be_limited() {
    let engine = format!("ugi:{PROGRAM} ugi");
    let common =
        ["--game", "four(size=9)", "--a", &engine, "--b", "bot:6", "--games", "2", "--longest", "80", "--json"];
    let found = json(&arena(&[&common[..], &["--cpu", "10"]].concat()));
    assert_eq!(found["pairings"][0]["faults"].as_array().unwrap().len(), 0, "{found}");
    let used: Vec<f64> =
        found["ratings"].as_array().unwrap().iter().flat_map(|it| it["processor_ms"].as_f64()).collect();
    // A player may know at once what to do, and the first turns of an engine are shorter or longer.
    assert!(used.len() == 2 && used.iter().all(|used| (0.05..50.0).contains(used)), "{found}");
    let free = json(&arena(&[&common[..], &["--nodes", "50"]].concat()));
    assert!(free["ratings"][0]["processor_ms"].is_null(), "{free}");
    let both = arena(&[&common[..], &["--cpu", "10", "--nodes", "50"]].concat());
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_foreign_engine_is_spoken_to_in_its_own_form() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is needed");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/foreign_engine.py");
    let engine = format!("ugi:python3 {script} quixo {PROGRAM} ugi");
    let openings = file("foreign.txt");
    fs::write(&openings, "...../...../....x/....o/..... 1\na3e3\n").unwrap();
    let openings_text = openings.to_str().unwrap().to_owned();
    let arguments = [
        "--game",
        "quixo",
        "--a",
        &engine,
        "--b",
        "random",
        "--games",
        "4",
        "--nodes",
        "20",
        "--json",
        "--openings",
        &openings_text,
    ];
    let found = json(&arena(&arguments));
    assert_eq!(found["pairings"][0]["a"], "Foreign 2.0", "it is called as it calls itself");
    assert_eq!(found["pairings"][0]["faults"].as_array().unwrap().len(), 0, "{found}");
    fs::remove_file(openings).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_reports_the_games_so_far() {
    let records = file("interrupted.fourfold");
    let child = Command::new(PROGRAM)
        .args(["arena", "--game", "quixo", "--a", "random", "--b", "random", "--games", "100000", "--json"])
        .args(["--records", records.to_str().unwrap()])
        .env("LC_ALL", "en_GB.UTF-8")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let played = || fs::read_to_string(&records).map_or(0, |text| text.matches("[Game ").count());
    while played() < 4 {
        assert!(began.elapsed() < Duration::from_secs(60), "no game ends");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["interrupted"], true);
    let games = found["pairings"][0]["games"].as_u64().unwrap();
    assert!(games >= 4 && played() as u64 >= games, "{found}");
    game::Record::read_all(&fs::read_to_string(&records).unwrap()).unwrap();
    fs::remove_file(records).unwrap();
}

#[test]
fn an_engine_is_told_all_that_its_seat_saw_and_no_card_more() {
    let received = file("received.txt");
    let engine = format!("engine=ugi:tee -a {} | {PROGRAM} ugi", received.display());
    let game = ["--game", "sequence(players=3)", "--games", "3", "--nodes", "60", "--json"];
    let found = json(&arena(&[&game[..], &["--a", &engine, "--b", "greedy"]].concat()));
    let pairing = &found["pairings"][0];
    assert!(pairing["faults"].as_array().unwrap().is_empty(), "{found}");
    assert!(pairing["elo"].is_number(), "three sides have an Elo difference too: {found}");
    let received = fs::read_to_string(&received).unwrap();
    assert!((1..=3).all(|seat| received.contains(&format!("setoption name Viewer value {seat}"))), "{received}");
    let positions: Vec<&str> = received.lines().filter(|line| line.starts_with("position startpos moves ")).collect();
    assert!(positions.len() > 3);
    for line in positions {
        let deal: Vec<&str> = line.split_whitespace().skip(3).take(9).collect();
        assert!(deal.iter().all(|action| action.starts_with("draw:")), "{line}");
        assert_eq!(deal.iter().filter(|action| **action == "draw:?").count(), 6, "{line}");
    }
}
