//! What every text must keep to, whatever it says.

use rules::GameId;

use super::{ALL, Part, own_message};
use crate::{Language, rules_page};

/// Texts for all games that Ukrainian and Russian share; what a game says in one or two words may be the same without being
/// listed.
const SAME: &[&str] = &[
    "addressed",
    "web_dealer",
    "cell_described",
    "counter_points",
    "help_word_command",
    "learn_previous",
    "level_7",
    "level_8",
    "menu_back",
    "online_filter_result",
    "online_stakes",
    "online_talk",
    "preview_puzzle",
    "settings_theme",
    "online_title",
    "menu_rules",
    "operator_done",
    "puzzle_best",
    "puzzle_login_password",
    "puzzle_mode_daily",
    "puzzle_mode_rated",
    "puzzle_mode_storm",
    "puzzle_rating_change",
    "puzzle_rules",
    "puzzle_your_rating",
    "puzzles_found",
    "rules_title_table",
    "settings_look_wood",
    "settings_quiet",
    "settings_sound",
    "team_of",
    "web_me",
    "web_online",
    "web_puzzle_of_day",
];

fn texts(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().flat_map(move |(key, texts)| {
        texts.iter().filter(move |(other, _)| *other == language).map(|(_, text)| (*key, *text))
    })
}

/// How many words a text has beside its arguments: `{name}` is one, a plural is text.
fn words(text: &str) -> usize {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        kept += before;
        let argument = after.split_once('}').filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        rest = argument.map_or(after, |(_, after)| after);
    }
    kept += rest;
    kept.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count()
}

#[test]
fn every_language_has_every_text() {
    assert!(ALL.len() > 100);
    for language in Language::ALL {
        assert_eq!(texts(language).count(), ALL.len());
    }
}

#[test]
fn ukrainian_and_russian_texts_are_cyrillic() {
    for language in [Language::Ukrainian, Language::Russian] {
        for (key, text) in texts(language) {
            let cyrillic = text.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
            assert!(cyrillic || words(text) == 0, "{language} {key} is not translated: {text}");
        }
    }
}

#[test]
fn each_language_keeps_to_its_letters() {
    let foreign = [(Language::Ukrainian, "ыэъёЫЭЪЁ"), (Language::Russian, "іїєґІЇЄҐ")];
    for (language, letters) in foreign {
        for (key, text) in texts(language) {
            assert!(!text.contains(|c| letters.contains(c)), "{language} {key} has a foreign letter: {text}");
        }
    }
    for (key, text) in texts(Language::English) {
        assert!(!text.contains(|c| ('\u{400}'..='\u{4ff}').contains(&c)), "en {key}: {text}");
    }
}

#[test]
fn russian_writes_yo_where_it_belongs() {
    let without =
        ["еще", "ее", "нее", "трех", "четырех", "берет", "дает", "идет", "ждет", "остается", "темные", "черные"];
    for (key, text) in texts(Language::Russian) {
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphabetic());
        assert!(!words.any(|word| without.contains(&word)), "ru {key} writes е for ё: {text}");
    }
}

#[test]
fn russian_differs_from_ukrainian() {
    let same: Vec<&str> = ALL
        .iter()
        .filter(|(key, texts)| {
            let find = |wanted| texts.iter().find(|(language, _)| *language == wanted).map(|(_, text)| *text);
            let (ukrainian, russian) = (find(Language::Ukrainian), find(Language::Russian));
            // Names of things are often one word in both languages; a sentence is not.
            let is_of_game = GameId::ALL.iter().any(|game| key.starts_with(&format!("{game}_")));
            let may_be_same = SAME.contains(key) || (is_of_game && ukrainian.is_some_and(|text| words(text) <= 2));
            ukrainian == russian && !may_be_same
        })
        .map(|(key, _)| *key)
        .collect();
    assert!(same.is_empty(), "the same in Ukrainian and Russian: {same:?}");
    for key in SAME {
        assert!(ALL.iter().any(|(other, _)| other == key), "{key} need not be allowed for: there is no such message");
    }
}

#[test]
fn signs_are_those_of_print() {
    for language in Language::ALL {
        for (key, text) in texts(language) {
            let complain = |what: &str| panic!("{language} {key} has {what}: {text}");
            if text.contains(['\'', '"', '`']) {
                complain("a typewriter's quotation mark");
            }
            if text.contains('—') || text.contains(" - ") {
                complain("a dash that is not –");
            }
            if text.contains("...") {
                complain("three dots that are not …");
            }
            if text.contains("  ") || text.trim() != text {
                complain("a stray space");
            }
            let quotes = if language == Language::English { "«»" } else { "“”„" };
            if text.contains(|c| quotes.contains(c)) {
                complain("another language's quotation marks");
            }
            if text.matches('«').count() != text.matches('»').count() {
                complain("an open quotation");
            }
        }
    }
}

/// The page on which a game is set up shows presets, and loads these parts.
#[test]
fn presets_are_named_in_a_part_that_comes_with_the_game() {
    for game in GameId::ALL {
        for preset in game.presets() {
            let part = own_message(game, "preset_", preset.name).map(|(part, _)| part);
            assert!(matches!(part, Some(Part::Table | Part::Setup)), "{game}: {} is in {part:?}", preset.name);
        }
    }
}

#[test]
fn every_section_of_the_rules_is_on_its_page() {
    for game in GameId::ALL {
        let prefix = format!("{game}_rules_");
        for language in Language::ALL {
            let page = rules_page(language, game);
            let sections = texts(language)
                .filter(|(key, _)| key.strip_prefix(&prefix).is_some_and(|section| !section.starts_with("title_")));
            let sections = sections.count();
            // The last section is the same for every game.
            assert_eq!(page.len(), sections + 1, "{language} {}", game);
            for (index, section) in page.iter().enumerate() {
                let again =
                    page[..index].iter().any(|other| other.title == section.title || other.text == section.text);
                assert!(!again, "{language} {} shows {} twice", game, section.title);
            }
        }
    }
}

#[test]
fn a_refusal_says_what_to_do_instead() {
    for language in Language::ALL {
        let mut refusals = 0;
        for (key, text) in texts(language).filter(|(key, _)| key.starts_with("reason_")) {
            // What stands against it, and what to do; where the second says the first already, one is enough.
            let statements = text.matches(['.', ':']).count();
            assert!(statements >= 2 || key == "reason_place_first", "{language} {key}: {text}");
            refusals += 1;
        }
        assert!(refusals > 30);
    }
}
