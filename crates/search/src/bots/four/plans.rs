//! Ways to capture: which square, which stones fill its missing corners, in how many slides.

use rules::four::Action;

use super::field::Field;
use super::figures::{Cell, Corners, Figures, has, square};

/// The most slides a plan can have: four corners, each in two.
const MOST_SLIDES: usize = 8;

/// Slides that, one after another, close one square around an enemy stone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    count: u8,
    slides: [(Cell, Cell); MOST_SLIDES],
}

impl Plan {
    const EMPTY: Plan = Plan { count: 0, slides: [(0, 0); MOST_SLIDES] };

    /// How many movements it takes.
    #[inline]
    pub(super) fn cost(&self) -> u8 {
        self.count
    }

    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        let slides = &self.slides[..usize::from(self.count)];
        slides.iter().map(|&(from, to)| Action::Move { from: square(from), to: square(to) })
    }

    /// The plan's first slides.
    pub(super) fn cut(mut self, slides: u8) -> Plan {
        self.count = self.count.min(slides);
        self
    }

    #[inline]
    fn push(&mut self, from: Cell, to: Cell) {
        self.slides[usize::from(self.count)] = (from, to);
        self.count += 1;
    }
}

/// How many different ways to fill the corners of one square are worth knowing.
const WAYS: usize = 4;

/// Lists plans that take at most `most` movements into `into`, which is cleared first.
pub(super) fn plans(field: &Field, figures: &Figures, most: u8, into: &mut Vec<Plan>) {
    into.clear();
    let mut maker = Maker { field: field.clone(), into, limit: 0 };
    for centre in field.foe_cells() {
        for corners in figures.around(centre) {
            maker.fill_figure(corners, most);
        }
    }
}

struct Maker<'a> {
    field: Field,
    into: &'a mut Vec<Plan>,
    /// Stop at this many plans.
    limit: usize,
}

impl Maker<'_> {
    fn fill_figure(&mut self, corners: &Corners, most: u8) {
        let mut missing = [0; 4];
        let mut count = 0;
        for &corner in corners.cells() {
            if has(&self.field.own, corner) {
                continue;
            }
            // An enemy on a corner cannot be moved away.
            if count >= usize::from(most) || !self.field.is_empty(corner) {
                return;
            }
            missing[count] = corner;
            count += 1;
        }
        self.limit = self.into.len() + WAYS;
        let missing = &mut missing[..count];
        if missing.is_empty() {
            self.rebuild(corners, most);
            return;
        }
        // The order matters only where stones stand in each other's way; another is tried when the first fails.
        let before = self.into.len();
        for _ in 0..count {
            self.fill(corners, missing, most, Plan::EMPTY);
            if self.into.len() > before {
                return;
            }
            missing.rotate_left(1);
        }
    }

    /// A standing square captures when one of its corners leaves and comes back (FO4).
    fn rebuild(&mut self, corners: &Corners, most: u8) {
        if most < 2 {
            return;
        }
        for &corner in corners.cells() {
            let (across, along) = self.field.slides(corner);
            let beside = if across != 0 {
                corner & !31 | across.trailing_zeros() as Cell
            } else if along != 0 {
                (along.trailing_zeros() as Cell) << 5 | corner & 31
            } else {
                continue;
            };
            let mut plan = Plan::EMPTY;
            plan.push(corner, beside);
            plan.push(beside, corner);
            self.into.push(plan);
            return;
        }
    }

    fn fill(&mut self, corners: &Corners, missing: &[Cell], left: u8, plan: Plan) {
        let Some((&target, others)) = missing.split_first() else {
            self.into.push(plan);
            return;
        };
        let spare = left - missing.len() as u8;
        let (stones, count) = self.field.neighbours(target);
        let mut direct = false;
        for &stone in stones[..count].iter().filter(|stone| !corners.cells().contains(stone)) {
            direct = true;
            let mut longer = plan;
            longer.push(stone, target);
            self.field.shift(stone, target);
            self.fill(corners, others, left - 1, longer);
            self.field.shift(target, stone);
            if self.into.len() >= self.limit {
                return;
            }
        }
        if !direct && spare >= 1 {
            self.fill_by_two_slides(corners, target, others, left, plan);
        }
    }

    fn fill_by_two_slides(&mut self, corners: &Corners, target: Cell, others: &[Cell], left: u8, plan: Plan) {
        for stone in self.field.own_cells() {
            if corners.cells().contains(&stone) {
                continue;
            }
            let Some(turn) = self.field.turning_points(stone, target).next() else { continue };
            let mut longer = plan;
            longer.push(stone, turn);
            longer.push(turn, target);
            self.field.shift(stone, target);
            self.fill(corners, others, left - 2, longer);
            self.field.shift(target, stone);
            if self.into.len() >= self.limit {
                return;
            }
        }
    }
}
