//! The evaluation: a network with one hidden layer over the patterns of the twelve lines.
//!
//! Every line of five cubes shows one of 3⁵ = 243 patterns (blank, own, other). Each line has a table with a row of
//! numbers for each pattern; the twelve rows are added, cut to a range, squared and weighed. It is trained on exact
//! values by `examples/train_quixo.rs`.

use std::fmt;
use std::sync::OnceLock;

use super::node::Node;

/// Units of the hidden layer.
pub const HIDDEN: usize = 64;
/// Lines of five.
pub const LINES: usize = 12;
/// Patterns of a line.
pub const PATTERNS: usize = 243;

/// What an accumulated 1.0 is as an integer; also the most a unit passes on.
const UNIT: i16 = 255;
/// What an output weight of 1.0 is as an integer.
const OUTPUT_UNIT: f32 = 32.0;
/// Points for a logit of 1: the score's expected result is the logistic function of points / `LOGIT`.
pub(super) const LOGIT: f32 = 1000.0;

const MAGIC: &[u8; 8] = b"QUIXONN1";

type Row = [i16; HIDDEN];

/// The network as it is used: whole numbers only, so that every machine computes the same.
pub(super) struct Net {
    /// By line and pattern.
    rows: Vec<Row>,
    bias: Row,
    output: Row,
    output_bias: i32,
}

/// A network as it is trained.
#[derive(Clone)]
pub struct Weights {
    /// By line, pattern and unit.
    pub rows: Vec<f32>,
    /// By unit.
    pub bias: [f32; HIDDEN],
    /// By unit.
    pub output: [f32; HIDDEN],
    /// Added to the sum.
    pub output_bias: f32,
}

impl Weights {
    /// The file that the program carries: rounded weights after a name and before a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut write = |value: f32, scale: f32, most: f32| {
            let whole = (value * scale).round().clamp(-most, most) as i16;
            bytes.extend(whole.to_le_bytes());
        };
        // Thirteen terms of at most 2500 cannot overflow 16 bits.
        self.rows.iter().chain(&self.bias).for_each(|&value| write(value, f32::from(UNIT), 2500.0));
        // A cut unit times its weight must fit 16 bits: 255 · 127 does.
        self.output.iter().for_each(|&value| write(value, OUTPUT_UNIT, 127.0));
        let bias = (self.output_bias * OUTPUT_UNIT * f32::from(UNIT) * f32::from(UNIT)) as i32;
        bytes.extend(bias.to_le_bytes());
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// Why a network file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadNet;

impl fmt::Display for BadNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the network file is damaged or of another kind")
    }
}

impl std::error::Error for BadNet {}

impl Net {
    /// The network the program carries.
    pub(super) fn embedded() -> &'static Net {
        static NET: OnceLock<Net> = OnceLock::new();
        NET.get_or_init(|| Net::read(include_bytes!("quixo.net")).expect("the build embeds a whole network file"))
    }

    /// Reads a network file.
    pub(super) fn read(bytes: &[u8]) -> Result<Net, BadNet> {
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(BadNet)?;
        let whole = content.len() == MAGIC.len() + 2 * HIDDEN * (LINES * PATTERNS + 2) + 4;
        if !whole || !content.starts_with(MAGIC) || checksum(content) != u64::from_le_bytes(*sum) {
            return Err(BadNet);
        }
        let (numbers, bias) = content[MAGIC.len()..].split_last_chunk::<4>().ok_or(BadNet)?;
        let mut all = numbers.chunks_exact(2 * HIDDEN).map(|row| {
            let mut numbers = row.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            std::array::from_fn(|_| numbers.next().unwrap_or(0))
        });
        let rows = all.by_ref().take(LINES * PATTERNS).collect();
        let (bias_row, output) = (all.next().ok_or(BadNet)?, all.next().ok_or(BadNet)?);
        Ok(Net { rows, bias: bias_row, output, output_bias: i32::from_le_bytes(*bias) })
    }

    /// Points for the side to act, in a position where it cannot win at once.
    #[inline]
    pub(super) fn evaluate(&self, node: &impl Node) -> i32 {
        let mut sums = self.bias;
        for (line, pattern) in patterns(node.own(), node.other()).into_iter().enumerate() {
            let row = &self.rows[line * PATTERNS + usize::from(pattern)];
            for (sum, term) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*term);
            }
        }
        let mut total = 0i32;
        for (sum, weight) in sums.iter().zip(&self.output) {
            let passed = (*sum).clamp(0, UNIT);
            total += i32::from(passed.wrapping_mul(*weight)) * i32::from(passed);
        }
        let scale = OUTPUT_UNIT * f32::from(UNIT) * f32::from(UNIT) / LOGIT;
        // 32 · 255² / 1000 is 2080.8: a whole divisor keeps floating point out of the search.
        (total + self.output_bias) / (scale as i32)
    }
}

/// A sum that changes with any bit (FNV-1a).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The pattern of each line: rows from the bottom, columns from the left, the two long diagonals.
///
/// A digit of a pattern in base 3 is 0 for a blank cube, 1 for one of `own`, 2 for one of `other`.
#[inline]
pub fn patterns(own: u32, other: u32) -> [u8; LINES] {
    let mut result = [0; LINES];
    let mut crossing = 0u64;
    for row in 0..5 {
        let pattern = THREES[(own >> (5 * row) & 31) as usize] + 2 * THREES[(other >> (5 * row) & 31) as usize];
        result[row] = pattern;
        crossing += CROSSING[row][usize::from(pattern)];
    }
    result[5..].copy_from_slice(&crossing.to_le_bytes()[..7]);
    result
}

/// The sum of 3ⁿ over the set bits n.
static THREES: [u8; 32] = {
    let mut threes = [0; 32];
    let mut set = 1;
    while set < 32 {
        let low = set & (set - 1);
        threes[set] = threes[low] + 3u8.pow(set.trailing_zeros());
        set += 1;
    }
    threes
};

/// What a pattern of each row adds to the patterns of the five columns and two diagonals, a byte for each.
static CROSSING: [[u64; 256]; 5] = {
    let mut crossing = [[0; 256]; 5];
    let mut row = 0;
    while row < 5 {
        let mut pattern = 0;
        while pattern < PATTERNS {
            let mut left = pattern as u64;
            let mut column = 0;
            while column < 5 {
                let digit = left % 3 * 3u64.pow(row as u32);
                left /= 3;
                crossing[row][pattern] |= digit << (8 * column);
                if column == row {
                    crossing[row][pattern] |= digit << 40;
                }
                if column == 4 - row {
                    crossing[row][pattern] |= digit << 48;
                }
                column += 1;
            }
            pattern += 1;
        }
        row += 1;
    }
    crossing
};
