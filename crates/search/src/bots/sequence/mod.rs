//! The player of Sequence, for two, three and four.
//!
//! It plays from its view alone. The greedy player counts cards, sees threats, blocks them, keeps its Unicorns and
//! Dragons for when they matter and swaps dead cards; the full player imagines the hidden cards many times, lets greedy
//! players who know only their own hands play on for a while, and judges what they reach. It leaves the greedy choice only
//! for one that is clearly ahead.
//!
//! ```
//!
//! use rules::{Position, Seat, Viewer, sequence::Sequence};
//! use search::{Bot, Level, Limits, Situation, Value, bots::sequence::SequenceBot};
//!
//! let text = "*.....*/......./......./22...../......./*11...* 1 bear+cow+dog|cat+dragon+whale fox+giraffe|turtle+gorilla 0 0";
//! let game = Sequence::parse(&Default::default(), text)?;
//! let limits = Limits::nodes(1000);
//! let view = game.view(Viewer::Seat(Seat::ONE));
//! let situation = Situation { view: &view, earlier: &[] };
//! let result = SequenceBot::default().choose(&situation, Level::HIGHEST, &limits);
//! assert_eq!((result.action.to_string(), result.value), ("cow@d1".to_owned(), Value::win_in(1)));
//! # Ok::<(), rules::BadPosition>(())
//! ```

mod belief;
mod board;
mod deal;
mod knowledge;
mod race;
mod style;
#[cfg(test)]
mod tests;
mod value;
mod value_weights;
mod weights;

pub use deal::Deal;

use rules::sequence::{Action, Sequence, SequenceView};

use self::belief::Belief;
use self::board::Pictures;
use self::knowledge::{Knowledge, WINS};
use self::race::{Runner, Track, winner};
use self::style::Style;
use self::weights::Weights;
use crate::{Bot, HasBot, Level, Limits, Random, Scored, SearchResult, Situation, Value};

/// Plays Sequence.
#[derive(Debug, Default)]
pub struct SequenceBot;

impl HasBot for Sequence {
    type Bot = SequenceBot;
}

/// Actions that the greedy player ranks lower than this are not worth imagining when only a choice is asked for.
const CANDIDATES: usize = 10;

/// An action is given up when it is so many standard errors behind the best.
const PATIENCE: f32 = 3.0;

/// The greedy player's choice is left only for one that leads by so many standard errors.
const CAUTION: f32 = 1.0;

/// After how many actions of seats an imagined game of two is judged instead of played on.
const HORIZON_OF_TWO: u32 = 8;

/// Over how many turns of each seat its play is looked back upon.
const MEMORY: usize = 20;

/// The greedy player's choice: an immediate win, else the best by threats, blocks, counted cards and shape.
///
/// The view must be that of the seat to act.
pub fn greedy(view: &SequenceView) -> Action {
    let pictures = Pictures::of(view);
    Knowledge::of_view(view, &pictures, &Weights::BEST).best()
}

impl Bot<Sequence> for SequenceBot {
    fn greedy(&mut self, view: &SequenceView, _seed: u64) -> Option<Action> {
        Some(greedy(view))
    }

    /// In a turn of each seat it seldom plays more than one card and draws one.
    fn recalls(_earlier: &SequenceView, view: &SequenceView, back: usize) -> bool {
        back <= 3 * MEMORY * usize::from(view.seats())
    }

    fn choose(
        &mut self,
        situation: &Situation<'_, Sequence>,
        level: Level,
        limits: &Limits<'_>,
    ) -> SearchResult<Action> {
        let (style, pictures) = (Style::of(level), Pictures::of(situation.view));
        let mut runners = ranked(situation.view, &pictures, style, &mut Random::new(limits.seed));
        let ranked = runners.len() as u64;
        let mut nodes = limits.nodes.map_or(ranked, |most| most.min(ranked));
        let rest = Limits { nodes: limits.nodes.map(|most| most - nodes), ..*limits };
        runners.truncate(CANDIDATES);
        if style.rounds > 0 && runners.len() > 1 && runners[0].prior < WINS && rest.nodes != Some(0) {
            nodes += imagine(situation, &pictures, style.rounds, PATIENCE, &mut runners, &rest);
        }
        let best = winner(&runners, CAUTION);
        result(best.action, value(situation.view, best), Vec::new(), nodes)
    }

    fn analyse(&mut self, situation: &Situation<'_, Sequence>, limits: &Limits<'_>) -> SearchResult<Action> {
        let pictures = Pictures::of(situation.view);
        let mut runners = ranked(situation.view, &pictures, Style::BEST, &mut Random::new(limits.seed));
        let nodes = imagine(situation, &pictures, u32::MAX, f32::INFINITY, &mut runners, limits);
        let mut scored: Vec<Scored<Action>> = runners
            .iter()
            .map(|runner| Scored { action: runner.action, value: value(situation.view, runner) })
            .collect();
        // Equal values keep the greedy player's order.
        scored.sort_by_key(|scored| std::cmp::Reverse(scored.value));
        result(scored[0].action, scored[0].value, scored, nodes)
    }
}

fn result(action: Action, value: Value, scored: Vec<Scored<Action>>, nodes: u64) -> SearchResult<Action> {
    SearchResult { action, value, line: vec![action], scored, nodes, depth: 1 }
}

/// What an action is worth: proved if it wins at once, otherwise the share of imagined games that it won.
fn value(view: &SequenceView, runner: &Runner) -> Value {
    if runner.prior >= WINS {
        return Value::win_in(1);
    }
    Value::estimate(runner.mean().unwrap_or(1.0 / f32::from(view.seats())))
}

/// Every legal action with the greedy player's judgement as this style sees it, best first.
fn ranked(view: &SequenceView, pictures: &Pictures, style: Style, random: &mut Random) -> Vec<Runner> {
    let mut happens = |often| random.unit() < often;
    let (own, others) = (happens(style.misses_wins), happens(style.misses_threats));
    let weights = Weights { unicorn: style.thrift * Weights::BEST.unicorn, ..Weights::BEST };
    let knowledge = Knowledge::of_view(view, pictures, &weights).overlooking(own, others);
    let mut runners = Vec::new();
    knowledge.judge(|action, score| runners.push(Runner::new(action, score + style.shake * random.unit() as f32)));
    runners.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    runners
}

fn imagine(
    situation: &Situation<'_, Sequence>,
    pictures: &Pictures,
    rounds: u32,
    patience: f32,
    runners: &mut [Runner],
    limits: &Limits<'_>,
) -> u64 {
    let mut meter = limits.meter();
    let view = situation.view;
    let belief = Belief::of(situation, turns_to_recall(limits), pictures, &mut meter);
    // Of three or four, until it is this seat's turn again and it has acted: farther play adds more noise than knowledge.
    let horizon = if view.seats() == 2 { HORIZON_OF_TWO } else { view.seats().into() };
    let track = Track { view, belief: &belief, pictures, seed: limits.seed, rounds, horizon, patience };
    track.run(runners, &mut meter);
    meter.nodes()
}

/// Looking back over a turn costs a node for each pair of cards that may have been kept; a quarter of the nodes at most
/// go into it.
fn turns_to_recall(limits: &Limits<'_>) -> usize {
    let affordable = limits.nodes.map_or(u64::MAX, |nodes| nodes / 4 / belief::NODES_PER_TURN);
    MEMORY.min(usize::try_from(affordable).unwrap_or(MEMORY))
}
