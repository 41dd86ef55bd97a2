//! Whole turns: chains of captures found by a beam, rounded off by quiet movements, weighed by the best reply.

use std::collections::HashSet;

use rules::four::{Action, FEWEST_STONES, Four, Phase};
use rules::{ActionList, Position, Seat, Turn};

use super::evaluate::{placing_gains, value, verdict};
use super::field::Field;
use super::figures::Figures;
use super::plans::{Plan, plans};
use crate::Meter;

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Positions kept after each capture of a chain.
    pub(super) width: usize,
    /// Captures tried in each position, the cheapest first.
    pub(super) plans: usize,
    /// Turns that are rounded off with quiet movements.
    pub(super) polished: usize,
    /// Turns weighed by the reply.
    pub(super) weighed: usize,
    /// The width of the reply's chains; 0 looks at no reply.
    pub(super) reply: usize,
    /// In the opening, how many placements ahead.
    pub(super) placements: u8,
    /// Turns tried in each position on the way.
    pub(super) tried: usize,
    /// How many turns are looked ahead before the reply; 0 lists the turns of the position anew.
    pub(super) ahead: u8,
}

/// A whole turn, or what is left of it.
#[derive(Clone, Debug)]
pub(super) struct TurnPlan {
    pub(super) actions: Vec<Action>,
    /// The position after it.
    pub(super) after: Four,
    /// What it is worth to the seat that plays it.
    pub(super) value: f32,
}

/// A position within a turn, and how it came about.
struct Node {
    position: Four,
    parent: usize,
    plan: Option<Plan>,
    /// Points and movements, for keeping the most promising.
    promise: f32,
}

/// The width of a window that only asks whether a turn is better, in points.
const NARROW: f32 = 0.001;

/// Looks for turns within the limits of a meter.
pub(super) struct Searcher<'a, 'm> {
    pub(super) figures: &'static Figures,
    pub(super) meter: &'a mut Meter<'m>,
}

impl Searcher<'_, '_> {
    /// The turns of the seat to act that look best, best first; never empty for a live position.
    ///
    /// `former` is the best turn of an earlier look. It is weighed before all others, so that what comes out is no
    /// worse even when time runs out on the way.
    pub(super) fn turns(&mut self, root: &Four, effort: Effort, former: Option<&TurnPlan>) -> Vec<TurnPlan> {
        let Turn::Seat(mover) = root.turn() else { return Vec::new() };
        let mut turns = self.list(root, mover, effort);
        if let Some(former) = former {
            turns.retain(|turn| turn.after != former.after);
            turns.insert(0, former.clone());
        }
        if effort.reply > 0 {
            self.weigh(mover, effort, &mut turns);
        } else {
            sort(&mut turns);
        }
        turns
    }

    /// The turns of a position in the order of what they leave, replies not considered.
    fn list(&mut self, root: &Four, mover: Seat, effort: Effort) -> Vec<TurnPlan> {
        let mut turns = Vec::new();
        let nodes = self.chains(root, mover, effort);
        for index in 0..nodes.len() {
            if let Some((after, value, ended)) = self.finish(&nodes[index].position, mover, index > 0) {
                let mut actions = path(&nodes, index);
                actions.extend(ended.then_some(Action::End));
                turns.push(TurnPlan { actions, after, value });
            }
        }
        self.add_placements(root, mover, &mut turns);
        sort(&mut turns);
        self.polish(mover, &nodes, effort, &mut turns);
        if turns.is_empty() {
            turns.push(self.any_turn(root));
        }
        sort(&mut turns);
        turns.dedup_by(|a, b| a.after == b.after);
        turns
    }

