//! The state the solver works on: what each line has in common, a byte per line, and the attributes as bit planes.
//!
//! Pieces are renumbered so that the attributes that make rows come first. A line's byte has a bit for each value of
//! each such attribute (bits 4–7: set, bits 0–3: unset) that all its pieces share; an empty line has them all. A line
//! of three with a common value is a threat: any piece of that value completes it.

use rules::Position;
use rules::quarto::{Quarto, QuartoOptions, Squares};

/// A bit in each of the four 16-bit lanes.
const LANES: u64 = 0x0001_0001_0001_0001;
const BYTES: u64 = 0x0101_0101_0101_0101;

/// The part of the options that matters once rows are taken to be called: how many attributes, and the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// How many attributes make a row, from 1 to 4.
    pub attributes: u8,
    /// Whether 2×2 blocks make rows.
    pub squares: Squares,
}

impl Class {
    /// The class of some options.
    pub fn of(options: &QuartoOptions) -> Class {
        Class { attributes: options.attributes().len() as u8, squares: options.squares }
    }

    /// All eight classes, those that are quick to solve first.
    pub fn all() -> impl Iterator<Item = Class> {
        (1..=4).flat_map(|attributes| Squares::ALL.into_iter().map(move |squares| Class { attributes, squares }))
    }

    /// A number from 0 to 7.
    pub fn index(self) -> usize {
        usize::from(self.attributes - 1) * 2 + usize::from(self.squares == Squares::Yes)
    }
}

/// What placing a piece on a square does to the lines, for one class.
///
/// `WORDS` is how many words of eight lines there are: two for the 10 lines, three for the 19 with blocks.
pub(super) struct Geometry<const WORDS: usize> {
    pub(super) class: Class,
    /// For each square and piece, what is left of the lines' common values.
    keep: [[[u64; WORDS]; 16]; 16],
    /// For each square, one more piece on its lines.
    add: [[u64; WORDS]; 16],
    /// For each set of threatened values, the pieces that complete nothing.
    safe: [u16; 256],
    /// For each piece, all pieces that are the same for this class.
    pub(super) alike: [u16; 16],
}

impl<const WORDS: usize> Geometry<WORDS> {
    pub(super) fn new(class: Class) -> Self {
        let used = used_bits(class);
        let lines = lines(class.squares);
        let mut keep = [[[u64::MAX; WORDS]; 16]; 16];
        let mut add = [[0; WORDS]; 16];
        for (number, line) in lines.iter().enumerate() {
            let (word, shift) = (number / 8, number % 8 * 8);
            for &square in line {
                add[square][word] += 1 << shift;
                for (piece, words) in keep[square].iter_mut().enumerate() {
                    let shared = u64::from(values(piece as u8, used));
                    words[word] &= !(0xff << shift) | shared << shift;
                }
            }
        }
        let completes = |piece: u8, threats: u8| values(piece, used) & threats != 0;
        let safe = std::array::from_fn(|threats| {
            (0..16).filter(|&piece| !completes(piece, threats as u8)).fold(0, |set, piece| set | 1 << piece)
        });
        let alike = std::array::from_fn(|piece| {
            (0..16).filter(|&other| (other ^ piece) as u8 & used == 0).fold(0, |set, other| set | 1 << other)
        });
        Geometry { class, keep, add, safe, alike }
    }

    /// One of each kind of piece in a set.
    #[inline]
    pub(super) fn kinds(&self, mut set: u16) -> u16 {
        if self.class.attributes == 4 {
            return set;
        }
        let mut kinds = 0;
        while set != 0 {
            let piece = set.trailing_zeros() as usize;
            kinds |= 1 << piece;
            set &= !self.alike[piece];
        }
        kinds
    }
}

/// The attribute bits of a renumbered piece that make rows: the highest ones.
pub(super) fn used_bits(class: Class) -> u8 {
    15 & !(15 >> class.attributes)
}

/// The values of a piece in the attributes that make rows.
fn values(piece: u8, used: u8) -> u8 {
    (piece & used) << 4 | (!piece & used)
}

/// The lines of a board as square numbers.
fn lines(squares: Squares) -> Vec<[usize; 4]> {
    let mut lines = Vec::new();
    for n in 0..4 {
        lines.push([4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3]);
        lines.push([n, n + 4, n + 8, n + 12]);
    }
    lines.push([0, 5, 10, 15]);
    lines.push([3, 6, 9, 12]);
    if squares == Squares::Yes {
        for low in [0, 1, 2, 4, 5, 6, 8, 9, 10] {
            lines.push([low, low + 1, low + 4, low + 5]);
        }
    }
    lines
}

