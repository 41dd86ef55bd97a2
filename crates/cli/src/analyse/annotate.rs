//! Results as a record with marks, evaluations and variations, as annotated chess games are written.

use game::{Entry, Event, Match, Record, Variation};
use locale::Language;
use search::{Judgement, Mistake, Review, Value};
use session::words;

/// The record of a game with an evaluation after each action, and after each mistake a mark and what was better.
pub(super) fn record(game: &Match, review: &Review<String>, language: Language) -> Record {
    annotated(game, review, language).unwrap_or_else(|| game.clone()).record()
}

/// `None` if the game cannot be played again, which no match that was replayed before does.
fn annotated(game: &Match, review: &Review<String>, language: Language) -> Option<Match> {
    let mut copy = Match::new(game.settings().clone()).ok()?;
    game.preface().iter().for_each(|comment| copy.comment(comment.as_str()));
    let mut judgements = review.judgements().iter().peekable();
    for (number, entry) in game.log().iter().enumerate() {
        let mut entry = entry.clone();
        let judgement = judgements.next_if(|judgement| judgement.step.entry == number);
        if let Some(judgement) = judgement {
            mark(&mut entry, judgement, &copy);
        }
        copy.replay(entry).ok()?;
        if let Some(judgement) = judgement {
            copy.comment(&comment(judgement, language));
        }
    }
    Some(copy)
}

/// Writes the mark of a mistake, and the better line as a variation.
fn mark(entry: &mut Entry, judgement: &Judgement<String>, before: &Match) {
    let Some(mistake) = judgement.mistake else { return };
    // As PGN numbers them.
    let number = match mistake.mark() {
        "??" => 4,
        "?" => 2,
        _ => 6,
    };
    if !entry.marks.contains(&number) {
        entry.marks.push(number);
    }
    // Behind a card that chance has yet to draw, a line is only a guess.
    let mut position = before.position().boxed();
    let playable = judgement.better.iter().take_while(|action| position.play(action).is_ok());
    let entries: Vec<Entry> = playable.map(|action| Entry::new(Event::from(action.as_str()))).collect();
    if !entries.is_empty() {
        entry.variations.push(Variation { preface: Vec::new(), entries });
    }
}

fn comment(judgement: &Judgement<String>, language: Language) -> String {
    let evaluation = evaluation(judgement.played);
    let told = |mistake: Mistake| format!(" {}", words::mistake(language, mistake));
    format!("[%eval {evaluation}]{}", judgement.mistake.map(told).unwrap_or_default())
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
