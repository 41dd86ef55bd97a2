//! What a position is worth without searching: points, stones around ten, and both sides' cheapest captures.

use rules::four::{Bonus, FEWEST_STONES, Four, MOST_STONES, MOVEMENTS, Phase};
use rules::{Position, Seat, Turn};

use super::field::Field;
use super::figures::{Corners, Figures, has};

/// The value of a won game, in points; more than any real difference.
pub(super) const WON: f32 = 1000.0;

/// What the position is worth to `mover` if it had a whole turn now, in points.
pub(super) fn value(position: &Four, mover: Seat, figures: &Figures) -> f32 {
    match position.phase() {
        Phase::Opening => {
            let starter = starter(position, mover);
            let value = with_the_move(position, starter, figures);
            if starter == mover { value } else { -value }
        }
        Phase::Main { .. } => with_the_move(position, mover, figures),
    }
}

/// The seat that will begin the main game if nothing more is captured in the opening.
fn starter(position: &Four, mover: Seat) -> Seat {
    let other = mover.next(2);
    let missing = |seat| FEWEST_STONES.saturating_sub(position.stones_on_board(seat));
    // Who places last hands over; with as many to place the mover's partner does.
    if missing(mover) > missing(other) { other } else { mover }
}

fn with_the_move(position: &Four, mover: Seat, figures: &Figures) -> f32 {
    let other = mover.next(2);
    let field = Field::new(position, mover);
    let stones = |seat| f32::from(position.stones_on_board(seat));
    let opening = position.phase() == Phase::Opening;
    let places = !opening && position.stones_on_board(mover) < FEWEST_STONES;
    let bonus = position.options().bonus();
    let movements = first_movements(position, mover);
    let mine = Costs::new(&field, figures);
    let theirs = Costs::new(&field.swapped(), figures);

    // What the mover takes now, and what the other takes back from those who are left.
    let (taken, mut own_stones, answer) = if places {
        (0.8 * f32::from(u8::from(mine.by_placement)), stones(mover) + 1.0, 0.75)
    } else {
        (0.75 * mine.chain(movements, bonus), stones(mover), 0.4)
    };
    let mut left = stones(other) - taken;
    if opening {
        // Everybody will have ten when it begins.
        own_stones = own_stones.max(f32::from(FEWEST_STONES));
        left = f32::from(FEWEST_STONES) - taken;
    }
    let can_answer = (left - 9.0).clamp(0.15, 1.0);
    let lost = answer * can_answer * theirs.chain(MOVEMENTS, bonus);
    let points = f32::from(position.points(mover)) - f32::from(position.points(other));
    points + taken - lost + strength(own_stones - lost) - strength(left) + 0.08 * (mine.pressure() - theirs.pressure())
}

/// The movements that the mover's next turn starts with: fewer in the first turn of the main game, if the options say so.
fn first_movements(position: &Four, mover: Seat) -> u8 {
    match position.phase() {
        Phase::Opening => position.options().first(),
        Phase::Main { movements } if position.turn() == Turn::Seat(mover) && !position.has_moved() => movements,
        Phase::Main { .. } => MOVEMENTS,
    }
}

/// What having so many stones on the board is worth: below ten every stone costs a turn, above ten it is a cushion.
pub(super) fn strength(stones: f32) -> f32 {
    let ten = f32::from(FEWEST_STONES);
    if stones < ten {
        1.5 * (stones - ten)
    } else {
        let cushion = (stones - ten).min(4.0);
        0.4 * cushion + 0.12 * (stones - ten - cushion)
    }
}

/// What one more stone in place of a turn changes, for a seat that may place.
pub(super) fn placing_gains(position: &Four, seat: Seat) -> f32 {
    let stones = position.stones_on_board(seat);
    if stones >= MOST_STONES || position.reserve(seat) == 0 {
        return 0.0;
    }
    strength(f32::from(stones) + 1.0) - strength(f32::from(stones))
}

/// How many enemy stones can be had for how many movements.
struct Costs {
    /// Entry n: enemy stones whose cheapest square takes n movements; the last for those out of reach.
    stones: [u8; 10],
    /// Whether some square lacks a single corner.
    by_placement: bool,
}

impl Costs {
    fn new(field: &Field, figures: &Figures) -> Costs {
        let mut costs = Costs { stones: [0; 10], by_placement: false };
        let reached = field.reached();
        for stone in field.foe_cells() {
            let mut best = 9;
            for corners in figures.around(stone) {
                costs.look_at(field, &reached, corners, &mut best);
            }
            costs.stones[best] += 1;
        }
        costs
    }

    /// Lowers `best` to what this figure costs; `reached` are the cells that some own stone can slide to.
    #[inline]
    fn look_at(&mut self, field: &Field, reached: &[u32; 19], corners: &Corners, best: &mut usize) {
        let cells = corners.cells();
        let (mut missing, mut cost) = (0, 0);
        for &corner in cells {
            if has(&field.foe, corner) {
                return;
            }
            if !has(&field.own, corner) {
                missing += 1;
                cost += 2 - usize::from(has(reached, corner));
            }
        }
        self.by_placement |= missing == 1;
        if missing == 0 {
            *best = (*best).min(2);
            return;
        }
        if cost >= *best {
            return;
        }
        if missing < cells.len() {
            // A stone that is a corner already is not free to fill another.
            for &corner in cells.iter().filter(|&&corner| !has(&field.own, corner) && has(reached, corner)) {
                let (stones, count) = field.neighbours(corner);
                let near = stones[..count].iter().any(|stone| !cells.contains(stone));
                cost += usize::from(!near);
            }
        }
        *best = (*best).min(cost);
    }

    /// How many stones a turn of movements takes, if no capture gets in the way of the next.
    fn chain(&self, movements: u8, bonus: Bonus) -> f32 {
        let (mut left, mut made) = (usize::from(movements), 0);
        let (mut taken, mut worth) = (0.0, 1.0);
        for (cost, &stones) in self.stones.iter().enumerate().skip(1) {
            for _ in 0..stones {
                if cost > left {
                    return taken + 0.2 * worth * left as f32 / cost as f32;
                }
                taken += worth;
                // Stones that closed one square are seldom free for the next.
                worth *= 0.85;
                left -= cost;
                made += cost;
                if left == 0 {
                    return taken;
                }
                // With bonus=three a capture by a later movement adds none (FO12).
                let adds = bonus == Bonus::Chain || made <= 3;
                left += usize::from(adds);
            }
        }
        taken
    }

    /// Threats counted softly, so that quiet moves have something to improve.
    fn pressure(&self) -> f32 {
        const WORTH: [f32; 10] = [0.0, 1.0, 0.7, 0.4, 0.2, 0.1, 0.05, 0.02, 0.0, 0.0];
        self.stones.iter().zip(WORTH).map(|(&stones, worth)| f32::from(stones) * worth).sum()
    }
}

/// The value of a position that is over, to `seat`; `None` while it goes on.
pub(super) fn verdict(position: &Four, seat: Seat) -> Option<f32> {
    use rules::Outcome;
    match position.turn() {
        Turn::Over(Outcome::Win(side)) if side == position.side(seat) => Some(WON),
        Turn::Over(Outcome::Win(_)) => Some(-WON),
        Turn::Over(Outcome::Draw) => Some(0.0),
        Turn::Seat(_) | Turn::Chance => None,
    }
}
