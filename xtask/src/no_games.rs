//! Proves that clients and the server name no game: what they need to know stands in a game's own description.

use std::fs;
use std::path::Path;

use crate::shell::{TaskError, root};
use crate::tidy::files;

/// The crates that must work with a game they have never heard of.
const CRATES: [&str; 5] = ["crates/cli", "crates/web", "crates/server", "crates/session", "crates/protocol"];

/// Where games are drawn, each in a file or folder of its own.
const DRAWINGS: [&str; 1] = ["crates/cli/src/tui/art/"];

/// Files that name a game all the same, and why. A file that no longer does must leave this list.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("crates/cli/src/book.rs", "makes the opening book of one game"),
    ("crates/cli/src/solve/mod.rs", "each solver is made for its game"),
    ("crates/cli/src/solve/quixo.rs", "the result of a solver says which game it is about"),
    ("crates/cli/src/solve/opening.rs", "writes what is known of the solved game's first moves"),
];

pub(crate) fn check() -> Result<(), TaskError> {
    let games = games(&root())?;
    let mut wrong = Vec::new();
    let mut excused = Vec::new();
    for file in files()? {
        let name = file.display().to_string();
        if !is_checked(&name) {
            continue;
        }
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        let lines: Vec<usize> = naming(&text, &games).collect();
        match EXCEPTIONS.iter().find(|(path, _)| *path == name) {
            Some((path, reason)) if !lines.is_empty() => excused.push(format!("   {path}: {reason}")),
            Some((path, _)) => wrong.push(format!("{path} names no game any more: take it off the list of exceptions")),
            None => wrong.extend(lines.iter().map(|line| format!("{name}:{line} names a game"))),
        }
    }
    println!("   {} files name a game for a reason:", excused.len());
    println!("{}", excused.join("\n"));
    if wrong.is_empty() { Ok(()) } else { Err(TaskError::new(wrong.join("\n"))) }
}

/// Programs, not their tests and not what draws a game.
fn is_checked(file: &str) -> bool {
    let source = file.ends_with(".rs") || file.ends_with(".js");
    let test = file.contains("/tests/") || file.ends_with("tests.rs");
    source
        && !test
        && CRATES.iter().any(|folder| file.starts_with(&format!("{folder}/")))
        && !DRAWINGS.iter().any(|folder| file.starts_with(folder))
}

/// A game by its two names in code.
pub(crate) struct Game {
    /// The variant of `GameId`.
    variant: String,
    /// The folder of its rules, which is also its name in texts.
    module: String,
}

/// The games of the one list.
pub(crate) fn games(root: &Path) -> Result<Vec<Game>, TaskError> {
    let path = root.join("crates/rules/src/game_id.rs");
    let text = fs::read_to_string(&path).map_err(|error| TaskError::new(format!("{}: {error}", path.display())))?;
    let games: Vec<Game> = text.lines().filter_map(listed).collect();
    if games.is_empty() { Err(TaskError::new("the list of games was not found in game_id.rs")) } else { Ok(games) }
}

/// A line of the list: `Quarto in quarto;`.
fn listed(line: &str) -> Option<Game> {
    let (variant, module) = line.trim().strip_suffix(';')?.split_once(" in ")?;
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !is_name(variant) || !is_name(module) {
        return None;
    }
    Some(Game { variant: variant.to_owned(), module: module.to_owned() })
}

/// The numbers of the lines that name a game, outside comments and tests.
fn naming<'a>(text: &'a str, games: &'a [Game]) -> impl Iterator<Item = usize> + 'a {
    let code = text.lines().enumerate().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
    let named = move |line: &str| {
        // A comment may speak of games; an address with `//` in it is no comment, but names none either.
        let code = line.split("//").next().unwrap_or_default();
        games.iter().any(|game| names(code, game))
    };
    code.filter(move |(_, line)| named(line)).map(|(index, _)| index + 1)
}

fn names(code: &str, Game { variant, module }: &Game) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let apart = |form: &str| {
        code.match_indices(form).any(|(at, _)| {
            let (before, after) = (code[..at].chars().next_back(), code[at + form.len()..].chars().next());
            let inside = form.ends_with(is_word) && after.is_some_and(|letter| letter.is_ascii_lowercase());
            !before.is_some_and(is_word) && !inside
        })
    };
    let text = format!("\"{module}");
    let message = format!("{module}_");
    let says = code.contains(&format!("language.{message}")) || code.contains(&format!("l.{message}"));
    says || [format!("GameId::{variant}"), format!("{module}::"), text].iter().any(|form| apart(form))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_games_is_found() {
        let games = games(&root()).unwrap();
        assert!(games.iter().any(|game| game.variant == "Quixo" && game.module == "quixo"));
    }

    #[test]
    fn a_game_is_noticed_in_code_and_not_in_words() {
        let games = [Game { variant: "Four".to_owned(), module: "four".to_owned() }];
        let found = |line: &str| naming(line, &games).count() == 1;
        for line in ["GameId::Four => 1,", "use rules::four::Four;", "game == \"four(size=9)\"", "l.four_stone_black()"]
        {
            assert!(found(line), "{line}");
        }
        for line in ["// as in Four", "let four = 4;", "\"thirty-four\"", "twentyfour::x", "/// `\"four\"`"] {
            assert!(!found(line), "{line}");
        }
        assert!(!found("#[cfg(test)]\nuse rules::four::Four;"));
    }
}
