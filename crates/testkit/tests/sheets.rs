//! `docs/sheets.md` lists what the printed rule sheets say. Everything it names must exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use game::{ClockRule, Game};

/// A statement of a sheet.
struct Row {
    number: String,
    /// The identifier of the game whose sheet it stands on.
    game: String,
    test: Option<String>,
    message: Option<String>,
    /// Options as they are written in a game's text, or a clock.
    options: Vec<String>,
}

#[test]
fn every_test_named_for_a_statement_exists() {
    let mut tests = HashSet::new();
    for file in files(&root().join("crates"), "rs") {
        let text = fs::read_to_string(file).unwrap();
        for line in text.lines() {
            if let Some(rest) = line.trim_start().strip_prefix("fn ") {
                tests.insert(rest.split('(').next().unwrap().to_owned());
            }
        }
    }
    for row in rows() {
        if let Some(test) = &row.test {
            assert!(tests.contains(test), "{}: there is no test {test}", row.number);
        }
    }
}

#[test]
fn every_message_named_for_a_statement_exists_in_each_language() {
    for language in ["en", "ru", "uk"] {
        for row in rows() {
            let Some(message) = &row.message else { continue };
            let file = root().join(format!("crates/locale/messages/{language}/{}.messages", row.game));
            let text = fs::read_to_string(&file).unwrap();
            let mut keys = text.lines().filter_map(|line| line.split_once('=')).map(|(key, _)| key.trim());
            assert!(keys.any(|key| key == message), "{}: no message {message} in {}", row.number, file.display());
        }
    }
}

#[test]
fn every_option_named_for_a_statement_can_be_chosen() {
    for row in rows() {
        for option in &row.options {
            let chosen = format!("{}({option})", row.game).parse::<Game>();
            let clock = option.parse::<ClockRule>();
            assert!(chosen.is_ok() || clock.is_ok(), "{}: no option or clock {option}", row.number);
        }
    }
}

#[test]
fn all_five_sheets_are_listed_without_a_gap() {
    let rows = rows();
    for (sheet, least) in [('A', 26), ('B', 24), ('C', 38), ('D', 36), ('E', 30)] {
        let numbers: Vec<&str> =
            rows.iter().filter(|row| row.number.starts_with(sheet)).map(|row| row.number.as_str()).collect();
        let expected: Vec<String> = (1..=numbers.len()).map(|number| format!("{sheet}{number}")).collect();
        assert_eq!(numbers, expected);
        assert!(numbers.len() >= least, "sheet {sheet} has lost statements");
    }
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/sheets.md")).expect("the page is there");
    let mut game = String::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let name = heading.split_whitespace().nth(1).expect("a heading names the game");
            game = name.trim_end_matches(',').to_lowercase();
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, number, _, _, test, message, shown, _] = cells[..] else { continue };
        if number.is_empty() || number.starts_with('-') {
            continue;
        }
        rows.push(Row {
            number: number.to_owned(),
            game: game.clone(),
            test: quoted(test).pop(),
            message: quoted(message).pop(),
            options: quoted(shown),
        });
    }
    rows
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
