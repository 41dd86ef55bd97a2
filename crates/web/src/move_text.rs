//! How actions are written in move lists and advice: with pictures of pieces and the names of cards.

use std::cell::Cell;

use game::Game;
use locale::Language;
use scene::{Figure, MovePart, Piece};
use search::Value;

use crate::settings::Notation;

thread_local! {
    static NOTATION: Cell<Notation> = const { Cell::new(Notation::Pictures) };
}

/// Sets how moves are written from now on.
pub fn write_as(notation: Notation) {
    NOTATION.set(notation);
}

/// Advice, as a friend at the table would give it.
pub fn advice(language: Language, game: &Game, action: &str, value: Value) -> String {
    let parts = game.notation(action);
    let named = match parts.as_slice() {
        [MovePart::Piece(Piece::Figure(figure))] => Some(locale::figure(language, *figure)),
        _ => None,
    };
    let begins_the_sentence = named.is_some();
    let best = named.unwrap_or_else(|| written(language, parts));
    let advice = session::words::hint(language, &best, value);
    if begins_the_sentence { locale::capitalised(&advice) } else { advice }
}

/// Where the signs of Quarto's figures begin, which [`drawn`] turns into pictures; no writing uses these letters.
const FIGURES: u32 = 0xe000;

/// The markup of a text in which figures stand as signs: each becomes its picture, with a name for those who hear it.
pub fn drawn(language: Language, text: &str) -> String {
    let mut markup = String::new();
    for letter in text.chars() {
        let number = u32::from(letter).checked_sub(FIGURES).and_then(|number| u8::try_from(number).ok());
        match (number.and_then(Figure::new), letter) {
            (Some(figure), _) => {
                let (name, picture) = (locale::figure(language, figure), art::piece(Piece::Figure(figure)));
                markup +=
                    &format!(r#"<span class="mini" role="img" aria-label="{name}" title="{figure}">{picture}</span>"#);
            }
            (None, '<') => markup += "&lt;",
            (None, '&') => markup += "&amp;",
            (None, _) => markup.push(letter),
        }
    }
    markup
}

/// An action as people read it: pieces have names in every language, and some a sign for [`drawn`].
pub fn action(language: Language, game: &Game, text: &str) -> String {
    match NOTATION.get() {
        Notation::Pictures => written(language, game.notation(text)),
        Notation::Text => text.to_owned(),
    }
}

fn written(language: Language, parts: Vec<MovePart>) -> String {
    let word = |part| match part {
        MovePart::Text(text) => text,
        MovePart::Piece(Piece::Figure(figure)) => {
            char::from_u32(FIGURES + u32::from(figure.number())).into_iter().collect()
        }
        MovePart::Piece(piece) => locale::piece_alone(language, piece),
        MovePart::Swap => "⇄".to_owned(),
        MovePart::Draw => "+".to_owned(),
        MovePart::Pass => language.played_pass().to_owned(),
        MovePart::End => language.played_end().to_owned(),
    };
    parts.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(language: Language, game: &str, text: &str) -> String {
        action(language, &game.parse().unwrap(), text)
    }

    #[test]
    fn cards_are_named_in_the_language_and_squares_are_not() {
        assert_eq!(played(Language::Ukrainian, "sequence", "unicorn@d1"), "Єдиноріг d1");
        assert_eq!(played(Language::English, "sequence", "swap:cat"), "⇄ cat");
        assert_eq!(played(Language::English, "sequence", "draw:cat"), "+ cat");
        assert_eq!(played(Language::English, "sequence", "draw:?"), "draw:?");
        assert_eq!(played(Language::Ukrainian, "quixo(players=4)", "pass"), "пропуск");
        assert_eq!(played(Language::English, "four", "end"), "end of turn");
        for (game, text) in [("quixo", "a3e3"), ("four", "d4xe5"), ("quixo", "a3e3:1"), ("quarto", "!"), ("four", "a")]
        {
            assert_eq!(played(Language::Russian, game, text), text);
        }
    }

    #[test]
    fn figures_are_drawn_and_nothing_else_becomes_markup() {
        let line = format!("<i> & {}", played(Language::English, "quarto", "f"));
        let markup = drawn(Language::English, &line);
        assert!(markup.starts_with("&lt;i> &amp; <span"), "{markup}");
        assert!(markup.contains(r#"aria-label="tall dark square hollow piece" title="f""#), "{markup}");
    }

    #[test]
    fn advice_names_the_piece() {
        let quarto = "quarto".parse().unwrap();
        assert_eq!(
            advice(Language::English, &quarto, "0", Value::Draw),
            "Short light round solid piece holds the draw."
        );
    }
}
