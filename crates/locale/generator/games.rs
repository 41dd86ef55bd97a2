//! Writes what every game is asked for: its name, its seats, its options and its rules page.
//!
//! The functions match over `rules::GameId` without a catch-all, so a game without message files does not compile.

use std::fmt::Write;

use super::Fault;
use super::check::find;
use super::syntax::{Kind, Message, Parsed};

/// Keys without which the file of a game is not complete.
const REQUIRED: [&str; 4] = ["name", "about", "seat_1", "seat_2"];

/// The texts of one game, by their keys without the game's name.
struct Game<'a> {
    name: &'a str,
    messages: Vec<(&'a str, &'a Message)>,
}

impl<'a> Game<'a> {
    /// The variant of `GameId`, by the name of the file: `lib.rs` names each game so, whatever its type is called.
    fn variant(&self) -> String {
        format!("crate::game_of_file::{}", self.name)
    }

    fn has(&self, key: &str) -> bool {
        self.messages.iter().any(|(known, _)| *known == key)
    }

    /// What follows a prefix in the keys that have it, with their messages, in the order of the file.
    fn after(&self, prefix: &'static str) -> impl Iterator<Item = (&'a str, &'a Message)> {
        self.messages.iter().filter_map(move |(key, message)| Some((key.strip_prefix(prefix)?, *message)))
    }

    /// The sections of the rules page.
    fn sections(&self) -> impl Iterator<Item = (&'a str, &'a Message)> {
        self.after("rules_").filter(|(section, _)| !section.starts_with("title_"))
    }
}

fn games(reference: &Parsed) -> Vec<Game<'_>> {
    let files = reference.files.iter().filter(|file| super::is_game(&file.stem));
    let games = files.map(|file| {
        let own = reference.messages.iter().filter(|message| message.file == *file);
        let messages = own.map(|message| (&message.key[file.stem.len() + 1..], message)).collect();
        Game { name: &file.stem, messages }
    });
    games.collect()
}

/// Notes what a game's file lacks.
pub(crate) fn check(reference: &Parsed, faults: &mut Vec<Fault>) {
    for game in games(reference) {
        let file = reference.files.iter().find(|file| file.stem == game.name);
        let mut lacks = |key: String, what: &str| {
            let file = file.map_or_else(String::new, |file| file.shown.clone());
            faults.push(Fault { file, line: 1, key: Some(key), what: what.to_owned() });
        };
        for key in REQUIRED.into_iter().filter(|key| !game.has(key)) {
            lacks(key.to_owned(), "every game has this text");
        }
        if game.sections().next().is_none() {
            lacks("rules_aim".to_owned(), "every game has a rules page: texts that begin with rules_");
        }
        for (section, _) in game.sections() {
            if title(reference, &game, section).is_none() {
                lacks(format!("rules_title_{section}"), "the section of the rules page has no title");
            }
        }
    }
}

/// The key of a section's title: the game's own, or the one all games share.
fn title(reference: &Parsed, game: &Game<'_>, section: &str) -> Option<String> {
    let own = format!("{}_rules_title_{section}", game.name);
    let shared = format!("rules_title_{section}");
    [own, shared].into_iter().find(|key| find(reference, key).is_some())
}

/// Writes the functions.
pub(crate) fn emit(code: &mut String, reference: &Parsed) {
    let games = games(reference);
    if games.is_empty() {
        return;
    }
    plain(code, &games, "game_name", "What people call a game.", "name");
    plain(code, &games, "game_about", "What a game is about, in one line.", "about");
    seats(code, &games);
    options(code, &games);
    sections(code, reference, &games);
    tasks(code, &games);
    own_messages(code, reference, &games);
}

