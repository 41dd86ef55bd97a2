//! The `info` lines of a search.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use search::{Observer, Progress, SearchResult, Value};

/// A search that finds nothing new still says how far it is this often.
const PULSE: Duration = Duration::from_secs(1);

/// Prints what a search has found: after each iteration, each second, and at its end.
pub(super) struct Reporter<S> {
    began: Instant,
    shown: Mutex<Shown<S>>,
}

struct Shown<S> {
    say: S,
    last: Progress,
    at: Instant,
}

impl<S: Fn(&str) + Send> Reporter<S> {
    pub(super) fn new(began: Instant, say: S) -> Reporter<S> {
        Reporter { began, shown: Mutex::new(Shown { say, last: Progress::default(), at: began }) }
    }

    pub(super) fn say(&self, line: &str) {
        self.with(|shown| (shown.say)(line));
    }

    /// One line for each of the best actions, or for the choice where only that was asked for.
    pub(super) fn finish(&self, result: &SearchResult<String>, lines: usize) {
        self.with(|shown| {
            let last = Progress { depth: result.depth, nodes: result.nodes, ..shown.last.clone() };
            let facts = self.facts(&last);
            if result.scored.is_empty() {
                let line = result.line.join(" ");
                (shown.say)(&format!("info {facts} multipv 1 {} pv {line}", score(result.value)));
            }
            // The choice comes first, also where another action is worth as much.
            let mut scored: Vec<_> = result.scored.iter().collect();
            scored.sort_by_key(|scored| scored.action != result.action);
            for (place, scored) in scored.into_iter().take(lines).enumerate() {
                let line = if scored.action == result.action { result.line.join(" ") } else { scored.action.clone() };
                (shown.say)(&format!("info {facts} multipv {} {} pv {line}", place + 1, score(scored.value)));
            }
        });
    }

    fn facts(&self, progress: &Progress) -> String {
        let took = self.began.elapsed();
        let Progress { depth, selective_depth, nodes, hash_permille, .. } = progress;
        let pace = (*nodes as f64 / took.as_secs_f64().max(1e-3)) as u64;
        let deepest = selective_depth.max(depth);
        let time = took.as_millis();
        format!("depth {depth} seldepth {deepest} nodes {nodes} nps {pace} hashfull {hash_permille} time {time}")
    }

    fn with(&self, act: impl FnOnce(&mut Shown<S>)) {
        act(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<S: Fn(&str) + Send> Observer for Reporter<S> {
    fn searched(&self, nodes: u64) {
        self.with(|shown| {
            if shown.at.elapsed() >= PULSE {
                shown.at = Instant::now();
                shown.last.nodes = nodes.max(shown.last.nodes);
                (shown.say)(&format!("info {}", self.facts(&shown.last)));
            }
        });
    }

    fn deepened(&self, progress: &Progress) {
        self.with(|shown| {
            shown.at = Instant::now();
            shown.last = progress.clone();
            let worth = progress.value.map(score).unwrap_or_default();
            let line = progress.line.join(" ");
            (shown.say)(&format!("info {} multipv 1 {worth} pv {line}", self.facts(progress)));
        });
    }
}

/// Centipawns of a chess engine for programs that know no better, then win, draw and loss per thousand.
///
/// A proved value ends with `exact`; where its length is counted, `mate` gives the actions of all seats to the end.
fn score(value: Value) -> String {
    let wdl = match value {
        Value::Win(_) => "wdl 1000 0 0 exact".to_owned(),
        Value::Draw => "wdl 0 1000 0 exact".to_owned(),
        Value::Loss(_) => "wdl 0 0 1000 exact".to_owned(),
        Value::Estimate(score) => {
            let win = (u32::from(score.ten_thousandths()) + 5) / 10;
            format!("wdl {win} 0 {} estimate", 1000 - win)
        }
    };
    match value {
        Value::Win(Some(plies)) => format!("score mate {plies} {wdl}"),
        Value::Loss(Some(plies)) => format!("score mate -{plies} {wdl}"),
        _ => format!("score cp {} {wdl}", centipawns(value.score())),
    }
}

/// The difference in strength that gives this expected score on the Elo scale.
fn centipawns(score: f32) -> i32 {
    let score = score.clamp(0.001, 0.999);
    (400.0 * (score / (1.0 - score)).log10()).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_for_engine_users() {
        assert_eq!(score(Value::win_in(3)), "score mate 3 wdl 1000 0 0 exact");
        assert_eq!(score(Value::loss_in(4)), "score mate -4 wdl 0 0 1000 exact");
        assert_eq!(score(Value::Draw), "score cp 0 wdl 0 1000 0 exact");
        assert_eq!(score(Value::Loss(None)), "score cp -1200 wdl 0 0 1000 exact");
        assert_eq!(score(Value::estimate(0.612)), "score cp 79 wdl 612 0 388 estimate");
    }
}
