use rules::four::{Action, FEWEST_STONES, Four, MAX_SIZE, MOST_STONES, Phase};
use rules::{ActionList, Position, Seat, Square, Turn};

use super::{Encoded, Field, Layout};
use crate::bits;

/// Where the kinds of actions begin, on a board of some size.
#[derive(Clone, Copy)]
struct Kinds {
    size: usize,
    /// From each cell, to each column of its row, then to each row of its column.
    slide: usize,
    /// On each cell, taking one of the opponent's stones, counted from `a1`: at most ten are there in the opening.
    taking: usize,
    end: usize,
    pass: usize,
}

/// The opponent's stones in the opening at most (FO5).
const CHOICES: usize = FEWEST_STONES as usize;

impl Kinds {
    #[inline(always)]
    fn of(position: &Four) -> Kinds {
        Kinds::of_size(position.size().into())
    }

    #[inline(always)]
    const fn of_size(size: usize) -> Kinds {
        let cells = size * size;
        let taking = cells + cells * 2 * size;
        let end = taking + cells * CHOICES;
        Kinds { size, slide: cells, taking, end, pass: end + 1 }
    }
}

impl Encoded for Four {
    const VERSION: u32 = 1;

    fn layout(&self) -> Layout {
        let size = usize::from(self.size());
        // The viewer's, then the opponent's.
        let planes = vec![Field::new("stones", &[2, size, size])];
        let numbers = vec![
            Field::new("points", &[2]),
            Field::new("reserves", &[2]),
            Field::new("opening", &[1]),
            Field::new("movements", &[1]),
            Field::new("moved", &[1]),
            Field::new("captured", &[1]),
            Field::new("quiet", &[1]),
            Field::new("passes", &[1]),
        ];
        Layout::new(Self::VERSION, [Kinds::of(self).pass + 1, 0], planes, numbers)
    }

    #[inline(always)]
    fn legal(&self, mask: &mut [u64]) {
        mask.fill(0);
        let Turn::Seat(seat) = self.turn() else { return };
        if self.has_choice_of_capture() {
            let mut actions = ActionList::new();
            self.actions(&mut actions);
            actions.iter().filter_map(|&action| self.encode(action)).for_each(|number| bits::put(mask, number, 1));
            return;
        }
        match self.size() {
            9 => legal::<9>(self, seat, mask),
            13 => legal::<13>(self, seat, mask),
            _ => legal::<19>(self, seat, mask),
        }
    }

    #[inline(always)]
    fn decode(&self, number: usize) -> Option<Action> {
        let kinds = Kinds::of(self);
        let square = |cell| Square::from_index(cell, self.size());
        if number < kinds.slide {
            return Some(Action::Place { at: square(number), capture: None });
        }
        if number < kinds.taking {
            let from = square((number - kinds.slide) / (2 * kinds.size));
            let line = (number - kinds.slide) % (2 * kinds.size);
            let to = if line < kinds.size {
                Square::new(line as u8, from.row)
            } else {
                Square::new(from.column, (line - kinds.size) as u8)
            };
            return Some(Action::Move { from, to });
        }
        if number < kinds.end {
            let at = square((number - kinds.taking) / CHOICES);
            let capture = self.enemies().nth((number - kinds.taking) % CHOICES)?;
            return Some(Action::Place { at, capture: Some(capture) });
        }
        match number - kinds.end {
            0 => Some(Action::End),
            1 => Some(Action::Pass),
            _ => None,
        }
    }

    fn encode(&self, action: Action) -> Option<usize> {
        let kinds = Kinds::of(self);
        let cell = |square: Square| {
            (square.column < self.size() && square.row < self.size()).then(|| square.index(self.size()))
        };
        match action {
            Action::Place { at, capture: None } => cell(at),
            Action::Place { at, capture: Some(stone) } => {
                let choice = self.enemies().position(|enemy| enemy == stone).filter(|&choice| choice < CHOICES)?;
                Some(kinds.taking + cell(at)? * CHOICES + choice)
            }
            Action::Move { from, to } => {
                let first = kinds.slide + cell(from)? * 2 * kinds.size;
                cell(to)?;
                if from.row == to.row {
                    Some(first + usize::from(to.column))
                } else {
                    (from.column == to.column).then(|| first + kinds.size + usize::from(to.row))
                }
            }
            Action::End => Some(kinds.end),
            Action::Pass => Some(kinds.pass),
        }
    }

    #[inline(always)]
    fn observe(&self, seat: Seat, planes: &mut [u64], numbers: &mut [u8]) {
        let other = seat.next(2);
        let rows = [seat, other].map(|seat| self.rows(seat));
        match self.size() {
            9 => lay_both::<9>(rows, planes),
            13 => lay_both::<13>(rows, planes),
            _ => lay_both::<19>(rows, planes),
        }
        numbers.copy_from_slice(&[
            self.points(seat),
            self.points(other),
            self.reserve(seat),
            self.reserve(other),
            u8::from(self.phase() == Phase::Opening),
            self.movements_left(),
            self.moved(),
            u8::from(self.has_captured()),
            self.quiet_turns(),
            self.passes(),
        ]);
    }
}

/// What the legal actions need of the board beyond the rules' own words.
trait Enemies {
    /// The stones of the seat that is not to act, from `a1` to the right, rank by rank upwards.
    fn enemies(&self) -> impl Iterator<Item = Square>;
}

