//! The evaluation: a network of its own for every stage of the game, over the patterns of the twelve lines.
//!
//! Every line of five cubes shows one of 3⁵ = 243 patterns (blank, own, other). Each line has a table with a row of
//! numbers for each pattern, and the twelve rows are added. The sums come in pairs; both are cut to a range and multiplied,
//! and a second, smaller layer weighs the products. Units are tied: the file holds one of eight and the others see the
//! board turned. It is trained on exact values by `crates/search/training/train_quixo.py`, and `coarse.rs` makes it small.
//!
//! The file is `QUIXONN6`, bits, and a checksum of 8 bytes. The bits fill bytes from the lowest on and hold, for each stage:
//!
//! | bits of each | numbers |
//! |---|---|
//! | 4 | by line and pattern: the shift of its row, at most 8 |
//! | 8 − shift | the tables of the first factors, unit by unit, then of the second: a number is shifted to the left |
//! | 16 | what is added to the sums of the first factors, then of the second |
//! | 11 | the second layer's weights, unit by unit |
//! | 32 | what is added to its sums |
//! | 16, 32 | the weights of the output, and what is added to it |

use std::fmt;
use std::sync::OnceLock;

use wide::{i16x8, i32x4};

use super::lines::{LINES, PATTERNS, ROWS, patterns, turned_rows};
use super::node::Node;
use crate::checksum;

/// Products that the first layer passes on.
pub(super) const PRODUCTS: usize = 128;
/// Units that differ only by how they see the board.
pub(super) const TIES: usize = 8;
/// Of each of their kinds there is one in the file.
pub(super) const KINDS: usize = PRODUCTS / TIES;
/// Units of the second layer.
pub(super) const NARROW: usize = 32;
/// The numbers of marked cubes at which the stages begin.
pub(super) const BEGINS: [u8; 11] = [0, 8, 9, 10, 11, 12, 13, 14, 16, 18, 21];
/// What a sum of 1 is, beyond which a unit passes on no more.
pub(super) const UNIT: i16 = 64;
/// The shift from the sums of the second layer to what it passes on, 1.0 being `PASSED`.
pub(super) const SECOND: u32 = 11;
pub(super) const PASSED: i16 = 256;
/// The shift from the output to logits.
pub(super) const OUTPUT: u32 = 16;
/// Points for a logit of 1: the score's expected result is the logistic function of points / `LOGIT`.
pub(super) const LOGIT: f32 = 1000.0;
/// Bits of a weight of the second layer.
pub(super) const FINE: u32 = 11;

pub(super) const MAGIC: &[u8; 8] = b"QUIXONN6";

/// Eight numbers that are computed with at once.
type Eight = i16x8;
const PARTS: usize = PRODUCTS / 8;
const QUARTERS: usize = NARROW / 4;

/// The network: whole numbers only, so that every machine computes the same.
pub(super) struct Net {
    stages: Vec<Stage>,
}

struct Stage {
    /// By line and pattern. A number holds the weights of the two factors of a product: the first plus 128 below, the
    /// second above.
    rows: Vec<[Eight; PARTS]>,
    /// Of the first factors, and of the second.
    bias: [[Eight; PARTS]; 2],
    /// For every two products their weights for each unit of the second layer, side by side.
    second: [[Eight; QUARTERS]; PRODUCTS / 2],
    second_bias: [i32x4; QUARTERS],
    output: [Eight; QUARTERS / 2],
    output_bias: i32,
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
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(BadNet);
        }
        let mut bits = Bits { rest: content.strip_prefix(MAGIC).ok_or(BadNet)?, held: 0, count: 0 };
        let turned = turned_rows();
        let stages = BEGINS.iter().map(|_| Stage::read(&turned, &mut bits)).collect::<Result<_, _>>()?;
        if bits.rest.is_empty() && bits.held == 0 { Ok(Net { stages }) } else { Err(BadNet) }
    }

    /// Points for the side to act, in a position where it cannot win at once.
    #[inline]
    pub(super) fn evaluate(&self, node: &impl Node) -> i32 {
        let (own, other) = (node.own(), node.other());
        let stage = &self.stages[stage_of((own | other).count_ones())];
        stage.weigh(&stage.products(patterns(own, other)))
    }
}

/// The stage with so many marked cubes.
#[inline]
pub(super) fn stage_of(marked: u32) -> usize {
    BEGINS[1..].iter().filter(|&&begin| marked >= u32::from(begin)).count()
}

/// The bits of a file that are not read yet.
struct Bits<'a> {
    rest: &'a [u8],
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// A number of so many bits, the highest being its sign; 0 of none.
    fn signed(&mut self, bits: u32) -> Result<i32, BadNet> {
        let raw = self.unsigned(bits)?;
        // A number that has no bits has no sign either.
        let above = 64 - bits.max(1);
        Ok(((raw << above) as i64 >> above) as i32)
    }

    fn unsigned(&mut self, bits: u32) -> Result<u64, BadNet> {
        while self.count < bits {
            let (&byte, rest) = self.rest.split_first().ok_or(BadNet)?;
            self.rest = rest;
            self.held |= u64::from(byte) << self.count;
            self.count += 8;
        }
        let raw = self.held & ((1 << bits) - 1);
        self.held >>= bits;
        self.count -= bits;
        Ok(raw)
    }

    fn shorts<const COUNT: usize>(&mut self, bits: u32) -> Result<[i16; COUNT], BadNet> {
        let mut numbers = [0; COUNT];
        for number in &mut numbers {
            *number = self.signed(bits)? as i16;
        }
        Ok(numbers)
    }
}

