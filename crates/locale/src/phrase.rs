//! What only one game says, looked up by its key; everything else is a method of [`Language`].

use rules::{GameId, Phrase};
use scene::PhraseArgument;

use crate::messages::{Argument, filled, own_message, plain};
use crate::pieces::piece;
use crate::{Language, Names};

/// A text of a game's message file without arguments; nothing if the file has none, which a test forbids.
pub(crate) fn own_text(language: Language, game: GameId, kind: &str, key: &str) -> &'static str {
    own_message(game, kind, key).map_or("", |(part, number)| plain(language, part, number))
}

/// A sentence of a game's message file with its arguments in place.
pub(crate) fn own_sentence(language: Language, phrase: Phrase, arguments: &[PhraseArgument], names: &Names) -> String {
    let Some((part, number)) = own_message(phrase.game, "say_", phrase.key) else { return String::new() };
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
