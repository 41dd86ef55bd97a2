//! Every text a person reads, in Ukrainian, Russian and English.
//!
//! The texts stand in `messages/<language>/`: a file per game, and a few that all games share. At build time each message
//! becomes a method of [`Language`] with typed arguments: a text for a word, a `u64` for something counted. A key, an
//! argument or a plural form that is missing in one language, or one too many, fails the build and says in which file
//! and line. Nothing is looked up by name at run time. Programs carry all texts; compiled to WebAssembly the crate carries
//! none, and a page loads those of the language it speaks ([`Language::load`]).
//!
//! To add a text, write `key(argument, count: number) = …` in a file of `messages/en/` and `key = …` in the same file of
//! the other two, each under the heading where people would look for it; the build says what is still missing. Then call
//! `language.key(…)`, or `language.quarto_key(…)` for a key in `quarto.messages`. A line `[setup]`, `[study]`, `[puzzles]`,
//! `[online]`, `[lobby]` or `[terminal]` says that what follows is loaded only by the pages for setting up and settings, by
//! those for learning and analysis, by the puzzles, by those for playing with others, by those on the way there, or by none;
//! `[table]` that every page loads it.
//!
//! The file of a game also says what every game is asked for: `name`, `about`, `seat_1` and so on, `option_x`,
//! `option_x_about`, `option_x_is_y` or `option_x_value(value)`, and `rules_…` for the sections of its rules page in
//! their order, and `try_…` for what can be tried beside them. [`game_name`], [`option_name`], [`Names::usual`] and [`rules_page`] are
//! generated from them, and a game without such a file does not compile. What only this game says ([`rules::Phrase`]) is
//! looked up by its key: `say_…`, `reason_…`, `bad_…`, `piece_…`, `counter_…`, `button_…`, `victory_…`, `draw_…`,
//! `field_…`, `ground_…`, `exercise_…`, `figure_…`, `preset_…` and `sign_…`.
//!
//! The other functions here translate what the rules and scenes say in types: [`reason`], [`message`], [`bad_options`]
//! and so on. They match without a catch-all, so a new variant there does not compile until it has a text here.
//!
//! ```
//! use locale::{Language, reason};
//! use rules::Reason;
//!
//! assert_eq!(reason(Language::English, Reason::SquareTaken), "That square is taken. Choose an empty one.");
//! assert_eq!(reason(Language::Ukrainian, Reason::SquareTaken), "Це місце зайняте. Виберіть вільне.");
//! assert_eq!(Language::Ukrainian.four_movements_left(2), "Лишилося 2 переміщення");
//! assert_eq!(Language::Russian.four_movements_left(5), "Осталось 5 перемещений");
//! ```

mod bad_position;
mod exercise;
mod language;
mod level;
mod messages;
mod names;
mod options;
mod phrase;
mod pieces;
mod plural;
mod reason;
mod rules_page;
mod scene_text;

macro_rules! message_files {
    ($($name:ident in $module:ident;)*) => {
        /// The games by the names of their message files, as the generated code names them.
        pub(crate) mod game_of_file {
            #[allow(unused_imports, reason = "a file that is missing is complained about once, below")]
            pub(crate) use rules::GameId::{$($name as $module),*};
        }

        // Every game has a file in every language: one that is missing is named by the compiler.
        $(
            const _: &str = include_str!(concat!("../messages/en/", stringify!($module), ".messages"));
            const _: &str = include_str!(concat!("../messages/uk/", stringify!($module), ".messages"));
            const _: &str = include_str!(concat!("../messages/ru/", stringify!($module), ".messages"));
        )*
    };
}

rules::games!(message_files);

pub use bad_position::{bad_position, field};
pub use exercise::exercise;
pub use language::{Language, NoSuchLanguage};
pub use level::{level_about, level_name};
pub use messages::{OtherTexts, Part, game_about, game_name, lesson_task, option_about, option_name};
pub use names::{Names, sign_name};
pub use options::{bad_options, option_value, option_values};
pub use phrase::{figure_caption, preset_name, sign_title};
pub use pieces::{attribute, card, card_state, figure, piece, piece_alone, quality, row};
pub use plural::Plural;
pub use reason::reason;
pub use rules_page::{Section, rules_page};
pub use scene_text::{button, counter, early_call, line, message, shout, wrong_call};

/// The text with its first letter as a capital, for the start of a line.
///
/// ```
/// assert_eq!(locale::capitalised("єдиноріг"), "Єдиноріг");
/// ```
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| [capital(first)].into_iter().chain(letters).collect())
}

/// The capital of a letter of our languages. Those of all others are a table larger than many a chunk of the browser app.
fn capital(letter: char) -> char {
    let distance = match letter {
        'а'..='я' => 0x20,
        'ѐ'..='џ' => 0x50,
        'ґ' => 1,
        _ => return letter.to_ascii_uppercase(),
    };
    char::from_u32(u32::from(letter) - distance).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_languages_has_its_capital() {
        for letter in ('a'..='z').chain('а'..='џ').chain(['ґ', '«', '5']) {
            assert!(letter.to_uppercase().eq([capital(letter)]), "{letter}");
        }
    }
}
