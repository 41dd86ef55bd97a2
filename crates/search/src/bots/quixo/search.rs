//! Alpha-beta for the duel and for teams: iterative deepening, a table, principal variation search, reductions for
//! late moves, and no step spent on actions that let the other side win at once.

use std::ops::ControlFlow;

use super::board::{has_line, missing};
use super::knowledge::{Tables, search_score};
use super::net::Net;
use super::node::Node;
use super::style::Style;
use super::table::{Bound, Table};
use super::{actions_of, exact};
use crate::{Limits, Meter, Progress};

/// The score of a game won now; a win after n actions is worth n less.
pub(super) const WIN: i32 = 30_000;
/// Scores beyond this are proved wins (or, negative, losses).
pub(super) const PROVED: i32 = 29_000;
/// The most an evaluation can say.
const SURE: i32 = 20_000;
/// Points for each action still to be looked ahead by which an evaluation has to miss the window for the search to
/// believe it, and how deep a search that may spare.
const MARGIN: i32 = 40;
const SPARED: i32 = 8;
/// The points by which a repetition is worse than a draw for the level that plays best: it goes on where that costs nothing,
/// as far as it can tell. More than this loses games to the level below.
pub(super) const CONTEMPT: i32 = 30;
/// The most actions a line is followed.
const MOST_PLIES: usize = 120;

/// The most evaluations that are kept: a megabyte.
const JUDGED: usize = 1 << 16;

/// A position one action further.
#[derive(Clone, Copy)]
pub(super) struct Child<N> {
    pub(super) node: N,
    pub(super) code: u8,
    /// What orders it among its siblings, then what the search found; points for the seat that leads to it.
    pub(super) score: i32,
}

/// One search: its limits, its memory and the line it is looking at.
pub(super) struct Searcher<'a, N> {
    pub(super) meter: Meter<'a>,
    net: &'a Net,
    table: &'a mut Table,
    style: Style,
    /// The line from the root to the position that is looked at.
    path: Vec<N>,
    /// The longest such line.
    furthest: usize,
    /// The keys of earlier positions of the game: those with the root's side to act, and the others.
    earlier: [Vec<u64>; 2],
    lists: Vec<Vec<Child<N>>>,
    /// Evaluations made lately, each with the key of its position plus one: looking further ahead asks for them again.
    judged: Vec<(u64, i32)>,
    /// The points by which a repetition is worse than a draw for the side of the root.
    pub(super) contempt: i32,
    /// Asked about every position, if set.
    pub(super) tables: Option<&'a dyn Tables>,
}

/// How many evaluations are kept, a power of two: in a search of few positions a large table takes longer to clear than it saves.
fn places_for(limits: &Limits<'_>) -> usize {
    let few = limits.nodes.and_then(|nodes| usize::try_from(nodes).ok()).unwrap_or(JUDGED);
    few.saturating_mul(32).clamp(1, JUDGED).next_power_of_two()
}

impl<'a, N: Node> Searcher<'a, N> {
    pub(super) fn new(limits: &'a Limits<'a>, table: &'a mut Table, style: Style, earlier: [Vec<u64>; 2]) -> Self {
        Searcher {
            meter: limits.meter(),
            net: Net::embedded(),
            table,
            style,
            path: Vec::with_capacity(MOST_PLIES),
            furthest: 0,
            earlier,
            lists: Vec::new(),
            judged: vec![(0, 0); places_for(limits)],
            contempt: 0,
            tables: None,
        }
    }

    /// What has been found once every child was searched to this depth, for who watches the search.
    pub(super) fn progress(&self, root: &N, best: &Child<N>, depth: u32) -> Progress {
        Progress {
            depth,
            selective_depth: depth.max(self.furthest as u32 + 1),
            nodes: self.meter.nodes(),
            hash_permille: self.table.fill_permille(),
            value: Some(exact::value(best.score, self.style.sees_all())),
            line: actions_of(root, &self.line(root, best)).iter().map(ToString::to_string).collect(),
        }
    }

    /// Gives each child the evaluation of its position.
    pub(super) fn judge(&mut self, children: &mut [Child<N>]) {
        for child in children {
            self.meter.tick();
            child.score = -self.evaluate(&child.node);
        }
    }

