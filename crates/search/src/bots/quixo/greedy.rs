//! A careful player without foresight, to measure others against.

use rules::Position;
use rules::quixo::{Action, Players, Quixo};

use super::board::has_line;
use super::lines::patterns;
use super::node::{Duel, Node, Team};
use crate::Random;

/// The action of a careful greedy player: wins at once if it can, never makes a line of the other side or lets it
/// win at once if that can be avoided, and otherwise likes many own cubes in lines the other side has few in.
///
/// The view must be of a game that is not over.
///
/// ```
/// use rules::{Position, quixo::Quixo};
///
/// let game = Quixo::parse(&Default::default(), "...../xxxx./...../oooo./..... 2")?;
/// assert_eq!(search::bots::quixo::greedy(&game, 1).to_string(), "e2a2");
/// # Ok::<(), rules::BadPosition>(())
/// ```
pub fn greedy(view: &Quixo, seed: u64) -> Action {
    match view.options().players {
        Players::Two => greedy_among(&Duel::packed(view), seed),
        Players::Four => greedy_among(&Team::packed(view), seed),
    }
}

fn greedy_among<N: Node>(node: &N, seed: u64) -> Action {
    let mut random = Random::new(seed);
    let mut best = (i32::MIN, 0, 0);
    node.each_child(|code, child| {
        let worth = if has_line(child.own()) {
            -3_000_000
        } else if has_line(child.other()) {
            3_000_000
        } else if child.can_win() {
            -2_000_000
        } else {
            -balance(child.own(), child.other())
        };
        let candidate = (worth, random.next_u64(), code);
        if candidate > best {
            best = candidate;
        }
    });
    node.action(best.2)
}

/// How much better `own` stand in the lines than `other`: each line counts the square of the cubes in it, and more
/// where nothing is in the way.
fn balance(own: u32, other: u32) -> i32 {
    let in_line = |mut pattern: u8| {
        let mut counts = [0i32; 3];
        for _ in 0..5 {
            counts[usize::from(pattern % 3)] += 1;
            pattern /= 3;
        }
        counts
    };
    let worth = |mine: i32, theirs: i32| mine * mine * if theirs == 0 { 2 } else { 1 };
    patterns(own, other)
        .into_iter()
        .map(|pattern| {
            let [_, mine, theirs] = in_line(pattern);
            worth(mine, theirs) - worth(theirs, mine)
        })
        .sum()
}
