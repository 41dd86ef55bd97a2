//! The most captures of a turn in Four, by looking at every list of movements.

use std::collections::HashMap;

use super::FastHash;

/// A set of cells as bits, cell = row · size + column; `WORDS` words are enough for the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cells<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    pub(super) const EMPTY: Self = Cells([0; WORDS]);

    #[inline]
    pub(super) fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn with(mut self, cell: usize) -> Self {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }

    #[inline]
    pub(super) fn without(mut self, cell: usize) -> Self {
        self.0[cell / 64] &= !(1 << (cell % 64));
        self
    }

    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..WORDS).flat_map(move |word| {
            let mut left = self.0[word];
            std::iter::from_fn(move || {
                let bit = (left != 0).then_some(left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * word + bit)
            })
        })
    }
}

/// The stones of both seats, the seat to act first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stones<const WORDS: usize> {
    pub(super) own: Cells<WORDS>,
    pub(super) enemy: Cells<WORDS>,
}

/// A square around a centre with the corners that must be occupied (FO2, FO3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Square {
    centre: u16,
    corners: [u16; 4],
    count: u8,
}

impl Square {
    fn new(centre: usize, cells: impl Iterator<Item = usize>) -> Square {
        let mut square = Square { centre: centre as u16, corners: [0; 4], count: 0 };
        for (corner, cell) in square.corners.iter_mut().zip(cells) {
            *corner = cell as u16;
            square.count += 1;
        }
        square
    }

    #[inline]
    fn corners(&self) -> impl Iterator<Item = usize> + '_ {
        self.corners[..usize::from(self.count)].iter().map(|&corner| corner.into())
    }
}

/// Whether captures earn movements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonus {
    /// As the rules have it (FO8).
    Earned,
    /// To see which captures need the bonus.
    Ignored,
}

/// How the last stone of a turn comes to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    Movement,
    Placement,
}

/// The squares of a board, by centre and by corner.
#[derive(Debug)]
pub(super) struct Geometry {
    size: usize,
    around: Vec<Vec<Square>>,
    through: Vec<Vec<Square>>,
}

impl Geometry {
    pub(super) fn new(size: u8) -> Geometry {
        let cells = usize::from(size) * usize::from(size);
        let mut through = vec![Vec::new(); cells];
        let mut around = vec![Vec::new(); cells];
        for (centre, squares) in around.iter_mut().enumerate() {
            let at = rules::Square::from_index(centre, size);
            for figure in rules::four::Figure::around(at, size) {
                let square = Square::new(centre, figure.corners().map(|corner| corner.index(size)));
                square.corners().for_each(|corner| through[corner].push(square));
                squares.push(square);
            }
        }
        Geometry { size: size.into(), around, through }
    }

    /// The cells in one of the four directions, nearest first.
    fn ray(&self, from: usize, direction: usize) -> impl Iterator<Item = usize> {
        let (size, column, row) = (self.size, from % self.size, from / self.size);
        let (steps, stride) = match direction {
            0 => (size - 1 - column, 1),
            1 => (column, -1),
            2 => (size - 1 - row, size as isize),
            _ => (row, -(size as isize)),
        };
        (1..=steps as isize).map(move |step| (from as isize + step * stride) as usize)
    }

    /// Every movement of the seat to act.
    pub(super) fn movements<const W: usize>(&self, stones: &Stones<W>) -> Vec<(usize, usize)> {
        let mut movements = Vec::with_capacity(128);
        for from in stones.own.iter() {
            for direction in 0..4 {
                let free = |cell: &usize| !stones.own.has(*cell) && !stones.enemy.has(*cell);
                movements.extend(self.ray(from, direction).take_while(free).map(|to| (from, to)));
            }
        }
        movements
    }

    /// The enemy stones that the stone on `at` has surrounded.
    pub(super) fn captured<const W: usize>(
        &self,
        own: Cells<W>,
        enemy: Cells<W>,
        at: usize,
    ) -> impl Iterator<Item = usize> {
        let closed =
            move |square: &&Square| enemy.has(square.centre.into()) && square.corners().all(|corner| own.has(corner));
        self.through[at].iter().filter(closed).map(|square| square.centre.into())
    }

    /// The stones after a movement, and how many it captured.
    pub(super) fn moved<const W: usize>(&self, stones: &Stones<W>, from: usize, to: usize) -> (Stones<W>, u32) {
        let own = stones.own.without(from).with(to);
        let (mut enemy, mut count) = (stones.enemy, 0);
        for centre in self.captured(own, stones.enemy, to) {
            // Two squares may share a centre; the stone counts once (FO4).
            count += u32::from(enemy.has(centre));
            enemy = enemy.without(centre);
        }
        (Stones { own, enemy }, count)
    }

    /// The most that one stone captures, found from the squares that lack a single corner.
    pub(super) fn last<const W: usize>(&self, stones: &Stones<W>, arrival: Arrival) -> u32 {
        let mut most = 0;
        for centre in stones.enemy.iter() {
            for square in &self.around[centre] {
                let mut missing = square.corners().filter(|corner| !stones.own.has(*corner));
                let (Some(to), None) = (missing.next(), missing.next()) else { continue };
                if stones.enemy.has(to) {
                    continue;
                }
                if arrival == Arrival::Placement {
                    let own = stones.own.with(to);
                    most = most.max(distinct(self.captured(own, stones.enemy, to)));
                    continue;
                }
                for direction in 0..4 {
                    let first = self.ray(to, direction).find(|&cell| stones.own.has(cell) || stones.enemy.has(cell));
                    let Some(from) = first.filter(|from| stones.own.has(*from)) else { continue };
                    if !square.corners().any(|corner| corner == from) {
                        most = most.max(self.moved(stones, from, to).1);
                    }
                }
            }
        }
        most
    }
}

fn distinct(centres: impl Iterator<Item = usize>) -> u32 {
    let mut seen: Vec<usize> = centres.collect();
    seen.sort_unstable();
    seen.dedup();
    seen.len() as u32
}

/// One exhaustive search; it gives up when it has seen too many positions.
pub(super) struct TurnSearch<'a, const WORDS: usize> {
    pub(super) geometry: &'a Geometry,
    bonus: Bonus,
    known: HashMap<(Stones<WORDS>, u32), u32, FastHash>,
    budget: usize,
}

impl<'a, const W: usize> TurnSearch<'a, W> {
    pub(super) fn new(geometry: &'a Geometry, bonus: Bonus, budget: usize) -> Self {
        TurnSearch { geometry, bonus, known: HashMap::default(), budget }
    }

    /// The most captures with so many movements left; `None` when the search is too large.
    pub(super) fn most(&mut self, stones: &Stones<W>, left: u32) -> Option<u32> {
        match left {
            0 => return Some(0),
            1 => return Some(self.geometry.last(stones, Arrival::Movement)),
            _ => {}
        }
        if let Some(&known) = self.known.get(&(*stones, left)) {
            return Some(known);
        }
        self.budget = self.budget.checked_sub(1)?;
        let mut most = 0;
        for (from, to) in self.geometry.movements(stones) {
            most = most.max(self.after(stones, from, to, left)?);
        }
        self.known.insert((*stones, left), most);
        Some(most)
    }

    /// The most captures that begin with a movement.
    pub(super) fn after(&mut self, stones: &Stones<W>, from: usize, to: usize, left: u32) -> Option<u32> {
        let (next, captured) = self.geometry.moved(stones, from, to);
        let earned = if self.bonus == Bonus::Earned && left > 1 { captured } else { 0 };
        Some(captured + self.most(&next, left - 1 + earned)?)
    }
}
