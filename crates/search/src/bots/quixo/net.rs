//! The evaluation: a network with two hidden layers over the patterns of the twelve lines.
//!
//! Every line of five cubes shows one of 3⁵ = 243 patterns (blank, own, other). Each line has a table with a row of
//! numbers for each pattern; the twelve rows are added, cut to a range and squared, and a second, smaller layer weighs
//! the result. It is trained on exact values by `crates/search/training/train_quixo.py`.

use std::fmt;
use std::sync::OnceLock;

use wide::{i16x8, i32x4};

use super::node::Node;
use super::stages::{Form, MAGIC as STAGES, Stages};
use crate::checksum;

/// Units of the first hidden layer.
const WIDE: usize = 64;
/// Units of the second hidden layer.
const NARROW: usize = 32;
/// The second layer and the output differ with the number of marked cubes: a bucket begins at each of these.
const BUCKETS: [u32; 8] = [0, 8, 10, 12, 14, 16, 18, 21];
/// The first bucket of the later stage, which has a first layer of its own: what a pattern is worth changes.
const LATE: usize = 4;
/// Lines of five.
pub(super) const LINES: usize = 12;
/// Patterns of a line.
pub(super) const PATTERNS: usize = 243;

/// The most a unit passes on; 1.0 in the first layer before it is squared.
const UNIT: i16 = 255;
/// A shift of the sums of the second layer, whose weights are so much finer.
const SECOND: u32 = 7;
/// What a logit of 1 is at the output: 1.0 of the second layer, 254, times the scale of the last weights, 256.
const OUTPUT: i32 = 254 * 256;
/// Points for a logit of 1: the score's expected result is the logistic function of points / `LOGIT`.
pub(super) const LOGIT: f32 = 1000.0;

const MAGIC: &[u8; 8] = b"QUIXONN4";

/// Eight numbers that are computed with at once.
type Eight = i16x8;
type Row = [Eight; WIDE / 8];

/// A network of one of several forms.
pub(super) enum Net {
    Classic(Classic),
    Small(Stages<8, 8>),
    SmallNarrow(Stages<8, 4>),
    Middle(Stages<12, 8>),
    Large(Stages<16, 8>),
    LargeNarrow(Stages<16, 4>),
}

/// The network: whole numbers only, so that every machine computes the same.
pub(super) struct Classic {
    /// The first layer of the early and of the later stage.
    stages: [Stage; 2],
    heads: Vec<Head>,
}

/// A first layer.
struct Stage {
    /// By line and pattern.
    rows: Vec<Row>,
    bias: Row,
}

/// What follows the first layer.
struct Head {
    /// For every two units of the first layer their weights for each unit of the second, side by side.
    second: [[Eight; NARROW / 4]; WIDE / 2],
    second_bias: [i32x4; NARROW / 4],
    output: [Eight; NARROW / 8],
    output_bias: i32,
}

/// Why a network file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadNet;

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
        NET.get_or_init(|| match std::env::var_os("QUIXO_NET") {
            Some(path) => Net::read(&std::fs::read(path).expect("a file")).expect("a network"),
            None => Net::read(include_bytes!("quixo.net")).expect("the build embeds a whole network file"),
        })
    }

    /// Reads a network file.
    pub(super) fn read(bytes: &[u8]) -> Result<Net, BadNet> {
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(BadNet)?;
        if content.len() < MAGIC.len() || checksum(content) != u64::from_le_bytes(*sum) {
            return Err(BadNet);
        }
        let mut rest = &content[MAGIC.len()..];
        let net = if content.starts_with(STAGES) {
            let form = Form::read(&mut rest)?;
            match (form.products, form.narrow) {
                (64, 32) => Net::Small(Stages::read(form, &mut rest)?),
                (64, 16) => Net::SmallNarrow(Stages::read(form, &mut rest)?),
                (96, 32) => Net::Middle(Stages::read(form, &mut rest)?),
                (128, 32) => Net::Large(Stages::read(form, &mut rest)?),
                (128, 16) => Net::LargeNarrow(Stages::read(form, &mut rest)?),
                _ => return Err(BadNet),
            }
        } else if content.starts_with(MAGIC) {
            Net::Classic(Classic::read(&mut rest)?)
        } else {
            return Err(BadNet);
        };
        if rest.is_empty() { Ok(net) } else { Err(BadNet) }
    }

    /// Points for the side to act, in a position where it cannot win at once.
    #[inline]
    pub(super) fn evaluate(&self, node: &impl Node) -> i32 {
        let (own, other) = (node.own(), node.other());
        match self {
            Net::Classic(net) => net.evaluate(node),
            Net::Small(net) => net.evaluate(own, other),
            Net::SmallNarrow(net) => net.evaluate(own, other),
            Net::Middle(net) => net.evaluate(own, other),
            Net::Large(net) => net.evaluate(own, other),
            Net::LargeNarrow(net) => net.evaluate(own, other),
        }
    }
}

