//! `fourfold analyse` as a user runs it.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Eight empty squares: every action is proved in an instant. Only d3 wins, and only b1 loses.
const ENDGAME: &str = "07b./.f4./2.9./..d. 5 2 a4";

fn analyse(arguments: &[&str]) -> Output {
    analyse_for("5000", arguments)
}

fn estimate(arguments: &[&str]) -> Output {
    analyse_for("20", arguments)
}

fn analyse_for(milliseconds: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .arg("analyse")
        .args(["--time", milliseconds, "--hash", "16"])
        .args(arguments)
        .env("LC_ALL", "en_GB.UTF-8")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Exit code 2 is for a wrong command line, 1 for a failure.
fn complained(code: i32, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file of its own, removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: impl AsRef<[u8]>) -> File {
        let path = std::env::temp_dir().join(format!("fourfold-analyse-{}-{name}.fourfold", std::process::id()));
        fs::write(&path, content).unwrap();
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn record(actions: &str) -> String {
    format!("[Game \"quarto\"]\n[Start \"{ENDGAME}\"]\n\n{actions}\n")
}

/// The line of an action, without what stands before its value.
fn value_of<'a>(text: &'a str, action: &str) -> &'a str {
    let line = text.lines().find(|line| line.split(' ').next() == Some(action));
    line.unwrap_or_else(|| panic!("{action} in {text}")).trim_start_matches(action).trim()
}

#[test]
fn every_action_of_a_position_has_its_value_in_words() {
    let english = said(&analyse(&[ENDGAME]));
    assert!(english.starts_with("Quarto, Player 2 to move\n"), "{english}");
    assert_eq!(value_of(&english, "b1"), "loses in 7 actions");
    assert_eq!(value_of(&english, "d3"), "wins in 13 actions");
    assert_eq!(value_of(&english, "a1"), "draw");
    assert!(english.lines().last().unwrap().starts_with("Best: "), "{english}");
    assert!(english.contains(", then "), "{english}");
    assert_eq!(english.lines().count(), 1 + 8 + 1, "{english}");

    let ukrainian = said(&analyse(&[ENDGAME, "--lang", "uk"]));
    assert_eq!(value_of(&ukrainian, "b1"), "програш за 7 дій");
    assert_eq!(value_of(&ukrainian, "a1"), "нічия");
    let russian = said(&analyse(&[ENDGAME, "--lang", "ru"]));
    assert_eq!(value_of(&russian, "b1"), "проигрыш за 7 действий");
}

#[test]
fn an_estimate_is_called_one() {
    let text = said(&estimate(&["...../...../...../...../..... 1 0", "--game", "quixo(players=4)"]));
    assert!(text.lines().skip(1).take(44).all(|line| line.ends_with(" %, estimate")), "{text}");
    // The first moves of two are known to be draws.
    let text = said(&estimate(&["...../...../...../...../..... 1", "--game", "quixo"]));
    assert!(text.lines().skip(1).take(44).all(|line| line.ends_with(" draw")), "{text}");
}

#[test]
fn the_blunder_of_a_game_is_named_with_the_better_line() {
    let file = File::new("blunder", record("1. a1 8"));
    let text = said(&analyse(&[file.path()]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Quarto: 2 actions");
    assert!(lines[1].starts_with("1. Player 2, a1: gave away a win for a draw. Better: d3, then "), "{text}");
    assert!(lines[2].starts_with("2. Player 2, 8: gave away a draw. Better: e, then "), "{text}");
    assert_eq!(lines[3..], ["Turning point: move 2."], "{text}");
    let ukrainian = said(&analyse(&[file.path(), "--lang", "uk"]));
    assert!(ukrainian.contains("\n2. Гравець 2, 8: нічию втрачено. Краще: e, потім "), "{ukrainian}");
}

#[test]
fn a_game_without_mistakes_says_so() {
    let file = File::new("clean", record("1. d3 1"));
    assert_eq!(said(&analyse(&[file.path()])), "Quarto: 2 actions\nNo mistakes found.\n");
    assert!(said(&analyse(&[file.path(), "--lang", "ru"])).ends_with("Ошибок не найдено.\n"));
}

#[test]
fn programs_get_one_object_a_line() {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let found = value(&said(&analyse(&[ENDGAME, "--json"])));
    assert_eq!((found["seat"].as_u64(), found["game"].as_str()), (Some(2), Some("quarto")));
    let best = &found["actions"][0];
    assert_eq!((best["action"].as_str(), best["value"]["plies"].as_u64()), (Some("d3"), Some(13)));
    assert_eq!(found["actions"].as_array().unwrap().len(), 8);

    let file = File::new("json", record("1. a1 8"));
    let game = value(&said(&analyse(&[file.path(), "--json"])));
    assert_eq!(game["actions"][0]["mistake"], "win_to_draw");
    assert_eq!(game["turning_point"], 2);
}

#[test]
fn positions_come_from_standard_input() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(["analyse", "-", "--json", "--time", "5000", "--hash", "16"])
        .env("LC_ALL", "en_GB.UTF-8")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = format!("{ENDGAME}\n\nbogus\n{ENDGAME}\n");
    std::io::Write::write_all(&mut program.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout.clone()).unwrap().lines().count(), 2);
    let problems = complained(1, &output);
    assert!(problems.starts_with("fourfold: 3: "), "{problems}");
    assert!(problems.ends_with("fourfold: 1 line could not be analysed\n"), "{problems}");
}

