//! What exact knowledge makes of the root: which actions are left to choose from, and what each is worth.

use super::knowledge::{ExactKnowledge, SURE_WIN, search_score};
use super::net;
use super::node::Node;
use super::progress;
use super::search::{Child, PROVED, Searcher, WIN, is_over, winning};
use crate::{Limits, Value};

/// What is known about a root, and what is left to find out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verdict {
    /// The value of the root.
    pub(super) root: Option<Value>,
    /// Whether no search could choose better.
    pub(super) is_settled: bool,
    /// Whether the search should ask the tables about positions further on: they are too few to know all actions here.
    pub(super) asks_further: bool,
}

/// What is known of an action, for the side that plays it.
fn known_value<N: Node>(knowledge: &ExactKnowledge, child: &Child<N>) -> Option<Value> {
    knowledge.look_up(&child.node).map(|value| -value.add_plies(1))
}

/// Leaves only those actions that a player with this knowledge chooses from: they keep the value of the position as far
/// as it is known; of wins the soonest, of losses the latest, and where the length is unknown those that make progress.
pub(super) fn narrow<N: Node>(
    knowledge: &ExactKnowledge,
    root: &N,
    children: &mut Vec<Child<N>>,
    searcher: &mut Searcher<'_, N>,
    limits: &Limits<'_>,
) -> Verdict {
    let values: Vec<Option<Value>> = children.iter().map(|child| known_value(knowledge, child)).collect();
    let verdict = verdict(knowledge, root, &values);
    let best = values.iter().flatten().max().copied();
    match (best, verdict.root) {
        (Some(Value::Win(_)), _) => {
            keep(children, &values, |known| matches!(known, Some(Value::Win(_))));
            let plies = |known: &Option<Value>| known.and_then(won_in);
            if let Some(least) = values.iter().filter_map(plies).min() {
                // Wins of unknown length may be sooner, but that is not certain.
                let values: Vec<_> = children.iter().map(|child| known_value(knowledge, child)).collect();
                keep(children, &values, |known| plies(&known) == Some(least));
                return Verdict { is_settled: true, ..verdict };
            }
            get_on(knowledge, root, children, searcher, limits);
        }
        (Some(Value::Draw), Some(Value::Draw)) => {
            keep(children, &values, |known| known == Some(Value::Draw));
            avoid_repetition(children, searcher);
        }
        (Some(_), Some(Value::Win(_))) => keep(children, &values, |known| known.is_none()),
        (Some(Value::Loss(_)), _) if values.iter().all(|known| known.is_some_and(Value::is_final)) => {
            let plies = |known: Option<Value>| known.and_then(lost_in);
            let most = values.iter().filter_map(|known| plies(*known)).max();
            keep(children, &values, |known| plies(known) == most);
            return Verdict { is_settled: true, ..verdict };
        }
        _ => keep(children, &values, |known| !matches!(known, Some(Value::Loss(_)))),
    }
    verdict
}

/// The root's value, from the tables or from those of its actions.
///
/// Actions that lose at once are not among the children, so all that are known are enough.
fn verdict<N: Node>(knowledge: &ExactKnowledge, root: &N, values: &[Option<Value>]) -> Verdict {
    let all = !values.is_empty() && values.iter().all(Option::is_some);
    let best = values.iter().flatten().copied().max();
    let followed = best.filter(|best| all || matches!(best, Value::Win(_)));
    let root = knowledge.look_up(root).or(followed);
    Verdict { root, is_settled: false, asks_further: !all && knowledge.tables().is_some() }
}

fn won_in(known: Value) -> Option<u32> {
    if let Value::Win(plies) = known { plies } else { None }
}

fn lost_in(known: Value) -> Option<u32> {
    if let Value::Loss(plies) = known { plies } else { None }
}

/// Keeps the children whose known value passes a test, unless none does.
fn keep<N>(children: &mut Vec<Child<N>>, values: &[Option<Value>], wanted: impl Fn(Option<Value>) -> bool) {
    if values.iter().any(|known| wanted(*known)) {
        let mut values = values.iter();
        children.retain(|_| values.next().is_some_and(|known| wanted(*known)));
    }
}

/// Among wins of unknown length, keeps those that surely make progress, or else those that do not repeat.
fn get_on<N: Node>(
    knowledge: &ExactKnowledge,
    root: &N,
    children: &mut Vec<Child<N>>,
    searcher: &mut Searcher<'_, N>,
    limits: &Limits<'_>,
) {
    if children.len() < 2 {
        return;
    }
    let fresh: Vec<bool> = children.iter().map(|child| !searcher.repeats(&child.node, 1)).collect();
    let places = progress::soonest(knowledge, root, children, limits);
    let wanted = |place: &usize| match &places {
        Some(places) => places.contains(place),
        None => fresh[*place],
    };
    let chosen: Vec<Child<N>> = (0..children.len()).filter(wanted).map(|place| children[place]).collect();
    if !chosen.is_empty() {
        *children = chosen;
    }
}

