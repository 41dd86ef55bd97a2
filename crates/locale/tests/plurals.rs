//! Our plural rules against those of Unicode.

use icu_locale_core::{Locale, locale};
use icu_plurals::{PluralCategory, PluralRules};
use locale::{Language, Plural};

fn ours(category: PluralCategory) -> Plural {
    match category {
        PluralCategory::One => Plural::One,
        PluralCategory::Few => Plural::Few,
        PluralCategory::Many => Plural::Many,
        PluralCategory::Other => Plural::Other,
        PluralCategory::Zero | PluralCategory::Two => panic!("none of our languages has {category:?}"),
    }
}

fn icu(language: Language) -> PluralRules {
    let locale: Locale = match language {
        Language::Ukrainian => locale!("uk"),
        Language::Russian => locale!("ru"),
        Language::English => locale!("en"),
    };
    PluralRules::try_new_cardinal((&locale).into()).expect("the compiled data has our languages")
}

#[test]
fn plural_forms_are_those_of_unicode() {
    let powers = (5..=19).map(|exponent| 10_u64.pow(exponent));
    let boundaries = powers.flat_map(|power| (power - 1_000..=power).chain(power..=power + 1_000));
    let numbers = (0..=100_000).chain(boundaries).chain(u64::MAX - 1_000..=u64::MAX);
    let rules = Language::ALL.map(icu);
    for number in numbers {
        for (language, rules) in Language::ALL.into_iter().zip(&rules) {
            assert_eq!(language.plural(number), ours(rules.category_for(number)), "{language} {number}");
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
