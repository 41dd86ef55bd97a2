//! The opening: one placement at a time, so an ordinary alpha-beta search over the likeliest cells.

use rules::four::{Action, Four, Phase};
use rules::{ActionList, Position, Seat, Turn};

use super::evaluate::{value, verdict};
use super::field::Field;
use super::figures::{Cell, Figures, cell, has};
use super::turns::TurnPlan;
use crate::{Meter, Random};

/// Cells tried below the root.
const WIDTH: usize = 12;
/// Cells tried at the root once all of them have been seen from above.
const ROOT_WIDTH: usize = 30;
/// Captures in a row that are followed beyond the last placement.
const CAPTURES: u8 = 6;

/// Looks for the best placement of the opening, one placement deeper each time.
pub(super) struct Opening<'a, 'm> {
    pub(super) figures: &'static Figures,
    pub(super) meter: &'a mut Meter<'m>,
}

impl Opening<'_, '_> {
    /// The placements of the seat to act, best first, looked at to at most this depth.
    pub(super) fn placements(&mut self, position: &Four, depth: u8, random: &mut Random) -> Vec<TurnPlan> {
        let Turn::Seat(mover) = position.turn() else { return Vec::new() };
        let mut turns: Vec<TurnPlan> = self
            .likeliest(position, mover, usize::MAX)
            .into_iter()
            .map(|action| {
                let mut after = *position;
                after.play_unchecked(action);
                TurnPlan { actions: vec![action], after, value: 0.0 }
            })
            .collect();
        // Many cells are as good as each other at first; chance decides between them, or every game would be the same.
        let noise: Vec<f32> = turns.iter().map(|_| 0.15 * random.unit() as f32).collect();
        for (turn, noise) in turns.iter_mut().zip(noise) {
            if self.meter.exhausted() {
                break;
            }
            turn.value = self.from(&turn.after, mover, 0, f32::NEG_INFINITY, f32::INFINITY) + noise;
        }
        sort(&mut turns);
        turns.truncate(ROOT_WIDTH);
        for depth in 1..depth {
            if self.meter.exhausted() || !self.deepen(mover, depth, &mut turns) {
                break;
            }
            sort(&mut turns);
        }
        turns
    }

    /// Looks at every placement one deeper; without time nothing changes but what was found to be best already.
    fn deepen(&mut self, mover: Seat, depth: u8, turns: &mut [TurnPlan]) -> bool {
        let mut values = Vec::with_capacity(turns.len());
        let mut best = f32::NEG_INFINITY;
        for turn in turns.iter() {
            // Slightly worse ones are told apart too, so that levels that slip have something to choose from.
            let value = self.from(&turn.after, mover, depth, best - 0.3, f32::INFINITY);
            if self.meter.exhausted() {
                break;
            }
            best = best.max(value);
            values.push(value);
        }
        let complete = values.len() == turns.len();
        if complete {
            for (turn, value) in turns.iter_mut().zip(values) {
                turn.value = value;
            }
        } else if let Some(found) = (1..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))
            && values[found] > values[0]
        {
            turns[0].value = values[0];
            turns[found].value = values[found];
            turns[..=found].rotate_right(1);
        }
        complete
    }

    /// The value of a position for `seat`, which need not be the seat to act.
    fn from(&mut self, position: &Four, seat: Seat, depth: u8, low: f32, high: f32) -> f32 {
        if let Some(value) = verdict(position, seat) {
            return value;
        }
        let Turn::Seat(mover) = position.turn() else { return 0.0 };
        if mover == seat {
            self.search(position, mover, depth, CAPTURES, low, high)
        } else {
            -self.search(position, mover, depth, CAPTURES, -high, -low)
        }
    }

    fn search(&mut self, position: &Four, mover: Seat, depth: u8, captures: u8, low: f32, high: f32) -> f32 {
        if position.phase() != Phase::Opening {
            self.meter.tick();
            return value(position, mover, self.figures);
        }
        let mut best = f32::NEG_INFINITY;
        if depth == 0 {
            self.meter.tick();
            best = value(position, mover, self.figures);
            if best >= high || captures == 0 {
                return best;
            }
        }
        let width = if depth == 0 { 3 } else { WIDTH };
        for action in self.likeliest(position, mover, width) {
            if self.meter.exhausted() {
                break;
            }
            let mut next = *position;
            next.play_unchecked(action);
            if depth == 0 && next.points(mover) == position.points(mover) {
                // The likeliest come first, so no capture follows.
                break;
            }
            let low = low.max(best);
            let value = match verdict(&next, mover) {
                Some(value) => value,
                None => {
                    let (deeper, captures) = if depth == 0 { (0, captures - 1) } else { (depth - 1, captures) };
                    let same = next.turn() == Turn::Seat(mover);
                    if same {
                        self.search(&next, mover, deeper, captures, low, high)
                    } else {
                        -self.search(&next, mover.next(2), deeper, captures, -high, -low)
                    }
                }
            };
            best = best.max(value);
            if best >= high {
                break;
            }
        }
        best
    }

    /// The placements worth trying, captures first.
    fn likeliest(&mut self, position: &Four, mover: Seat, count: usize) -> Vec<Action> {
        self.meter.tick();
        let field = Field::new(position, mover);
        let mut worth = [[0i16; 19]; 19];
        // What a corner is worth by how many its square still lacks: to close it, or to be in its way.
        add(&mut worth, &field, self.figures, [0, 1000, 12, 4, 1]);
        add(&mut worth, &field.swapped(), self.figures, [0, 200, 10, 3, 1]);
        let mut list = ActionList::new();
        position.actions(&mut list);
        let mut scored: Vec<(i16, u16)> = list
            .iter()
            .zip(0..)
            .map(|(&action, place)| {
                let at = action.destination().map_or(0, cell);
                (-worth[usize::from(at >> 5)][usize::from(at & 31)], place)
            })
            .collect();
        if count < scored.len() {
            scored.select_nth_unstable(count);
            scored.truncate(count);
        }
        scored.sort_unstable();
        scored.into_iter().map(|(_, place)| list[usize::from(place)]).collect()
    }
}

/// Adds to every missing corner of a square around an enemy stone what it is worth to place there.
fn add(worth: &mut [[i16; 19]; 19], field: &Field, figures: &Figures, by_missing: [i16; 5]) {
    for centre in field.foe_cells() {
        for corners in figures.around(centre) {
            if corners.cells().iter().any(|&corner| has(&field.foe, corner)) {
                continue;
            }
            let missing = || corners.cells().iter().filter(|&&corner: &&Cell| !has(&field.own, corner));
            let bonus = by_missing[missing().count()];
            for &corner in missing() {
                worth[usize::from(corner >> 5)][usize::from(corner & 31)] += bonus;
            }
        }
    }
}

fn sort(turns: &mut [TurnPlan]) {
    turns.sort_by(|a, b| b.value.total_cmp(&a.value));
}
