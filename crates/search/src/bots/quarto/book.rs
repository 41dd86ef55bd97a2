//! The opening book: whether a board of a few pieces with one in hand is won, drawn or lost, for every class.
//!
//! With up to four pieces there are half a million such states, so their keys are not stored. A class is a *static function*: an array of
//! two-bit cells in which every key has three places, filled so that the three cells of a key that is in the book add
//! up (by exclusive or) to its value. A key outside the book would get an arbitrary value, but the book holds every
//! state that can arise with so few pieces, so no such key is looked up. That takes 2.5 bits for a state.

use std::collections::HashMap;

use super::key::Keys;
use super::packed::{Board, Class, Geometry};
use super::solver::{LOST_AT_ONCE, Run, Solver, Stopped};
use super::table::Bounds;
use crate::{Limits, checksum};

/// A full book holds the states with at least so many empty squares: what has fewer is solved within a move's time.
pub const FULL: u32 = 12;

const MAGIC: &[u8; 8] = b"4foldQB1";
/// Cells for 100 keys; fewer than 123 could not be filled.
const CELLS_FOR_100: usize = 125;

/// The book that comes with the program; made by [`Draft`], and checked before it is used.
pub(super) static EMBEDDED: &[u8] = include_bytes!("book.bin");

/// What is known of the openings of one class.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    least_empty: u32,
    seed: u64,
    cells: usize,
    packed: &'static [u8],
}

impl Opening {
    /// The openings of a class from the book that comes with the program; `None` if the book is damaged.
    pub(super) fn of(class: Class) -> Option<Opening> {
        static CHECKED: std::sync::OnceLock<Option<Vec<Opening>>> = std::sync::OnceLock::new();
        CHECKED.get_or_init(|| read(EMBEDDED)).as_ref()?.get(class.index()).copied()
    }

    /// Whether boards with so many empty squares are in the book.
    #[inline]
    pub(super) fn covers(&self, empty: u32) -> bool {
        empty >= self.least_empty
    }

    /// What the book says of a node, by its canonical key.
    pub(super) fn bounds(&self, key: u64) -> Bounds {
        let cell = |index: usize| self.packed[index / 4] >> (index % 4 * 2) & 3;
        match places(key, self.seed, self.cells).into_iter().fold(0, |value, index| value ^ cell(index)) {
            0 => Bounds { low: 0, high: 0 },
            1 => Bounds { low: 1, high: 7 },
            2 => Bounds { low: LOST_AT_ONCE, high: -1 },
            _ => Bounds::OPEN,
        }
    }
}

/// The three cells of a key, one in each third of the array.
fn places(key: u64, seed: u64, cells: usize) -> [usize; 3] {
    let third = (cells / 3) as u64;
    let mut random = crate::Random::new(key ^ seed);
    [0, 1, 2].map(|part| (part * third + u64::from(random.below(third as u32))) as usize)
}

/// The book as bytes: a mark; for each class the least empty squares, the seed, the number of cells and the cells; then
/// a checksum.
fn read(bytes: &'static [u8]) -> Option<Vec<Opening>> {
    let (body, sum) = bytes.split_last_chunk::<8>()?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return None;
    }
    let mut rest = body.strip_prefix(MAGIC)?;
    let number = |rest: &mut &'static [u8]| {
        let (first, others) = rest.split_first_chunk::<8>()?;
        *rest = others;
        Some(u64::from_le_bytes(*first))
    };
    Class::all()
        .map(|_| {
            let least_empty = u32::try_from(number(&mut rest)?).ok()?;
            let seed = number(&mut rest)?;
            let cells = usize::try_from(number(&mut rest)?).ok()?;
            let (packed, others) = rest.split_at_checked(cells.div_ceil(4))?;
            rest = others;
            Some(Opening { least_empty, seed, cells, packed })
        })
        .collect()
}

/// A book in the making.
///
/// The work is cut into batches that can be solved in any order and on any number of threads.
pub struct Draft {
    class: Class,
    states: States,
}

enum States {
    Lines(Vec<State<2>>),
    Blocks(Vec<State<3>>),
}

#[derive(Clone, Copy)]
struct State<const WORDS: usize> {
    key: u64,
    board: Board<WORDS>,
    hand: u8,
}

