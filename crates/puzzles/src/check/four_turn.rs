//! Whether so many stones can be captured in a turn of Four: a yes or no for every number, over all lists of movements.

use std::collections::HashMap;

use crate::hash::FastHash;

/// Cells as bits, row by row; `N` is enough for the board.
type Bits<const N: usize> = [u128; N];

/// The stones of the seat whose turn it is, and those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stones<const N: usize> {
    own: Bits<N>,
    other: Bits<N>,
}

/// Whether captures earn movements, as the rules have it (FO8), or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earning {
    Movements,
    Nothing,
}

/// The corners of a square, and the cell that it surrounds.
#[derive(Clone, Debug)]
struct Square {
    middle: usize,
    corners: Vec<usize>,
}

/// The numbers that are known to be reached, and known not to be.
#[derive(Clone, Copy, Debug)]
struct Answers {
    reached: i32,
    missed: i32,
}

/// Turns on a board of one size.
pub(super) struct Turns<const N: usize> {
    size: i32,
    earning: Earning,
    /// By the cell in the middle.
    around: Vec<Vec<Square>>,
    /// By each corner: the middle, and the other corners.
    beside: Vec<Vec<Square>>,
    known: HashMap<(Stones<N>, i32), Answers, FastHash>,
}

fn has<const N: usize>(bits: &Bits<N>, cell: usize) -> bool {
    bits[cell / 128] >> (cell % 128) & 1 == 1
}

fn put<const N: usize>(bits: &mut Bits<N>, cell: usize) {
    bits[cell / 128] |= 1 << (cell % 128);
}

fn take<const N: usize>(bits: &mut Bits<N>, cell: usize) {
    bits[cell / 128] &= !(1 << (cell % 128));
}

fn cells<const N: usize>(bits: &Bits<N>) -> impl Iterator<Item = usize> + use<N> {
    let mut bits = *bits;
    std::iter::from_fn(move || {
        let word = bits.iter().position(|word| *word != 0)?;
        let cell = bits[word].trailing_zeros() as usize;
        bits[word] &= bits[word] - 1;
        Some(128 * word + cell)
    })
}

impl<const N: usize> Stones<N> {
    /// From an array of cells: 1 for the seat whose turn it is, 2 for the other.
    pub(super) fn read(board: &[u8]) -> Stones<N> {
        let mut stones = Stones { own: [0; N], other: [0; N] };
        for (cell, stone) in board.iter().enumerate() {
            match stone {
                1 => put(&mut stones.own, cell),
                2 => put(&mut stones.other, cell),
                _ => {}
            }
        }
        stones
    }

    fn is_free(&self, cell: usize) -> bool {
        !has(&self.own, cell) && !has(&self.other, cell)
    }
}

impl<const N: usize> Turns<N> {
    pub(super) fn new(size: i32, earning: Earning) -> Turns<N> {
        let count = (size * size) as usize;
        let mut turns = Turns {
            size,
            earning,
            around: vec![Vec::new(); count],
            beside: vec![Vec::new(); count],
            known: HashMap::default(),
        };
        for middle in 0..count {
            let (column, row) = (middle as i32 % size, middle as i32 / size);
            let sides = [column, row].into_iter().filter(|line| *line == 0 || *line == size - 1).count();
            for distance in 1..size {
                for (arm, needed) in [((distance, 0), [4, 3, 2][sides]), ((distance, distance), [4, 2, 9][sides])] {
                    // A quarter turn takes each corner to the next.
                    let quarters = [arm, (-arm.1, arm.0), (-arm.0, -arm.1), (arm.1, -arm.0)];
                    let places = quarters.map(|(x, y)| (column + x, row + y)).into_iter();
                    let on_board = places.filter(|(x, y)| (0..size).contains(x) && (0..size).contains(y));
                    let corners: Vec<usize> = on_board.map(|(x, y)| (y * size + x) as usize).collect();
                    if corners.len() == needed {
                        turns.add(middle, corners);
                    }
                }
            }
        }
        turns
    }

