use rules::sequence::{Action, Board, Card, HEIGHT, MOST_SWAPS, Sequence, WIDTH};
use rules::{ActionList, Position, Seat, Square, Turn};
use search::{Random, weighted};

use super::{Encoded, Field, Layout};
use crate::bits;

const CELLS: usize = WIDTH as usize * HEIGHT as usize;

/// An animal is played at one of its squares, so that the square tells which it is.
const ANIMAL: usize = 0;
const UNICORN: usize = CELLS;
const DRAGON: usize = 2 * CELLS;
const SWAP: usize = 3 * CELLS;
const PASS: usize = SWAP + Card::COUNT;
const DRAW: usize = PASS + 1;
const TILE: usize = DRAW + Card::COUNT;
const END: usize = TILE + Card::COUNT;

/// Squares of the rules, eight to a row, as seven to a row.
#[inline(always)]
fn cells(squares: u64) -> u64 {
    let row = |row: u32| (squares >> (8 * row) & 0x7f) << (7 * row);
    row(0) | row(1) | row(2) | row(3) | row(4) | row(5)
}

/// For each card two bits: whether there is one, whether there are two.
#[inline(always)]
fn add_card(copies: &mut u64, card: Card) {
    let bit = 1 << (2 * card.index());
    *copies |= if *copies & bit == 0 { bit } else { bit << 1 };
}

impl Encoded for Sequence {
    const VERSION: u32 = 1;

    fn layout(&self) -> Layout {
        let planes = vec![
            // The chips of the viewer, then those of the next seats in turn order.
            Field::new("chips", &[usize::from(self.seats()), 6, 7]),
            Field::new("hand", &[Card::COUNT, 2]),
            Field::new("unseen", &[Card::COUNT, 2]),
        ];
        let mut numbers = vec![Field::new("passes", &[1]), Field::new("swaps", &[1])];
        if self.options().board == Board::Shuffled {
            // The number of the card that a square shows, from 1; 0 for none.
            numbers.push(Field::new("pictures", &[6, 7]));
        }
        Layout::new(Self::VERSION, [DRAW, END - DRAW], planes, numbers)
    }

    #[inline(always)]
    fn legal(&self, mask: &mut [u64]) {
        mask.fill(0);
        match self.turn() {
            Turn::Over(_) => {}
            Turn::Chance => {
                let mut actions = ActionList::new();
                self.actions(&mut actions);
                actions.iter().filter_map(|&action| self.encode(action)).for_each(|number| bits::put(mask, number, 1));
            }
            Turn::Seat(seat) => {
                for &card in self.hand(seat) {
                    let first = match card {
                        Card::Unicorn => UNICORN,
                        Card::Dragon => DRAGON,
                        _ => ANIMAL,
                    };
                    bits::put(mask, first, cells(self.targets(seat, card)));
                    if self.swaps() < MOST_SWAPS && self.is_dead(card) {
                        bits::put(mask, SWAP + card.index(), 1);
                    }
                }
                if mask.iter().all(|&word| word == 0) {
                    bits::put(mask, PASS, 1);
                }
            }
        }
    }

    #[inline(always)]
    fn decode(&self, number: usize) -> Option<Action> {
        let square = |cell| Square::from_index(cell, WIDTH);
        let card = |index: usize| Card::ALL.get(index).copied();
        match number {
            ANIMAL..UNICORN => {
                let square = square(number);
                Some(Action::Play { card: self.picture(square)?, square })
            }
            UNICORN..DRAGON => Some(Action::Play { card: Card::Unicorn, square: square(number - UNICORN) }),
            DRAGON..SWAP => Some(Action::Play { card: Card::Dragon, square: square(number - DRAGON) }),
            SWAP..PASS => card(number - SWAP).map(Action::Swap),
            PASS => Some(Action::Pass),
            DRAW..TILE => card(number - DRAW).map(Action::Draw),
            TILE..END => card(number - TILE).map(Action::Tile),
            _ => None,
        }
    }

    fn encode(&self, action: Action) -> Option<usize> {
        let cell = |square: Square| (square.column < WIDTH && square.row < HEIGHT).then(|| square.index(WIDTH));
        match action {
            Action::Play { card: Card::Unicorn, square } => Some(UNICORN + cell(square)?),
            Action::Play { card: Card::Dragon, square } => Some(DRAGON + cell(square)?),
            Action::Play { card, square } => (self.picture(square) == Some(card)).then(|| cell(square)).flatten(),
            Action::Swap(card) => Some(SWAP + card.index()),
            Action::Pass => Some(PASS),
            Action::Draw(card) => Some(DRAW + card.index()),
            Action::Tile(card) => Some(TILE + card.index()),
        }
    }

    #[inline(always)]
    fn draw(&self, random: &mut Random) -> Action {
        if self.drawer().is_none() {
            let mut actions = ActionList::new();
            self.actions(&mut actions);
            return weighted(self, random, &actions);
        }
        let mut left = random.below(self.stock_size().into());
        for card in Card::ALL {
            let copies = u32::from(self.stock(card));
            if left < copies {
                return Action::Draw(card);
            }
            left -= copies;
        }
        // Never reached: the copies of all cards are the size of the pile.
        Action::Pass
    }

    #[inline(always)]
    fn observe(&self, seat: Seat, planes: &mut [u64], numbers: &mut [u8]) {
        planes.fill(0);
        let seats = usize::from(self.seats());
        let (mut hand, mut unseen) = (0, 0);
        self.hand(seat).iter().for_each(|&card| add_card(&mut hand, card));
        for card in Card::ALL {
            unseen |= ((1u64 << self.stock(card)) - 1) << (2 * card.index());
        }
        let mut other = seat;
        for plane in 0..seats {
            bits::put(planes, CELLS * plane, cells(self.chips(other)));
            if other != seat {
                self.hand(other).iter().for_each(|&card| add_card(&mut unseen, card));
            }
            other = other.next(self.seats());
        }
        bits::put(planes, CELLS * seats, hand);
        bits::put(planes, CELLS * seats + 2 * Card::COUNT, unseen);
        let (counted, pictures) = numbers.split_at_mut(2);
        counted.copy_from_slice(&[self.passes(), self.swaps()]);
        for (index, shown) in pictures.iter_mut().enumerate() {
            let picture = self.picture(Square::from_index(index, WIDTH));
            *shown = picture.map_or(0, |card| card.index() as u8 + 1);
        }
    }
}
