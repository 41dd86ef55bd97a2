//! Values, lines and mistakes in words and signs.

use game::{Departure, Event, Game};
use locale::{Language, Names};
use search::{Mistake, Value};

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

/// A value in words.
pub fn worth(language: Language, value: Value) -> String {
    match value {
        Value::Win(Some(actions)) => language.worth_win(actions.into()),
        Value::Win(None) => language.worth_sure_win().to_owned(),
        Value::Draw => language.worth_draw().to_owned(),
        Value::Loss(None) => language.worth_sure_loss().to_owned(),
        Value::Loss(Some(actions)) => language.worth_loss(actions.into()),
        Value::Estimate(score) => language.worth_estimate(percent(score.into())),
    }
}

/// What stands in the log, in words.
pub fn event(language: Language, game: &Game, event: &Event, names: &Names) -> String {
    match event {
        Event::Action(action) => move_text::action(language, game, action),
        Event::Out(seat, departure) => {
            let who = names.seat(*seat);
            match departure {
                Departure::Resigned => language.ended_resignation(who),
                Departure::TimeUp => language.ended_time(who),
                Departure::Left => language.ended_departure(who),
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

/// What a mistake gave away.
pub fn mistake(language: Language, mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::WinToDraw => language.mistake_win_to_draw(),
        Mistake::WinToLoss => language.mistake_win_to_loss(),
        Mistake::DrawToLoss => language.mistake_draw_to_loss(),
        Mistake::MissedWin => language.mistake_missed_win(),
        Mistake::Loses => language.mistake_loses(),
        Mistake::Doubtful => language.mistake_doubtful(),
    }
}