/// `fourfold analyse - | head -1` says nothing about the pipe that `head` closed.
#[test]
fn a_reader_that_has_enough_is_no_error_to_report() {
    let (closed, output) = std::io::pipe().unwrap();
    drop(closed);
    let mut program = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(["analyse", ENDGAME, "--time", "5000", "--hash", "16"])
        .stdout(output)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    std::io::Read::read_to_string(&mut program.stderr.take().unwrap(), &mut told).unwrap();
    assert_eq!((program.wait().unwrap().code(), told.as_str()), (Some(1), ""));
}

#[test]
fn an_annotated_record_reads_back() {
    let file = File::new("annotate", record("1. a1 8"));
    let text = said(&analyse(&[file.path(), "--annotate"]));
    let text = text.replace('\n', " ");
    assert!(text.contains("a1 $2 {[%eval =] gave away a win for a draw} ( 1. d3 "), "{text}");
    let again = File::new("annotated", said(&analyse(&[file.path(), "--annotate"])));
    assert!(said(&analyse(&[again.path()])).contains("Turning point: move 2."));
}

#[test]
fn a_position_that_is_over_has_nothing_to_choose() {
    let problem = complained(2, &analyse(&["xxxxx/ooo../...../...../..... 2", "--game", "quixo"]));
    assert!(problem.contains("The game is over in this position"), "{problem}");
}

#[test]
fn bad_input_is_a_sentence() {
    let problem = complained(2, &analyse(&["bogus"]));
    assert!(problem.contains("There is no file “bogus”, and it cannot be read as a position of quarto"), "{problem}");
    let problem = complained(1, &analyse(&["no-such.fourfold", "--lang", "uk"]));
    assert!(problem.contains("Файл no-such.fourfold не вдалося прочитати"), "{problem}");
    let problem = complained(2, &analyse(&[ENDGAME, "--game", "chess", "--lang", "ru"]));
    assert!(problem.contains("Игры «chess» нет"), "{problem}");

    let file = File::new("other-game", record("1. d3"));
    let problem = complained(2, &analyse(&[file.path(), "--game", "quixo"]));
    assert!(problem.contains("holds a game of quarto, but you asked for quixo"), "{problem}");
    let file = File::new("broken", record("1. zz"));
    assert!(complained(1, &analyse(&[file.path()])).contains("line 4, column 4"));
    let file = File::new("bytes", [0xff, 0xfe, 0x00]);
    assert!(complained(1, &analyse(&[file.path()])).contains("not UTF-8"));
}

#[test]
fn a_hand_may_be_all_that_is_known_of_a_position() {
    let view = |first_rank, seat, discards| {
        format!("{first_rank}/......./......./......./......./*.....* {seat} cat+dog+owl|?+?+? {discards} 0 0")
    };
    let own = view("*.....*", 1, "-|-");
    let output = estimate(&[&own, "--game", "sequence", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!(found["position"], own.as_str());
    assert_eq!(found["actions"].as_array().unwrap().len(), 6, "{found}");
    let hidden = estimate(&[&view("*1....*", 2, "cow|-"), "--game", "sequence"]);
    assert!(complained(2, &hidden).contains("The hand of player 2"), "{hidden:?}");
}
