//! The player: exact at the top, human below.

use std::cmp::Reverse;

use rules::quarto::{Action, Quarto, Squares};
use rules::{Position, Turn};

use super::book::Opening;
use super::judge::Judge;
use super::levels;
use super::packed::Class;
use super::solver::{Run, Solver, Stopped};
use crate::{Bot, HasBot, Level, Limits, Random, Scored, SearchResult, Situation, Value};

/// The player of Quarto.
///
/// Level 8 is exact: a book knows the value of every opening, and from five pieces on the solver finds it within the
/// time of a move. In a won position it wins as soon as it can prove, in a drawn one it chooses where the other seat
/// has the most ways to lose. The levels below overlook rows and look less far.
#[derive(Default)]
pub struct QuartoBot {
    solver: Option<AnySolver>,
}

enum AnySolver {
    Lines(Box<Solver<2>>),
    Blocks(Box<Solver<3>>),
}

impl HasBot for Quarto {
    type Bot = QuartoBot;
}

/// Nodes spent at most on choosing among equal actions, and on each action of the line that is shown.
const SNARE_NODES: u64 = 400_000;
const LINE_NODES: u64 = 100_000;
/// The longest line shown.
const LINE_LENGTH: usize = 12;

impl Bot<Quarto> for QuartoBot {
    fn choose(&mut self, situation: &Situation<'_, Quarto>, level: Level, limits: &Limits<'_>) -> SearchResult<Action> {
        let position = situation.view;
        match self.prepare(position, limits) {
            AnySolver::Lines(solver) => choose(solver, position, level, limits),
            AnySolver::Blocks(solver) => choose(solver, position, level, limits),
        }
    }

    fn analyse(&mut self, situation: &Situation<'_, Quarto>, limits: &Limits<'_>) -> SearchResult<Action> {
        let position = situation.view;
        match self.prepare(position, limits) {
            AnySolver::Lines(solver) => analyse(solver, position, limits),
            AnySolver::Blocks(solver) => analyse(solver, position, limits),
        }
    }
}

impl QuartoBot {
    /// The solver for a position's options, with a table within the limits.
    fn prepare(&mut self, position: &Quarto, limits: &Limits<'_>) -> &mut AnySolver {
        let class = Class::of(&position.options());
        let bytes = table_bytes(limits);
        let fits = self.solver.as_ref().is_some_and(|solver| match solver {
            AnySolver::Lines(solver) => solver.geometry.class == class && solver.table.bytes() == fitting(bytes),
            AnySolver::Blocks(solver) => solver.geometry.class == class && solver.table.bytes() == fitting(bytes),
        });
        if !fits {
            self.solver = None;
        }
        let solver = self.solver.get_or_insert_with(|| match class.squares {
            Squares::No => AnySolver::Lines(Box::new(with_book(class, bytes))),
            Squares::Yes => AnySolver::Blocks(Box::new(with_book(class, bytes))),
        });
        if limits.nodes.is_some() {
            // What was found before would change how far the nodes reach.
            match solver {
                AnySolver::Lines(solver) => solver.table.clear(),
                AnySolver::Blocks(solver) => solver.table.clear(),
            }
        }
        solver
    }
}

fn with_book<const WORDS: usize>(class: Class, bytes: usize) -> Solver<WORDS> {
    let mut solver = Solver::new(class, bytes);
    solver.opening = Opening::of(class);
    solver
}

/// A table no larger than the search can fill: a move takes a second or so, or the nodes it is given.
fn table_bytes(limits: &Limits<'_>) -> usize {
    let most = limits.nodes.map_or(256 << 20, |nodes| (nodes as usize).saturating_mul(16).clamp(1 << 20, 256 << 20));
    limits.memory.min(most)
}

/// What a table of at most so many bytes takes.
fn fitting(bytes: usize) -> usize {
    super::table::Table::size(bytes)
}

