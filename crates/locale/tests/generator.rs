//! The generator refuses every kind of fault and says where it is.

#[path = "../generator/mod.rs"]
mod generator;

use generator::{Dialect, ENGLISH, Generated, RUSSIAN, Source, UKRAINIAN, generate};

/// The files of a language: a name and a text for each.
type Files<'a> = &'a [(&'static str, &'a str)];

/// What comes out of an English and a Ukrainian file: code and texts, or the fault reports.
fn outcome(english: &str, ukrainian: &str) -> Result<Generated, Vec<String>> {
    outcome_of(&[(ENGLISH, &[("en", english)]), (UKRAINIAN, &[("uk", ukrainian)])])
}

/// What comes out of languages with several files: `en` belongs to no game, `en/nim` to the game `nim`.
fn outcome_of(languages: &[(Dialect, Files<'_>)]) -> Result<Generated, Vec<String>> {
    let mut sources = Vec::new();
    for (dialect, files) in languages {
        let stem = |file: &'static str| file.split_once('/').map_or("common", |(_, stem)| stem);
        sources.push((*dialect, files.iter().map(|&(file, text)| Source { file, stem: stem(file), text }).collect()));
    }
    generate(&sources).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

/// The packed texts of a language, with signs that can be seen and without the fingerprint.
fn texts(generated: &Generated, language: usize) -> String {
    let (_, texts) = generated.packs[language][0].split_once('\u{1e}').expect("a fingerprint");
    let shown = [('\u{1e}', ';'), ('\u{1}', '$'), ('\u{2}', '['), ('\u{3}', '|'), ('\u{4}', ']')];
    shown.into_iter().fold(texts.to_owned(), |texts, (sign, shown)| texts.replace(sign, &shown.to_string()))
}

#[track_caller]
fn refused(english: &str, ukrainian: &str, report: &str) {
    assert_eq!(outcome(english, ukrainian).err(), Some(vec![report.to_owned()]));
}

#[test]
fn sound_files_become_methods() {
    let english = "# A comment.\n\nquit = Quit\n\
        left(who, count: number) = {who} has {count, plural, =0 {no moves} one {# move} other {# moves}}\n    left.\n";
    let ukrainian = "left = {who}: {count, plural, one {# хід} few {# ходи} many {# ходів}}\nquit = Вийти\n";
    let generated = outcome(english, ukrainian).unwrap();
    for expected in [
        "pub fn quit(self) -> &'static str {",
        "plain(self, Part::Table, 0)",
        "pub fn left(self, who: impl Display, count: u64) -> String {",
        "filled(self, Part::Table, 1, &[Argument::Text(&who), Argument::Number(count)])",
    ] {
        assert!(generated.code.contains(expected), "{expected} is not in\n{}", generated.code);
    }
    assert_eq!(texts(&generated, 0), "Quit;$0 has [1=0|no moves|one|$1 move|other|$1 moves|] left.;");
    // Each language in the order of the first.
    assert_eq!(texts(&generated, 1), "Вийти;$0: [1one|$1 хід|few|$1 ходи|many|$1 ходів|];");
}

#[test]
fn texts_for_study_have_a_pack_of_their_own() {
    let generated =
        outcome("quit = Quit\nback = Back\n[study]\naim = Win", "quit = Вийти\nback = Назад\n[study]\naim = Виграти");
    let generated = generated.unwrap();
    assert_eq!(texts(&generated, 0), "Quit;Back;");
    assert!(generated.packs[1][2].ends_with("Study\u{1e}Виграти\u{1e}"), "{:?}", generated.packs[1][2]);
    assert!(generated.code.contains("plain(self, Part::Study, 0)"), "{}", generated.code);
}

#[test]
fn texts_for_other_messages_have_another_fingerprint() {
    let fingerprint = |english: &str| {
        let generated = outcome(english, "a = А {who}").unwrap();
        generated.packs.iter().map(|[table, ..]| table.split('\u{1e}').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let once = fingerprint("a(who) = A {who}");
    assert_eq!(once[0], once[1], "the same in every language");
    assert_eq!(once, fingerprint("a(who) = Another {who}"), "wording does not matter");
    assert_ne!(once, fingerprint("a(who: number) = A {who}"));
}

#[test]
fn every_translation_is_checked() {
    let both = "a = A\nb = B";
    let faults = outcome_of(&[(ENGLISH, &[("en", both)]), (UKRAINIAN, &[("uk", both)]), (RUSSIAN, &[("ru", "a = А")])]);
    assert_eq!(faults.err().unwrap(), ["ru:1: b: is missing here; en:2 has it"]);
}

/// A game with what every game is asked for, and a line more.
fn nim(language: &str, more: &str) -> String {
    let title = if language == "en" { "rules_title_aim = Aim" } else { "rules_title_aim = Мета" };
    format!("name = Nim\nabout = Нім\nseat_1 = A\nseat_2 = B\n[study]\n{title}\nrules_aim = Win\n[table]\n{more}")
}

fn with_game(english: &str, ukrainian: &str) -> Result<Generated, Vec<String>> {
    outcome_of(&[
        (ENGLISH, &[("en", "quit = Quit"), ("en/nim", english)]),
        (UKRAINIAN, &[("uk", "quit = Вийти"), ("uk/nim", ukrainian)]),
    ])
}

#[test]
fn the_file_of_a_game_answers_what_every_game_is_asked() {
    let more = "option_heaps = Heaps\noption_heaps_is_three = three";
    let number = "option_size_value(size: number) = {size}";
    let generated = with_game(
        &nim("en", &format!("{more}\n{number}")),
        &nim("uk", &format!("{more}\noption_size_value = {{size}}")),
    );
    let code = generated.unwrap().code;
    for expected in [
        "pub fn nim_name(self)",
        "crate::game_of_file::nim => language.nim_name(),",
        "crate::game_of_file::nim => vec![language.nim_seat_1(), language.nim_seat_2()],",
        "(crate::game_of_file::nim, \"heaps\") => language.nim_option_heaps(),",
        "(crate::game_of_file::nim, \"heaps\", \"three\") => language.nim_option_heaps_is_three(),",
        "(crate::game_of_file::nim, \"size\") => language.nim_option_size_value(value.parse().ok()?),",
        "(\"aim\", language.nim_rules_title_aim(), language.nim_rules_aim()),",
    ] {
        assert!(code.contains(expected), "{expected} is not in\n{code}");
    }
}

#[test]
fn an_incomplete_game_is_refused() {
    let report = |english: String, ukrainian: String| with_game(&english, &ukrainian).err().unwrap();
    let without = |language: &str, line: &str| nim(language, "").replace(line, "");
    assert_eq!(
        report(without("en", "seat_2 = B\n"), without("uk", "seat_2 = B\n")),
        ["en/nim:1: seat_2: every game has this text"],
    );
    assert_eq!(
        report(without("en", "rules_title_aim = Aim\n"), without("uk", "rules_title_aim = Мета\n")),
        ["en/nim:1: rules_title_aim: the section of the rules page has no title"],
    );
    let faults = outcome_of(&[
        (ENGLISH, &[("en", "quit = Quit"), ("en/nim", &nim("en", ""))]),
        (UKRAINIAN, &[("uk", "quit = Вийти")]),
    ]);
    assert_eq!(faults.err().unwrap(), ["en/nim:1: has no translation into Ukrainian"]);
}

#[test]
fn a_text_stands_in_the_same_file_and_part_everywhere() {
    refused("a = A\n[study]\nb = B", "a = А\nb = Б", "uk:2: b: stands elsewhere in en:3");
    refused("a = A\n[stud]\n", "a = А", "en:2: [stud] is no part of the texts");
}

#[test]
fn escapes_stand_for_themselves() {
    let generated = outcome("odd = \\{a\\} \\# \\\\ #1\\n2", "odd = а").unwrap();
    assert_eq!(texts(&generated, 0), "{a} # \\ #1\n2;");
}

#[test]
fn lines_are_joined_by_one_space_or_by_a_line_break() {
    let generated = outcome("long = one\n    two\\n\n\tthree", "long = а").unwrap();
    assert_eq!(texts(&generated, 0), "one two\nthree;");
}

#[test]
fn missing_key() {
    refused("a = A\nb = B", "a = А", "uk:1: b: is missing here; en:2 has it");
}

#[test]
fn extra_key() {
    refused("a = A", "a = А\nb = Б", "uk:2: b: there is no such message in English");
}

#[test]
fn duplicate_key() {
    refused("a = A", "a = А\n\na = Б", "uk:3: a: is defined twice, first in line 1");
    refused("a = A\na = B", "a = А", "en:2: a: is defined twice, first in line 1");
}

#[test]
fn missing_argument() {
    refused("a(who) = A {who}", "a = А", "uk:1: a: the argument {who} is missing");
    refused("a(who) = A", "a = А {who}", "en:1: a: the argument {who} is missing");
}

#[test]
fn unknown_argument() {
    refused("a(who) = A {who}", "a = А {who} {whom}", "uk:1: a: {whom} is unknown: known are who");
    refused("a = A {who}", "a = А", "en:1: a: {who} is unknown: the message has no arguments");
}

#[test]
fn missing_plural_form() {
    let english = "a(n: number) = {n, plural, one {# thing} other {# things}}";
    refused(english, "a = {n, plural, one {# річ} many {# речей}}", "uk:1: a: the plural of {n} lacks the form few");
    refused("a(n: number) = {n, plural, one {# thing}}", "a = {n}", "en:1: a: the plural of {n} lacks the form other");
    // An exact number does not stand for a form.
    refused(
        "a(n: number) = {n, plural, =1 {a thing} other {# things}}",
        "a = {n}",
        "en:1: a: the plural of {n} lacks the form one",
    );
}

#[test]
fn extra_plural_form() {
    let english = "a(n: number) = {n}";
    let ukrainian = "a = {n, plural, one {1} few {2} many {5} other {1,5}}";
    refused(english, ukrainian, "uk:1: a: the plural of {n} has other, but Ukrainian has only one, few, many");
    let twice = "a = {n, plural, one {1} one {1} few {2} many {5}}";
    refused(english, twice, "uk:1: a: the plural of n has the form one twice");
}

#[test]
fn one_that_is_not_always_one() {
    let english = "a(n: number) = {n, plural, one {a thing} other {# things}}";
    refused(
        english,
        "a = {n, plural, one {річ} few {# речі} many {# речей}}",
        "uk:1: a: the form one of {n} also stands for 21: put # there, or use =1 besides",
    );
    for sound in [
        "a = {n, plural, =1 {річ} one {# річ} few {# речі} many {# речей}}",
        "a = {n} {n, plural, one {річ} few {речі} many {речей}}",
    ] {
        assert!(outcome(english, sound).is_ok());
    }
}

#[test]
fn plural_of_a_text() {
    refused(
        "a(n) = {n}",
        "a = {n, plural, one {1} few {2} many {5}}",
        "uk:1: a: {n} is text and has no plural: declare it as n: number",
    );
}

#[test]
fn broken_braces() {
    let reports = [
        ("а {who", "the brace of {who is never closed"),
        ("а }", "a closing brace } has no opening one (write \\} for the character)"),
        ("а {", "an opening brace is followed by \"\", which is no argument name"),
        ("а {who {who}", "{who is followed by '{' instead of } or a comma"),
        ("а {who, plural", "the text ends where , is expected: a brace is never closed"),
        ("а {who, plural, one {1}", "the text ends where } is expected: a brace is never closed"),
        ("а {who, plural, one {1 {who}", "the text ends where } is expected: a brace is never closed"),
        ("а {who, plural, one 1}", "expected { but found 1"),
        ("а {who, select, one {1}}", "{who, \"select\": the only style is plural"),
        ("а {who, plural, =x {1}}", "=x is no whole number"),
    ];
    for (text, report) in reports {
        refused("a(who) = {who}", &format!("a = {text}"), &format!("uk:1: a: {report}"));
    }
}

#[test]
fn broken_lines() {
    let reports = [
        ("a = А\nfoo", "uk:2: expected a line of the form key = text"),
        ("a = А\nB = Б", "uk:2: \"B\" is no key: a key is lower-case words joined by _, and no word of Rust"),
        ("a = А\n\n    далі", "uk:3: an indented line continues no message"),
        ("a =", "uk:1: a: the text is empty"),
        ("a = А\\t", "uk:1: a: \\t means nothing: there are \\n \\{ \\} \\# and \\\\"),
        ("a = А\\", "uk:1: a: a backslash ends the text"),
        ("a(who) = А", "uk:1: a: arguments are declared in the reference file only"),
    ];
    for (ukrainian, report) in reports {
        refused("a = A", ukrainian, report);
    }
}

#[test]
fn broken_declarations() {
    let reports = [
        ("a(who = {who}", "the list of arguments has no closing bracket"),
        ("a(type) = {type}", "\"type\" is no name of an argument"),
        ("a() = A", "\"\" is no name of an argument"),
        ("a(who: text) = {who}", "\"text\" is no kind of argument: only number is"),
        ("a(who, who) = {who}", "the argument who is declared twice"),
    ];
    for (english, report) in reports {
        assert_eq!(outcome(english, "").err(), Some(vec![format!("en:1: a: {report}")]));
    }
}

#[test]
fn all_faults_are_reported_at_once() {
    let faults = outcome("a(x) = {x}\nb = B\nc = C", "a = А\nb = }\nd = Д").err().unwrap();
    assert_eq!(faults.len(), 4, "{faults:?}");
}
