//! Results for programs: one JSON object on a line.

use game::{AnyPosition, Match};
use rules::Seat;
use search::{Judgement, Mistake, Review, Scored, SearchResult};
use serde_json::{Value, json};

/// A position with the value of every action.
pub(super) fn position(position: &dyn AnyPosition, seat: Seat, result: &SearchResult<String>) -> Value {
    let action = |scored: &Scored<String>| json!({ "action": scored.action, "value": value(scored.value) });
    json!({
        "game": position.game().to_string(),
        "position": position.to_string(),
        "seat": seat.number(),
        "value": value(result.value),
        "line": result.line,
        "actions": result.scored.iter().map(action).collect::<Vec<_>>(),
        "nodes": result.nodes,
        "depth": result.depth,
    })
}

/// A game with the value of every action that was played.
pub(super) fn game(game: &Match, review: &Review<String>) -> Value {
    let judged = |judgement: &Judgement<String>| {
        json!({
            "number": judgement.step.ply + 1,
            "seat": judgement.step.seat.number(),
            "action": judgement.step.action,
            "best": value(judgement.best),
            "played": value(judgement.played),
            "mistake": judgement.mistake.map(Mistake::name),
            "line": judgement.better,
        })
    };
    json!({
        "game": game.settings().game.to_string(),
        "actions": review.judgements().iter().map(judged).collect::<Vec<_>>(),
        "turning_point": review.key_moment().map(|judgement| judgement.step.ply + 1),
    })
}

/// `result` is null for an estimate, `plies` where they are not counted.
fn value(value: search::Value) -> Value {
    let result = match value {
        search::Value::Win(_) => Some("win"),
        search::Value::Draw => Some("draw"),
        search::Value::Loss(_) => Some("loss"),
        search::Value::Estimate(_) => None,
    };
    // A score has four decimals; as f32 it would be written with the error of its binary form.
    let score = (f64::from(value.score()) * 1e4).round() / 1e4;
    json!({ "result": result, "plies": value.plies(), "score": score })
}