fn choose<const WORDS: usize>(
    solver: &mut Solver<WORDS>,
    position: &Quarto,
    level: Level,
    limits: &Limits<'_>,
) -> SearchResult<Action> {
    // Another seed for each position, or the same oversight would come again and again.
    let mut random = Random::new(limits.seed ^ position.nibbles().rotate_left(17) ^ u64::from(position.empty()) << 40);
    random.next_u64();
    let profile = levels::profile(level);
    let mut meter = limits.meter();
    let mut judge = Judge::new(solver, position);
    let overlooked = levels::overlook(&mut judge, &profile, &mut random);
    let exact = position.empty().count_ones() <= profile.solves_up_to;
    let index = if exact {
        let mut run = Run::new(&mut meter);
        best(&mut judge, &overlooked, &mut random, &mut run)
    } else {
        levels::by_feeling(&judge, &overlooked, &profile, &mut random)
    };
    let (action, value) = (judge.candidates[index].action, judge.value(&judge.candidates[index]));
    let depth = depth(position, exact && value.is_exact());
    SearchResult { action, value, line: vec![action], scored: Vec::new(), nodes: meter.nodes(), depth }
}

/// How far ahead was looked: what is proved here is proved to the end; otherwise only the action and the reply are known.
fn depth(position: &Quarto, is_proved: bool) -> u32 {
    let to_the_end = 2 * position.empty().count_ones();
    if is_proved { to_the_end } else { to_the_end.min(2) }
}

/// The best candidate that is not overlooked.
fn best<const WORDS: usize>(
    judge: &mut Judge<'_, WORDS>,
    overlooked: &[bool],
    random: &mut Random,
    run: &mut Run<'_, '_>,
) -> usize {
    let mut seen: Vec<usize> = (0..judge.candidates.len()).filter(|&index| !overlooked[index]).collect();
    // Where nothing else decides, chance does, so that games differ.
    for index in (1..seen.len()).rev() {
        seen.swap(index, random.below(index as u32 + 1) as usize);
    }
    seen.sort_by(|&a, &b| judge.candidates[a].freedom.total_cmp(&judge.candidates[b].freedom));
    // When time runs out, what has been found so far decides.
    let _ = settle(judge, &seen, run);
    if let Some(&quickest) =
        seen.iter().filter(|&&i| judge.candidates[i].wins()).max_by_key(|&&i| judge.value(&judge.candidates[i]))
    {
        return quickest;
    }
    let holding: Vec<usize> = seen.iter().copied().filter(|&index| judge.candidates[index].holds()).collect();
    if !holding.is_empty() {
        return most_snares(judge, &holding, run);
    }
    let open: Vec<usize> = seen.iter().copied().filter(|&index| !judge.candidates[index].loses()).collect();
    open.first().copied().unwrap_or_else(|| {
        // All is lost: hold out, and where that is equal leave the fewest safe replies.
        seen.iter().copied().rev().max_by_key(|&index| judge.value(&judge.candidates[index])).unwrap_or(0)
    })
}

/// Asks the solver until it is clear which of the candidates are best.
fn settle<const WORDS: usize>(
    judge: &mut Judge<'_, WORDS>,
    seen: &[usize],
    run: &mut Run<'_, '_>,
) -> Result<(), Stopped> {
    if seen.iter().any(|&index| matches!(judge.value(&judge.candidates[index]), Value::Win(Some(1 | 2)))) {
        return Ok(());
    }
    // The book may say already that a win cannot be had, or must.
    let known = judge.recall();
    judge.cap(known.high);
    if known.low <= 0 {
        // First of all something that does not lose, which is the cheapest to prove.
        for &index in seen {
            judge.ask(index, -1, 0, run)?;
            if judge.candidates[index].holds() {
                break;
            }
        }
    }
    if known.high > 0 {
        for &index in seen {
            judge.ask(index, 0, 1, run)?;
            if judge.candidates[index].wins() {
                break;
            }
        }
    }
    if !seen.iter().any(|&index| judge.candidates[index].wins()) {
        for &index in seen {
            judge.ask(index, -1, 0, run)?;
        }
    }
    // Then how soon a win comes, or how late a loss.
    if let Some(&won) = seen.iter().find(|&&index| judge.candidates[index].wins()) {
        let mut least = judge.candidates[won].bounds().low;
        for index in std::iter::once(won).chain(seen.iter().copied().filter(|&index| index != won)) {
            judge.ask(index, least, 8, run)?;
            least = least.max(judge.candidates[index].bounds().low);
        }
    } else if seen.iter().all(|&index| judge.candidates[index].loses()) {
        for &index in seen {
            judge.ask(index, -9, 0, run)?;
        }
    }
    Ok(())
}

