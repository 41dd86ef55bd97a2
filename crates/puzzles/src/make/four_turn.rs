//! The most captures of a turn in Four: every list of movements is looked at, or proved not to capture more.

use std::collections::HashMap;

use crate::hash::FastHash;

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
    fn or(self, other: Self) -> Self {
        Cells(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        Cells(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    #[inline]
    fn meets(self, other: Self) -> bool {
        (0..WORDS).any(|word| self.0[word] & other.0[word] != 0)
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
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

impl<const W: usize> Stones<W> {
    #[inline]
    fn all(&self) -> Cells<W> {
        self.own.or(self.enemy)
    }
}

/// A square around a centre with the corners that must be occupied (FO2, FO3).
#[derive(Clone, Copy, Debug)]
struct Square<const WORDS: usize> {
    centre: usize,
    corners: Cells<WORDS>,
}

/// A movement, what it captures, and the stones after it.
#[derive(Clone, Copy, Debug)]
struct Capture<const WORDS: usize> {
    count: u32,
    after: Stones<WORDS>,
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
pub(super) struct Geometry<const WORDS: usize> {
    size: usize,
    around: Vec<Vec<Square<WORDS>>>,
    through: Vec<Vec<Square<WORDS>>>,
}

impl<const W: usize> Geometry<W> {
    pub(super) fn new(size: u8) -> Self {
        let cells = usize::from(size) * usize::from(size);
        let mut through = vec![Vec::new(); cells];
        let mut around = vec![Vec::new(); cells];
        for (centre, squares) in around.iter_mut().enumerate() {
            let at = rules::Square::from_index(centre, size);
            for figure in rules::four::Figure::around(at, size) {
                let corners = figure.corners().map(|corner| corner.index(size)).fold(Cells::EMPTY, Cells::with);
                let square = Square { centre, corners };
                corners.iter().for_each(|corner| through[corner].push(square));
                squares.push(square);
            }
        }
        Geometry { size: size.into(), around, through }
    }

    /// The cells in one of the four directions, nearest first.
    #[inline]
    fn ray(&self, from: usize, direction: usize) -> impl Iterator<Item = usize> + use<W> {
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
    pub(super) fn movements(&self, stones: &Stones<W>) -> Vec<(usize, usize)> {
        let all = stones.all();
        let mut movements = Vec::with_capacity(128);
        for from in stones.own.iter() {
            for direction in 0..4 {
                movements.extend(self.ray(from, direction).take_while(|cell| !all.has(*cell)).map(|to| (from, to)));
            }
        }
        movements
    }

    /// The stones that can come to a cell with one movement.
    #[inline]
    fn arrivals(&self, stones: &Stones<W>, to: usize) -> impl Iterator<Item = usize> {
        let (own, all) = (stones.own, stones.all());
        (0..4).filter_map(move |direction| {
            self.ray(to, direction).find(|cell| all.has(*cell)).filter(|from| own.has(*from))
        })
    }

    /// The enemy stones that the stone on `at` has surrounded.
    #[inline]
    fn captured(&self, own: Cells<W>, enemy: Cells<W>, at: usize) -> Cells<W> {
        let closed = |square: &&Square<W>| enemy.has(square.centre) && square.corners.minus(own) == Cells::EMPTY;
        self.through[at].iter().filter(closed).fold(Cells::EMPTY, |centres, square| centres.with(square.centre))
    }

    /// The stones after a movement, and how many it captured.
    #[inline]
    pub(super) fn moved(&self, stones: &Stones<W>, from: usize, to: usize) -> (Stones<W>, u32) {
        let own = stones.own.without(from).with(to);
        // Two squares may share a centre; the stone counts once (FO4).
        let captured = self.captured(own, stones.enemy, to);
        (Stones { own, enemy: stones.enemy.minus(captured) }, captured.count())
    }

    /// The empty cells that are the only corner missing from a square around an enemy stone.
    fn last_corners(&self, stones: &Stones<W>) -> Cells<W> {
        let mut corners = Cells::EMPTY;
        for centre in stones.enemy.iter() {
            for square in &self.around[centre] {
                let missing = square.corners.minus(stones.own);
                if missing.count() == 1 {
                    corners = corners.or(missing);
                }
            }
        }
        corners.minus(stones.enemy)
    }

    /// The most that one stone captures.
    pub(super) fn last(&self, stones: &Stones<W>, arrival: Arrival) -> u32 {
        let count = |to: usize| match arrival {
            Arrival::Placement => self.captured(stones.own.with(to), stones.enemy, to).count(),
            Arrival::Movement => {
                self.arrivals(stones, to).map(|from| self.moved(stones, from, to).1).max().unwrap_or(0)
            }
        };
        self.last_corners(stones).iter().map(count).max().unwrap_or(0)
    }

    /// Every movement that captures, those that capture most first.
    fn captures(&self, stones: &Stones<W>) -> Vec<Capture<W>> {
        let mut captures = Vec::new();
        for to in self.last_corners(stones).iter() {
            for from in self.arrivals(stones, to) {
                let (after, count) = self.moved(stones, from, to);
                if count > 0 {
                    captures.push(Capture { count, after });
                }
            }
        }
        captures.sort_by_key(|capture| std::cmp::Reverse(capture.count));
        captures
    }
}

/// What is known of a position: the most captures lie between the two.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: i32,
    most: i32,
}

/// One search of a turn; it gives up when it has seen too many positions.
pub(super) struct TurnSearch<'a, const WORDS: usize> {
    pub(super) geometry: &'a Geometry<WORDS>,
    bonus: Bonus,
    known: HashMap<(Stones<WORDS>, u32), Bounds, FastHash>,
    budget: usize,
    pairs: Pairs,
}

impl<'a, const W: usize> TurnSearch<'a, W> {
    pub(super) fn new(geometry: &'a Geometry<W>, bonus: Bonus, budget: usize) -> Self {
        let pairs = Pairs::new(geometry.size * geometry.size);
        TurnSearch { geometry, bonus, known: HashMap::default(), budget, pairs }
    }

    /// The most captures with so many movements left; `None` when the search is too large.
    pub(super) fn most(&mut self, stones: &Stones<W>, left: u32) -> Option<u32> {
        Some(self.within(stones, left, -1, i32::MAX)? as u32)
    }

    /// Whether more than this can be captured, which is found out sooner than how many.
    pub(super) fn exceeds(&mut self, stones: &Stones<W>, left: u32, count: u32) -> Option<bool> {
        let count = count as i32;
        Some(self.within(stones, left, count, count + 1)? > count)
    }

    /// The most captures that begin with a movement.
    pub(super) fn after(&mut self, stones: &Stones<W>, from: usize, to: usize, left: u32) -> Option<u32> {
        let (next, captured) = self.geometry.moved(stones, from, to);
        Some(captured + self.most(&next, self.left_after(left, captured))?)
    }

    fn left_after(&self, left: u32, captured: u32) -> u32 {
        left - 1 + if self.bonus == Bonus::Earned && left > 1 { captured } else { 0 }
    }

    /// The most captures if they lie between `floor` and `enough`; else `floor` or less but not less than the captures, or
    /// `enough` or more but not more than the captures.
    fn within(&mut self, stones: &Stones<W>, left: u32, floor: i32, enough: i32) -> Option<i32> {
        match left {
            0 => return Some(0),
            1 => return Some(self.geometry.last(stones, Arrival::Movement) as i32),
            _ => {}
        }
        let known = self.known.get(&(*stones, left)).copied().unwrap_or(Bounds { least: 0, most: i32::MAX });
        if known.least == known.most || known.most <= floor {
            return Some(known.most);
        }
        if known.least >= enough {
            return Some(known.least);
        }
        self.budget = self.budget.checked_sub(1)?;
        let best = self.tries(stones, left, floor.max(0), enough)?;
        let bounds = Bounds {
            least: if best > floor { best } else { known.least },
            most: if best < enough { best } else { known.most },
        };
        self.known.insert((*stones, left), bounds);
        Some(best)
    }

    /// Tries every movement, those that capture first.
    fn tries(&mut self, stones: &Stones<W>, left: u32, mut best: i32, enough: i32) -> Option<i32> {
        for Capture { count, after } in self.geometry.captures(stones) {
            let (next, count) = (self.left_after(left, count), count as i32);
            best = best.max(count + self.within(&after, next, best - count, enough - count)?);
            if best >= enough {
                return Some(best);
            }
        }
        if left == 2 {
            return Some(self.quiet_then_last(stones, best));
        }
        for (from, to) in self.geometry.movements(stones) {
            let (next, captured) = self.geometry.moved(stones, from, to);
            if captured == 0 {
                best = best.max(self.within(&next, left - 1, best, enough)?);
                if best >= enough {
                    break;
                }
            }
        }
        Some(best)
    }

    /// Movements that capture nothing, with one more after them.
    fn quiet_then_last(&mut self, stones: &Stones<W>, mut best: i32) -> i32 {
        let Some(bound) = self.pairs.bound(self.geometry, stones, best) else { return best };
        for (from, to) in self.geometry.movements(stones) {
            if bound.first.is_some_and(|first| !first.has(to)) {
                continue;
            }
            let (next, captured) = self.geometry.moved(stones, from, to);
            if captured == 0 {
                best = best.max(self.geometry.last(&next, Arrival::Movement) as i32);
                if best >= bound.most {
                    break;
                }
            }
        }
        best
    }
}

/// What two movements can capture, of which the first captures nothing.
///
/// Let the first go from `a` to `b` and the second come to `t`. Every square that the second closes has `t` as a corner, and
/// its other corners have stood since before the first, `b` excepted. So no more is captured than there are such squares
/// around enemy stones, whatever the movements are.
#[derive(Debug)]
struct Pairs {
    cells: usize,
    /// For each `t`, the squares that need no `b`.
    alone: Vec<u8>,
    /// For each `t` and `b`, the squares that need this `b`.
    pairs: Vec<u8>,
    counted: Vec<(u16, Option<u16>)>,
}

struct Bound<const WORDS: usize> {
    most: i32,
    /// Where the first movement must go to capture more than is known; `None` if it may go anywhere.
    first: Option<Cells<WORDS>>,
}

impl Pairs {
    fn new(cells: usize) -> Pairs {
        Pairs { cells, alone: vec![0; cells], pairs: vec![0; cells * cells], counted: Vec::new() }
    }

    /// `None` if no two movements capture more than `floor`.
    fn bound<const W: usize>(&mut self, geometry: &Geometry<W>, stones: &Stones<W>, floor: i32) -> Option<Bound<W>> {
        for centre in stones.enemy.iter() {
            for square in &geometry.around[centre] {
                let missing = square.corners.minus(stones.own);
                if missing.count() <= 2 && !missing.meets(stones.enemy) {
                    self.count(square.corners, missing);
                }
            }
        }
        let mut bound = Bound { most: 0, first: Some(Cells::EMPTY) };
        for &(last, first) in &self.counted {
            let (last, alone) = (usize::from(last), i32::from(self.alone[usize::from(last)]));
            let both = first.map_or(0, |first| i32::from(self.pairs[last * self.cells + usize::from(first)]));
            bound.most = bound.most.max(alone + both);
            if alone > floor {
                bound.first = None;
            }
            if alone + both > floor {
                bound.first = bound.first.zip(first).map(|(cells, first)| cells.with(first.into()));
            }
        }
        for (last, first) in self.counted.drain(..) {
            match first {
                Some(first) => self.pairs[usize::from(last) * self.cells + usize::from(first)] = 0,
                None => self.alone[usize::from(last)] = 0,
            }
        }
        (bound.most > floor).then_some(bound)
    }

    /// Counts a square for every corner that the second movement may come to: one that is missing, or that the first
    /// movement leaves.
    fn count<const W: usize>(&mut self, corners: Cells<W>, missing: Cells<W>) {
        for last in corners.iter() {
            let mut others = missing.without(last).iter();
            match (others.next(), others.next()) {
                (None, _) => {
                    self.alone[last] += 1;
                    self.counted.push((last as u16, None));
                }
                (Some(first), None) => {
                    self.pairs[last * self.cells + first] += 1;
                    self.counted.push((last as u16, Some(first as u16)));
                }
                _ => {}
            }
        }
    }
}