impl Enemies for Four {
    fn enemies(&self) -> impl Iterator<Item = Square> {
        let other = match self.turn() {
            Turn::Seat(seat) => seat.next(2),
            Turn::Chance | Turn::Over(_) => Seat::TWO,
        };
        let cells = usize::from(self.size()).pow(2);
        (0..cells)
            .map(|cell| Square::from_index(cell, self.size()))
            .filter(move |&square| self.stone(square) == Some(other))
    }
}

/// A word per row, as the rules have them.
type Lines = [u32; MAX_SIZE as usize];

/// Lays the rows of a board of `N` cells a side one after the other, from a place on.
///
/// The compiler knows all shifts, and words stay in its registers: rows added to words in memory one by one would wait
/// for each other.
#[inline(always)]
fn lay<const N: usize, const WORDS: usize>(rows: impl Fn(usize) -> u32, at: usize, into: &mut [u64; WORDS]) {
    for row in 0..N {
        let (place, stones) = (at + row * N, u64::from(rows(row)));
        into[place / 64] |= stones << (place % 64);
        if place % 64 + N > 64 {
            into[place / 64 + 1] |= stones >> (64 - place % 64);
        }
    }
}

/// Words for the cells of the largest board, and for those of two of them.
const CELL_WORDS: usize = bits::words(MAX_SIZE as usize * MAX_SIZE as usize);
const PLANE_WORDS: usize = bits::words(2 * MAX_SIZE as usize * MAX_SIZE as usize);

/// The planes of an observation.
#[inline(always)]
fn lay_both<const N: usize>([own, other]: [&Lines; 2], planes: &mut [u64]) {
    let mut laid = [0; PLANE_WORDS];
    lay::<N, _>(|row| own[row], 0, &mut laid);
    lay::<N, _>(|row| other[row], N * N, &mut laid);
    let words = bits::words(2 * N * N);
    planes[..words].copy_from_slice(&laid[..words]);
}

/// A seat moves with so many stones at most, rounded up so that a place among them needs no check.
const MOVING: usize = (MOST_STONES as usize).next_power_of_two();

/// Adds the legal actions where no capture is to be chosen.
#[inline(always)]
fn legal<const N: usize>(position: &Four, seat: Seat, mask: &mut [u64]) {
    let (kinds, opening) = (Kinds::of_size(N), position.phase() == Phase::Opening);
    let stones = position.stones_on_board(seat);
    let (own, other, columns) = (position.rows(seat), position.rows(seat.next(2)), position.columns());
    let may_place = !position.has_moved() && stones < MOST_STONES && position.reserve(seat) > 0;
    if opening || may_place {
        let mut free = [0; CELL_WORDS];
        lay::<N, _>(|row| !(own[row] | other[row]) & ((1 << N) - 1), 0, &mut free);
        let words = bits::words(N * N);
        mask[..words].copy_from_slice(&free[..words]);
    }
    if !opening && stones >= FEWEST_STONES {
        let mut cells = [0; CELL_WORDS];
        lay::<N, _>(|row| own[row], 0, &mut cells);
        let (mut slides, mut count) = ([(0, 0); MOVING], 0);
        for (index, &word) in cells[..bits::words(N * N)].iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let from = 64 * index + left.trailing_zeros() as usize;
                left &= left - 1;
                let (row, column) = (from / N, from % N);
                let across = reachable::<N>(own[row] | other[row], column);
                let along = reachable::<N>(columns[column], row);
                slides[count % MOVING] = (kinds.slide + from * 2 * N, u64::from(across) | u64::from(along) << N);
                count += 1;
            }
        }
        let slides = &slides[..count.min(MOVING)];
        // First the lower words and then the upper ones: the compiler would make one access of two words out of both,
        // and each would wait for the one before it.
        for &(place, reached) in slides {
            mask[place / 64] |= reached << (place % 64);
        }
        for &(place, reached) in slides {
            mask[place / 64 + 1] |= reached >> 1 >> (63 - place % 64);
        }
    }
    if position.has_moved() {
        bits::put(mask, kinds.end, 1);
    } else if mask.iter().all(|&word| word == 0) {
        bits::put(mask, kinds.pass, 1);
    }
}

/// The places of a line of `N` cells that a stone can slide to.
#[inline(always)]
fn reachable<const N: usize>(occupied: u32, place: usize) -> u32 {
    if N == 9 { u32::from(REACHABLE[place % 9][occupied as usize % 512]) } else { slide(occupied, place, N) }
}

/// [`slide`] on the smallest board, for every place and every line: looking it up is faster than computing it.
static REACHABLE: [[u16; 512]; 9] = {
    let mut table = [[0; 512]; 9];
    let mut place = 0;
    while place < 9 {
        let mut occupied = 0;
        while occupied < 512 {
            table[place][occupied] = slide(occupied as u32, place, 9) as u16;
            occupied += 1;
        }
        place += 1;
    }
    table
};

#[inline(always)]
const fn slide(occupied: u32, place: usize, size: usize) -> u32 {
    let below = occupied & ((1 << place) - 1);
    let above = occupied >> place >> 1;
    let low = 32 - below.leading_zeros();
    let high = place + 1 + above.trailing_zeros() as usize;
    let high = if high < size { high } else { size };
    ((1u32 << high) - (1 << low)) & !(1 << place)
}
