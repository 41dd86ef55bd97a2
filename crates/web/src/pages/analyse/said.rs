//! Values, lines and mistakes in words and signs.

use game::{Departure, Event, Game};
use locale::{Language, Names};
use search::{Mistake, Value};

use crate::words::{self, percent};

/// What a value looks like: a class of the style sheet.
pub fn class(value: Value) -> &'static str {
    match value {
        Value::Win(_) | Value::SureWin => "win",
        Value::Draw => "even",
        Value::Loss(_) | Value::SureLoss => "loss",
        Value::Estimate(score) if score > 0.6 => "guess win",
        Value::Estimate(score) if score < 0.4 => "guess loss",
        Value::Estimate(_) => "guess even",
    }
}

/// A value as a sign that fits on a square; the legend explains it.
pub fn sign(value: Value) -> String {
    match value {
        Value::Win(actions) => format!("+{actions}"),
        Value::SureWin => "+".to_owned(),
        Value::Draw => "=".to_owned(),
        Value::SureLoss => "−".to_owned(),
        Value::Loss(actions) => format!("−{actions}"),
        Value::Estimate(score) => format!("{}%", percent(score)),
    }
}

/// A value in words.
pub fn worth(language: Language, value: Value) -> String {
    match value {
        Value::Win(actions) => language.worth_win(actions.into()),
        Value::SureWin => language.worth_sure_win().to_owned(),
        Value::Draw => language.worth_draw().to_owned(),
        Value::SureLoss => language.worth_sure_loss().to_owned(),
        Value::Loss(actions) => language.worth_loss(actions.into()),
        Value::Estimate(score) => language.worth_estimate(percent(score)),
    }
}

/// What stands in the log, in words.
pub fn event(language: Language, game: &Game, event: &Event, names: &Names) -> String {
    match event {
        Event::Action(action) => words::action(language, game, action),
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
    let actions: Vec<String> = actions.iter().map(|action| words::action(language, game, action)).collect();
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

/// Whether `a` is better than `b` for whoever chooses: sooner won, later lost.
pub fn better(a: Value, b: Value) -> bool {
    let rank = |value: Value| match value {
        Value::Win(actions) => 2.0 - length(actions),
        Value::Loss(actions) => length(actions) - 1.0,
        other => f64::from(other.score()),
    };
    rank(a) > rank(b)
}

/// A number of actions as something below one.
fn length(actions: u32) -> f64 {
    f64::from(actions) / (f64::from(actions) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_won_and_later_lost_is_better() {
        let ranked = [Value::Win(1), Value::Win(9), Value::Estimate(0.6), Value::Draw, Value::Loss(8), Value::Loss(2)];
        assert!(ranked.windows(2).all(|pair| better(pair[0], pair[1])));
    }
}
