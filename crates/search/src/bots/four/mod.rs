//! Four: plans for capturing squares, whole turns made of them, and the reply to each.

mod evaluate;
mod field;
mod figures;
mod greedy;
mod levels;
mod opening;
mod plans;
#[cfg(test)]
mod tests;
mod turns;

use std::cmp::Reverse;

use rules::four::{Action, Bonus, Four, Phase};
use rules::{ActionList, Position, Seat, Turn};

use crate::{Bot, HasBot, Level, Limits, Meter, Random, Scored, SearchResult, Situation, Value};
use evaluate::{WON, verdict};
use figures::Figures;
use levels::Manner;
use opening::Opening;
use turns::{Effort, Searcher, TurnPlan};

pub use greedy::{Attention, greedy};

impl HasBot for Four {
    type Bot = FourBot;
}

/// The player of Four.
///
/// A turn is several actions, so it is thought out when it begins and the rest of it is kept for the calls that
/// follow. What is kept never changes what is played under a node limit: it is used only where thinking again from
/// the beginning of the turn, which the situation's earlier positions tell, would give the same.
#[derive(Debug, Default)]
pub struct FourBot {
    kept: Option<Kept>,
}

/// A turn that was thought out, and under which conditions.
#[derive(Debug)]
struct Kept {
    start: Four,
    level: Level,
    seed: u64,
    nodes: Option<u64>,
    depth: Option<u32>,
    turn: TurnPlan,
}

impl Bot<Four> for FourBot {
    fn greedy(&mut self, view: &Four, seed: u64) -> Option<Action> {
        Some(greedy::greedy(view, Attention::CLEAR, &mut Random::new(seed)))
    }

    /// The turn that is under way.
    fn recalls(earlier: &Four, view: &Four, _back: usize) -> bool {
        earlier.turn() == view.turn()
    }

    fn choose(&mut self, situation: &Situation<'_, Four>, level: Level, limits: &Limits<'_>) -> SearchResult<Action> {
        let position = situation.view;
        let mut meter = limits.meter();
        let turn = match levels::manner(level) {
            Manner::Greedy(attention) => {
                let mut random = Random::new(limits.seed ^ fingerprint(position));
                one_action(position, greedy(position, attention, &mut random), &mut meter)
            }
            Manner::Planned { rounds, slips } => {
                let asked = Conditions { level, rounds, slips, limits };
                self.turn(situation, asked, &mut meter)
            }
        };
        result(position, turn, &meter)
    }

    fn analyse(&mut self, situation: &Situation<'_, Four>, limits: &Limits<'_>) -> SearchResult<Action> {
        let position = situation.view;
        // Half of the effort goes into the best turn, the other half into what all the other actions are worth.
        let half = half_of(limits);
        let mut first_half = half.meter();
        let mut best = think(position, levels::ROUNDS, &half, &mut first_half).swap_remove(0);
        let rest = Limits { nodes: limits.nodes.map(|nodes| nodes.saturating_sub(first_half.nodes())), ..*limits };
        let mut meter = rest.meter();
        let mut turns = others(position, &best, &rest, &mut meter);
        if let Some(won) = turns.iter_mut().find(|turn| turn.value >= WON && best.value < WON) {
            std::mem::swap(won, &mut best);
        }
        // The best turn was looked at harder than the rest, so a guess must not overtake it.
        turns.iter_mut().for_each(|turn| turn.value = turn.value.min(best.value));
        turns.sort_by(|a, b| b.value.total_cmp(&a.value));
        turns.insert(0, best);
        // Among wins the shorter one comes first.
        turns.sort_by_key(|turn| Reverse(worth(position, turn)));
        let score = |turn: &TurnPlan| Scored { action: turn.actions[0], value: worth(position, turn) };
        let scored = turns.iter().map(score).collect();
        let nodes = first_half.nodes() + meter.nodes();
        SearchResult { scored, nodes, ..result(position, turns.swap_remove(0), &meter) }
    }
}

fn half_of<'a>(limits: &Limits<'a>) -> Limits<'a> {
    let now = (limits.now)();
    let deadline = limits.deadline.map(|deadline| now + deadline.saturating_sub(now) / 2);
    Limits { deadline, nodes: limits.nodes.map(|nodes| nodes / 2), ..*limits }
}