/// Among actions that keep the draw, the one after which most replies lose.
fn most_snares<const WORDS: usize>(judge: &mut Judge<'_, WORDS>, holding: &[usize], run: &mut Run<'_, '_>) -> usize {
    let until = run.meter.nodes() + SNARE_NODES;
    let mut most = (holding[0], -1.0);
    for &index in holding {
        if run.meter.exhausted() || run.meter.nodes() > until {
            break;
        }
        let snares = judge.snares(index, run);
        if snares > most.1 {
            most = (index, snares);
        }
    }
    most.0
}

fn analyse<const WORDS: usize>(
    solver: &mut Solver<WORDS>,
    position: &Quarto,
    limits: &Limits<'_>,
) -> SearchResult<Action> {
    let mut meter = limits.meter();
    let mut run = Run::new(&mut meter);
    let mut judge = Judge::new(solver, position);
    // What is quick to see first, so that a short time gives the most; then the exact lengths.
    let mut order: Vec<usize> = (0..judge.candidates.len()).collect();
    order.sort_by(|&a, &b| judge.candidates[a].freedom.total_cmp(&judge.candidates[b].freedom));
    let complete = order.iter().try_for_each(|&index| judge.ask(index, -1, 1, &mut run));
    if complete.is_ok() {
        // If this is stopped, what was proved before stands.
        let _ = order.iter().try_for_each(|&index| judge.ask(index, -9, 9, &mut run));
    }
    let mut scored: Vec<Scored<Action>> = judge
        .candidates
        .iter()
        .map(|candidate| Scored { action: candidate.action, value: judge.value(candidate) })
        .collect();
    scored.sort_by_key(|scored| Reverse(scored.value));
    let first = scored[0];
    let line = line(solver, position, first.action, limits);
    let depth = depth(position, scored.iter().all(|scored| scored.value.is_exact()));
    SearchResult { action: first.action, value: first.value, line, scored, nodes: meter.nodes(), depth }
}

/// The expected continuation, as long as the best action is quickly found.
fn line<const WORDS: usize>(
    solver: &mut Solver<WORDS>,
    position: &Quarto,
    first: Action,
    limits: &Limits<'_>,
) -> Vec<Action> {
    let mut line = vec![first];
    let mut now = *position;
    now.play_unchecked(first);
    let limits = Limits { nodes: Some(LINE_NODES), ..*limits };
    while line.len() < LINE_LENGTH && matches!(now.turn(), Turn::Seat(_)) {
        let mut meter = limits.meter();
        let mut judge = Judge::new(solver, &now);
        let seen: Vec<usize> = (0..judge.candidates.len()).collect();
        if settle(&mut judge, &seen, &mut Run::new(&mut meter)).is_err() {
            break;
        }
        // What is not settled counts as a draw here.
        let worth = |index: &usize| match judge.value(&judge.candidates[*index]) {
            Value::Estimate(_) => Value::Draw,
            proved => proved,
        };
        let Some(best) = seen.into_iter().rev().max_by_key(worth) else { break };
        let action = judge.candidates[best].action;
        line.push(action);
        now.play_unchecked(action);
    }
    line
}