impl Stage {
    fn read(turned: &[Vec<u16>], bits: &mut Bits<'_>) -> Result<Self, BadNet> {
        let shifts = (0..ROWS).map(|_| bits.unsigned(4).map(|shift| shift as u32)).collect::<Result<Vec<_>, _>>()?;
        if shifts.iter().any(|&shift| shift > 8) {
            return Err(BadNet);
        }
        let mut rows = vec![[0u16; PRODUCTS]; ROWS];
        for factor in 0..2 {
            for kind in 0..KINDS {
                let mut table = Vec::with_capacity(ROWS);
                for &shift in &shifts {
                    table.push((bits.signed(8 - shift)? << shift) as i8);
                }
                for (tie, turned) in turned.iter().enumerate() {
                    for (row, source) in rows.iter_mut().zip(turned) {
                        let weight = table[usize::from(*source)];
                        row[kind * TIES + tie] |= match factor {
                            0 => (i16::from(weight) + 128) as u16,
                            _ => u16::from(weight as u8) << 8,
                        };
                    }
                }
            }
        }
        // What was added to the weights of the first factors is taken off again.
        let bias = [128 * LINES as i16, 0].map(|surplus| bits.shorts::<KINDS>(16).map(|bias| spread(bias, surplus)));
        let mut second = [[0; 2 * NARROW]; PRODUCTS / 2];
        for unit in 0..NARROW {
            for (pair, weights) in second.iter_mut().zip(bits.shorts::<PRODUCTS>(FINE)?.as_chunks::<2>().0) {
                pair[2 * unit..2 * unit + 2].copy_from_slice(weights);
            }
        }
        let mut second_bias = [0; NARROW];
        for bias in &mut second_bias {
            *bias = bits.signed(32)?;
        }
        Ok(Stage {
            rows: rows.into_iter().map(bytemuck::cast).collect(),
            bias: [bias[0]?, bias[1]?],
            second: second.map(bytemuck::cast),
            second_bias: bytemuck::cast(second_bias),
            output: bytemuck::cast(bits.shorts::<NARROW>(16)?),
            output_bias: bits.signed(32)?,
        })
    }

    /// What the first layer passes on.
    #[inline]
    fn products(&self, patterns: [u8; LINES]) -> [Eight; PARTS] {
        let mut rows = [&self.rows[0]; LINES];
        for (line, pattern) in patterns.into_iter().enumerate() {
            rows[line] = &self.rows[line * PATTERNS + usize::from(pattern)];
        }
        std::array::from_fn(|part| {
            let (mut both, mut upper) = (Eight::ZERO, Eight::ZERO);
            for row in rows {
                both += row[part];
                upper += row[part] >> 8_i16;
            }
            let cut = |sum: Eight| sum.max(Eight::ZERO).min(Eight::splat(UNIT));
            cut(both - (upper << 8_i16) + self.bias[0][part]) * cut(upper + self.bias[1][part])
        })
    }

    #[inline]
    fn weigh(&self, products: &[Eight; PARTS]) -> i32 {
        let pairs: [i32; PRODUCTS / 2] = bytemuck::cast(*products);
        // Many units pass nothing on. Which, is hard to foresee, so the places of the others are gathered without asking.
        let (mut places, mut count) = ([0; PRODUCTS / 2], 0);
        for (place, &pair) in pairs.iter().enumerate() {
            places[count] = place as u8;
            count += usize::from(pair != 0);
        }
        let mut sums = self.second_bias;
        for &place in &places[..count] {
            let pair: Eight = bytemuck::cast(i32x4::splat(pairs[usize::from(place)]));
            for (sum, weight) in sums.iter_mut().zip(&self.second[usize::from(place)]) {
                *sum += pair.dot(*weight);
            }
        }
        let mut total = i32x4::ZERO;
        for (two, weight) in sums.as_chunks::<2>().0.iter().zip(&self.output) {
            let passed = Eight::from_i32x8_saturate(bytemuck::cast(two.map(|sum| sum >> SECOND)));
            total += passed.max(Eight::ZERO).min(Eight::splat(PASSED)).dot(*weight);
        }
        // Whole numbers keep floating point out of the search.
        ((i64::from(self.output_bias + total.reduce_add()) * LOGIT as i64) >> OUTPUT) as i32
    }
}

/// What is added to the sums of all units, from that of each kind.
fn spread(kinds: [i16; KINDS], surplus: i16) -> [Eight; PARTS] {
    bytemuck::cast(std::array::from_fn::<i16, PRODUCTS, _>(|unit| kinds[unit / TIES] - surplus))
}
