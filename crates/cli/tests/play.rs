//! `fourfold play --plain` as a user runs it: input in, text and exit code out.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, removed at the end.
struct Home(PathBuf);

impl Home {
    fn new() -> Home {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("fourfold-play-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Home(folder)
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(arguments)
            .env("XDG_DATA_HOME", &self.0)
            .env("TMPDIR", &self.0)
            .env("LC_ALL", "en_GB.UTF-8")
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may end before it has read everything.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    fn kept(&self) -> Vec<PathBuf> {
        let folder = self.0.join("fourfold");
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a wrong command line is answered with.
fn complained(output: &Output) -> String {
    ended_with(2, output)
}

/// What a failure is told with.
fn failed(output: &Output) -> String {
    ended_with(1, output)
}

fn ended_with(code: i32, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What was played in a record, without the times.
fn last_actions(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let (_, play) = text.rsplit_once("\n\n").unwrap();
    let is_time = |word: &&str| word.ends_with('s') && word.starts_with(|letter: char| letter.is_ascii_digit());
    play.split_whitespace().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ")
}

const TWO_PEOPLE: [&str; 2] = ["--seat", "2=person"];

#[test]
fn closing_the_input_keeps_what_was_played() {
    let home = Home::new();
    let output = home.run(&["play", "quixo", TWO_PEOPLE[0], TWO_PEOPLE[1]], "a3e3\na2e2\n");
    assert!(output.status.success(), "{output:?}");
    assert!(said(&output).contains("The input has ended. Your game is saved as"), "{}", said(&output));
    let [file] = &home.kept()[..] else { panic!("one game was played") };
    assert_eq!(last_actions(file), "1. a3e3 2. a2e2");
}

#[test]
fn a_kept_game_goes_on_where_it_stopped() {
    let home = Home::new();
    home.run(&["play", "quixo", "--seat", "2=person", "--save", "evening.fourfold"], "a3e3\nquit\n");
    let output = home.run(&["play", "--load", "evening.fourfold"], "a2e2\nundo\nb1b5\nquit\n");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(last_actions(&home.0.join("evening.fourfold")), "1. a3e3 2. b1b5");
    let text = fs::read_to_string(home.0.join("evening.fourfold")).unwrap();
    assert_eq!(text.matches("[Game ").count(), 1);
    // Another game goes after it, never over it.
    home.run(&["play", "quarto", "--seat", "2=person", "--save", "evening.fourfold"], "7\nb2\n");
    let text = fs::read_to_string(home.0.join("evening.fourfold")).unwrap();
    assert_eq!(text.matches("[Game ").count(), 2, "{text}");
}

#[test]
fn nothing_played_leaves_no_file() {
    let home = Home::new();
    for game in ["quarto", "sequence"] {
        let output = home.run(&["play", game, "--plain"], "");
        assert!(output.status.success());
        assert_eq!(home.kept(), Vec::<PathBuf>::new(), "{game}");
    }
}

#[test]
fn a_whole_game_is_played_and_told_in_each_language() {
    let moves = "a5e5\na1e1\na4e5\na1e1\na4e5\n";
    for (lang, end) in [("en", "Crosses"), ("uk", "Хрестики"), ("ru", "Крестики")] {
        let home = Home::new();
        let board = "xxxx./...../...../...../oooo. 1";
        let arguments = ["play", "quixo", "--seat", "2=person", "--position", board, "--lang", lang];
        let output = home.run(&arguments, &format!("e5a5\n{moves}"));
        assert!(output.status.success(), "{output:?}");
        assert!(said(&output).contains(end), "{}", said(&output));
    }
}

#[test]
fn wrong_lines_are_explained_and_cost_nothing() {
    let home = Home::new();
    let output =
        home.run(&["play", "quixo", "--seat", "2=person"], "c3e3\nnonsense\n\nlook a1\nmoves\nhelp\nrules\nbo\0ard\n");
    let text = said(&output);
    assert!(text.contains("Only cubes on the edge can be taken."), "{text}");
    assert!(text.contains("“nonsense” is not a move of this game. Write it like a1e1."), "{text}");
    assert!(text.contains("a1: blank cube"), "{text}");
    assert!(output.status.success());
    assert_eq!(home.kept(), Vec::<PathBuf>::new());
}

#[test]
fn hidden_hands_stay_behind_the_curtain() {
    let home = Home::new();
    let output = home.run(&["play", "sequence", "--seat", "2=person", "--seed", "5"], "\n");
    let text = said(&output);
    let hands = text.matches("Your hand: ").count();
    assert_eq!(hands, 1, "only the hand of the seat to act is shown: {text}");
    assert!(text.contains("press Enter when you alone can see the screen"), "{text}");
}

#[test]
fn bad_arguments_say_what_is_possible() {
    let home = Home::new();
    let complaint = |arguments: &[&str]| complained(&home.run(arguments, ""));
    let games = rules::GameId::ALL.map(rules::GameId::name).join(", ");
    assert!(complaint(&["play", "chess"]).contains(&games));
    assert!(complaint(&["play"]).contains(&games));
    assert!(complaint(&["play", "quarto(call=loud)"]).contains("auto, lapse, open"));
    assert!(complaint(&["play", "quarto(size=9)"]).contains("attributes, squares, call"));
    assert!(complaint(&["play", "four(reserve=19)"]).contains("from 20 to 150"));
    assert!(complaint(&["play", "quixo", "--seat", "2=bot:9"]).contains("2=bot:3"));
    assert!(complaint(&["play", "quixo", "--seat", "3=person"]).contains("no seat 3"));
    assert!(complaint(&["play", "quixo", "--clock", "fast"]).contains("turn=60"));
    assert!(complaint(&["play", "quixo", "--lang", "fr"]).contains("uk, ru and en"));
    assert!(
        complaint(&["play", "quixo", "--position", "x"])
            .contains("cannot be read: expected 2 fields (board, seat to act), found 1")
    );
    assert!(
        complaint(&["play", "quixo", "--position", "xxxxx/...../...../...../..... 1"])
            .contains("not possible: 5 crosses and 0 noughts")
    );
    assert!(complaint(&["learn", "quixo", "--number", "99999"]).contains("invalid value “99999” for --number"));
    assert!(complaint(&["learn", "quixo", "--number", "0"]).contains("from 1 to"));
    assert!(complaint(&["solve", "four"]).contains("possible are quixo for two"));
    assert!(complaint(&["tablebase"]).contains("missing command, possible: verify"));
    let file = home.0.join("a-file");
    fs::write(&file, "").unwrap();
    let page = failed(&home.run(&["man", file.to_str().unwrap()], ""));
    assert!(page.contains("a-file cannot be written: a file stands where a folder"), "{page}");
    let steered = failed(&home.run(&["play", "--load", "\u{1b}[31mred"], ""));
    assert!(!steered.contains('\u{1b}') && steered.contains("[31mred"), "{steered:?}");
    assert!(failed(&home.run(&["play", "--load", "missing.fourfold"], "")).contains("missing.fourfold"));
    assert!(complaint(&[]).contains("--plain"));
}

#[test]
fn unreadable_files_are_refused_and_left_alone() {
    let home = Home::new();
    let file = home.0.join("broken.fourfold");
    let illegal = &b"[Game \"quixo\"]\n\n1. a3e3 2. c3c3\n"[..];
    for content in [illegal, b"[Game \"quixo\"]\n\n1. a3e3 2. \x1bzz\n", b"\xff\xfe", b"", b"[Game \"go\"]\n"] {
        fs::write(&file, content).unwrap();
        let complaint = failed(&home.run(&["play", "--load", "broken.fourfold"], ""));
        assert!(complaint.contains("broken.fourfold"), "{complaint}");
        if content.ends_with(b"c3c3\n") {
            let what = "line 3, column 12: Move 2: c3c3 is not allowed";
            assert!(complaint.contains(what) && complaint.contains("Possible moves: "), "{complaint}");
        }
        if content.ends_with(b"zz\n") {
            let what =
                "line 3, column 12: Move 2: “\u{fffd}zz” is not an action of this game. Possible moves: a1e1 a1a5 ";
            assert!(complaint.contains(what) && complaint.ends_with("… and 29 more.\n"), "{complaint:?}");
        }
        let keeping = home.run(&["play", "quixo", "--save", "broken.fourfold"], "a3e3\n");
        if content.is_empty() {
            assert_eq!(keeping.status.code(), Some(0), "there is nothing to lose in an empty file");
            assert!(fs::read_to_string(&file).unwrap().contains("1. a3e3"));
        } else {
            assert_eq!(keeping.status.code(), Some(1), "a file that is no record is not written over");
            assert_eq!(fs::read(&file).unwrap(), content);
        }
    }
}

#[test]
fn bad_input_is_explained_in_the_language_asked_for() {
    let home = Home::new();
    let file = home.0.join("broken.fourfold");
    fs::write(&file, "[Game \"quixo\"]\n\n1. a3e3 2. c3c3\n").unwrap();
    let complaint = |arguments: &[&str]| complained(&home.run(arguments, ""));
    for (language, words) in [
        (
            "uk",
            ["рядок 3, стовпець 12: Хід 2: c3c3 не можна", "чий хід: можна вказати 1…2", "невідомий параметр «--fly»"],
        ),
        (
            "ru",
            ["строка 3, столбец 12: Ход 2: c3c3 нельзя", "чей ход: можно указать 1…2", "неизвестный параметр «--fly»"],
        ),
    ] {
        let record = failed(&home.run(&["--lang", language, "play", "--load", "broken.fourfold"], ""));
        assert!(record.contains(words[0]), "{record}");
        let position = "...../...../...../...../..... 3";
        let position = complaint(&["play", "quixo", "--lang", language, "--position", position]);
        assert!(position.contains(words[1]), "{position}");
        let arguments = complaint(&["play", "--fly", "--lang", language]);
        assert!(arguments.contains(words[2]), "{arguments}");
    }
}

#[test]
fn a_place_that_cannot_be_written_does_not_stop_the_game() {
    let home = Home::new();
    let blocked = home.0.join("fourfold");
    fs::write(&blocked, "not a folder").unwrap();
    let output = home.run(&["play", "quixo", "--seat", "2=person"], "a3e3\n");
    assert!(output.status.success(), "{output:?}");
    let text = said(&output);
    assert!(text.contains("Crosses: ") && text.contains("Your game is saved as"), "{text}");
    assert!(blocked.is_file());
}

#[test]
fn a_finished_game_that_was_looked_at_is_not_saved_again() {
    let home = Home::new();
    let played = home.run(&["play", "quixo", "--seat", "2=person", "--save", "over.fourfold"], "a3e3\nresign\nyes\n");
    assert!(said(&played).contains("Saved as"), "{}", said(&played));
    let file = home.0.join("over.fourfold");
    let before = fs::read_to_string(&file).unwrap();
    let seen = said(&home.run(&["play", "--load", "over.fourfold"], ""));
    assert!(seen.contains("Crosses win!") && !seen.to_lowercase().contains("saved"), "{seen}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn who_begins_is_chosen_drawn_or_the_loser_of_the_last_game() {
    let home = Home::new();
    let seats = ["--seat", "1=person Olena", "--seat", "2=person Taras"];
    let play = |more: &[&str], input: &str| {
        let arguments: Vec<&str> = ["play", "quixo"].iter().chain(&seats).chain(more).copied().collect();
        home.run(&arguments, input)
    };
    let chosen = said(&play(&["--first", "2"], ""));
    assert!(chosen.contains("Taras: take a cube"), "{chosen}");
    let drawn: std::collections::BTreeSet<bool> = (0..20)
        .map(|seed| {
            let text = said(&play(&["--first", "lot", "--seed", &seed.to_string()], ""));
            let olena = text.contains("The lot is drawn: Olena begins.");
            assert!(olena || text.contains("The lot is drawn: Taras begins."), "{text}");
            assert_eq!(text.contains("Olena: take a cube"), olena, "{text}");
            olena
        })
        .collect();
    assert_eq!(drawn.len(), 2, "the lot falls on both");
    let first = said(&play(&["--first", "loser"], "a3e3\nresign\nyes\n"));
    assert!(first.contains("Olena: take a cube"), "before the first game the order stays: {first}");
    let next = said(&play(&["--first", "loser"], ""));
    assert!(next.contains("Taras: take a cube"), "Taras resigned: {next}");
    // Where the games are kept in a file, that file tells who lost.
    play(&["--save", "club.fourfold"], "resign\nyes\n");
    let club = said(&play(&["--save", "club.fourfold", "--first", "loser"], ""));
    assert!(club.contains("Olena: take a cube"), "{club}");
    for (wrong, sentence) in [("3", "There is no seat 3"), ("winner", "does not say who begins")] {
        let output = play(&["--first", wrong], "");
        assert!(complained(&output).contains(sentence), "{output:?}");
    }
}

#[test]
fn symbols_and_conferring_are_agreed_on_the_command_line() {
    let home = Home::new();
    let arguments = ["play", "quixo", "--seat", "2=person", "--signs", "nought cross", "--save", "evening.fourfold"];
    let output = home.run(&arguments, "a3e3\nboard\nquit\n");
    let text = said(&output);
    assert!(text.contains("Noughts: take a cube from the edge, blank or with a nought"), "{text}");
    assert!(text.contains(" 3 . . . . o"), "the board shows the symbol that was chosen: {text}");
    let record = fs::read_to_string(home.0.join("evening.fourfold")).unwrap();
    assert!(record.contains("[Signs \"nought cross\"]"), "{record}");
    let output = home.run(&["play", "quixo", "--signs", "cross cross"], "");
    let text = complained(&output);
    assert!(text.contains("2 different ones of cross, nought"), "{text}");
    let output = home.run(&["play", "quarto", "--signs", "dark light"], "");
    assert!(complained(&output).contains("no signs to choose"), "{output:?}");
    let output = home.run(&["play", "quixo(players=4)", "--confer", "perhaps"], "");
    assert!(complained(&output).contains("neither yes nor no"), "{output:?}");
    let text = said(&home.run(&["play", "quixo(players=4)", "--confer", "yes", "--plain"], "quit\n"));
    assert!(text.contains("Partners: may confer"), "{text}");
    let text = said(&home.run(&["play", "sequence(players=3)", "--signs", "red blue green", "--plain"], "quit\n"));
    assert!(text.contains("The player to the left begins (Red), and play goes clockwise"), "{text}");
}

#[test]
fn discards_are_told_line_by_line() {
    let home = Home::new();
    let position =
        "*.....*/2..1.2./....1../......./......./*.....* 1 cat+cow+lion|dog+fox+owl bear+hippo|tiger+camel 0 0";
    let output = home.run(&["play", "sequence", "--seat", "2=person", "--position", position, "--plain"], "\nquit\n");
    let text = said(&output);
    assert!(text.contains(" B:tiger") && text.contains(" G:bear"), "a chip shows its colour: {text}");
    assert!(text.contains("Green: Discards: bear, hippo") && text.contains("Blue: Discards: tiger, camel"), "{text}");
}
