//! Results as sentences.

use std::io::{self, Write};

use game::{AnyPosition, Event, Match};
use locale::{Language, Names, line};
use rules::Seat;
use search::{Judgement, Mistake, Review, Scored, SearchResult, Value};
use session::words::{self, title};

/// Every action with its worth, best first, then the best line.
pub(super) fn position(
    out: &mut dyn Write,
    position: &dyn AnyPosition,
    seat: Seat,
    result: &SearchResult<String>,
    language: Language,
) -> io::Result<()> {
    let game = position.game();
    let names = Names::usual(language, game.id(), position.seats());
    writeln!(out, "{}", language.analysed_position(title(language, &game), names.seat(seat)))?;
    for Scored { action, value } in &result.scored {
        writeln!(out, "{action:<12} {}", worth(language, *value))?;
    }
    writeln!(out, "{}", language.line_best(line(language, &result.line)))
}

/// The mistakes of a game, and where it turned.
pub(super) fn game(out: &mut dyn Write, game: &Match, review: &Review<String>, language: Language) -> io::Result<()> {
    let settings = game.settings();
    let names = words::names(language, settings, None);
    let count = game.log().iter().filter(|entry| matches!(entry.event, Event::Action(_))).count();
    writeln!(out, "{}", language.analysed_game(title(language, &settings.game), count as u64))?;
    for found in review.mistakes() {
        let Judgement { step, mistake, better, .. } = found;
        let what = mistake.map_or("", |mistake| gave_away(language, mistake));
        let (who, better) = (names.seat(step.seat), line(language, better));
        writeln!(out, "{}", language.mistake_told(step.ply + 1, who, &step.action, what, better))?;
    }
    match review.key_moment() {
        Some(found) => writeln!(out, "{}", language.mistake_turning_point(found.step.ply + 1)),
        None => writeln!(out, "{}", language.mistakes_none()),
    }
}

/// What a mistake gave away.
pub(super) fn gave_away(language: Language, mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::WinToDraw => language.mistake_win_to_draw(),
        Mistake::WinToLoss => language.mistake_win_to_loss(),
        Mistake::DrawToLoss => language.mistake_draw_to_loss(),
        Mistake::MissedWin => language.mistake_missed_win(),
        Mistake::Loses => language.mistake_loses(),
        Mistake::Doubtful => language.mistake_doubtful(),
    }
}

/// What an action is worth.
fn worth(language: Language, value: Value) -> String {
    match value {
        Value::Win(Some(actions)) => language.worth_win(actions.into()),
        Value::Win(None) => language.worth_sure_win().to_owned(),
        Value::Draw => language.worth_draw().to_owned(),
        Value::Loss(None) => language.worth_sure_loss().to_owned(),
        Value::Loss(Some(actions)) => language.worth_loss(actions.into()),
        Value::Estimate(score) => language.worth_estimate(format!("{:.0}", 100.0 * f32::from(score))),
    }
}