/// A board with the pieces that are not on it; the piece in hand counts among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board<const WORDS: usize> {
    common: [u64; WORDS],
    count: [u64; WORDS],
    /// Four lanes of 16 squares, one for each attribute bit, set where a piece has it.
    pub(super) planes: u64,
    pub(super) taken: u16,
    /// The pieces not on the board, the one in hand included.
    pub(super) left: u16,
}

impl<const WORDS: usize> Board<WORDS> {
    pub(super) const EMPTY: Self =
        Board { common: [u64::MAX; WORDS], count: [0; WORDS], planes: 0, taken: 0, left: u16::MAX };

    /// The board of a position, with the renumbering that was used.
    pub(super) fn of(position: &Quarto, geometry: &Geometry<WORDS>) -> (Self, Renumbering) {
        let renumbering = Renumbering::new(&position.options());
        let mut board = Board::EMPTY;
        for square in 0..16 {
            if position.empty() & 1 << square == 0 {
                let piece = (position.nibbles() >> (4 * square)) as u8 & 15;
                board = board.with(geometry, square, renumbering.inner(piece));
            }
        }
        (board, renumbering)
    }

    /// The board with one more piece.
    #[inline]
    pub(super) fn with(&self, geometry: &Geometry<WORDS>, square: usize, piece: u8) -> Self {
        let keep = &geometry.keep[square & 15][piece as usize & 15];
        let add = &geometry.add[square & 15];
        let spread = u64::from(piece) & 1
            | (u64::from(piece) & 2) << 15
            | (u64::from(piece) & 4) << 30
            | (u64::from(piece) & 8) << 45;
        let mut next = *self;
        for word in 0..WORDS {
            next.common[word] &= keep[word];
            next.count[word] += add[word];
        }
        next.planes |= spread << square;
        next.taken |= 1 << square;
        next.left &= !(1 << piece);
        next
    }

    #[inline]
    pub(super) fn empty(&self) -> u32 {
        16 - self.taken.count_ones()
    }

    /// The values that complete a row somewhere.
    #[inline]
    pub(super) fn threats(&self) -> u8 {
        let mut found = 0;
        for word in 0..WORDS {
            // A count from 0 to 4 is 3 exactly when its two low bits are both set.
            let three = self.count[word] & self.count[word] >> 1 & BYTES;
            found |= self.common[word] & (three << 8).wrapping_sub(three);
        }
        found |= found >> 32;
        found |= found >> 16;
        (found | found >> 8) as u8
    }

    /// How much may still be made of the lines: the values their pieces share, over all lines that are not full.
    #[inline]
    pub(super) fn promise(&self) -> u32 {
        let mut shared = 0;
        for word in 0..WORDS {
            let full = self.count[word] >> 2 & BYTES;
            shared += (self.common[word] & !(full << 8).wrapping_sub(full)).count_ones();
        }
        shared
    }

    /// The pieces that complete no row.
    #[inline]
    pub(super) fn safe(&self, geometry: &Geometry<WORDS>) -> u16 {
        geometry.safe[self.threats() as usize]
    }

    /// The planes as seen from a piece: where pieces differ from it.
    #[inline]
    pub(super) fn relative_to(&self, piece: u8) -> u64 {
        let piece = u64::from(piece);
        let lanes = piece & 1 | (piece & 2) << 15 | (piece & 4) << 30 | (piece & 8) << 45;
        self.planes ^ lanes.wrapping_mul(u64::from(self.taken))
    }
}

/// Spreads a set of squares over all four lanes.
#[inline]
pub(super) fn in_every_lane(squares: u16) -> u64 {
    LANES * u64::from(squares)
}

/// Pieces with the attributes that make rows moved to the highest bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renumbering {
    inner: [u8; 16],
}

impl Renumbering {
    fn new(options: &QuartoOptions) -> Renumbering {
        let used = options.attributes().bits();
        let highest_first = [8u8, 4, 2, 1];
        let order = highest_first.into_iter().filter(|bit| used & bit != 0);
        let order = order.chain(highest_first.into_iter().filter(|bit| used & bit == 0));
        let mut inner = [0; 16];
        for (to, from) in highest_first.into_iter().zip(order) {
            for piece in 0..16u8 {
                inner[piece as usize] |= if piece & from != 0 { to } else { 0 };
            }
        }
        Renumbering { inner }
    }

    #[inline]
    pub(super) fn inner(&self, piece: u8) -> u8 {
        self.inner[piece as usize & 15]
    }
}