fn plain(code: &mut String, games: &[Game<'_>], function: &str, about: &str, key: &str) {
    put!(code, "/// {about}");
    put!(code, "pub fn {function}(language: Language, game: GameId) -> &'static str {{");
    put!(code, "    match game {{");
    for game in games {
        put!(code, "        {} => language.{}_{key}(),", game.variant(), game.name);
    }
    put!(code, "    }}");
    put!(code, "}}\n");
}

fn seats(code: &mut String, games: &[Game<'_>]) {
    put!(code, "/// What a game calls its sides, in the order of play.");
    put!(code, "pub(crate) fn side_names(language: Language, game: GameId) -> Vec<&'static str> {{");
    put!(code, "    match game {{");
    for game in games {
        let names: Vec<String> =
            game.after("seat_").map(|(number, _)| format!("language.{}_seat_{number}()", game.name)).collect();
        put!(code, "        {} => vec![{}],", game.variant(), names.join(", "));
    }
    put!(code, "    }}");
    put!(code, "}}\n");
    for game in games {
        let (variant, count) = (game.variant(), game.after("seat_").count());
        let lacking = format!("{}.messages names {count} sides: seat_1, seat_2, …; the game says SIDES", game.name);
        put!(code, "const _: () = assert!({variant}.sides() == {count}, {lacking:?});\n");
    }
}

fn options(code: &mut String, games: &[Game<'_>]) {
    let (mut names, mut abouts, mut words, mut values) = (String::new(), String::new(), String::new(), String::new());
    for game in games {
        let variant = game.variant();
        for (rest, message) in game.after("option_") {
            let call = format!("language.{}", message.key);
            if let Some(option) = rest.strip_suffix("_about") {
                put!(abouts, "        ({variant}, {option:?}) => {call}(),");
            } else if let Some(option) = rest.strip_suffix("_value") {
                let counted = message.arguments.first().is_some_and(|argument| argument.kind == Kind::Number);
                let value = if counted { "value.parse().ok()?" } else { "value" };
                put!(values, "        ({variant}, {option:?}) => {call}({value}),");
            } else if let Some((option, word)) = rest.split_once("_is_") {
                put!(words, "        ({variant}, {option:?}, {word:?}) => {call}(),");
            } else {
                put!(names, "        ({variant}, {rest:?}) => {call}(),");
            }
        }
    }
    let mut function = |about: &str, head: &str, on: &str, result: &str, arms: &str| {
        put!(code, "/// {about}");
        put!(code, "{head} -> Option<{result}> {{");
        put!(code, "    Some(match {on} {{\n{arms}        _ => return None,\n    }})");
        put!(code, "}}\n");
    };
    let word = "&'static str";
    let head = "pub fn option_name(language: Language, game: GameId, option: &str)";
    let about = "What an option is called, in a menu; `None` if the game has no option of this name.";
    function(about, head, "(game, option)", word, &names);
    let head = "pub fn option_about(language: Language, game: GameId, option: &str)";
    let about = "What an option is for, in one line; `None` if the game has no option of this name.";
    function(about, head, "(game, option)", word, &abouts);
    let head = "pub(crate) fn option_word(language: Language, game: GameId, option: &str, value: &str)";
    function("The name of one of the words an option can be set to.", head, "(game, option, value)", word, &words);
    let head = "pub(crate) fn option_filled(language: Language, game: GameId, option: &str, value: &str)";
    function("A value of an option, put into its sentence.", head, "(game, option)", "String", &values);
}

fn sections(code: &mut String, reference: &Parsed, games: &[Game<'_>]) {
    put!(code, "/// The sections of a game's rules page: a stable name, the title, and the text.");
    put!(
        code,
        "pub(crate) fn rules_sections(language: Language, game: GameId) -> Vec<(&'static str, &'static str, &'static str)> {{"
    );
    put!(code, "    match game {{");
    for game in games {
        put!(code, "        {} => vec![", game.variant());
        for (section, message) in game.sections() {
            let title = title(reference, game, section).unwrap_or_default();
            put!(code, "            ({section:?}, language.{title}(), language.{}()),", message.key);
        }
        put!(code, "        ],");
    }
    put!(code, "    }}");
    put!(code, "}}\n");
}

fn tasks(code: &mut String, games: &[Game<'_>]) {
    put!(code, "/// What to try in a lesson; `None` if the game's message file has no text `try_…` of this name.");
    put!(code, "pub fn lesson_task(language: Language, game: GameId, task: &str) -> Option<&'static str> {{");
    put!(code, "    Some(match (game, task) {{");
    for game in games {
        for (task, message) in game.after("try_") {
            put!(code, "        ({}, {task:?}) => language.{}(),", game.variant(), message.key);
        }
    }
    put!(code, "        _ => return None,\n    }})");
    put!(code, "}}\n");
}

/// How the keys begin that are looked up: what only this game writes in a position text, has as a square, says, refuses as
/// an action or as a position, has as a piece, a counter or a button, is won or drawn by, the exercises that it puts in its own
/// words, its figures, its presets and its signs.
const OWN: [&str; 14] = [
    "field_",
    "ground_",
    "say_",
    "reason_",
    "bad_",
    "piece_",
    "counter_",
    "button_",
    "victory_",
    "draw_",
    "exercise_",
    "figure_",
    "preset_",
    "sign_",
];

fn own_messages(code: &mut String, reference: &Parsed, games: &[Game<'_>]) {
    put!(code, "/// Where the text of a key stands that only one game has; the kind is how such keys begin.");
    put!(code, "#[allow(clippy::match_single_binding, reason = \"there may be no such text\")]");
    put!(code, "pub(crate) fn own_message(game: GameId, kind: &str, key: &str) -> Option<(Part, usize)> {{");
    put!(code, "    match (game, kind, key) {{");
    for game in games {
        for kind in OWN {
            for (key, message) in game.after(kind) {
                let in_part = reference.messages.iter().filter(|other| other.part == message.part);
                let number = in_part.take_while(|other| other.key != message.key).count();
                let (variant, part) = (game.variant(), message.part);
                put!(code, "        ({variant}, {kind:?}, {key:?}) => Some((Part::{part}, {number})),");
            }
        }
    }
    put!(code, "        _ => None,\n    }}");
    put!(code, "}}\n");
}
