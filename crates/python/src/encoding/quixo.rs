use std::sync::LazyLock;

use rules::quixo::{Action, Cube, Players, Quixo, QuixoOptions, SIZE};
use rules::{ActionList, Position, Seat, Side, Square, Turn};

use super::{Encoded, Field, Layout};
use crate::bits;

/// The pushes, in the order in which the rules list those of the first move.
const PUSHES: usize = 44;
/// In the team game the numbers from here on are the same pushes with the dot to the partner.
const TO_PARTNER: usize = PUSHES;
const PASS: usize = 2 * PUSHES;

const CELLS: usize = 25;

/// The pushes by number, and which of them take from which border squares.
struct Pushes {
    list: Vec<(Square, Square)>,
    /// For each choice of squares of the first rank, the sides and the last rank: the pushes from them.
    parts: [[u64; 64]; 3],
}

/// The squares of the three parts of the border.
const PARTS: [&[usize]; 3] = [&[0, 1, 2, 3, 4], &[5, 9, 10, 14, 15, 19], &[20, 21, 22, 23, 24]];

static TABLE: LazyLock<Pushes> = LazyLock::new(|| {
    let mut actions = ActionList::new();
    Quixo::start(&QuixoOptions { players: Players::Two }).actions(&mut actions);
    let list: Vec<(Square, Square)> = actions
        .iter()
        .filter_map(|action| match *action {
            Action::Push { from, to, .. } => Some((from, to)),
            Action::Pass => None,
        })
        .collect();
    let taking = |square: usize| -> u64 {
        (0..list.len()).filter(|&push| list[push].0.index(SIZE) == square).map(|push| 1 << push).sum()
    };
    let parts = PARTS.map(|squares| {
        std::array::from_fn(|chosen| {
            (0..squares.len()).filter(|n| chosen >> n & 1 == 1).map(|n| taking(squares[n])).sum()
        })
    });
    Pushes { list, parts }
});

impl Pushes {
    /// The pushes that take from some border squares.
    #[inline(always)]
    fn from(&self, squares: u32) -> u64 {
        let sides = squares >> 5 & 1 | squares >> 8 & 6 | squares >> 11 & 24 | squares >> 14 & 32;
        let [first, between, last] = &self.parts;
        first[squares as usize & 31] | between[sides as usize] | last[(squares >> 20) as usize & 31]
    }
}

/// The cubes without a symbol.
#[inline(always)]
fn blank(position: &Quixo) -> u32 {
    !(position.marks(Side::ONE) | position.marks(Side::TWO)) & ((1 << CELLS) - 1)
}

/// The cubes whose dot points to a seat; with two players all of the seat's side.
#[inline(always)]
fn owned(position: &Quixo, seat: Seat) -> u32 {
    if position.seats() == 2 {
        return position.marks(position.side(seat));
    }
    let owner = |index: usize| position.cube(Square::from_index(index, SIZE));
    (0..CELLS)
        .filter(|&index| matches!(owner(index), Cube::Marked { owner, .. } if owner == seat))
        .map(|index| 1 << index)
        .sum()
}

impl Encoded for Quixo {
    const VERSION: u32 = 1;

    fn layout(&self) -> Layout {
        let seats = usize::from(self.seats());
        let actions = if seats == 2 { PUSHES } else { PASS + 1 };
        // The cubes of the viewer, then those of the next seats in turn order.
        let planes = vec![Field::new("cubes", &[seats, 5, 5]), Field::new("blank", &[5, 5])];
        let numbers = if seats == 2 { Vec::new() } else { vec![Field::new("passes", &[1])] };
        Layout::new(Self::VERSION, [actions, 0], planes, numbers)
    }

    #[inline(always)]
    fn legal(&self, mask: &mut [u64]) {
        let Turn::Seat(seat) = self.turn() else { return mask.fill(0) };
        let pushes = TABLE.from(blank(self) | owned(self, seat));
        if self.seats() == 2 {
            mask[0] = pushes;
            return;
        }
        mask.fill(0);
        if pushes == 0 {
            bits::put(mask, PASS, 1);
        } else {
            bits::put(mask, 0, pushes);
            bits::put(mask, TO_PARTNER, pushes);
        }
    }

    #[inline(always)]
    fn decode(&self, number: usize) -> Option<Action> {
        let push = |push: usize, dot| TABLE.list.get(push).map(|&(from, to)| Action::Push { from, to, dot });
        if self.seats() == 2 {
            return push(number, None);
        }
        let own = self.next_seat();
        match number {
            0..TO_PARTNER => push(number, Some(own)),
            TO_PARTNER..PASS => push(number - TO_PARTNER, Some(partner(own))),
            PASS => Some(Action::Pass),
            _ => None,
        }
    }

    fn encode(&self, action: Action) -> Option<usize> {
        let Action::Push { from, to, dot } = action else { return (self.seats() == 4).then_some(PASS) };
        let push = TABLE.list.iter().position(|&pair| pair == (from, to))?;
        let own = self.next_seat();
        match dot {
            None if self.seats() == 2 => Some(push),
            Some(seat) if self.seats() == 4 && seat == own => Some(push),
            Some(seat) if self.seats() == 4 && seat == partner(own) => Some(TO_PARTNER + push),
            _ => None,
        }
    }

    #[inline(always)]
    fn observe(&self, seat: Seat, planes: &mut [u64], numbers: &mut [u8]) {
        if let [first, second] = planes
            && self.seats() == 2
        {
            let blank = u64::from(blank(self));
            let [own, other] = [seat, seat.next(2)].map(|seat| u64::from(owned(self, seat)));
            *first = own | other << CELLS | blank << (2 * CELLS);
            *second = blank >> (64 - 2 * CELLS);
            return;
        }
        planes.fill(0);
        let (mut other, seats) = (seat, usize::from(self.seats()));
        for plane in 0..seats {
            bits::put(planes, CELLS * plane, owned(self, other).into());
            other = other.next(self.seats());
        }
        bits::put(planes, CELLS * seats, blank(self).into());
        if let [passes] = numbers {
            *passes = self.passes();
        }
    }
}

/// The other seat of a team.
fn partner(seat: Seat) -> Seat {
    seat.next(4).next(4)
}
