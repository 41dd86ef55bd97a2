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
        let size = usize::from(position.size());
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
        let kinds = Kinds::of(self);
        if self.phase() == Phase::Opening {
            let mut actions = ActionList::new();
            self.actions(&mut actions);
            actions.iter().filter_map(|&action| self.encode(action)).for_each(|number| bits::put(mask, number, 1));
            return;
        }
        let stones = self.stones_on_board(seat);
        let occupied = Occupied::of(self);
        if !self.has_moved() && stones < MOST_STONES && self.reserve(seat) > 0 {
            let row = (1u64 << kinds.size) - 1;
            for (index, &taken) in occupied.rows[..kinds.size].iter().enumerate() {
                bits::put(mask, index * kinds.size, u64::from(!taken) & row);
            }
        }
        if stones >= FEWEST_STONES {
            occupied.slides(self.rows(seat), kinds, mask);
        }
        if self.has_moved() {
            bits::put(mask, kinds.end, 1);
        } else if mask.iter().all(|&word| word == 0) {
            bits::put(mask, kinds.pass, 1);
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
        planes.fill(0);
        let (size, other) = (usize::from(self.size()), seat.next(2));
        for (plane, seat) in [seat, other].into_iter().enumerate() {
            for (row, &stones) in self.rows(seat)[..size].iter().enumerate() {
                bits::put(planes, (plane * size + row) * size, stones.into());
            }
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

/// Lines of the largest board, rounded up to what a processor computes with at once.
const LINES: usize = 24;

/// Which cells carry stones, by rows and by columns.
struct Occupied {
    rows: [u32; LINES],
    columns: [u32; LINES],
}

impl Occupied {
    #[inline(always)]
    fn of(position: &Four) -> Occupied {
        let [one, two] = [Seat::ONE, Seat::TWO].map(|seat| position.rows(seat));
        let mut occupied = Occupied { rows: [0; LINES], columns: [0; LINES] };
        for row in 0..usize::from(position.size()) {
            let stones = one[row] | two[row];
            occupied.rows[row] = stones;
            // Every column of a row alike, without a branch for each stone.
            for (column, stones_of_column) in occupied.columns.iter_mut().enumerate() {
                *stones_of_column |= (stones >> column & 1) << row;
            }
        }
        occupied
    }

    /// Adds every slide of these stones (FO7).
    #[inline(always)]
    fn slides(&self, stones: &[u32; MAX_SIZE as usize], kinds: Kinds, mask: &mut [u64]) {
        // All stones in one loop, which ends once, instead of one for each row.
        let mut cells = [0; bits::words(MAX_SIZE as usize * MAX_SIZE as usize)];
        for (row, &stones) in stones[..kinds.size].iter().enumerate() {
            bits::put(&mut cells, row * kinds.size, stones.into());
        }
        for (index, &word) in cells[..bits::words(kinds.slide)].iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let from = 64 * index + left.trailing_zeros() as usize;
                left &= left - 1;
                let (row, column) = (from / kinds.size, from % kinds.size);
                let across = u64::from(reachable(self.rows[row], column as u32, kinds.size));
                let along = u64::from(reachable(self.columns[column], row as u32, kinds.size));
                bits::put(mask, kinds.slide + from * 2 * kinds.size, across | along << kinds.size);
            }
        }
    }
}

/// The places of a line that a stone can slide to.
#[inline(always)]
fn reachable(occupied: u32, place: u32, size: usize) -> u32 {
    let below = occupied & ((1 << place) - 1);
    let above = occupied >> place >> 1;
    let low = 32 - below.leading_zeros();
    let high = (place + 1 + above.trailing_zeros()).min(size as u32);
    ((1u32 << high) - (1 << low)) & !(1 << place)
}
