//! How the lower levels fall short: they overlook rows, give pieces that complete one, and look less far.

use rules::quarto::Action;

use super::judge::{Judge, Prospect};
use crate::{Level, Random, Value};

/// What a level sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    /// How often a row that can be completed or called is noticed.
    notices_rows: f64,
    /// How often a gift that completes a row is recognised as such.
    notices_gifts: f64,
    /// How often a placement that leaves no safe gift is recognised, and a placement that leaves few preferred.
    looks_ahead: f64,
    /// From so few empty squares on, it plays as well as can be what it has not overlooked.
    pub(super) solves_up_to: u32,
}

pub(super) fn profile(level: Level) -> Profile {
    let (notices_rows, notices_gifts, looks_ahead, solves_up_to) = match level.number() {
        1 => (0.50, 0.30, 0.0, 0),
        2 => (0.70, 0.55, 0.0, 0),
        3 => (0.85, 0.75, 0.2, 0),
        4 => (0.95, 0.90, 0.5, 0),
        5 => (1.00, 0.98, 0.8, 4),
        6 => (1.00, 1.00, 1.0, 6),
        7 => (1.00, 1.00, 1.0, 8),
        _ => (1.00, 1.00, 1.0, 16),
    };
    Profile { notices_rows, notices_gifts, looks_ahead, solves_up_to }
}

/// Which candidates a player of this kind does not see, or misjudges so that it would not choose them.
///
/// Never all of them: something is always played.
pub(super) fn overlook<const WORDS: usize>(
    judge: &mut Judge<'_, WORDS>,
    profile: &Profile,
    random: &mut Random,
) -> Vec<bool> {
    // One glance finds all rows or none: a person who does not see the row does not see it twice.
    let sees_rows = random.unit() < profile.notices_rows;
    let mut overlooked: Vec<bool> = judge
        .candidates
        .iter()
        .map(|candidate| match (candidate.action, &candidate.prospect) {
            (Action::Call, _) => !sees_rows,
            (_, Prospect::Settled(Value::Win(_))) => !sees_rows,
            // A losing gift that is recognised is not given.
            (Action::Give(_), Prospect::Settled(Value::Loss(_))) => random.unit() < profile.notices_gifts,
            (Action::Place(_), Prospect::Settled(Value::Loss(_))) => random.unit() < profile.looks_ahead,
            _ => false,
        })
        .collect();
    if overlooked.iter().all(|&hidden| hidden) {
        overlooked.fill(false);
    }
    overlooked
}

/// A choice without a search: what wins is taken, the rest is chance, with an eye on the other seat's freedom.
pub(super) fn by_feeling<const WORDS: usize>(
    judge: &Judge<'_, WORDS>,
    overlooked: &[bool],
    profile: &Profile,
    random: &mut Random,
) -> usize {
    let seen: Vec<usize> = (0..judge.candidates.len()).filter(|&index| !overlooked[index]).collect();
    let quickest = |index: &&usize| match judge.candidates[**index].prospect {
        Prospect::Settled(Value::Win(actions)) => actions,
        _ => None,
    };
    if let Some(&won) = seen.iter().filter(|index| quickest(index).is_some()).min_by_key(|index| quickest(index)) {
        return won;
    }
    let pick = |random: &mut Random| seen[random.below(seen.len() as u32) as usize];
    let first = pick(random);
    if random.unit() >= profile.looks_ahead {
        return first;
    }
    // Looks at a few and takes the one that leaves the other seat the least.
    (0..3)
        .map(|_| pick(random))
        .chain([first])
        .min_by(|&a, &b| judge.candidates[a].freedom.total_cmp(&judge.candidates[b].freedom))
        .unwrap_or(first)
}
