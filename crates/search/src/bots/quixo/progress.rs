//! Progress in a won position where tables say who wins but not in how many plies.
//!
//! A marked cube stays marked, so a game cannot go on for ever if the number of marked cubes grows again and again. This
//! finds, among the actions that keep the win, those after which the winner can force a line or a further marked cube
//! soonest, however the other side defends. Who plays one of them each time gets on each time, and wins in the end.

use std::collections::HashMap;

use super::board::has_line;
use super::knowledge::ExactKnowledge;
use super::node::{Duel, Node};
use super::search::{Child, expand};
use super::style::Style;
use crate::{Limits, Meter, Value};

/// Positions looked at before giving up, however much time there is: what is seen is remembered.
const PATIENCE: u64 = 2_000_000;
/// The most actions looked ahead.
const FURTHEST: u32 = 41;

/// Which of the actions that keep a win get on soonest, by their place; `None` if that could not be found out in time.
pub(super) fn soonest<N: Node>(
    knowledge: &ExactKnowledge,
    root: &N,
    winning: &[Child<N>],
    limits: &Limits<'_>,
) -> Option<Vec<usize>> {
    let (own, other) = root.duel()?;
    let limits = most_of(limits);
    let meter = &mut limits.meter();
    let mut hunt = Hunt { knowledge, cubes: (own | other).count_ones(), meter, seen: HashMap::new() };
    for most in (1..=FURTHEST).step_by(2) {
        let gets_on = |hunt: &mut Hunt<'_, '_>, child: &Child<N>| {
            let (own, other) = child.node.duel()?;
            hunt.after_ours(&Duel { own, other }, most - 1)
        };
        let mut found = Vec::new();
        for (place, child) in winning.iter().enumerate() {
            if gets_on(&mut hunt, child)? {
                found.push(place);
            }
        }
        if !found.is_empty() {
            return Some(found);
        }
    }
    None
}

/// Getting on matters more than what the search thinks of those that do.
fn most_of<'a>(limits: &Limits<'a>) -> Limits<'a> {
    let now = (limits.now)();
    let deadline = limits.deadline.map(|deadline| now + deadline.saturating_sub(now) * 3 / 4);
    let nodes = limits.nodes.map_or(PATIENCE, |nodes| PATIENCE.min(nodes / 4 * 3));
    Limits { deadline, nodes: Some(nodes), ..*limits }
}

struct Hunt<'a, 'b> {
    knowledge: &'a ExactKnowledge,
    /// Marked cubes at the root.
    cubes: u32,
    meter: &'a mut Meter<'b>,
    /// For positions with the loser to act: within how many actions progress is forced, and within how many it is not.
    seen: HashMap<Duel, (u32, u32)>,
}

impl Hunt<'_, '_> {
    /// Whether the winner gets on within `left` actions from a position in which the loser is to act; `None` if time
    /// is up.
    fn after_ours(&mut self, node: &Duel, left: u32) -> Option<bool> {
        if has_line(node.other) || self.has_grown(node) {
            return Some(true);
        }
        if left < 2 {
            return Some(false);
        }
        let &(yes, no) = self.seen.get(node).unwrap_or(&(u32::MAX, 0));
        if left >= yes || left <= no {
            return Some(left >= yes);
        }
        let mut replies = Vec::new();
        node.each_child(|_, reply| replies.push(reply));
        let mut forced = true;
        for reply in replies {
            // The loser's own action may complete the winner's line or mark a cube, which is progress too.
            if !has_line(reply.own) && !self.has_grown(&reply) && !self.before_ours(&reply, left - 1)? {
                forced = false;
                break;
            }
        }
        let entry = self.seen.entry(*node).or_insert((u32::MAX, 0));
        if forced {
            entry.0 = entry.0.min(left)
        } else {
            entry.1 = entry.1.max(left)
        }
        Some(forced)
    }

    /// The same with the winner to act.
    fn before_ours(&mut self, node: &Duel, left: u32) -> Option<bool> {
        if node.can_win() {
            return Some(true);
        }
        let mut children = Vec::new();
        expand(node, &Style::BEST, &mut children);
        for child in children {
            if self.meter.tick() {
                return None;
            }
            let keeps = matches!(self.knowledge.look_up(&child.node), Some(Value::Loss(_)));
            if keeps && self.after_ours(&child.node, left - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn has_grown(&self, node: &Duel) -> bool {
        (node.own | node.other).count_ones() > self.cubes
    }
}
