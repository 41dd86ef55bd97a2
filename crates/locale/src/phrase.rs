//! What only one game says, looked up by its key; everything else is a method of [`Language`].

use rules::{Figure, GameId, Phrase, Preset};
use scene::PhraseArgument;

use crate::messages::{Argument, Part, filled, own_message, plain};
use crate::pieces::piece;
use crate::{Language, Names};

/// A text of a game's message file without arguments: the kind is how its key begins there.
///
/// A program shows nothing for a text that is missing; a test that meets it fails.
pub(crate) fn own_text(language: Language, phrase: Phrase, kind: &str) -> &'static str {
    found(phrase, kind).map_or("", |(part, number)| plain(language, part, number))
}

/// The caption of a figure of a game's rules page.
///
/// ```
/// use locale::{Language, figure_caption};
/// use rules::GameId;
///
/// let figure = &GameId::Quixo.figures()[1];
/// assert_eq!(figure_caption(Language::English, GameId::Quixo, figure), "At the start all cubes lie blank side up");
/// ```
pub fn figure_caption(language: Language, game: GameId, figure: &Figure) -> &'static str {
    own_text(language, Phrase { game, key: figure.name }, "figure_")
}

/// What a preset of a game is called in a menu.
pub fn preset_name(language: Language, game: GameId, preset: &Preset) -> &'static str {
    own_text(language, Phrase { game, key: preset.name }, "preset_")
}

/// What the signs of a game are, for a menu, and a sentence about them; only games with signs have these texts.
pub fn sign_title(language: Language, game: GameId) -> (&'static str, &'static str) {
    let text = |key| own_text(language, Phrase { game, key }, "sign_");
    (text("title"), text("about"))
}

fn found(Phrase { game, key }: Phrase, kind: &str) -> Option<(Part, usize)> {
    let found = own_message(game, kind, key);
    debug_assert!(found.is_some(), "{game}.messages has no text {kind}{key}");
    found
}

/// A sentence of a game's message file with its arguments in place.
pub(crate) fn own_sentence(language: Language, phrase: Phrase, arguments: &[PhraseArgument], names: &Names) -> String {
    let Some((part, number)) = found(phrase, "say_") else { return String::new() };
    let words: Vec<String> = arguments.iter().map(|argument| word(language, *argument, names)).collect();
    let arguments: Vec<Argument<'_>> = arguments
        .iter()
        .zip(&words)
        .map(|(argument, word)| match argument {
            PhraseArgument::Number(number) => Argument::Number(*number),
            _ => Argument::Text(word),
        })
        .collect();
    filled(language, part, number, &arguments)
}

fn word(language: Language, argument: PhraseArgument, names: &Names) -> String {
    match argument {
        PhraseArgument::Seat(seat) => names.seat(seat).to_owned(),
        PhraseArgument::Square(square) => square.to_string(),
        PhraseArgument::Piece(known) => piece(language, known, names),
        PhraseArgument::Number(_) => String::new(),
    }
}
