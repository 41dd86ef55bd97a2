//! Every option of every game has texts in every language.

use locale::{Game, Language, option_about, option_name, option_value};
use rules::four::FourOptions;
use rules::quarto::QuartoOptions;
use rules::quixo::QuixoOptions;
use rules::sequence::SequenceOptions;
use rules::{OptionSpec, OptionValues, Options};

fn values(values: OptionValues) -> Vec<String> {
    match values {
        OptionValues::OneOf(words) | OptionValues::Subset(words) => words.iter().map(|w| (*w).to_owned()).collect(),
        OptionValues::Number { min, max } => vec![min.to_string(), max.to_string()],
    }
}

fn check(game: Game, spec: &[OptionSpec]) {
    assert!(!spec.is_empty());
    for language in Language::ALL {
        for option in spec {
            let what = format!("{language} {} {}", game.id(), option.name);
            assert!(option_name(language, game, option.name).is_some(), "{what} has no name");
            assert!(option_about(language, game, option.name).is_some(), "{what} has no explanation");
            for value in values(option.values) {
                let named = option_value(language, game, option.name, &value);
                // A value without a name comes back as it is, which in English may be its name.
                let same = language == Language::English;
                assert!(named != value || same, "{what}={value} has no name");
            }
        }
    }
}

#[test]
fn options_have_texts() {
    check(Game::Quarto, QuartoOptions::spec());
    check(Game::Quixo, QuixoOptions::spec());
    check(Game::Sequence, SequenceOptions::spec());
    check(Game::Four, FourOptions::spec());
}
