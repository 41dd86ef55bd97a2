//! Options of the games: their names, values and what they are for.

use rules::{BadOptions, GameId, OptionValues};

use crate::Language;
use crate::messages::{option_filled, option_word};

/// What a value of an option is called; the value itself where it has no name.
///
/// ```
/// use locale::{Language, option_value};
/// use rules::GameId;
///
/// assert_eq!(option_value(Language::Russian, GameId::Quarto, "attributes", "colour+top"), "цвет, выемка");
/// assert_eq!(option_value(Language::Ukrainian, GameId::Four, "reserve", "42"), "42 камені");
/// ```
pub fn option_value(language: Language, game: GameId, option: &str, value: &str) -> String {
    let words: Option<Vec<&str>> = value.split('+').map(|word| option_word(language, game, option, word)).collect();
    let named = words.map(|words| words.join(", ")).or_else(|| option_filled(language, game, option, value));
    named.unwrap_or_else(|| value.to_owned())
}

/// What is wrong with option text and what would be right. Names and values stay as they are typed.
///
/// ```
/// use locale::{Language, bad_options};
/// use rules::quixo::QuixoOptions;
///
/// let problem = "players=3".parse::<QuixoOptions>().unwrap_err();
/// assert_eq!(
///     bad_options(Language::English, &problem),
///     "players cannot be “3”. Expected one of 2, 4.",
/// );
/// ```
pub fn bad_options(language: Language, problem: &BadOptions) -> String {
    match problem {
        BadOptions::Malformed(text) => language.error_option_malformed(text),
        BadOptions::Unknown { name, possible } => language.error_option_unknown(name, possible.join(", ")),
        BadOptions::Value { name, value, possible } => {
            language.error_option_value(name, value, option_values(language, *possible))
        }
        BadOptions::Twice(name) => language.error_option_twice(name),
        BadOptions::Conflict { given, other } => language.error_option_conflict(given, other),
    }
}

/// What an option may be set to.
pub fn option_values(language: Language, values: OptionValues) -> String {
    match values {
        OptionValues::OneOf(words) => language.values_one_of(words.join(", ")),
        OptionValues::Subset(words) => language.values_subset(words.join(", ")),
        OptionValues::Number { min, max } => language.values_number(min, max),
    }
}
