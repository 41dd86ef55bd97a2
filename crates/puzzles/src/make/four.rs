//! Four: tactics of one turn, valued by looking at every list of movements.

use std::collections::HashSet;

use rules::four::{Action, Four, FourOptions, MAX_SIZE, Phase, Size};
use rules::{ActionList, Position, Seat, Symmetric, Turn, game_text};
use search::Random;

use super::four_turn::{Arrival, Bonus, Cells, Geometry, Stones, TurnSearch};
use super::{Found, Job, Quota, ply};
use crate::Theme;

/// Positions that a search may see before its puzzle is given up.
const BUDGET: usize = 300_000;

/// Positions that are tried in one unit of work: the more movements are left, the longer each search takes.
const MOST_TRIES: [usize; 4] = [150_000, 25_000, 4000, 3000];

/// The longest solution: further captures are no harder to find, only longer to play.
const LONGEST: usize = 10;

/// Options, movements left, into how many units the work is cut, and how many puzzles of each theme are wanted.
type Wanted = (&'static str, u8, usize, &'static [(Theme, usize)]);

const WANTED: [Wanted; 8] = [
    ("size=9", 1, 8, &[(Theme::Last, 720), (Theme::Edge, 600), (Theme::Escape, 480)]),
    ("size=9", 2, 16, &[(Theme::Edge, 240), (Theme::Most, 352), (Theme::Chain, 240)]),
    ("size=9", 3, 16, &[(Theme::Most, 160), (Theme::Chain, 112)]),
    ("size=9", 4, 32, &[(Theme::Most, 256), (Theme::Chain, 384)]),
    ("size=13", 1, 8, &[(Theme::Last, 160), (Theme::Edge, 120), (Theme::Escape, 120)]),
    ("size=13", 2, 16, &[(Theme::Most, 112), (Theme::Chain, 64)]),
    ("", 1, 8, &[(Theme::Last, 120), (Theme::Edge, 80), (Theme::Escape, 80)]),
    ("", 2, 8, &[(Theme::Most, 16), (Theme::Chain, 16)]),
];

pub(super) fn jobs(seed: u64) -> Vec<Job> {
    let kinds = WANTED.iter().enumerate();
    let units = kinds.flat_map(|(kind, wanted)| (0..wanted.2).map(move |unit| (kind, unit, wanted)));
    let job = |(kind, unit, &(options, left, units, themes)): (usize, usize, &Wanted)| -> Job {
        let mut random = Random::new(seed << 16 | (kind as u64) << 8 | unit as u64);
        Job::new(move || {
            let Ok(options) = options.parse::<FourOptions>() else { return Vec::new() };
            let share = |&(theme, count): &(Theme, usize)| (theme, left.into(), count.div_ceil(units));
            let quota = Quota::new(themes.iter().map(share));
            match options.size() {
                Size::Nine => find::<2>(&options, left, quota, &mut random),
                Size::Thirteen => find::<3>(&options, left, quota, &mut random),
                Size::Nineteen => find::<6>(&options, left, quota, &mut random),
            }
        })
    };
    // The longest searches begin first, so that no thread is left with one at the end.
    let mut jobs: Vec<_> = units.collect();
    jobs.sort_by_key(|(_, _, wanted)| std::cmp::Reverse(wanted.1));
    jobs.into_iter().map(job).collect()
}

fn find<const WORDS: usize>(options: &FourOptions, left: u8, quota: Quota, random: &mut Random) -> Vec<Found> {
    let geometry = Geometry::new(options.size().width());
    let mut finder = Finder::<WORDS> { geometry: &geometry, quota, seen: HashSet::new() };
    let mut found = Vec::new();
    for _ in 0..MOST_TRIES[usize::from(left.clamp(1, 4)) - 1] {
        if finder.quota.is_filled() {
            break;
        }
        let position =
            if left == 4 { fought_position(options, random) } else { random_position(options, left, random) };
        found.extend(position.and_then(|position| finder.consider(&position)));
    }
    found
}

/// A position of the main game, at the beginning or in the middle of a turn.
fn random_position(options: &FourOptions, left: u8, random: &mut Random) -> Option<Four> {
    let mut position = Four::start(options);
    let mut actions = ActionList::new();
    let mut turns = random.below(8);
    loop {
        let Turn::Seat(seat) = position.turn() else { return None };
        if let Phase::Main { movements } = position.phase()
            && turns == 0
            && position.stones_on_board(seat) >= 10
        {
            if movements == left && (left == 4 || position.has_moved()) {
                return Some(position);
            }
            if movements < left {
                return None;
            }
        }
        position.actions(&mut actions);
        let movements: Vec<Action> =
            actions.iter().copied().filter(|action| matches!(action, Action::Move { .. })).collect();
        let among = if turns == 0 && !movements.is_empty() { &movements[..] } else { &actions[..] };
        position.play_unchecked(among[random.below(among.len() as u32) as usize]);
        if position.turn() != Turn::Seat(seat) && position.phase() != Phase::Opening {
            turns = turns.saturating_sub(1);
        }
    }
}