/// The actions that do not begin the best turn, each with what comes of it; the likeliest are looked at first.
fn others(position: &Four, best: &TurnPlan, limits: &Limits<'_>, meter: &mut Meter<'_>) -> Vec<TurnPlan> {
    let mut list = ActionList::new();
    position.actions(&mut list);
    let mut turns: Vec<TurnPlan> = list
        .iter()
        .filter(|&&action| best.actions.first() != Some(&action))
        .map(|&action| one_action(position, action, meter))
        .collect();
    turns.sort_by(|a, b| b.value.total_cmp(&a.value));
    for turn in &mut turns {
        if meter.exhausted() {
            break;
        }
        *turn = follow_up(position, turn.actions[0], limits, meter);
    }
    turns
}

/// What a call asks for besides the position.
#[derive(Clone, Copy)]
struct Conditions<'a> {
    level: Level,
    rounds: &'static [Effort],
    /// How often, in a hundred turns, the second or third best turn is played.
    slips: u32,
    limits: &'a Limits<'a>,
}

impl FourBot {
    /// The rest of the turn from the position of the situation on.
    fn turn(&mut self, situation: &Situation<'_, Four>, asked: Conditions<'_>, meter: &mut Meter<'_>) -> TurnPlan {
        let position = situation.view;
        let timed = asked.limits.deadline.is_some();
        if position.has_moved() {
            if let Some(rest) = self.kept_for(position, situation, asked, timed) {
                return rest;
            }
            // Under a node limit the turn must not depend on what this bot happens to remember.
            if let Some(start) = turn_start(situation).filter(|_| !timed) {
                let turn = plan_turn(start, asked, meter);
                self.keep(*start, asked, turn);
                if let Some(rest) = self.kept_for(position, situation, asked, timed) {
                    return rest;
                }
            }
        }
        let turn = plan_turn(position, asked, meter);
        self.keep(*position, asked, turn.clone());
        turn
    }

    fn keep(&mut self, start: Four, asked: Conditions<'_>, turn: TurnPlan) {
        let Limits { seed, nodes, depth, .. } = *asked.limits;
        self.kept = Some(Kept { start, level: asked.level, seed, nodes, depth, turn });
    }

    /// What is left of the kept turn, if it leads through this position.
    fn kept_for(
        &self,
        position: &Four,
        situation: &Situation<'_, Four>,
        asked: Conditions<'_>,
        timed: bool,
    ) -> Option<TurnPlan> {
        let kept = self.kept.as_ref().filter(|kept| kept.level == asked.level)?;
        let limits = asked.limits;
        let same = (kept.seed, kept.nodes, kept.depth) == (limits.seed, limits.nodes, limits.depth)
            && turn_start(situation) == Some(&kept.start);
        if !timed && !same {
            return None;
        }
        let mut reached = kept.start;
        for (index, &action) in kept.turn.actions.iter().enumerate() {
            if reached == *position {
                return Some(TurnPlan { actions: kept.turn.actions[index..].to_vec(), ..kept.turn });
            }
            reached.play_unchecked(action);
        }
        None
    }
}

/// The position in which the turn that is under way began, if the situation remembers it.
fn turn_start<'a>(situation: &Situation<'a, Four>) -> Option<&'a Four> {
    let seat = situation.view.turn();
    situation.earlier.iter().rev().take_while(|earlier| earlier.turn() == seat).find(|earlier| !earlier.has_moved())
}

/// Thinks out a turn as a player of the level asked for.
fn plan_turn(position: &Four, asked: Conditions<'_>, meter: &mut Meter<'_>) -> TurnPlan {
    let mut random = Random::new(asked.limits.seed ^ fingerprint(position));
    let slips = random.below(100) < asked.slips;
    let rounds = if slips { &asked.rounds[..1] } else { asked.rounds };
    let mut turns = think(position, rounds, asked.limits, meter);
    let index = if slips { 1 + random.below(3) as usize } else { 0 };
    turns.swap_remove(index.min(turns.len() - 1))
}

