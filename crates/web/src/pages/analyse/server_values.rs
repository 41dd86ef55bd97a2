//! What the tables of a server say about a position: proved where the engine here can only estimate.

use std::cell::Cell;

use game::{Game, Match};
use protocol::Json;
use search::{Scored, Value, solved};

use crate::online::http::{self, HttpError};
use crate::route::write_query;
use ::engine::Found;

thread_local! {
    /// Set after the first answer that is not a Fourfold server's; then no further request is sent.
    static NO_SERVER: Cell<bool> = const { Cell::new(false) };
}

/// Where to ask about the last position of a game, if there can be tables for it.
pub fn question(game: &Match) -> Option<String> {
    let is_known = game.settings().game == Game::by_default(solved::GAME) && !NO_SERVER.get();
    is_known
        .then(|| format!("api/{}/values?{}", solved::GAME, write_query(&[("position", &game.position().to_string())])))
}

/// Asks the server; `None` if it does not know.
pub async fn ask(question: String) -> Option<Found> {
    match http::get(&question).await {
        Ok(answer) => found(&answer),
        Err(error) => {
            NO_SERVER.set(error == HttpError::Strange);
            None
        }
    }
}

fn found(answer: &Json) -> Option<Found> {
    let action = |scored: &Json| Some(Scored { action: scored.text_of("action"), value: value(scored.get("value")?)? });
    let scored = answer.list_of("actions").iter().map(action).collect::<Option<Vec<_>>>()?;
    Some(Found {
        action: scored.first()?.action.clone(),
        value: value(answer.get("value")?)?,
        line: answer.list_of("line").iter().map(|action| action.text().to_owned()).collect(),
        scored,
        nodes: 0,
        depth: 0,
    })
}

fn value(json: &Json) -> Option<Value> {
    let plies = match json.get("plies") {
        Some(Json::Number(plies)) => Some(*plies as u32),
        _ => None,
    };
    Some(match json.text_of("result").as_str() {
        "win" => Value::Win(plies),
        "draw" => Value::Draw,
        "loss" => Value::Loss(plies),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_what_the_engine_would_have_found() {
        let text = r#"{"value":{"result":"win","plies":3},"line":["a5a1","e4e1"],
            "actions":[{"action":"a5a1","value":{"result":"win","plies":3}},
                       {"action":"b1b5","value":{"result":"draw","plies":null}},
                       {"action":"c1c5","value":{"result":"loss","plies":null}}]}"#;
        let found = found(&Json::read(text).unwrap()).unwrap();
        assert_eq!((found.action.as_str(), found.value), ("a5a1", Value::win_in(3)));
        assert_eq!(found.line, ["a5a1", "e4e1"]);
        let values: Vec<Value> = found.scored.iter().map(|scored| scored.value).collect();
        assert_eq!(values, [Value::win_in(3), Value::Draw, Value::Loss(None)]);
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for text in ["null", "{}", r#"{"value":{"result":"win"},"actions":[]}"#, r#"{"actions":[{"action":"a1a5"}]}"#] {
            assert_eq!(found(&Json::read(text).unwrap()), None, "{text}");
        }
    }
}