impl Classic {
    fn read(rest: &mut &[u8]) -> Result<Classic, BadNet> {
        let [early, late] = [rows(rest)?, rows(rest)?];
        let stages = [Stage { rows: early, bias: row(rest)? }, Stage { rows: late, bias: row(rest)? }];
        let heads = BUCKETS.map(|_| Head::read(rest)).into_iter().collect::<Result<_, _>>()?;
        Ok(Classic { stages, heads })
    }

    #[inline]
    fn evaluate(&self, node: &impl Node) -> i32 {
        let (own, other) = (node.own(), node.other());
        let marked = (own | other).count_ones();
        let bucket = BUCKETS[1..].iter().filter(|&&first| marked >= first).count();
        let Stage { rows, bias } = &self.stages[usize::from(bucket >= LATE)];
        let mut sums = *bias;
        for (line, pattern) in patterns(own, other).into_iter().enumerate() {
            let row = &rows[line * PATTERNS + usize::from(pattern)];
            for (sum, term) in sums.iter_mut().zip(row) {
                *sum += *term;
            }
        }
        let squared = sums.map(|sum| {
            // Sixteen times each factor, and the upper half of the product: its square without the last eight bits.
            let passed: Eight = sum.max(Eight::ZERO).min(Eight::splat(UNIT)) << 4_i16;
            passed.mul_keep_high(passed)
        });
        // A whole divisor keeps floating point out of the search.
        self.heads[bucket].weigh(squared) / (OUTPUT / LOGIT as i32)
    }
}

impl Head {
    fn read(rest: &mut &[u8]) -> Result<Head, BadNet> {
        let mut second = [[0; 2 * NARROW]; WIDE / 2];
        for unit in 0..NARROW {
            for (pair, weights) in second.iter_mut().zip(shorts::<WIDE>(rest)?.as_chunks::<2>().0) {
                pair[2 * unit..2 * unit + 2].copy_from_slice(weights);
            }
        }
        Ok(Head {
            second: second.map(bytemuck::cast),
            second_bias: bytemuck::cast(longs::<NARROW>(rest)?),
            output: bytemuck::cast(shorts::<NARROW>(rest)?),
            output_bias: longs::<1>(rest)?[0],
        })
    }

    #[inline]
    fn weigh(&self, units: Row) -> i32 {
        let mut sums = self.second_bias;
        let pairs: [i32; WIDE / 2] = bytemuck::cast(units);
        for (pair, weights) in pairs.into_iter().zip(&self.second) {
            // Many units pass nothing on.
            if pair == 0 {
                continue;
            }
            let pair: Eight = bytemuck::cast(i32x4::splat(pair));
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += pair.dot(*weight);
            }
        }
        let mut total = i32x4::ZERO;
        for (two, weight) in sums.as_chunks::<2>().0.iter().zip(&self.output) {
            let passed = Eight::from_i32x8_saturate(bytemuck::cast(two.map(|sum| sum >> SECOND)));
            total += passed.max(Eight::ZERO).min(Eight::splat(UNIT)).dot(*weight);
        }
        self.output_bias + total.reduce_add()
    }
}

fn rows(rest: &mut &[u8]) -> Result<Vec<Row>, BadNet> {
    (0..LINES * PATTERNS).map(|_| row(rest)).collect()
}

fn row(rest: &mut &[u8]) -> Result<Row, BadNet> {
    shorts::<WIDE>(rest).map(bytemuck::cast)
}

pub(super) fn shorts<const COUNT: usize>(rest: &mut &[u8]) -> Result<[i16; COUNT], BadNet> {
    let (bytes, others) = rest.split_at_checked(2 * COUNT).ok_or(BadNet)?;
    *rest = others;
    Ok(std::array::from_fn(|place| i16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]])))
}

pub(super) fn longs<const COUNT: usize>(rest: &mut &[u8]) -> Result<[i32; COUNT], BadNet> {
    let (bytes, others) = rest.split_at_checked(4 * COUNT).ok_or(BadNet)?;
    *rest = others;
    Ok(std::array::from_fn(|place| i32::from_le_bytes(std::array::from_fn(|byte| bytes[4 * place + byte]))))
}

/// The pattern of each line: rows from the bottom, columns from the left, the two long diagonals.
///
/// A digit of a pattern in base 3 is 0 for a blank cube, 1 for one of `own`, 2 for one of `other`.
#[inline]
pub(super) fn patterns(own: u32, other: u32) -> [u8; LINES] {
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