    /// Looks further ahead at the best of the turns that were weighed before, and puts them in the order of what it finds.
    ///
    /// When time runs out on the way, what was found so far counts.
    pub(super) fn deepen(&mut self, mover: Seat, effort: Effort, turns: &mut Vec<TurnPlan>) {
        let mut weighed: Vec<TurnPlan> = Vec::new();
        let mut low = f32::NEG_INFINITY;
        for turn in turns.iter().take(effort.weighed) {
            let mut beyond =
                |low: f32, high: f32| -self.ahead(&turn.after, mover.next(2), effort, effort.ahead, -high, -low);
            // Most turns are worse than the best so far, which a narrow window shows sooner.
            let mut value = if weighed.is_empty() { f32::INFINITY } else { beyond(low, low + NARROW) };
            if value > low {
                value = beyond(low, f32::INFINITY);
            }
            if self.meter.exhausted() {
                break;
            }
            low = low.max(value);
            weighed.push(TurnPlan { value, ..turn.clone() });
        }
        if !weighed.is_empty() {
            sort(&mut weighed);
            *turns = weighed;
        }
    }

    /// What a position is worth to the seat to act when it and the other seat play so many turns, and then come replies.
    pub(super) fn ahead(&mut self, position: &Four, seat: Seat, effort: Effort, turns: u8, low: f32, high: f32) -> f32 {
        if let Some(value) = verdict(position, seat) {
            return value;
        }
        if turns == 0 {
            return self.reply(position, seat, effort);
        }
        let mut best = f32::NEG_INFINITY;
        for turn in self.list(position, seat, effort).iter().take(effort.tried) {
            if self.meter.exhausted() {
                break;
            }
            best = best.max(-self.ahead(&turn.after, seat.next(2), effort, turns - 1, -high, -low.max(best)));
            if best >= high {
                break;
            }
        }
        best
    }

    /// Chains of captures from a position, in the order found; the first node is the position itself.
    fn chains(&mut self, root: &Four, mover: Seat, effort: Effort) -> Vec<Node> {
        let mut nodes = vec![Node { position: *root, parent: 0, plan: None, promise: 0.0 }];
        let can_move = root.phase() != Phase::Opening && root.stones_on_board(mover) >= FEWEST_STONES;
        if !can_move {
            return nodes;
        }
        let mut seen = HashSet::new();
        let (mut beam, mut found) = (vec![0], Vec::new());
        while !beam.is_empty() && !self.meter.exhausted() {
            let mut next: Vec<usize> = Vec::new();
            for &parent in &beam {
                // Listing plans takes a while on a large board, so the clock is looked at each time.
                self.meter.look();
                let position = nodes[parent].position;
                let field = Field::new(&position, mover);
                plans(&field, self.figures, position.movements_left().min(8), &mut found);
                found.sort_by_key(Plan::cost);
                for plan in found.iter().take(effort.plans) {
                    if self.meter.tick() {
                        break;
                    }
                    let Some((child, plan)) = carry_out(&position, mover, *plan) else { continue };
                    if !seen.insert(child) {
                        continue;
                    }
                    let promise = promise(root, &child, mover);
                    nodes.push(Node { position: child, parent, plan: Some(plan), promise });
                    if child.turn() == Turn::Seat(mover) && child.has_moved() {
                        next.push(nodes.len() - 1);
                    }
                }
            }
            next.sort_by(|&a, &b| nodes[b].promise.total_cmp(&nodes[a].promise));
            next.truncate(effort.width);
            beam = next;
        }
        nodes
    }

    /// The position and its value once the turn is over, ending it where that is needed and possible.
    fn finish(&mut self, position: &Four, mover: Seat, changed: bool) -> Option<(Four, f32, bool)> {
        if let Some(value) = verdict(position, mover) {
            return Some((*position, value, false));
        }
        if position.turn() == Turn::Seat(mover) && position.has_moved() {
            let mut after = *position;
            after.play_unchecked(Action::End);
            return Some((after, self.standing(&after, mover), true));
        }
        changed.then(|| (*position, self.standing(position, mover), false))
    }