/// Among draws, keeps those that do not repeat a position, if there are some: the game goes on, and the other side may err.
fn avoid_repetition<N: Node>(children: &mut Vec<Child<N>>, searcher: &Searcher<'_, N>) {
    let fresh: Vec<Child<N>> = children.iter().filter(|child| !searcher.repeats(&child.node, 1)).copied().collect();
    if !fresh.is_empty() {
        *children = fresh;
    }
}

/// Brings an action that is known to draw to the front, if the search thinks less of all others.
pub(super) fn prefer_draw<N: Node>(knowledge: &ExactKnowledge, children: &mut [Child<N>]) {
    let draws = |child: &Child<N>| known_value(knowledge, child) == Some(Value::Draw);
    if children.first().is_some_and(|best| best.score < 0)
        && let Some(place) = children.iter().position(draws)
    {
        children[..=place].rotate_right(1);
        children[0].score = 0;
    }
}

/// Takes out the actions about which nothing more can be found out, and gives them their scores.
pub(super) fn take_known<N: Node>(
    knowledge: &ExactKnowledge,
    root: &N,
    children: &mut Vec<Child<N>>,
    searcher: &mut Searcher<'_, N>,
) -> (Verdict, Vec<Child<N>>) {
    let values: Vec<Option<Value>> = children.iter().map(|child| known_value(knowledge, child)).collect();
    let (mut known, mut open) = (Vec::new(), Vec::new());
    for (child, value) in children.iter().zip(&values) {
        if value.is_some_and(Value::is_final) { known.push(*child) } else { open.push(*child) }
    }
    // Among draws what looks better comes first.
    searcher.judge(&mut known);
    for child in &mut known {
        let exact = known_value(knowledge, child).and_then(search_score);
        child.score = exact.unwrap_or(child.score / 1000);
    }
    *children = open;
    (verdict(knowledge, root, &values), known)
}

/// What an action is worth after its search; sure wins of unknown length get a score that says so.
pub(super) fn worth<N: Node>(knowledge: &ExactKnowledge, child: &mut Child<N>) -> Value {
    match known_value(knowledge, child) {
        None => value(child.score, true),
        Some(known) if known.is_final() => known,
        // The search may have found how long it takes.
        Some(_) if child.score.abs() > PROVED => value(child.score, true),
        Some(known) => {
            child.score = search_score(known).unwrap_or(0) + child.score.clamp(-20_000, 20_000) / 10;
            known
        }
    }
}

/// What the root is worth if its best action has this score.
pub(super) fn root_worth(root: Option<Value>, score: i32, proves: bool) -> Value {
    match (root, value(score, proves)) {
        (Some(known), found) if found.plies().is_some() && !known.is_final() => found,
        (Some(known), _) => known,
        (None, found) => found,
    }
}

/// What a score means. A player who overlooks lines proves nothing.
pub(super) fn value(score: i32, proves: bool) -> Value {
    // What the search thinks of sure wins is added to their score.
    const SURE: i32 = SURE_WIN - 3000;
    if !proves || score.abs() < SURE {
        return Value::estimate(1.0 / (1.0 + (-score as f32 / net::LOGIT).exp()));
    }
    match (score > 0, score.abs() > PROVED) {
        (true, true) => Value::win_in((WIN - score) as u32),
        (true, false) => Value::Win(None),
        (false, true) => Value::loss_in((WIN + score) as u32),
        (false, false) => Value::Loss(None),
    }
}

/// Best play by the tables after an action, as far as they count plies.
pub(super) fn line<N: Node>(knowledge: &ExactKnowledge, first: &Child<N>) -> Vec<u8> {
    let mut line = vec![first.code];
    let mut node = first.node;
    while !is_over(&node) && line.len() < 256 {
        if let Some((code, child)) = winning(&node) {
            line.push(code);
            node = child;
            continue;
        }
        let mut best: Option<(i32, u8, N)> = None;
        let mut all_known = true;
        node.each_child(|code, child| {
            let score = if is_over(&child) {
                Some(1 - WIN)
            } else {
                knowledge
                    .look_up(&child)
                    .filter(|known| known.is_final())
                    .and_then(|known| search_score(-known.add_plies(1)))
            };
            match score {
                Some(score) if best.is_none_or(|(most, ..)| score > most) => best = Some((score, code, child)),
                Some(_) => {}
                None => all_known = false,
            }
        });
        // Draws have no score: a line goes on only where one side wins by it.
        let decided = best.filter(|&(score, ..)| score > 0 || all_known);
        let Some((_, code, child)) = decided else { break };
        line.push(code);
        node = child;
    }
    line
}