/// Solved states of a class, by key: 1 won, 0 drawn, −1 lost.
pub type Solved = Vec<(u64, i8)>;

/// What goes into a book of one class: its states with just so many empty squares.
#[derive(Clone, Debug, Default)]
pub struct Chapter {
    /// The number of empty squares.
    pub empty: u32,
    /// All its states, solved.
    pub solved: Solved,
}

impl Draft {
    /// Finds the states of a class with so many empty squares and a safe piece in hand; the rest of the book follows
    /// from them.
    pub fn new(class: Class, empty: u32) -> Draft {
        let states = match class.squares {
            rules::quarto::Squares::No => States::Lines(all_states(class, empty)),
            rules::quarto::Squares::Yes => States::Blocks(all_states(class, empty)),
        };
        Draft { class, states }
    }

    /// How many states there are to solve.
    pub fn len(&self) -> usize {
        match &self.states {
            States::Lines(states) => states.len(),
            States::Blocks(states) => states.len(),
        }
    }

    /// Whether there is nothing to solve.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A worker with a table of its own, bounded by the limits.
    pub fn worker<'a>(&'a self, limits: &'a Limits<'a>) -> impl FnMut(std::ops::Range<usize>) -> Option<Solved> + 'a {
        let mut lines = None;
        let mut blocks = None;
        move |range| match &self.states {
            States::Lines(states) => {
                let solver = lines.get_or_insert_with(|| Solver::new(self.class, limits.memory));
                solve_batch(solver, &states[range], limits).ok()
            }
            States::Blocks(states) => {
                let solver = blocks.get_or_insert_with(|| Solver::new(self.class, limits.memory));
                solve_batch(solver, &states[range], limits).ok()
            }
        }
    }
}

fn solve_batch<const WORDS: usize>(
    solver: &mut Solver<WORDS>,
    states: &[State<WORDS>],
    limits: &Limits<'_>,
) -> Result<Solved, Stopped> {
    let mut meter = limits.meter();
    let mut run = Run::new(&mut meter);
    states
        .iter()
        .map(|state| Ok((state.key, solver.score(&state.board, state.hand, -1, 1, &mut run)?.signum())))
        .collect()
}

fn all_states<const WORDS: usize>(class: Class, empty: u32) -> Vec<State<WORDS>> {
    levels(class, empty).pop().unwrap_or_default()
}

/// The canonical states with a safe piece in hand, from the empty board on, a list for each number of pieces.
fn levels<const WORDS: usize>(class: Class, empty: u32) -> Vec<Vec<State<WORDS>>> {
    let (geometry, keys) = (Geometry::<WORDS>::new(class), Keys::new(class));
    let first = State { key: keys.canonical(&Board::<WORDS>::EMPTY, 0), board: Board::EMPTY, hand: 0 };
    let mut levels = vec![vec![first]];
    for _ in empty..16 {
        let mut seen = std::collections::HashSet::new();
        let mut next = Vec::new();
        for state in levels.last().into_iter().flatten() {
            for (board, hand) in children(&geometry, &state.board, state.hand) {
                let key = keys.canonical(&board, hand);
                if seen.insert(key) {
                    next.push(State { key, board, hand });
                }
            }
        }
        levels.push(next);
    }
    levels
}

/// The nodes after every placement and every safe gift.
fn children<const WORDS: usize>(
    geometry: &Geometry<WORDS>,
    board: &Board<WORDS>,
    hand: u8,
) -> impl Iterator<Item = (Board<WORDS>, u8)> {
    let board = *board;
    (0..16).filter(move |square| board.taken & 1 << square == 0).flat_map(move |square| {
        let next = board.with(geometry, square, hand);
        let safe = geometry.kinds(next.left & next.safe(geometry));
        (0..16u8).filter(move |piece| safe & 1 << piece != 0).map(move |piece| (next, piece))
    })
}

