//! Results for programs: one JSON object on a line.

use fourfold::json::value;
use game::{Game, Match};
use rules::Seat;
use search::{Judgement, Mistake, Review, Scored, SearchResult};
use serde_json::{Value, json};

/// A position with the value of every action.
pub(super) fn position(game: &Game, text: &str, seat: Seat, result: &SearchResult<String>) -> Value {
    let action = |scored: &Scored<String>| json!({ "action": scored.action, "value": value(scored.value) });
    json!({
        "game": game.to_string(),
        "position": text,
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