    /// The value of a position between turns for `seat`, which need not be the seat to act.
    pub(super) fn standing(&mut self, position: &Four, seat: Seat) -> f32 {
        self.meter.tick();
        if let Some(value) = verdict(position, seat) {
            return value;
        }
        match position.turn() {
            Turn::Seat(next) if next == seat => value(position, seat, self.figures),
            _ => -value(position, seat.next(2), self.figures),
        }
    }

    fn add_placements(&mut self, root: &Four, mover: Seat, turns: &mut Vec<TurnPlan>) {
        let mut actions = ActionList::new();
        root.actions(&mut actions);
        for &action in actions.iter().filter(|action| matches!(action, Action::Place { .. } | Action::Pass)) {
            if self.meter.exhausted() && !turns.is_empty() {
                return;
            }
            let mut after = *root;
            after.play_unchecked(action);
            let value = self.standing(&after, mover);
            turns.push(TurnPlan { actions: vec![action], after, value });
        }
    }

    /// Spends the movements that no capture needs on whatever makes the position better.
    fn polish(&mut self, mover: Seat, nodes: &[Node], effort: Effort, turns: &mut Vec<TurnPlan>) {
        let mut open: Vec<usize> = (0..nodes.len())
            .filter(|&index| {
                let position = &nodes[index].position;
                position.turn() == Turn::Seat(mover)
                    && position.movements_left() > 0
                    && position.stones_on_board(mover) >= FEWEST_STONES
            })
            .collect();
        // The most points first; among those the most movements to spend.
        open.sort_by(|&a, &b| nodes[b].promise.total_cmp(&nodes[a].promise));
        open.truncate(effort.polished.max(1));
        // Far ahead, a turn without captures is tried only where there is none with them.
        if !open.contains(&0) && effort.ahead == 0 {
            open.push(0);
        }
        for index in open {
            if self.meter.exhausted() && !turns.is_empty() {
                return;
            }
            let start = nodes[index].position;
            if start.phase() == Phase::Opening {
                continue;
            }
            self.polish_one(start, mover, path(nodes, index), turns);
        }
    }

    fn polish_one(&mut self, start: Four, mover: Seat, mut actions: Vec<Action>, turns: &mut Vec<TurnPlan>) {
        let mut position = start;
        let mut best = self.finish(&position, mover, !actions.is_empty()).map(|(after, value, _)| (after, value));
        let mut list = ActionList::new();
        while position.turn() == Turn::Seat(mover) && !self.meter.exhausted() {
            position.actions(&mut list);
            let mut better = None;
            for &action in list.iter().filter(|action| matches!(action, Action::Move { .. })) {
                let mut child = position;
                child.play_unchecked(action);
                let Some((after, value, _)) = self.finish(&child, mover, true) else { continue };
                if best.is_none_or(|(_, other)| value > other + 0.01) {
                    best = Some((after, value));
                    better = Some((action, child));
                }
                if self.meter.exhausted() {
                    break;
                }
            }
            let Some((action, child)) = better else { break };
            actions.push(action);
            position = child;
        }
        let Some((after, value)) = best.filter(|_| !actions.is_empty()) else { return };
        if position.turn() == Turn::Seat(mover) && position.has_moved() {
            actions.push(Action::End);
        }
        turns.push(TurnPlan { actions, after, value });
    }

    /// When time is out before anything was found: the first legal action, and the end of the turn.
    pub(super) fn any_turn(&mut self, root: &Four) -> TurnPlan {
        let mover = if let Turn::Seat(seat) = root.turn() { seat } else { Seat::ONE };
        let mut list = ActionList::new();
        root.actions(&mut list);
        let mut after = *root;
        let mut actions = vec![list[0]];
        after.play_unchecked(list[0]);
        if after.turn() == Turn::Seat(mover) && after.has_moved() {
            actions.push(Action::End);
            after.play_unchecked(Action::End);
        }
        TurnPlan { actions, after, value: self.standing(&after, mover) }
    }

