//! Our plural rules against those of Unicode.

use locale::{Language, Plural};

/// The samples that Unicode's CLDR gives for cardinal numbers (`plurals.xml`, `@integer`): a form, and numbers of it.
const EAST_SLAVIC: [(Plural, &str); 3] = [
    (Plural::One, "1, 21, 31, 41, 51, 61, 71, 81, 101, 1001"),
    (Plural::Few, "2~4, 22~24, 32~34, 42~44, 52~54, 62, 102, 1002"),
    (Plural::Many, "0, 5~19, 100, 1000, 10000, 100000, 1000000"),
];
const ENGLISH: [(Plural, &str); 2] =
    [(Plural::One, "1"), (Plural::Other, "0, 2~16, 100, 1000, 10000, 100000, 1000000")];

fn samples(language: Language) -> &'static [(Plural, &'static str)] {
    match language {
        Language::Ukrainian | Language::Russian => &EAST_SLAVIC,
        Language::English => &ENGLISH,
    }
}

/// The form as CLDR states it, of the last two digits as they are written.
fn stated(language: Language, number: u64) -> Plural {
    if language == Language::English {
        return if number == 1 { Plural::One } else { Plural::Other };
    }
    let digits = format!("{number:02}");
    match digits.as_bytes() {
        [.., b'1', b'1'..=b'4'] => Plural::Many,
        [.., b'1'] => Plural::One,
        [.., b'2'..=b'4'] => Plural::Few,
        _ => Plural::Many,
    }
}

#[test]
fn plural_forms_are_those_of_unicode() {
    for language in Language::ALL {
        for (form, list) in samples(language) {
            for range in list.split(", ") {
                let (first, last) = range.split_once('~').unwrap_or((range, range));
                for number in first.parse().unwrap()..=last.parse().unwrap() {
                    assert_eq!(language.plural(number), *form, "{language} {number}");
                }
            }
        }
    }
}

#[test]
fn plural_forms_follow_the_last_digits() {
    let powers = (5..=19).map(|exponent| 10_u64.pow(exponent));
    let boundaries = powers.flat_map(|power| power - 1_000..=power + 1_000);
    for number in (0..=100_000).chain(boundaries).chain(u64::MAX - 1_000..=u64::MAX) {
        for language in Language::ALL {
            assert_eq!(language.plural(number), stated(language, number), "{language} {number}");
        }
    }
}

#[test]
fn the_forms_reach_the_texts() {
    let pile = |language: Language, count| language.sequence_cards_in_pile(count);
    assert_eq!(pile(Language::Ukrainian, 0), "Колода: порожня");
    assert_eq!(pile(Language::Ukrainian, 21), "Колода: 21 карта");
    assert_eq!(pile(Language::Ukrainian, 33), "Колода: 33 карти");
    assert_eq!(pile(Language::Ukrainian, 12), "Колода: 12 карт");
    assert_eq!(pile(Language::Russian, 1), "Колода: 1 карта");
    assert_eq!(pile(Language::Russian, 4), "Колода: 4 карты");
    assert_eq!(pile(Language::Russian, 36), "Колода: 36 карт");
    assert_eq!(pile(Language::English, 1), "Draw pile: 1 card");
    assert_eq!(pile(Language::English, 0), "Draw pile: empty");
}

#[test]
fn texts_of_another_version_are_refused() {
    for language in Language::ALL {
        for part in locale::Part::ALL {
            assert!(language.is_loaded(part));
            assert_eq!(language.load(part, language.packed(part)), Ok(()));
            assert_eq!(language.load(part, "0000000000000000Table\u{1e}Quit\u{1e}"), Err(locale::OtherTexts));
            assert_eq!(language.load(part, "<!doctype html>"), Err(locale::OtherTexts));
        }
    }
}
