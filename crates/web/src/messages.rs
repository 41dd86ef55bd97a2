//! What the page and the engine's worker say to each other, as JSON.

use search::{Thought, Value};
use serde::{Deserialize, Serialize};

/// The page asks about the last position of a match.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Question {
    /// Comes back with the answer, so that a late answer to an old question can be told apart.
    pub id: u32,
    /// The record of the match so far.
    pub record: String,
    /// The level to choose at; without one every action is valued.
    pub level: Option<u8>,
    /// How long it may take.
    pub milliseconds: u32,
    /// The seed of every random choice.
    pub seed: u64,
}

/// The engine answers.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Answer {
    /// The question this belongs to.
    pub id: u32,
    /// What it found; `None` if no seat is to act or the record cannot be read.
    pub found: Option<Found>,
}

/// What thinking found.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Found {
    /// The action to play.
    pub action: String,
    /// What the seat to act can expect.
    pub worth: Worth,
    /// The expected continuation.
    pub line: Vec<String>,
    /// Every legal action with its worth, best first; empty where only a choice was asked for.
    pub scored: Vec<(String, Worth)>,
    /// Nodes looked at.
    pub nodes: u64,
}

/// [`search::Value`] in a form that can be sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub enum Worth {
    Win(u32),
    Draw,
    Loss(u32),
    Estimate(f32),
}

impl Worth {
    /// The expected score, from 0 to 1.
    pub fn score(self) -> f32 {
        match self {
            Worth::Win(_) => 1.0,
            Worth::Draw => 0.5,
            Worth::Loss(_) => 0.0,
            Worth::Estimate(score) => score,
        }
    }
}

impl From<Value> for Worth {
    fn from(value: Value) -> Worth {
        match value {
            Value::Win(actions) => Worth::Win(actions),
            Value::Draw => Worth::Draw,
            Value::Loss(actions) => Worth::Loss(actions),
            Value::Estimate(score) => Worth::Estimate(score),
        }
    }
}

impl From<Worth> for Value {
    fn from(worth: Worth) -> Value {
        match worth {
            Worth::Win(actions) => Value::Win(actions),
            Worth::Draw => Value::Draw,
            Worth::Loss(actions) => Value::Loss(actions),
            Worth::Estimate(score) => Value::Estimate(score),
        }
    }
}

impl From<Thought<String>> for Found {
    fn from(thought: Thought<String>) -> Found {
        Found {
            action: thought.action,
            worth: thought.value.into(),
            line: thought.line,
            scored: thought.scored.into_iter().map(|scored| (scored.action, scored.value.into())).collect(),
            nodes: thought.nodes,
        }
    }
}
