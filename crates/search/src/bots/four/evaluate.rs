//! What a position is worth without searching: points, stones around ten, and both sides' cheapest captures.

use rules::four::{Bonus, FEWEST_STONES, Four, MOST_STONES, MOVEMENTS, Phase, Shape};
use rules::{Position, Seat, Turn};

use super::field::Field;
use super::figures::{CELLS, Cell, Corners, Figures, has};

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
        let lacks = Lacks::new(field);
        for stone in field.foe_cells() {
            let mut best = 9;
            for corners in figures.around(stone) {
                let lack = lacks.of(corners);
                costs.by_placement |= lack & (Lacks::BLOCKED | Lacks::CORNERS) == Lacks::CORNER;
                let cost = usize::from(lack & !Lacks::CORNERS);
                if cost < best {
                    best = best.min(cost_of(field, &lacks, corners, cost));
                }
            }
            costs.stones[best] += 1;
        }
        costs
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

/// What a figure costs that needs `cost` movements if every stone may fill every corner.
#[inline]
fn cost_of(field: &Field, lacks: &Lacks, corners: &Corners, cost: usize) -> usize {
    // A standing square captures when one of its corners leaves and comes back (FO4).
    if cost == 0 {
        return 2;
    }
    // The corners of an orthogonal square do not see each other: the stone in its centre stands in between.
    if corners.shape == Shape::Orthogonal {
        return cost;
    }
    let cells = corners.cells();
    if !cells.iter().any(|&corner| has(&field.own, corner)) {
        return cost;
    }
    // A stone that is a corner already is not free to fill another.
    let is_filled_by_none = |corner: Cell| {
        let (stones, count) = field.neighbours(corner);
        stones[..count].iter().all(|stone| cells.contains(stone))
    };
    cost + cells.iter().filter(|&&corner| lacks.is_reached(corner) && is_filled_by_none(corner)).count()
}

/// What each cell lacks to be a corner of the seat's squares, as numbers that can be added up over the corners: how many
/// movements bring a stone there, and in the higher bits how many corners are empty or blocked.
struct Lacks([u8; CELLS]);

impl Lacks {
    /// One corner that carries no stone.
    const CORNER: u16 = 0x10;
    const CORNERS: u16 = 0x70;
    /// Set in every sum with an enemy on a corner, who cannot be moved away.
    const BLOCKED: u16 = 0x380;
    const REACHED: u8 = 0x11;

    fn new(field: &Field) -> Lacks {
        let mut lacks = Lacks([0; CELLS]);
        for (row, near) in field.reached().into_iter().enumerate().take(usize::from(field.size)) {
            let (own, foe) = (field.own[row], field.foe[row]);
            let cells = lacks.0[32 * row..][..24].chunks_exact_mut(8);
            for (group, cells) in cells.enumerate().take(usize::from(field.size.div_ceil(8))) {
                let spread = |bits: u32| SPREAD[usize::from((bits >> (8 * group)) as u8)];
                // 0x12 for an empty cell, one less where a stone slides to at once.
                let word = 0x1212_1212_1212_1212 - 0x12 * spread(own) - spread(near) + 0x6e * spread(foe);
                cells.copy_from_slice(&word.to_le_bytes());
            }
        }
        lacks
    }

    #[inline]
    fn of(&self, corners: &Corners) -> u16 {
        corners.four().iter().map(|&corner| u16::from(self.0[usize::from(corner)])).sum()
    }

    #[inline]
    fn is_reached(&self, cell: Cell) -> bool {
        self.0[usize::from(cell)] == Lacks::REACHED
    }
}

/// A byte of bits as a word of bytes that are 0 or 1.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut place = 0;
        while place < 8 {
            spread[bits] |= (bits as u64 >> place & 1) << (8 * place);
            place += 1;
        }
        bits += 1;
    }
    spread
};

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