    fn add(&mut self, middle: usize, corners: Vec<usize>) {
        for corner in &corners {
            let others = corners.iter().copied().filter(|other| other != corner).collect();
            self.beside[*corner].push(Square { middle, corners: others });
        }
        self.around[middle].push(Square { middle, corners });
    }

    /// The most captures with so many movements left.
    pub(super) fn most(&mut self, stones: &Stones<N>, left: i32) -> i32 {
        let mut most = 0;
        while self.reaches(stones, left, most + 1) {
            most += 1;
        }
        most
    }

    /// Whether at least so many stones can be captured with so many movements left.
    fn reaches(&mut self, stones: &Stones<N>, left: i32, wanted: i32) -> bool {
        if wanted <= 0 || left <= 0 {
            return wanted <= 0;
        }
        if left == 1 {
            return self.captures(stones).iter().any(|(_, count)| *count >= wanted);
        }
        let known = self.known.get(&(*stones, left)).copied().unwrap_or(Answers { reached: 0, missed: i32::MAX });
        if wanted <= known.reached || wanted >= known.missed {
            return wanted <= known.reached;
        }
        let reached = self.tries(stones, left, wanted);
        let known = if reached { Answers { reached: wanted, ..known } } else { Answers { missed: wanted, ..known } };
        self.known.insert((*stones, left), known);
        reached
    }

    /// Tries every movement, those that capture first.
    fn tries(&mut self, stones: &Stones<N>, left: i32, wanted: i32) -> bool {
        for (next, count) in self.captures(stones) {
            let earned = if self.earning == Earning::Movements { count } else { 0 };
            if self.reaches(&next, left - 1 + earned, wanted - count) {
                return true;
            }
        }
        if left == 2 && !self.might_close(stones, wanted) {
            return false;
        }
        for (from, to) in self.slides(stones) {
            let (next, count) = self.slid(stones, from, to);
            if count == 0 && self.reaches(&next, left - 1, wanted) {
                return true;
            }
        }
        false
    }

    /// Whether a movement that captures nothing and one more might capture so many.
    ///
    /// The second stone is a corner of every square that it closes, and of the others one at most came by the first
    /// movement: two that are missing beside it are too many.
    fn might_close(&self, stones: &Stones<N>, wanted: i32) -> bool {
        let mut counts = vec![0; (self.size * self.size) as usize];
        for middle in cells(&stones.other) {
            let mut counted: Bits<N> = [0; N];
            for square in &self.around[middle] {
                if square.corners.iter().any(|corner| has(&stones.other, *corner)) {
                    continue;
                }
                let missing = square.corners.iter().filter(|corner| !has(&stones.own, **corner)).count();
                for corner in &square.corners {
                    let beside = missing - usize::from(!has(&stones.own, *corner));
                    if beside <= 1 && !has(&counted, *corner) {
                        put(&mut counted, *corner);
                        counts[*corner] += 1;
                    }
                }
            }
        }
        counts.into_iter().any(|count| count >= wanted)
    }

    /// Every movement.
    fn slides(&self, stones: &Stones<N>) -> Vec<(usize, usize)> {
        let mut slides = Vec::with_capacity(100);
        for from in cells(&stones.own) {
            for way in 0..4 {
                slides.extend(self.way(from, way).take_while(|to| stones.is_free(*to)).map(|to| (from, to)));
            }
        }
        slides
    }

    /// The cells to the right, to the left, above or below, up to the edge.
    fn way(&self, from: usize, way: usize) -> impl Iterator<Item = usize> + use<N> {
        let size = self.size as usize;
        let (column, row) = (from % size, from / size);
        let steps = [size - 1 - column, column, size - 1 - row, row][way];
        (1..=steps).map(move |step| match way {
            0 => from + step,
            1 => from - step,
            2 => from + step * size,
            _ => from - step * size,
        })
    }

    /// The stones after a movement, and how many it captured.
    fn slid(&self, stones: &Stones<N>, from: usize, to: usize) -> (Stones<N>, i32) {
        let mut next = *stones;
        take(&mut next.own, from);
        put(&mut next.own, to);
        let mut count = 0;
        for square in &self.beside[to] {
            if has(&next.other, square.middle) && square.corners.iter().all(|corner| has(&next.own, *corner)) {
                take(&mut next.other, square.middle);
                count += 1;
            }
        }
        (next, count)
    }

