//! Values as signs, and events and lines in words.

use game::{Departure, Event, Game};
use locale::{Language, Names};
use search::Value;

use session::words::percent;

use crate::move_text;

/// What a value looks like: a class of the style sheet.
pub fn class(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "win",
        Value::Draw => "even",
        Value::Loss(_) => "loss",
        _ if value.score() > 0.6 => "guess win",
        _ if value.score() < 0.4 => "guess loss",
        _ => "guess even",
    }
}

/// A value as a sign that fits on a square; the legend explains it.
pub fn sign(value: Value) -> String {
    match value {
        Value::Win(Some(actions)) => format!("+{actions}"),
        Value::Win(None) => "+".to_owned(),
        Value::Draw => "=".to_owned(),
        Value::Loss(None) => "−".to_owned(),
        Value::Loss(Some(actions)) => format!("−{actions}"),
        Value::Estimate(score) => format!("{}%", percent(score.into())),
    }
}

/// What stands in the log, in words.
pub fn event(language: Language, game: &Game, event: &Event, names: &Names) -> String {
    match event {
        Event::Action(action) => move_text::action(language, game, action),
        Event::Out(seat, departure) => {
            let (who, count) = (names.seat(*seat), names.seat_count(*seat));
            match departure {
                Departure::Resigned => language.ended_resignation(who, count),
                Departure::TimeUp => language.ended_time(who),
                Departure::Left => language.ended_departure(who, count),
            }
        }
        Event::Agreed => language.ended_agreement().to_owned(),
        Event::Abandoned => language.ended_abandoned().to_owned(),
    }
}

/// A continuation in words.
pub fn line(language: Language, game: &Game, actions: &[String]) -> String {
    let actions: Vec<String> = actions.iter().map(|action| move_text::action(language, game, action)).collect();
    locale::line(language, &actions)
}
