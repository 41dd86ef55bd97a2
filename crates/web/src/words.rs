//! Sentences that join what several crates know.

use game::{Cause, ClockRule, Ending, Game, Match};
use locale::{Language, Names};
use scene::{Figure, MovePart, Piece};
use search::{Level, Value};

use crate::messages::Found;

/// What a level is called.
pub fn level(language: Language, level: Level) -> String {
    locale::level_name(language, level.number()).unwrap_or_default().to_owned()
}

/// Advice, as a friend at the table would give it.
pub fn advice(language: Language, game: &Game, found: &Found) -> String {
    let parts = game.notation(&found.action);
    let named = match parts.as_slice() {
        [MovePart::Piece(Piece::Figure(figure))] => Some(locale::figure(language, *figure)),
        _ => None,
    };
    let begins_the_sentence = named.is_some();
    let best = named.unwrap_or_else(|| written(language, parts));
    let advice = match found.value {
        Value::Win(Some(actions)) => language.hint_wins(best, actions.into()),
        Value::Win(None) => language.hint_surely_wins(best),
        Value::Draw => language.hint_draws(best),
        Value::Loss(_) => language.hint_loses(best),
        Value::Estimate(score) => language.hint_estimate(best, percent(score.into())),
    };
    if begins_the_sentence { capitalised(&advice) } else { advice }
}

/// A sentence may begin with the name of a piece.
fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// How a match ended, where the board does not tell.
pub fn ending(language: Language, ending: Ending, game: &Match, names: &Names) -> Option<String> {
    let seats = || rules::Seat::all(game.position().seats()).filter(|seat| game.is_out(*seat));
    let out = || seats().map(|seat| names.seat(seat)).collect::<Vec<_>>().join(", ");
    let you = seats().any(|seat| names.is_you(seat));
    match ending.cause {
        Cause::Rules => None,
        Cause::Resignation if you => Some(language.ended_you_resigned().to_owned()),
        Cause::Time if you => Some(language.ended_your_time().to_owned()),
        Cause::Resignation => Some(language.ended_resignation(out()).to_string()),
        Cause::Time => Some(language.ended_time(out()).to_string()),
        Cause::Agreement => Some(language.ended_agreement().to_string()),
        Cause::Repetition => Some(language.ended_repetition().to_string()),
        Cause::Departure => Some(language.ended_departure(out()).to_string()),
        Cause::Abandonment => Some(language.ended_abandoned().to_string()),
    }
}

/// A clock, in words.
pub fn clock(language: Language, rule: ClockRule) -> String {
    match rule {
        ClockRule::None => language.clock_none().to_string(),
        ClockRule::PerTurn(time) if rule.is_by_post() => language.clock_days(time.as_secs() / DAY),
        ClockRule::PerTurn(time) => language.clock_turn(time.as_secs()).to_string(),
        ClockRule::Fischer { base, increment } => language.clock_fischer(minutes(base), minutes(increment)),
        ClockRule::Delay { base, delay } => language.clock_delay(minutes(base), minutes(delay)),
    }
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
                let (name, picture) = (locale::figure(language, figure), crate::art::piece(Piece::Figure(figure)));
                markup += &format!(
                    r#"<span class="mini" role="img" aria-label="{name}" title="{figure}: {name}">{picture}</span>"#
                );
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
    written(language, game.notation(text))
}

fn written(language: Language, parts: Vec<MovePart>) -> String {
    let word = |part| match part {
        MovePart::Text(text) => text,
        MovePart::Piece(Piece::Figure(figure)) => {
            char::from_u32(FIGURES + u32::from(figure.number())).into_iter().collect()
        }
        MovePart::Piece(Piece::Card(Some(card))) => locale::card(language, card).to_owned(),
        MovePart::Piece(piece) => piece.name(),
        MovePart::Swap => "⇄".to_owned(),
        MovePart::Draw => "+".to_owned(),
        MovePart::Pass => language.played_pass().to_owned(),
        MovePart::End => language.played_end().to_owned(),
    };
    parts.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A share as whole percents, rounded.
pub fn percent(share: f32) -> u32 {
    (share * 100.0 + 0.5) as u32
}

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;
/// From so many hours on nobody watches seconds pass.
const LONG: u64 = 6 * HOUR;

/// Minutes and seconds; tenths when little is left, days and hours when there is much.
pub fn time(language: Language, left: std::time::Duration) -> String {
    match left.as_secs() {
        seconds @ 0..10 => format!("0:0{seconds}.{}", left.subsec_millis() / 100),
        seconds @ LONG..DAY => language.clock_left_hours((seconds / HOUR).to_string(), (seconds / 60 % 60).to_string()),
        seconds @ DAY.. if seconds % DAY < HOUR => language.clock_left_whole_days(seconds / DAY),
        seconds @ DAY.. => language.clock_left_days(seconds / DAY, (seconds % DAY / HOUR).to_string()),
        _ => minutes(left),
    }
}

/// Minutes and whole seconds, and hours where there are any.
fn minutes(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    if seconds >= HOUR {
        return format!("{}:{:02}:{:02}", seconds / HOUR, seconds / 60 % 60, seconds % 60);
    }
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_as_finely_as_it_matters() {
        let said = |language, seconds: f64| time(language, std::time::Duration::from_secs_f64(seconds));
        assert_eq!(said(Language::English, 9.96), "0:09.9");
        assert_eq!(said(Language::English, 65.0), "1:05");
        assert_eq!(said(Language::English, 5400.0), "1:30:00");
        assert_eq!(said(Language::Russian, 7.5 * 3600.0), "7 ч 30 мин");
        assert_eq!(said(Language::Ukrainian, 2.5 * 86_400.0), "2 дні 12 год");
        assert_eq!(said(Language::English, 86_400.0), "1 day");
    }

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
        assert!(markup.contains(r#"title="f: tall dark square hollow piece""#), "{markup}");
    }

    #[test]
    fn advice_names_the_piece() {
        let (action, value) = ("0".to_owned(), Value::Draw);
        let found = Found { action, value, line: vec![], scored: vec![], nodes: 0, depth: 0 };
        let quarto = "quarto".parse().unwrap();
        assert_eq!(advice(Language::English, &quarto, &found), "Short light round solid piece holds the draw.");
    }
}