/// The best turns found in as many rounds as the meter allows, best first; each round looks wider than the one before.
fn think(position: &Four, rounds: &[Effort], limits: &Limits<'_>, meter: &mut Meter<'_>) -> Vec<TurnPlan> {
    let figures = Figures::of(position.options().size());
    let depth = limits.depth.unwrap_or(u32::MAX);
    if position.phase() == Phase::Opening {
        let most = rounds.iter().map(|effort| u32::from(effort.placements)).max().unwrap_or(1).min(depth).max(1);
        let mut random = Random::new(limits.seed ^ fingerprint(position));
        return Opening { figures, meter }.placements(position, most as u8, &mut random);
    }
    let mut searcher = Searcher { figures, meter };
    let mut best: Vec<TurnPlan> = Vec::new();
    for &effort in rounds {
        // A turn usually has four movements, so with a depth limit of four or less replies are not weighed.
        if effort.ahead > 0 && depth <= 4 * (1 + u32::from(effort.ahead)) {
            break;
        }
        let effort = if depth <= 4 { Effort { reply: 0, ..effort } } else { effort };
        match position.turn() {
            Turn::Seat(mover) if effort.ahead > 0 => searcher.deepen(mover, effort, &mut best),
            _ => best = searcher.turns(position, effort, best.first()),
        }
        if searcher.meter.exhausted() || best.first().is_some_and(|best| best.value >= WON) {
            break;
        }
    }
    best
}

/// What comes of an action: the rest of the turn as far as it can be seen quickly.
fn follow_up(position: &Four, action: Action, limits: &Limits<'_>, meter: &mut Meter<'_>) -> TurnPlan {
    let Turn::Seat(seat) = position.turn() else { return one_action(position, action, meter) };
    let mut next = *position;
    next.play_unchecked(action);
    if next.turn() != Turn::Seat(seat) || !next.has_moved() || meter.exhausted() {
        let mut turn = one_action(position, action, meter);
        if !meter.exhausted() {
            let mut searcher = Searcher { figures: Figures::of(position.options().size()), meter };
            turn.value = searcher.after_reply(&turn.after, seat, levels::QUICK);
        }
        return turn;
    }
    let mut rest = think(&next, &[levels::QUICK], limits, meter).swap_remove(0);
    rest.actions.insert(0, action);
    rest
}

/// A single action as if it were the whole turn.
fn one_action(position: &Four, action: Action, meter: &mut Meter<'_>) -> TurnPlan {
    let mut after = *position;
    after.play_unchecked(action);
    let mut searcher = Searcher { figures: Figures::of(position.options().size()), meter };
    let seat = if let Turn::Seat(seat) = position.turn() { seat } else { Seat::ONE };
    TurnPlan { actions: vec![action], after, value: searcher.standing(&after, seat) }
}

fn result(position: &Four, turn: TurnPlan, meter: &Meter<'_>) -> SearchResult<Action> {
    SearchResult {
        action: turn.actions[0],
        value: worth(position, &turn),
        depth: turn.actions.len() as u32,
        line: turn.actions,
        scored: Vec::new(),
        nodes: meter.nodes(),
    }
}

/// A turn's worth to the seat that plays it: proved where the turn itself ends the game, else an estimate.
fn worth(position: &Four, turn: &TurnPlan) -> Value {
    let Turn::Seat(seat) = position.turn() else { return Value::Draw };
    let length = turn.actions.len() as u32;
    match verdict(&turn.after, seat) {
        Some(value) if value >= WON => Value::win_in(length),
        // Another rest of the turn might do better, unless there is none.
        Some(value) if value <= -WON && length == 1 => Value::loss_in(1),
        // A few points ahead are nearly decisive: who falls below ten stones keeps losing them.
        _ => Value::estimate((1.0 / (1.0 + (-turn.value / 3.0).exp())).clamp(0.005, 0.995)),
    }
}

/// A number that differs between positions and is the same everywhere.
fn fingerprint(position: &Four) -> u64 {
    let words = [Seat::ONE, Seat::TWO].into_iter().flat_map(|seat| *position.rows(seat));
    // With bonus=three it matters how many movements were made (FO12); otherwise the number stays as it was.
    let made = if position.options().bonus() == Bonus::Three { u32::from(position.moved()) << 8 } else { 0 };
    let rest = [u32::from(position.movements_left()) | made, u32::from(position.quiet_turns())];
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3))
}
