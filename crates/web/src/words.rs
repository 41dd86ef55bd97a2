//! Sentences that join what several crates know.

use locale::{Language, Names};
use search::Level;
use table::{Cause, ClockRule, Ending, GameId, Match};

use crate::messages::{Found, Worth};

/// The game in the vocabulary of the texts.
pub fn game(id: GameId) -> locale::Game {
    match id {
        GameId::Quarto => locale::Game::Quarto,
        GameId::Quixo => locale::Game::Quixo,
        GameId::Sequence => locale::Game::Sequence,
        GameId::Four => locale::Game::Four,
    }
}

/// What a level is called.
pub fn level(language: Language, level: Level) -> String {
    locale::level_name(language, level.number()).unwrap_or_default().to_owned()
}

/// Advice, as a friend at the table would give it.
pub fn advice(language: Language, found: &Found) -> String {
    let best = action(language, &found.action);
    match found.worth {
        Worth::Win(actions) => language.hint_wins(best, actions.into()),
        Worth::SureWin => language.hint_surely_wins(best),
        Worth::Draw => language.hint_draws(best),
        Worth::Loss(_) | Worth::SureLoss => language.hint_loses(best),
        Worth::Estimate(score) => language.hint_estimate(best, percent(score)),
    }
}

/// How a match ended, where the board does not tell.
pub fn ending(language: Language, ending: Ending, game: &Match, names: &Names) -> Option<String> {
    let out = || {
        let seats = rules::Seat::all(game.position().seats()).filter(|seat| game.is_out(*seat));
        seats.map(|seat| names.seat(seat)).collect::<Vec<_>>().join(", ")
    };
    match ending.cause {
        Cause::Rules => None,
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

/// An action as people read it: cards have names in every language.
pub fn action(language: Language, text: &str) -> String {
    let card = |name: &str| name.parse::<scene::Card>().ok().map(|card| locale::card(language, card));
    let sign = |kind: &str| match kind {
        "swap" => Some("⇄"),
        "draw" | "tile" => Some("+"),
        _ => None,
    };
    match text.split_once(['@', ':']) {
        Some((name, square)) if card(name).is_some() => format!("{} {square}", card(name).unwrap_or_default()),
        Some((kind, name)) if card(name).is_some() && sign(kind).is_some() => {
            format!("{} {}", sign(kind).unwrap_or_default(), card(name).unwrap_or_default())
        }
        _ => text.to_owned(),
    }
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

    #[test]
    fn cards_are_named_in_the_language_and_squares_are_not() {
        assert_eq!(action(Language::Ukrainian, "unicorn@d1"), "Єдиноріг d1");
        assert_eq!(action(Language::English, "swap:cat"), "⇄ cat");
        for text in ["a3e3", "d4xe5", "a3e3:1", "pass", "!", "f", "?"] {
            assert_eq!(action(Language::Russian, text), text);
        }
    }
}
