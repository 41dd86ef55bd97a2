//! Every option of every game has texts in every language.

use locale::{Language, option_about, option_name, option_value};
use rules::{GameId, OptionValues};

fn values(values: OptionValues) -> Vec<String> {
    match values {
        OptionValues::OneOf(words) | OptionValues::Subset(words) => words.iter().map(|w| (*w).to_owned()).collect(),
        OptionValues::Number { min, max } => vec![min.to_string(), max.to_string()],
    }
}

#[test]
fn options_have_texts() {
    for (game, language) in GameId::ALL.into_iter().flat_map(|game| Language::ALL.map(|language| (game, language))) {
        for option in game.options() {
            let what = format!("{language} {game} {}", option.name);
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