/// Adds the states with fewer pieces to those that were solved.
fn with_earlier<const WORDS: usize>(class: Class, chapter: &Chapter) -> HashMap<u64, i8> {
    let (geometry, keys) = (Geometry::<WORDS>::new(class), Keys::new(class));
    let mut values: HashMap<u64, i8> = chapter.solved.iter().copied().collect();
    for level in levels::<WORDS>(class, chapter.empty).iter().rev().skip(1) {
        for state in level {
            let best = children(&geometry, &state.board, state.hand)
                .map(|(board, hand)| -values.get(&keys.canonical(&board, hand)).copied().unwrap_or(0))
                .max();
            values.insert(state.key, best.unwrap_or(-1));
        }
    }
    values
}

/// Writes the book from a chapter for each of the eight classes, in the order of [`Class::all`].
pub fn write(chapters: &[Chapter; 8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for (class, chapter) in Class::all().zip(chapters) {
        let values = match class.squares {
            rules::quarto::Squares::No => with_earlier::<2>(class, chapter),
            rules::quarto::Squares::Yes => with_earlier::<3>(class, chapter),
        };
        let mut values: Vec<(u64, u8)> = values.into_iter().map(|(key, value)| (key, code(value))).collect();
        values.sort_unstable();
        let (seed, cells, packed) = pack(&values);
        for number in [chapter.empty.into(), seed, cells as u64] {
            bytes.extend(u64::to_le_bytes(number));
        }
        bytes.extend(packed);
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn code(value: i8) -> u8 {
    match value {
        0 => 0,
        1 => 1,
        _ => 2,
    }
}

/// The cells that hold these values, four to a byte, with the seed and the number of cells.
fn pack(values: &[(u64, u8)]) -> (u64, usize, Vec<u8>) {
    let cells = (values.len() * CELLS_FOR_100 / 100 + 32) / 3 * 3;
    let (seed, filled) = (1..).find_map(|seed| Some((seed, fill(values, seed, cells)?))).expect("some seed works");
    let mut packed = vec![0u8; cells.div_ceil(4)];
    for (index, cell) in filled.into_iter().enumerate() {
        packed[index / 4] |= cell << (index % 4 * 2);
    }
    (seed, cells, packed)
}

/// Puts values into cells and looks them up again.
#[cfg(test)]
pub(super) fn round_trip(states: &Solved) -> Solved {
    let values: Vec<(u64, u8)> = states.iter().map(|&(key, value)| (key, code(value))).collect();
    let (seed, cells, packed) = pack(&values);
    let opening = Opening { least_empty: 0, seed, cells, packed: packed.leak() };
    states
        .iter()
        .map(|&(key, _)| {
            (
                key,
                opening.bounds(key).low.signum().max(-1)
                    * i8::from(opening.bounds(key).high.signum() == opening.bounds(key).low.signum()),
            )
        })
        .collect()
}

/// Fills the cells so that each key's three add up to its value; `None` if this seed does not allow it.
///
/// A key that is alone in one of its cells can be settled last, by that cell; leaving it out may make others alone.
fn fill(values: &[(u64, u8)], seed: u64, cells: usize) -> Option<Vec<u8>> {
    let places: Vec<[usize; 3]> = values.iter().map(|&(key, _)| places(key, seed, cells)).collect();
    // For each cell, how many keys use it and the exclusive or of their numbers: the number itself once one is left.
    let (mut users, mut number) = (vec![0u32; cells], vec![0usize; cells]);
    for (index, cells) in places.iter().enumerate() {
        for &cell in cells {
            users[cell] += 1;
            number[cell] ^= index;
        }
    }
    let mut alone: Vec<usize> = (0..cells).filter(|&cell| users[cell] == 1).collect();
    let mut settled = Vec::new();
    while let Some(cell) = alone.pop() {
        if users[cell] != 1 {
            continue;
        }
        let index = number[cell];
        settled.push((index, cell));
        for &other in &places[index] {
            users[other] -= 1;
            number[other] ^= index;
            if users[other] == 1 {
                alone.push(other);
            }
        }
    }
    if settled.len() != values.len() {
        return None;
    }
    let mut filled = vec![0u8; cells];
    for (index, cell) in settled.into_iter().rev() {
        let others = places[index].iter().filter(|&&other| other != cell).fold(0, |sum, &other| sum ^ filled[other]);
        filled[cell] = values[index].1 ^ others;
    }
    Some(filled)
}
