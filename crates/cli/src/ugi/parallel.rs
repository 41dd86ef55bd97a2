//! Several threads on one question: each searches by itself with a seed of its own, and what they found is put together.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use game::{AnyBot, AnyPosition};
use search::{Limits, Scored, SearchResult, Value};

/// Asks every bot on a thread of its own; nodes and memory are shared out between them.
pub(super) fn ask_all(
    bots: &mut [Box<dyn AnyBot>],
    limits: &Limits<'_>,
    ask: impl Fn(&mut dyn AnyBot, &Limits<'_>) -> Option<SearchResult<String>> + Sync,
) -> Option<SearchResult<String>> {
    // A thread without a node to search would still count one.
    let most = limits.nodes.map_or(usize::MAX, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX).max(1));
    let count = bots.len().min(most).max(1);
    let [first, others @ ..] = &mut bots[..count] else { return None };
    if others.is_empty() {
        return ask(first.as_mut(), limits);
    }
    let share = |index: usize| Limits {
        nodes: limits.nodes.map(|nodes| nodes / count as u64),
        memory: limits.memory / count,
        seed: limits.seed.wrapping_add(index as u64),
        // One of them says how far it is; together they say what they found.
        observer: limits.observer.filter(|_| index == 0),
        ..*limits
    };
    let ask = &ask;
    let found = std::thread::scope(|scope| {
        // Observers need not be shared between threads, so only this one keeps it.
        let (now, stop) = (limits.now, limits.stop);
        let threads: Vec<_> = others
            .iter_mut()
            .enumerate()
            .map(|(index, bot)| {
                let Limits { deadline, nodes, depth, seed, memory, .. } = share(index + 1);
                scope.spawn(move || {
                    ask(bot.as_mut(), &Limits { now, deadline, nodes, depth, stop, seed, memory, observer: None })
                })
            })
            .collect();
        let mut found = vec![ask(first.as_mut(), &share(0))];
        found.extend(threads.into_iter().map(|thread| thread.join().ok().flatten()));
        found
    });
    merged(found.into_iter().flatten().collect())
}

/// What several searches of one position found.
fn merged(found: Vec<SearchResult<String>>) -> Option<SearchResult<String>> {
    let nodes = found.iter().map(|result| result.nodes).sum();
    if found.iter().all(|result| !result.scored.is_empty()) {
        let scored = all_scored(&found)?;
        let best = scored.first()?.clone();
        let deepest = |result: &&SearchResult<String>| (result.action == best.action, result.depth);
        let from = found.iter().max_by_key(deepest)?;
        let line = if from.action == best.action { from.line.clone() } else { vec![best.action.clone()] };
        return Some(SearchResult { action: best.action, value: best.value, line, scored, nodes, depth: from.depth });
    }
    let votes = |action: &str| found.iter().filter(|result| result.action == action).count();
    // A proof counts for more than any number of opinions; then the action that most threads would play.
    let chosen = found.iter().max_by(|a, b| {
        let weight = |result: &SearchResult<String>| (result.value.is_exact(), votes(&result.action));
        match (a.value.is_exact(), b.value.is_exact()) {
            (true, true) => a.value.cmp(&b.value),
            _ => weight(a).cmp(&weight(b)).then(a.depth.cmp(&b.depth)),
        }
    })?;
    Some(SearchResult { nodes, ..chosen.clone() })
}

/// The actions of all, each with the value that was proved, or else with the mean of the estimates by nodes.
fn all_scored(found: &[SearchResult<String>]) -> Option<Vec<Scored<String>>> {
    let value = |action: &str| {
        let values = || {
            found.iter().filter_map(|result| {
                let scored = result.scored.iter().find(|scored| scored.action == action)?;
                Some((scored.value, result.nodes.max(1) as f32))
            })
        };
        if let Some((proved, _)) = values().filter(|(value, _)| value.is_exact()).min_by_key(|(value, _)| value.plies())
        {
            return proved;
        }
        let (points, weight) =
            values().fold((0.0, 0.0), |(points, all), (value, nodes)| (points + value.score() * nodes, all + nodes));
        Value::estimate(points / weight)
    };
    let mut scored: Vec<Scored<String>> = found
        .first()?
        .scored
        .iter()
        .map(|scored| Scored { action: scored.action.clone(), value: value(&scored.action) })
        .collect();
    scored.sort_by_key(|scored| Reverse(scored.value));
    Some(scored)
}

/// Counts lists of actions on several threads, an action of the root at a time.
pub(super) fn perft(position: &dyn AnyPosition, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64> {
    let actions = position.legal();
    if threads < 2 || depth < 2 || actions.is_empty() {
        return position.perft_until(depth, stop);
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let count = || {
            let mut total = 0;
            while let Some(action) = actions.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                let mut after = position.boxed();
                after.play(action).ok()?;
                total += after.perft_until(depth - 1, stop)?;
            }
            Some(total)
        };
        let counts: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        counts.into_iter().map(|thread| thread.join().ok().flatten()).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(action: &str, value: Value, scored: &[(&str, Value)]) -> SearchResult<String> {
        let scored = scored.iter().map(|(action, value)| Scored { action: (*action).to_owned(), value: *value });
        let line = vec![action.to_owned()];
        SearchResult { action: action.to_owned(), value, line, scored: scored.collect(), nodes: 100, depth: 3 }
    }

    #[test]
    fn a_proof_counts_for_more_than_many_opinions() {
        let opinions = vec![
            result("a", Value::estimate(0.9), &[]),
            result("a", Value::estimate(0.8), &[]),
            result("b", Value::win_in(5), &[]),
            result("c", Value::win_in(3), &[]),
        ];
        let chosen = merged(opinions).unwrap();
        assert_eq!((chosen.action.as_str(), chosen.nodes), ("c", 400));
        let votes = ["a", "b", "b"].map(|action| result(action, Value::estimate(0.5), &[]));
        assert_eq!(merged(votes.to_vec()).unwrap().action, "b");
    }

    #[test]
    fn estimates_are_averaged_and_proofs_kept() {
        let one = result("a", Value::estimate(0.6), &[("a", Value::estimate(0.6)), ("b", Value::estimate(0.5))]);
        let two = result("b", Value::win_in(7), &[("b", Value::win_in(7)), ("a", Value::estimate(0.2))]);
        let both = merged(vec![one, two]).unwrap();
        assert_eq!((both.action.as_str(), both.value), ("b", Value::win_in(7)));
        assert_eq!(both.scored[1], Scored { action: "a".to_owned(), value: Value::estimate(0.4) });
    }

    #[test]
    fn threads_count_what_one_counts() {
        let position = game::Game::by_default(game::GameId::ALL[1]).start();
        let stop = AtomicBool::new(false);
        assert_eq!(perft(position.as_ref(), 3, 3, &stop), position.perft_until(3, &stop));
    }
}