    /// Every movement that captures: it ends where a square has its only gap.
    fn captures(&self, stones: &Stones<N>) -> Vec<(Stones<N>, i32)> {
        let mut gaps: Bits<N> = [0; N];
        for middle in cells(&stones.other) {
            for square in &self.around[middle] {
                let mut missing = square.corners.iter().filter(|corner| !has(&stones.own, **corner));
                if let (Some(gap), None) = (missing.next(), missing.next())
                    && stones.is_free(*gap)
                {
                    put(&mut gaps, *gap);
                }
            }
        }
        let mut captures = Vec::new();
        for to in cells(&gaps) {
            for way in 0..4 {
                let from = self.way(to, way).find(|cell| !stones.is_free(*cell));
                let slid = from.filter(|from| has(&stones.own, *from)).map(|from| self.slid(stones, from, to));
                captures.extend(slid.filter(|(_, count)| *count > 0));
            }
        }
        captures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every list of movements; squares are found by walking from the stone that moved.
    fn most_by_playing(board: &[u8], size: i32, left: i32, earning: Earning) -> i32 {
        let at = |board: &[u8], x: i32, y: i32| {
            let on_board = (0..size).contains(&x) && (0..size).contains(&y);
            on_board.then(|| board[(y * size + x) as usize])
        };
        let mut most = 0;
        for from in (0..size * size).filter(|cell| left > 0 && board[*cell as usize] == 1) {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let (mut x, mut y) = (from % size + dx, from / size + dy);
                while at(board, x, y) == Some(0) {
                    let mut next = board.to_vec();
                    next[from as usize] = 0;
                    next[(y * size + x) as usize] = 1;
                    let mut captured = Vec::new();
                    for middle in (0..size * size).filter(|cell| next[*cell as usize] == 2) {
                        let (column, row) = (middle % size, middle / size);
                        let (ax, ay) = (x - column, y - row);
                        let is_square = ax == 0 || ay == 0 || ax.abs() == ay.abs();
                        let corners =
                            [(ax, ay), (-ay, ax), (-ax, -ay), (ay, -ax)].map(|(x, y)| at(&next, column + x, row + y));
                        let sides =
                            i32::from(column == 0 || column == size - 1) + i32::from(row == 0 || row == size - 1);
                        let off = corners.iter().filter(|corner| corner.is_none()).count();
                        let straight = ax == 0 || ay == 0;
                        let allowed = match (sides, straight) {
                            (0, _) => 0,
                            (1, true) => 1,
                            (1, false) | (2, true) => 2,
                            _ => 9,
                        };
                        if is_square && off == allowed && corners.iter().flatten().all(|corner| *corner == 1) {
                            captured.push(middle);
                        }
                    }
                    captured.iter().for_each(|cell| next[*cell as usize] = 0);
                    let count = captured.len() as i32;
                    let earned = if left > 1 && earning == Earning::Movements { count } else { 0 };
                    most = most.max(count + most_by_playing(&next, size, left - 1 + earned, earning));
                    (x, y) = (x + dx, y + dy);
                }
            }
        }
        most
    }

    #[test]
    fn the_most_captures_are_those_found_by_playing_every_list_of_movements() {
        let mut random = search::Random::new(5);
        let mut seen = [0; 5];
        for round in 0..160 {
            let mut board = [0; 81];
            for stone in [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2] {
                // A crowd in a corner captures more often than stones that stand far apart.
                let (column, row) = (random.below(6), random.below(6));
                board[(row * 9 + column) as usize] = stone;
            }
            let left = 2 + round % 2;
            for earning in [Earning::Movements, Earning::Nothing] {
                let most = Turns::<1>::new(9, earning).most(&Stones::read(&board), left);
                assert_eq!(most, most_by_playing(&board, 9, left, earning), "{board:?} {left}");
                seen[most.min(4) as usize] += 1;
            }
        }
        assert!(seen[..4].iter().all(|count| *count > 3), "{seen:?}");
    }
}
