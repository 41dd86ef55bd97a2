//! Results as a record with comments, as annotated chess games are written.

use game::{Match, Record};
use locale::{Language, line};
use search::{Judgement, Review, Value};
use session::words;

/// The record of a game with an evaluation after each action, and what was better after each mistake.
pub(super) fn record(game: &Match, review: &Review<String>, language: Language) -> Record {
    annotated(game, review, language).unwrap_or_else(|| game.clone()).record()
}

/// `None` if the game cannot be played again, which no match that was replayed before does.
fn annotated(game: &Match, review: &Review<String>, language: Language) -> Option<Match> {
    let mut copy = Match::new(game.settings().clone()).ok()?;
    game.preface().iter().for_each(|comment| copy.comment(comment.as_str()));
    let mut judgements = review.judgements().iter().peekable();
    for (number, entry) in game.log().iter().enumerate() {
        copy.replay(entry.clone()).ok()?;
        if let Some(judgement) = judgements.next_if(|judgement| judgement.step.entry == number) {
            copy.comment(&comment(judgement, language));
        }
    }
    Some(copy)
}

fn comment(judgement: &Judgement<String>, language: Language) -> String {
    let evaluation = evaluation(judgement.played);
    match judgement.mistake {
        None => format!("[%eval {evaluation}]"),
        Some(mistake) => {
            let (what, best) =
                (words::mistake(language, mistake), language.line_best(line(language, &judgement.better)));
            format!("{} [%eval {evaluation}] {what}. {best}", mistake.mark())
        }
    }
}

/// `#3` and `#-3` for a win and a loss in so many actions, `#` and `#-` where they are not counted, `=` for a proved
/// draw, else the expected score.
fn evaluation(value: Value) -> String {
    let plies = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
    match value {
        Value::Win(_) => format!("#{plies}"),
        Value::Draw => "=".to_owned(),
        Value::Loss(_) => format!("#-{plies}"),
        Value::Estimate(score) => format!("{:.2}", f32::from(score)),
    }
}
