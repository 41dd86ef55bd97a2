//! `docs/sheets.md` lists what the printed rule sheets say. Everything it names must exist.

mod repository;

use std::collections::HashSet;
use std::fs;

use game::{ClockRule, Game};
use repository::{files, root};
use rules::Signs;

/// A statement of a sheet.
struct Row {
    number: String,
    /// The identifier of the game whose sheet it stands on.
    game: String,
    rule: String,
    test: Option<String>,
    message: Option<String>,
    shown: String,
    /// Options as they are written in a game's text, a clock, signs, or an argument of `fourfold play`.
    options: Vec<String>,
}

#[test]
fn every_test_named_for_a_statement_exists() {
    let mut tests = HashSet::new();
    for file in files(&root().join("crates"), "rs") {
        let text = fs::read_to_string(file).unwrap();
        let mut is_test = false;
        for line in text.lines().map(str::trim_start) {
            if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
                tests.insert(rest.split('(').next().unwrap().to_owned());
            }
            is_test = line == "#[test]" || (is_test && line.starts_with("#["));
        }
    }
    for row in rows() {
        if let Some(test) = &row.test {
            assert!(tests.contains(test), "{}: there is no test {test}", row.number);
        }
    }
}

/// `qa4_…` is a test of QA4, so a row that names it names that rule.
#[test]
fn a_test_that_is_named_by_a_rule_holds_a_statement_of_that_rule() {
    for row in rows() {
        let Some(test) = &row.test else { continue };
        let word = test.split('_').next().unwrap().to_uppercase();
        let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_rule = ["G", "QA", "QX", "SQ", "FO"].contains(&letters) && letters != word;
        let named = row.rule.split(", ").any(|rule| rule == word);
        assert!(!is_rule || named, "{}: {test} is a test of {word}, the row is of {}", row.number, row.rule);
    }
}

/// What stands in quotation marks is a figure, or a text that people can read on the screen.
#[test]
fn every_label_named_for_a_statement_is_a_text_of_the_program() {
    let texts: String = files(&root().join("crates/locale/messages/en"), "messages")
        .iter()
        .map(|file| fs::read_to_string(file).unwrap().to_lowercase())
        .collect();
    let mut labels = 0;
    for row in rows() {
        let screens = row.shown.split_once("figure ").map_or(row.shown.as_str(), |(screens, _)| screens);
        for label in screens.split('“').skip(1).filter_map(|rest| rest.split('”').next()) {
            assert!(texts.contains(&label.to_lowercase()), "{}: no text “{label}”", row.number);
            labels += 1;
        }
    }
    assert!(labels >= 9, "labels are found: {labels}");
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
    let arguments = fs::read_to_string(root().join("crates/cli/src/play/arguments.rs")).unwrap();
    for row in rows() {
        for option in &row.options {
            if let Some(argument) = option.strip_prefix("--") {
                let is_there = arguments.contains(&format!("\n    {argument}: Option<"));
                assert!(is_there, "{}: fourfold play has no --{argument}", row.number);
                continue;
            }
            let chosen = format!("{}({option})", row.game).parse::<Game>();
            let clock = option.parse::<ClockRule>();
            let signs = option.strip_prefix("signs=").is_some_and(|signs| {
                let game = row.game.parse::<Game>().unwrap();
                Signs::read(game.id(), game.sides(), signs).is_ok()
            });
            assert!(chosen.is_ok() || clock.is_ok() || signs, "{}: no option, clock or signs {option}", row.number);
        }
    }
}

#[test]
fn every_statement_names_its_rule_test_sentence_and_screen_or_says_why_not() {
    for row in rows() {
        assert!(!row.shown.is_empty(), "{}: nothing shows it", row.number);
        if ["not part of the game", "a physical table"].iter().any(|why| row.shown.starts_with(why)) {
            continue;
        }
        assert!(row.message.is_some(), "{}: no sentence on the rules page", row.number);
        // How long a game takes and how it is best is advice, which no rule holds.
        let is_advice = row.rule.is_empty() && row.test.is_none();
        assert!(is_advice || !row.rule.is_empty() && row.test.is_some(), "{}: rule and test go together", row.number);
    }
    let advice: Vec<String> = rows().into_iter().filter(|row| row.rule.is_empty()).map(|row| row.number).collect();
    assert_eq!(advice, ["A22", "B1", "B24", "B30", "C6", "D13", "E35"]);
}

#[test]
fn rules_and_figures_named_for_a_statement_are_on_the_page_of_the_game() {
    for row in rows() {
        let page = fs::read_to_string(root().join(format!("docs/games/{}.md", row.game))).unwrap();
        let rules = row.rule.split(", ").filter(|rule| !rule.is_empty() && !rule.starts_with('G'));
        for rule in rules {
            let named = page.contains(rule) || is_within_a_range(&page, rule);
            assert!(named, "{}: docs/games/{}.md does not name {rule}", row.number, row.game);
        }
        let figures = row.shown.split_once("figure ").map_or("", |(_, figures)| figures);
        for figure in figures.split('“').skip(1).filter_map(|rest| rest.split('”').next()) {
            let id = row.game.parse::<Game>().unwrap().id();
            assert!(id.figures().iter().any(|it| it.name == figure), "{}: no figure {figure}", row.number);
        }
    }
}

/// Whether a page names rules from one to another, `QA6–QA8`, and this is between them.
fn is_within_a_range(page: &str, rule: &str) -> bool {
    let (letters, number) = rule.split_at(2);
    let Ok(number) = number.parse::<u32>() else { return false };
    page.split(|letter: char| !letter.is_alphanumeric() && letter != '–')
        .filter_map(|word| word.split_once('–'))
        .filter_map(|(from, to)| Some((from.strip_prefix(letters)?, to.strip_prefix(letters)?)))
        .any(|(from, to)| (from.parse().unwrap_or(u32::MAX)..=to.parse().unwrap_or(0)).contains(&number))
}

#[test]
fn all_five_sheets_are_listed_without_a_gap() {
    let rows = rows();
    for (sheet, least) in [('A', 27), ('B', 30), ('C', 39), ('D', 43), ('E', 36)] {
        let numbers: Vec<&str> =
            rows.iter().filter(|row| row.number.starts_with(sheet)).map(|row| row.number.as_str()).collect();
        let expected: Vec<String> = (1..=numbers.len()).map(|number| format!("{sheet}{number}")).collect();
        assert_eq!(numbers, expected);
        assert!(numbers.len() >= least, "sheet {sheet} has lost statements");
    }
    let page = fs::read_to_string(root().join("docs/sheets.md")).unwrap();
    assert!(page.contains(&format!("lists their {} statements", rows.len())), "the page counts itself: {}", rows.len());
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
        let [_, number, _, rule, test, message, shown, _] = cells[..] else { continue };
        if number.is_empty() || number.starts_with('-') {
            continue;
        }
        rows.push(Row {
            number: number.to_owned(),
            game: game.clone(),
            rule: rule.to_owned(),
            test: quoted(test).pop(),
            message: quoted(message).pop(),
            shown: shown.to_owned(),
            options: quoted(shown),
        });
    }
    rows
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
