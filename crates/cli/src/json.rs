//! Results for programs.

use serde_json::{Value, json};

/// A value: `result` is null for an estimate, `plies` where they are not counted.
pub fn value(value: search::Value) -> Value {
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