    /// Puts the turns that look best in the order of what the opponent's reply leaves of them.
    fn weigh(&mut self, mover: Seat, effort: Effort, turns: &mut Vec<TurnPlan>) {
        let mut weighed = Vec::new();
        for turn in turns.iter().take(effort.weighed.max(1)) {
            let value = self.after_reply(&turn.after, mover, effort);
            if self.meter.exhausted() && !weighed.is_empty() {
                break;
            }
            weighed.push(TurnPlan { value, ..turn.clone() });
        }
        sort(&mut weighed);
        *turns = weighed;
    }

    /// What the opponent's best turn leaves of a position for `seat`.
    pub(super) fn after_reply(&mut self, position: &Four, seat: Seat, effort: Effort) -> f32 {
        -self.reply(position, seat.next(2), effort)
    }

    /// What a seat makes of a position with its best turn, captures only.
    fn reply(&mut self, position: &Four, seat: Seat, effort: Effort) -> f32 {
        if let Some(value) = verdict(position, seat) {
            return value;
        }
        if position.turn() != Turn::Seat(seat) {
            // In the opening a seat may be skipped.
            return self.standing(position, seat);
        }
        if position.phase() == Phase::Opening || position.stones_on_board(seat) < FEWEST_STONES {
            return self.reply_by_placement(position, seat);
        }
        let narrow = Effort { width: effort.reply, plans: 6 + 3 * effort.reply, ..effort };
        let mut nodes = self.chains(position, seat, narrow);
        nodes[1..].sort_by(|a, b| b.promise.total_cmp(&a.promise));
        let mut best = self.without_captures(position, seat);
        for node in nodes.iter().skip(1).take(2 + 2 * effort.reply) {
            if self.meter.exhausted() {
                break;
            }
            if let Some((_, value, _)) = self.finish(&node.position, seat, true) {
                best = best.max(value);
            }
        }
        best
    }

    /// A turn in which nothing is captured, as if the board stayed as it is and at best a stone were added.
    fn without_captures(&mut self, position: &Four, seat: Seat) -> f32 {
        self.meter.tick();
        -value(position, seat.next(2), self.figures) + placing_gains(position, seat)
    }

    fn reply_by_placement(&mut self, position: &Four, seat: Seat) -> f32 {
        let mut best = self.without_captures(position, seat);
        let mut list = ActionList::new();
        position.actions(&mut list);
        for &action in list.iter() {
            if self.meter.exhausted() {
                break;
            }
            let mut after = *position;
            after.play_unchecked(action);
            if after.points(seat) > position.points(seat) {
                best = best.max(self.standing(&after, seat));
            }
        }
        best
    }
}

fn sort(turns: &mut [TurnPlan]) {
    turns.sort_by(|a, b| b.value.total_cmp(&a.value));
}

/// Plays a plan until it is done or the turn is over, and says how much of it was played.
///
/// `None` if it captured nothing, because an unforeseen capture on the way changed the board.
fn carry_out(position: &Four, mover: Seat, plan: Plan) -> Option<(Four, Plan)> {
    let mut next = *position;
    let points = next.points(mover);
    let mut played = 0;
    for action in plan.actions() {
        if next.turn() != Turn::Seat(mover) {
            break;
        }
        next.play_unchecked(action);
        played += 1;
    }
    (next.points(mover) > points).then_some((next, plan.cut(played)))
}

fn promise(root: &Four, position: &Four, mover: Seat) -> f32 {
    let points = f32::from(position.points(mover)) - f32::from(root.points(mover));
    let left = if position.turn() == Turn::Seat(mover) { f32::from(position.movements_left()) } else { 0.0 };
    points + 0.3 * left
}

fn path(nodes: &[Node], mut index: usize) -> Vec<Action> {
    let mut plans = Vec::new();
    while let Some(plan) = &nodes[index].plan {
        plans.push(plan);
        index = nodes[index].parent;
    }
    plans.into_iter().rev().flat_map(Plan::actions).collect()
}