/// The beginning of a turn in the middle of a game whose players take what they see, more or less often.
fn fought_position(options: &FourOptions, random: &mut Random) -> Option<Four> {
    let mut position = Four::start(options);
    let mut actions = ActionList::new();
    let (mut turns, greed) = (random.below(12), random.below(100));
    loop {
        let Turn::Seat(seat) = position.turn() else { return None };
        let begins = position.phase() != Phase::Opening && !position.has_moved();
        if begins && turns == 0 && position.stones_on_board(seat) >= 10 {
            return (position.movements_left() == 4).then_some(position);
        }
        position.actions(&mut actions);
        let count = |action: &Action| position.captures_by(*action).len();
        let most = actions.iter().map(count).max().unwrap_or(0);
        let mut among = actions.to_vec();
        if most > 0 && random.below(100) < greed {
            among.retain(|action| count(action) == most);
        } else if random.below(3) > 0 && actions.iter().any(|action| matches!(action, Action::Move { .. })) {
            among.retain(|action| matches!(action, Action::Move { .. }));
        }
        position.play_unchecked(among[random.below(among.len() as u32) as usize]);
        if position.turn() != Turn::Seat(seat) && position.phase() != Phase::Opening {
            turns = turns.saturating_sub(1);
        }
    }
}

struct Finder<'a, const WORDS: usize> {
    geometry: &'a Geometry<WORDS>,
    quota: Quota,
    /// Positions that are taken, in the form that all their symmetries share.
    seen: HashSet<Form>,
}

type Rows = [u32; MAX_SIZE as usize];
type Form = (Rows, Rows, u8);

impl<const W: usize> Finder<'_, W> {
    fn consider(&mut self, position: &Four) -> Option<Found> {
        let left = u32::from(position.movements_left());
        let mut search = TurnSearch::<W>::new(self.geometry, Bonus::Earned, BUDGET);
        if left == 4 && !self.may_be_wanted(position, &mut search)? {
            return None;
        }
        let values = values(position, &mut search)?;
        let (theme, values) = match self.capture_theme(position, &values)? {
            Theme::Escape => (Theme::Escape, self.threats(position)),
            theme => (theme, values),
        };
        if !self.quota.wants(theme, left) || (theme == Theme::Escape && !is_escape(&values)) {
            return None;
        }
        let words = match theme {
            Theme::Escape => vec![ply(&best_action(&values)?.to_string(), texts(&values))],
            _ => line(position, &mut search)?,
        };
        let form = canonical(position);
        if words.len() > LONGEST || !self.seen.insert(form) {
            return None;
        }
        self.quota.take(theme, left);
        let game = game_text::<Four>(&position.options());
        let line = format!("{game} {theme} {} | {position} | {}", words.len(), words.join(" "));
        Some(Found { form: format!("{game} {form:?}").into_bytes(), line })
    }

    /// Whether a whole turn can be of a theme that is still wanted; chains are many, and soon only the others are.
    fn may_be_wanted(&self, position: &Four, search: &mut TurnSearch<'_, W>) -> Option<bool> {
        if self.quota.wants(Theme::Chain, 4) {
            return Some(true);
        }
        let stones = stones::<W>(position);
        let without = TurnSearch::<W>::new(self.geometry, Bonus::Ignored, BUDGET).most(&stones, 4)?;
        let open = without > 1 && greedy(self.geometry, stones, 4) < without;
        Some(open && !search.exceeds(&stones, 4, without)?)
    }

    /// The theme by what the turn can capture; `Escape` stands for nothing to capture.
    fn capture_theme(&self, position: &Four, values: &[(Action, i32)]) -> Option<Theme> {
        let Turn::Seat(seat) = position.turn() else { return None };
        let best = values.iter().map(|(_, value)| *value).max()?;
        let target = i32::from(position.options().target());
        if target > 0 && i32::from(position.points(seat)) + best >= target {
            return None;
        }
        let right: Vec<Action> = values.iter().filter(|(_, value)| *value == best).map(|(action, _)| *action).collect();
        let left = u32::from(position.movements_left());
        match (left, best) {
            (1, 0) => Some(Theme::Escape),
            (1, _) if right.len() != 1 => None,
            (1, _) => Some(if at_edge(position, right[0]) { Theme::Edge } else { Theme::Last }),
            (2, 1) if right.len() <= 3 && right.iter().all(|action| at_edge(position, *action)) => Some(Theme::Edge),
            (2.., 2..) if right.len() * 8 <= values.len() => {
                let mut plain = TurnSearch::<W>::new(self.geometry, Bonus::Ignored, BUDGET);
                let without = plain.most(&stones::<W>(position), left)? as i32;
                let greedy = greedy(self.geometry, stones::<W>(position), left) as i32;
                match (without < best, greedy < best) {
                    // Of whole turns only those are kept in which it is not enough to take what one sees.
                    (true, is_hidden) => (left < 4 || is_hidden).then_some(Theme::Chain),
                    (false, is_hidden) => is_hidden.then_some(Theme::Most),
                }
            }
            _ => None,
        }
    }

    /// For every action of the last movement, minus what the opponent's next stone then captures at most.
    fn threats(&self, position: &Four) -> Vec<(Action, i32)> {
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        let threat = |action: Action| {
            let mut next = *position;
            next.play_unchecked(action);
            let Turn::Seat(seat) = next.turn() else { return 0 };
            let stones = stones::<W>(&next);
            let on_board = next.stones_on_board(seat);
            let mut most = 0;
            if on_board >= 10 {
                most = self.geometry.last(&stones, Arrival::Movement);
            }
            if on_board < 20 && next.reserve(seat) > 0 {
                most = most.max(self.geometry.last(&stones, Arrival::Placement));
            }
            most
        };
        actions.iter().map(|&action| (action, -(threat(action) as i32))).collect()
    }
}

