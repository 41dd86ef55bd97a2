//! Options of the games: their names, values and what they are for.

use rules::{BadOptions, OptionValues};

use crate::{Game, Language};

/// What an option is called, in a menu; `None` if the game has no option of this name.
///
/// ```
/// use locale::{Game, Language, option_name};
///
/// assert_eq!(option_name(Language::English, Game::Quarto, "call"), Some("Calling a row"));
/// assert_eq!(option_name(Language::English, Game::Quixo, "call"), None);
/// ```
pub fn option_name(language: Language, game: Game, option: &str) -> Option<&'static str> {
    Some(match (game, option) {
        (Game::Quarto, "attributes") => language.option_attributes(),
        (Game::Quarto, "squares") => language.option_squares(),
        (Game::Quarto, "call") => language.option_call(),
        (Game::Quixo | Game::Sequence, "players") => language.option_players(),
        (Game::Sequence, "board") => language.option_board(),
        (Game::Four, "size") => language.option_size(),
        (Game::Four, "reserve") => language.option_reserve(),
        (Game::Four, "target") => language.option_target(),
        _ => return None,
    })
}

/// What an option is for, in one line; `None` if the game has no option of this name.
pub fn option_about(language: Language, game: Game, option: &str) -> Option<&'static str> {
    Some(match (game, option) {
        (Game::Quarto, "attributes") => language.option_attributes_about(),
        (Game::Quarto, "squares") => language.option_squares_about(),
        (Game::Quarto, "call") => language.option_call_about(),
        (Game::Quixo, "players") => language.option_players_quixo_about(),
        (Game::Sequence, "players") => language.option_players_about(),
        (Game::Sequence, "board") => language.option_board_about(),
        (Game::Four, "size") => language.option_size_about(),
        (Game::Four, "reserve") => language.option_reserve_about(),
        (Game::Four, "target") => language.option_target_about(),
        _ => return None,
    })
}

/// What a value of an option is called; the value itself where it has no name.
///
/// ```
/// use locale::{Game, Language, option_value};
///
/// assert_eq!(option_value(Language::Russian, Game::Quarto, "attributes", "colour+top"), "цвет, выемка");
/// assert_eq!(option_value(Language::Ukrainian, Game::Four, "reserve", "42"), "42 камені");
/// ```
pub fn option_value(language: Language, game: Game, option: &str, value: &str) -> String {
    named_value(language, game, option, value).unwrap_or_else(|| value.to_owned())
}

fn named_value(language: Language, game: Game, option: &str, value: &str) -> Option<String> {
    let word = match (game, option, value) {
        (Game::Quarto, "attributes", attributes) => {
            let words: Option<Vec<&str>> = attributes.split('+').map(|word| attribute_word(language, word)).collect();
            return words.map(|words| words.join(", "));
        }
        (Game::Quarto, "squares", "no") => language.option_squares_no(),
        (Game::Quarto, "squares", "yes") => language.option_squares_yes(),
        (Game::Quarto, "call", "auto") => language.option_call_auto(),
        (Game::Quarto, "call", "lapse") => language.option_call_lapse(),
        (Game::Quarto, "call", "open") => language.option_call_open(),
        (Game::Sequence, "board", "standard") => language.option_board_standard(),
        (Game::Sequence, "board", "shuffled") => language.option_board_shuffled(),
        (Game::Quixo | Game::Sequence, "players", count) => {
            return count.parse().ok().map(|count| language.option_players_count(count));
        }
        (Game::Four, "size", size) => return Some(language.option_size_value(size)),
        (Game::Four, "reserve", count) => {
            return count.parse().ok().map(|count| language.option_reserve_value(count));
        }
        (Game::Four, "target", count) => return count.parse().ok().map(|count| language.option_target_value(count)),
        _ => return None,
    };
    Some(word.to_owned())
}

/// The name of one word of Quarto's option `attributes`.
fn attribute_word(language: Language, word: &str) -> Option<&'static str> {
    Some(match word {
        "colour" => language.attribute_colour(),
        "height" => language.attribute_height(),
        "shape" => language.attribute_shape(),
        "top" => language.attribute_top(),
        _ => return None,
    })
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
///     "players cannot be “3”. Possible is one of 2, 4.",
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
