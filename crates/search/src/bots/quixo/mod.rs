//! The player of Quixo, for two and for teams.
//!
//! ```
//!
//! use rules::{Position, quixo::Quixo};
//! use search::{Bot, Level, Limits, Situation, Value, bots::quixo::QuixoBot};
//!
//! let game = Quixo::parse(&Default::default(), "...../xxxx./...../oooo./..... 1")?;
//! let limits = Limits::nodes(1000);
//! let situation = Situation { view: &game, earlier: &[] };
//! let result = QuixoBot::default().choose(&situation, Level::HIGHEST, &limits);
//! assert_eq!(result.action.to_string(), "e4a4");
//! assert_eq!(result.value, Value::win_in(1));
//! # Ok::<(), rules::BadPosition>(())
//! ```

mod board;
pub mod coarse;
mod exact;
pub mod exercise;
mod greedy;
mod knowledge;
mod lines;
mod net;
mod node;
pub mod opening;
pub mod oracle;
mod progress;
mod search;
mod style;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rules::quixo::{Action, Players, Quixo};
use rules::{Position, Side};

pub use greedy::greedy;
pub use knowledge::Tables;

use self::board::has_line;
use self::exact::{Verdict, root_worth};
use self::knowledge::ExactKnowledge;
use self::node::{Duel, Node, Team};
use self::search::{CONTEMPT, Child, PROVED, Searcher, WIN, expand, winning};
use self::style::Style;
use self::table::Table;
use crate::{Bot, HasBot, Knowledge, Level, Limits, Random, Scored, SearchResult, Situation, Value};

/// More memory than this gains nothing in the time a person waits for an answer, and making it ready takes time.
const CHOICE_BYTES: usize = 16 << 20;
/// An analysis may run for minutes.
const ANALYSIS_BYTES: usize = 64 << 20;
/// Most nodes are leaves, which leave no entry.
const BYTES_PER_NODE: u64 = 4;

/// Plays Quixo: alpha-beta with a small network that has learned exact values; by exact knowledge where there is some.
#[derive(Default)]
pub struct QuixoBot {
    table: Table,
    knowledge: ExactKnowledge,
    /// The game whose best thoughts are in the table; weaker levels leave nothing that can be used again.
    kept: Option<Players>,
}

impl HasBot for Quixo {
    type Bot = QuixoBot;
}

impl Bot<Quixo> for QuixoBot {
    fn consult(&mut self, knowledge: &Knowledge) {
        if let Some(tables) = &knowledge.solved {
            self.knowledge = ExactKnowledge::of(Arc::clone(tables));
        }
    }

    fn greedy(&mut self, view: &Quixo, seed: u64) -> Option<Action> {
        Some(greedy(view, seed))
    }

    /// A marked cube stays marked, so a position with fewer cannot come back.
    fn recalls(earlier: &Quixo, view: &Quixo, _back: usize) -> bool {
        let marks = |view: &Quixo| (view.marks(Side::ONE) | view.marks(Side::TWO)).count_ones();
        marks(earlier) == marks(view)
    }

    fn choose(&mut self, situation: &Situation<'_, Quixo>, level: Level, limits: &Limits<'_>) -> SearchResult<Action> {
        let players = situation.view.options().players;
        let style = Style::of(level, players, limits.seed);
        match players {
            Players::Two => self.think::<Duel>(situation, style, limits, Aim::Choice),
            Players::Four => self.think::<Team>(situation, style, limits, Aim::Choice),
        }
    }