/// One action alone leaves nothing to capture.
fn is_escape(values: &[(Action, i32)]) -> bool {
    values.iter().filter(|(_, value)| *value == 0).count() == 1
}

fn at_edge(position: &Four, action: Action) -> bool {
    let last = position.size() - 1;
    let edge = |at: rules::Square| at.column == 0 || at.row == 0 || at.column == last || at.row == last;
    position.captures_by(action).iter().any(|figure| edge(figure.centre()))
}

/// What a player captures that always takes the most at once, and else the first movement.
fn greedy<const W: usize>(geometry: &Geometry<W>, mut stones: Stones<W>, mut left: u32) -> u32 {
    let mut total = 0;
    while left > 0 {
        let best = geometry.movements(&stones).into_iter().map(|(from, to)| geometry.moved(&stones, from, to));
        let Some((next, captured)) = best.max_by_key(|(_, captured)| *captured) else { break };
        stones = next;
        total += captured;
        left = if left > 1 { left - 1 + captured } else { 0 };
    }
    total
}

fn stones<const W: usize>(position: &Four) -> Stones<W> {
    let size = usize::from(position.size());
    let Turn::Seat(seat) = position.turn() else { return Stones { own: Cells::EMPTY, enemy: Cells::EMPTY } };
    let cells = |seat: Seat| {
        let occupied = (0..size * size).filter(|cell| position.rows(seat)[cell / size] >> (cell % size) & 1 != 0);
        occupied.fold(Cells::EMPTY, Cells::with)
    };
    Stones { own: cells(seat), enemy: cells(seat.next(2)) }
}

/// Every action with the captures of the rest of the turn.
fn values<const W: usize>(position: &Four, search: &mut TurnSearch<'_, W>) -> Option<Vec<(Action, i32)>> {
    let (stones, left, size) = (stones::<W>(position), u32::from(position.movements_left()), position.size());
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let value = |action: Action| {
        Some(match action {
            Action::Move { from, to } => search.after(&stones, from.index(size), to.index(size), left)?,
            Action::Place { .. } => position.captures_by(action).len() as u32,
            Action::End | Action::Pass => 0,
        } as i32)
    };
    let mut value = value;
    actions.iter().map(|&action| Some((action, value(action)?))).collect()
}

fn texts(values: &[(Action, i32)]) -> Vec<(String, i32)> {
    values.iter().map(|(action, value)| (action.to_string(), *value)).collect()
}

fn best_action(values: &[(Action, i32)]) -> Option<Action> {
    let best = values.iter().map(|(_, value)| *value).max()?;
    values.iter().find(|(_, value)| *value == best).map(|(action, _)| *action)
}

/// The plies of the turn up to the last capture.
fn line<const W: usize>(start: &Four, search: &mut TurnSearch<'_, W>) -> Option<Vec<String>> {
    let mut position = *start;
    let mut words = Vec::new();
    while position.turn() == start.turn() {
        let values = values(&position, search)?;
        let action = best_action(&values)?;
        if values.iter().all(|(_, value)| *value == 0) {
            break;
        }
        words.push(ply(&action.to_string(), texts(&values)));
        position.play_unchecked(action);
    }
    Some(words)
}

/// The least of the eight forms of a position; points and reserves are no part of the puzzle.
fn canonical(position: &Four) -> Form {
    let Turn::Seat(seat) = position.turn() else { return Form::default() };
    let form = |turned: Four| (*turned.rows(seat), *turned.rows(seat.next(2)), turned.movements_left());
    (0..position.symmetries()).map(|symmetry| form(position.transform(symmetry))).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_turns_are_found_and_the_checker_agrees_with_every_value() {
        let options: FourOptions = "size=9".parse().unwrap();
        let wanted = [(Theme::Chain, 3, 1), (Theme::Most, 3, 1)];
        let mut found = find::<2>(&options, 3, Quota::new(wanted), &mut Random::new(3));
        found.extend(find::<2>(&options, 4, Quota::new([(Theme::Chain, 4, 1)]), &mut Random::new(3)));
        assert_eq!(found.len(), 3);
        for found in found {
            crate::Puzzle::read(&found.line).unwrap();
            let checked = crate::check::check(&found.line).unwrap();
            assert!(checked.values > 200, "{}", found.line);
        }
    }
}