    /// Searches each child of the root to this depth and gives it its score; stops early when the limits are used up.
    ///
    /// With `every` all children get their true score, otherwise only the best and those that came close.
    /// Returns how many children were finished.
    pub(super) fn search_root(&mut self, root: &N, children: &mut [Child<N>], depth: i32, every: bool) -> usize {
        self.path.clear();
        self.path.push(*root);
        let mut best = -WIN;
        for (number, child) in children.iter_mut().enumerate() {
            let first = number == 0;
            let mut score = WIN;
            if !first && !every {
                let reduced = depth - 1 - reduction(depth, number);
                score = -self.search(&child.node, reduced, -best - 1, -best, 1, None);
                if score > best && reduced < depth - 1 {
                    score = -self.search(&child.node, depth - 1, -best - 1, -best, 1, None);
                }
            }
            if first || every || score > best {
                let alpha = if every { -WIN } else { best };
                score = -self.search(&child.node, depth - 1, -WIN, -alpha, 1, None);
            }
            if self.meter.exhausted() {
                return number;
            }
            child.score = score;
            best = best.max(score);
        }
        children.len()
    }

    /// The score of a position in which the seat to act cannot win at once; `depth` is at least 1. `guess` is its
    /// evaluation where that is known already.
    fn search(&mut self, node: &N, depth: i32, alpha: i32, beta: i32, ply: usize, guess: Option<i32>) -> i32 {
        if self.meter.tick() {
            return 0;
        }
        if self.repeats(node, ply) {
            return if ply & 1 == 0 { -self.contempt } else { self.contempt };
        }
        let key = node.key();
        let known = self.table.look_up(key);
        if let Some(entry) = known {
            let score = at_ply(i32::from(entry.score), ply);
            let usable = match entry.bound {
                Bound::Exactly => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            if usable && (i32::from(entry.depth) >= depth || score.abs() > PROVED) {
                return score;
            }
        }
        if let Some(score) = self.decided(node, ply) {
            return score;
        }
        if beta - alpha == 1 && self.may_spare(depth, beta) {
            let guess = guess.unwrap_or_else(|| self.evaluate(node));
            if guess >= beta + MARGIN * (depth - 1) {
                return guess;
            }
        }
        let leaf = if depth <= 1 { self.best_leaf(node, beta) } else { None };
        let (score, code) =
            leaf.unwrap_or_else(|| self.best_of(node, depth, alpha, beta, ply, known.map(|entry| entry.code)));
        if self.meter.exhausted() {
            return 0;
        }
        let bound = if score >= beta {
            Bound::AtLeast
        } else if score <= alpha {
            Bound::AtMost
        } else {
            Bound::Exactly
        };
        self.table.store(key, from_ply(score, ply), depth, bound, code);
        score
    }

    /// The score of a position that the tables know to be won or lost.
    fn decided(&self, node: &N, ply: usize) -> Option<i32> {
        let (own, other) = node.duel()?;
        search_score(self.tables?.look_up(own, other)?).map(|score| at_ply(score, ply))
    }

    /// The best of the evaluations one action further, or one that is good enough; `None` where at most one action
    /// does not lose at once, which is worth a closer look.
    fn best_leaf(&mut self, node: &N, beta: i32) -> Option<(i32, u8)> {
        let careful = missing(node.other()) != 0;
        let mut best = (-WIN, 0);
        let mut survivors = 0;
        let _ = node.try_each_child(|code, child| {
            if node.is_repeated(code) || !survives(&child, careful, &self.style) {
                return ControlFlow::Continue(());
            }
            survivors += 1;
            if best.0 < beta {
                if self.meter.tick() {
                    return ControlFlow::Break(());
                }
                let score = -self.evaluate(&child);
                if score > best.0 {
                    best = (score, code);
                }
            }
            if best.0 >= beta && survivors > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (survivors > 1).then_some(best)
    }

    /// The best of what the actions lead to.
    fn best_of(&mut self, node: &N, depth: i32, alpha: i32, beta: i32, ply: usize, first: Option<u8>) -> (i32, u8) {
        let mut children = self.take_list(ply);
        let lost_after = expand(node, &self.style, &mut children);
        let best = if children.is_empty() {
            (ply as i32 + lost_after - WIN, 0)
        } else if ply + 1 >= MOST_PLIES {
            (self.evaluate(node), 0)
        } else {
            self.path.push(*node);
            self.furthest = self.furthest.max(self.path.len());
            let best = self.best_child(&mut children, depth, alpha, beta, ply, first);
            self.path.pop();
            best
        };
        self.lists[ply] = children;
        best
    }

    /// The best of the children's scores, sought with a narrow window and less depth the later a child comes.
    fn best_child(
        &mut self,
        children: &mut [Child<N>],
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        first: Option<u8>,
    ) -> (i32, u8) {
        let forced = children.len() == 1;
        let deeper = if forced { depth } else { depth - 1 };
        // What was best before is tried before the others cost the time to put them in order.
        let tried = first.and_then(|code| children.iter().position(|child| child.code == code));
        if let Some(place) = tried {
            children.swap(0, place);
        } else if !forced {
            self.order(children);
        }
        let mut best = (-WIN, 0);
        for number in 0..children.len() {
            if number == 1 && tried.is_some() {
                self.order(&mut children[1..]);
            }
            let guessed = number > 0 || tried.is_none() && !forced;
            if guessed {
                bring_best_forward(&mut children[number..]);
            }
            let Child { node, code, score: promise } = children[number];
            if number > 2 && promise + MARGIN * (depth - 1) < alpha && self.may_spare(depth, alpha) {
                // The others promise even less.
                best.0 = best.0.max(promise);
                break;
            }
            let guess = guessed.then_some(-promise);
            let mut score = alpha + 1;
            if number > 0 {
                let reduced = (deeper - reduction(depth, number)).max(1);
                score = -self.search(&node, reduced, -alpha - 1, -alpha, ply + 1, guess);
                if score > alpha && reduced < deeper {
                    score = -self.search(&node, deeper, -alpha - 1, -alpha, ply + 1, guess);
                }
            }
            if number == 0 || (score > alpha && score < beta) {
                score = -self.search(&node, deeper, -beta, -alpha, ply + 1, guess);
            }
            if self.meter.exhausted() {
                return best;
            }
            if score > best.0 {
                best = (score, code);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Whether an evaluation far beyond this bound may stand for a search of this depth: never where wins are proved,
    /// and only for levels without random errors, since the levels below search to a fixed depth.
    fn may_spare(&self, depth: i32, bound: i32) -> bool {
        (2..=SPARED).contains(&depth) && bound.abs() < SURE && self.style.is_best()
    }

    /// Gives each child what its evaluation promises.
    fn order(&mut self, children: &mut [Child<N>]) {
        for child in children {
            child.score = -self.evaluate(&child.node);
        }
    }

    /// Points for the seat to act.
    #[inline]
    fn evaluate(&mut self, node: &N) -> i32 {
        let key = node.key();
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (self.judged.len() - 1);
        if let Some(&(_, points)) = self.judged.get(place).filter(|(known, _)| *known == key + 1) {
            return points;
        }
        let points = (self.net.evaluate(node) + node.freedom() + self.style.mood(node)).clamp(-SURE, SURE);
        self.judged[place] = (key + 1, points);
        points
    }

    /// Whether the position stood on the line or in the game before; then it is worth a draw, since the side that is
    /// ahead must play another action anyway.
    pub(super) fn repeats(&self, node: &N, ply: usize) -> bool {
        let marks = (node.own() | node.other()).count_ones();
        // A marked cube stays marked, so positions with fewer cannot come back.
        let same = |past: &N| (past.own() | past.other()).count_ones() == marks;
        let mut back = self.path.iter().rev().skip(1).step_by(2).take_while(|past| same(past));
        if back.any(|past| past == node) {
            return true;
        }
        let earlier = &self.earlier[ply & 1];
        !earlier.is_empty() && earlier.binary_search(&node.key()).is_ok()
    }

    /// The line the table remembers, from a child of the root on.
    pub(super) fn line(&self, root: &N, first: &Child<N>) -> Vec<u8> {
        let mut line = vec![first.code];
        let mut seen = vec![*root];
        let mut node = first.node;
        let mut children = Vec::new();
        while !is_over(&node) && !seen.contains(&node) && line.len() < 40 {
            seen.push(node);
            if let Some((code, _)) = winning(&node) {
                line.push(code);
                break;
            }
            let known = self.table.look_up(node.key()).map(|entry| entry.code);
            let lost = expand(&node, &Style::BEST, &mut children);
            let next = if children.is_empty() && lost == 2 {
                any_survivor(&node)
            } else {
                known.and_then(|code| children.iter().find(|child| child.code == code).map(|child| (code, child.node)))
            };
            let Some((code, child)) = next else { break };
            line.push(code);
            node = child;
        }
        line
    }

    fn take_list(&mut self, ply: usize) -> Vec<Child<N>> {
        while self.lists.len() <= ply {
            self.lists.push(Vec::with_capacity(N::MOST));
        }
        std::mem::take(&mut self.lists[ply])
    }
}

/// Fills `children` with the distinct successors in which the other side cannot win at once.
///
/// The seat to act must not be able to win at once. Where no child is left the position is lost, and the number that
/// is returned says after how many actions: 2, or 1 where every action makes a line of the other side.
pub(super) fn expand<N: Node>(node: &N, style: &Style, children: &mut Vec<Child<N>>) -> i32 {
    children.clear();
    let mut lost_after = 1;
    // Only a push through a square that a line of the other side lacks can complete that line.
    let careful = missing(node.other()) != 0;
    let mut places = [u8::MAX; 128];
    node.each_child(|code, child| {
        if node.is_repeated(code) || ends(&child, careful, style) {
            return;
        }
        lost_after = 2;
        if style.sees_win(&child) {
            return;
        }
        let mixed = child.own().wrapping_mul(0x9e37_79b1) ^ child.other().wrapping_mul(0x85eb_ca77);
        let mut place = (mixed >> 25) as usize;
        while places[place] != u8::MAX {
            if children[usize::from(places[place])].node == child {
                return;
            }
            place = (place + 1) % places.len();
        }
        places[place] = children.len() as u8;
        children.push(Child { node: child, code, score: 0 });
    });
    lost_after
}

/// Whether either side has a line after an action; `careful` where the other side lacked one cube of a line.
#[inline]
fn ends<N: Node>(child: &N, careful: bool, style: &Style) -> bool {
    careful && has_line(child.own()) || !style.sees_all() && has_line(child.other())
}

/// Whether an action neither ends the game nor lets the other side win at once.
#[inline]
fn survives<N: Node>(child: &N, careful: bool, style: &Style) -> bool {
    !ends(child, careful, style) && !style.sees_win(child)
}

/// Whether either side has a line.
pub(super) fn is_over<N: Node>(node: &N) -> bool {
    has_line(node.own()) || has_line(node.other())
}

/// An action that wins at once.
pub(super) fn winning<N: Node>(node: &N) -> Option<(u8, N)> {
    find_child(node, |child| has_line(child.other()) && !has_line(child.own()))
}

/// An action that does not lose at once.
fn any_survivor<N: Node>(node: &N) -> Option<(u8, N)> {
    find_child(node, |child| !has_line(child.own()))
}

fn find_child<N: Node>(node: &N, wanted: impl Fn(&N) -> bool) -> Option<(u8, N)> {
    let mut found = None;
    node.each_child(|code, child| {
        if found.is_none() && wanted(&child) {
            found = Some((code, child));
        }
    });
    found
}

/// Brings the child with the highest score to the front.
fn bring_best_forward<N>(children: &mut [Child<N>]) {
    let best = children.iter().enumerate().max_by_key(|(place, child)| (child.score, std::cmp::Reverse(*place)));
    if let Some((place, _)) = best {
        children.swap(0, place);
    }
}

/// How much less deep the child in this place of the order is searched at first.
fn reduction(depth: i32, place: usize) -> i32 {
    match (depth, place) {
        (..=2, _) | (_, ..=2) => 0,
        (3..=4, _) | (_, ..=8) => 1,
        (5..=7, _) | (_, ..=20) => 2,
        _ => 3,
    }
}

/// Wins in the table count from their own position, in the search from the root.
fn at_ply(score: i32, ply: usize) -> i32 {
    score - score.signum() * if score.abs() > PROVED { ply as i32 } else { 0 }
}

fn from_ply(score: i32, ply: usize) -> i32 {
    score + score.signum() * if score.abs() > PROVED { ply as i32 } else { 0 }
}