    fn analyse(&mut self, situation: &Situation<'_, Quixo>, limits: &Limits<'_>) -> SearchResult<Action> {
        match situation.view.options().players {
            Players::Two => self.think::<Duel>(situation, Style::BEST, limits, Aim::Analysis),
            Players::Four => self.think::<Team>(situation, Style::BEST, limits, Aim::Analysis),
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// One action.
    Choice,
    /// The value of every action.
    Analysis,
}

impl QuixoBot {
    /// A player who may ask these tables.
    pub fn with_tables(tables: Arc<dyn Tables>) -> QuixoBot {
        QuixoBot { knowledge: ExactKnowledge::of(tables), ..QuixoBot::default() }
    }

    /// A player who has only its network and its search, to measure those.
    pub fn without_knowledge() -> QuixoBot {
        QuixoBot { knowledge: ExactKnowledge::none(), ..QuixoBot::default() }
    }

    fn think<N: Node>(
        &mut self,
        situation: &Situation<'_, Quixo>,
        style: Style,
        limits: &Limits<'_>,
        aim: Aim,
    ) -> SearchResult<Action> {
        self.prepare(situation.view.options().players, &style, limits, aim);
        let root = N::packed(situation.view);
        let mut searcher = Searcher::new(limits, &mut self.table, style, earlier_keys::<N>(situation));
        if style.is_best() && aim == Aim::Choice && root.duel().is_some() {
            searcher.contempt = CONTEMPT;
        }
        let mut children = Vec::new();
        let wins = style.sees_win(&root).then(|| winning(&root)).flatten();
        let (mut depth, mut verdict, mut scored) = (1, Verdict::default(), Vec::new());
        if wins.is_none() || aim == Aim::Analysis {
            expand(&root, &style, &mut children);
            shuffle(&mut children, limits.seed);
            let mut known = Vec::new();
            match aim {
                Aim::Choice if style.is_best() => {
                    verdict = exact::narrow(&self.knowledge, &root, &mut children, &mut searcher, limits);
                }
                Aim::Choice => {}
                Aim::Analysis => {
                    (verdict, known) = exact::take_known(&self.knowledge, &root, &mut children, &mut searcher);
                }
            }
            searcher.tables = self.knowledge.tables().filter(|_| verdict.asks_further);
            if !verdict.is_settled {
                depth = deepen(&mut searcher, &root, &mut children, &style, limits, aim);
            }
            if verdict.root.is_none() && style.is_best() && aim == Aim::Choice {
                exact::prefer_draw(&self.knowledge, &mut children);
            }
            if aim == Aim::Analysis {
                children.append(&mut known);
                scored = every_action(&root, &mut children, &self.knowledge);
            }
        }
        let best = match wins {
            Some((code, node)) => Child { node, code, score: WIN - 1 },
            None => children.first().copied().unwrap_or_else(|| resigned(&root, &style, limits.seed)),
        };
        let value = match wins {
            Some(_) => Value::win_in(1),
            None => root_worth(verdict.root, best.score, style.sees_all()),
        };
        let exact = if value.is_exact() { exact::line(&self.knowledge, &best) } else { Vec::new() };
        let found = searcher.line(&root, &best);
        SearchResult {
            action: root.action(best.code),
            value,
            line: actions_of(&root, if exact.len() > found.len() { &exact } else { &found }),
            scored,
            nodes: searcher.meter.nodes(),
            depth,
        }
    }

    /// Makes the table ready: within the memory allowed, and empty unless what it holds may be used.
    fn prepare(&mut self, players: Players, style: &Style, limits: &Limits<'_>, aim: Aim) {
        let wanted = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(BYTES_PER_NODE));
        let most = if aim == Aim::Analysis { ANALYSIS_BYTES } else { CHOICE_BYTES };
        let bytes = most.min(limits.memory).min(usize::try_from(wanted).unwrap_or(usize::MAX));
        let keep = style.is_best() && limits.nodes.is_none() && self.kept == Some(players);
        self.kept = style.is_best().then_some(players);
        self.table.begin(bytes, keep);
    }
}

/// Looks further and further ahead; the best child comes first, in an analysis all are in order.
///
/// Returns how many actions ahead was looked.
fn deepen<N: Node>(
    searcher: &mut Searcher<'_, N>,
    root: &N,
    children: &mut [Child<N>],
    style: &Style,
    limits: &Limits<'_>,
    aim: Aim,
) -> u32 {
    searcher.judge(children);
    children.sort_by_key(|child| -child.score);
    // A short search is enough if only one action does not lose at once.
    let forced = aim == Aim::Choice && children.len() == 1;
    let furthest = style.depth.min(limits.depth.unwrap_or(u32::MAX)).min(if forced { 5 } else { 100 });
    let mut depth = 1;
    while depth < furthest && !children.is_empty() && !is_settled(children, aim) {
        let finished = searcher.search_root(root, children, depth as i32 + 1, aim == Aim::Analysis);
        if aim == Aim::Analysis {
            children.sort_by_key(|child| -child.score);
        } else if let Some(best) = (0..finished).rev().max_by_key(|&place| children[place].score) {
            children[..=best].rotate_right(1);
        }
        if searcher.meter.exhausted() {
            break;
        }
        depth += 1;
        if let Some(observer) = limits.observer {
            observer.deepened(&searcher.progress(root, &children[0], depth));
        }
    }
    depth
}

/// Whether looking further cannot change anything.
fn is_settled<N>(children: &[Child<N>], aim: Aim) -> bool {
    match aim {
        Aim::Choice => children[0].score.abs() > PROVED,
        Aim::Analysis => children.iter().all(|child| child.score.abs() > PROVED),
    }
}

/// An action for a position in which everything loses, as far as the player sees: one that does not lose at once.
fn resigned<N: Node>(root: &N, style: &Style, seed: u64) -> Child<N> {
    let mut children = Vec::new();
    root.each_child(|code, node| {
        let score = if has_line(node.own()) { 1 - WIN } else { 2 - WIN };
        // A line that this player does not see is made only by accident.
        if style.sees_all() || !has_line(node.other()) {
            children.push(Child { node, code, score });
        }
    });
    shuffle(&mut children, seed);
    children.sort_by_key(|child| -child.score);
    children.first().copied().unwrap_or(Child { node: *root, code: 0, score: -WIN })
}

/// Every legal action with its value, best first; the children come into the same order.
fn every_action<N: Node>(root: &N, children: &mut [Child<N>], knowledge: &ExactKnowledge) -> Vec<Scored<Action>> {
    let values: Vec<Value> = children.iter_mut().map(|child| exact::worth(knowledge, child)).collect();
    let mut scored = Vec::new();
    root.each_child(|code, node| {
        let (score, value) = if has_line(node.own()) {
            (1 - WIN, Value::loss_in(1))
        } else if has_line(node.other()) {
            (WIN - 1, Value::win_in(1))
        } else {
            let place = children.iter().position(|child| child.node == node);
            place.map_or((2 - WIN, Value::loss_in(2)), |place| (children[place].score, values[place]))
        };
        scored.push((score, Scored { action: root.action(code), value }));
    });
    scored.sort_by_key(|&(score, _)| -score);
    children.sort_by_key(|child| -child.score);
    scored.into_iter().map(|(_, scored)| scored).collect()
}

fn actions_of<N: Node>(root: &N, codes: &[u8]) -> Vec<Action> {
    let mut node = *root;
    let mut actions = Vec::new();
    for &code in codes {
        actions.push(node.action(code));
        let mut next = node;
        node.each_child(|other, child| {
            if other == code {
                next = child;
            }
        });
        node = next;
    }
    actions
}

/// The keys of earlier positions, in order: those in which the same side was to act, and the others.
fn earlier_keys<N: Node>(situation: &Situation<'_, Quixo>) -> [Vec<u64>; 2] {
    let side = |view: &Quixo| match view.turn() {
        rules::Turn::Seat(seat) => Some(view.side(seat)),
        _ => None,
    };
    let mut keys = [Vec::new(), Vec::new()];
    for view in situation.earlier {
        let place = usize::from(side(view) != side(situation.view));
        keys[place].push(N::packed(view).key());
    }
    keys[0].push(N::packed(situation.view).key());
    keys.iter_mut().for_each(|keys| keys.sort_unstable());
    keys
}

/// Equal actions are chosen equally often.
fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut random = Random::new(seed);
    for left in (1..list.len()).rev() {
        list.swap(left, random.below(left as u32 + 1) as usize);
    }
}
