//! The evaluation: a network of its own for every stage of the game, over the patterns of the twelve lines.
//!
//! Every line of five cubes shows one of 3⁵ = 243 patterns (blank, own, other). Each line has a table with a row of
//! numbers for each pattern, and the twelve rows are added. The sums come in pairs; both are cut to a range and multiplied,
//! and a second, smaller layer weighs the products. Units are tied: a file holds one of them and the others see the
//! board turned. It is trained on exact values by `crates/search/training/train_quixo.py`.

use wide::{i16x8, i32x4};

use super::board::turned;
use super::net::{BadNet, LINES, LOGIT, PATTERNS, longs, patterns, shorts};

pub(super) const MAGIC: &[u8; 8] = b"QUIXONN5";
/// Rows of a first layer.
const ROWS: usize = LINES * PATTERNS;
/// What a sum of 1 is, beyond which a unit passes on no more.
const UNIT: i16 = 64;
/// The shift from the sums of the second layer to what it passes on, 1.0 being `PASSED`.
const SECOND: u32 = 11;
const PASSED: i16 = 256;
/// The shift from the output to logits.
const OUTPUT: u32 = 16;
/// The cubes on the board and none at all.
const COUNTS: usize = 26;

/// Eight numbers that are computed with at once.
type Eight = i16x8;

/// A network with 8 · `PARTS` products and 4 · `QUARTERS` units in the second layer.
pub(super) struct Stages<const PARTS: usize, const QUARTERS: usize> {
    stages: Vec<Stage<PARTS, QUARTERS>>,
    /// The stage of each number of marked cubes.
    stage_of: [u8; COUNTS],
}

struct Stage<const PARTS: usize, const QUARTERS: usize> {
    /// By line and pattern. A number holds the weights of the two factors of a product: the first plus 128 below, the
    /// second above.
    rows: Vec<[Eight; PARTS]>,
    /// Of the first factors, and of the second.
    bias: [[Eight; PARTS]; 2],
    /// For every two products their weights for each unit of the second layer, side by side.
    second: Vec<[Eight; QUARTERS]>,
    second_bias: [i32x4; QUARTERS],
    output: Vec<Eight>,
    output_bias: i32,
}

/// What a file says about the network's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) products: usize,
    pub(super) narrow: usize,
    stages: usize,
    ties: usize,
}

impl Form {
    /// Takes it from a file, after the mark of its kind.
    pub(super) fn read(rest: &mut &[u8]) -> Result<Form, BadNet> {
        let (&[products, narrow, stages, ties], others) = rest.split_first_chunk::<4>().ok_or(BadNet)?;
        *rest = others;
        let form = Form {
            products: usize::from(products),
            narrow: usize::from(narrow),
            stages: usize::from(stages),
            ties: usize::from(ties),
        };
        let fits = turns(form.ties).is_some() && stages > 0 && form.products.is_multiple_of(form.ties);
        if fits { Ok(form) } else { Err(BadNet) }
    }
}

/// The symmetries under which a unit has copies.
fn turns(ties: usize) -> Option<&'static [usize]> {
    match ties {
        1 => Some(&[0]),
        2 => Some(&[0, 3]),
        4 => Some(&[0, 1, 2, 3]),
        8 => Some(&[0, 1, 2, 3, 4, 5, 6, 7]),
        _ => None,
    }
}

impl<const PARTS: usize, const QUARTERS: usize> Stages<PARTS, QUARTERS> {
    /// Reads what follows the form.
    pub(super) fn read(form: Form, rest: &mut &[u8]) -> Result<Self, BadNet> {
        let (begins, others) = rest.split_at_checked(form.stages).ok_or(BadNet)?;
        *rest = others;
        if begins[0] != 0 || !begins.is_sorted() {
            return Err(BadNet);
        }
        let stage_of = std::array::from_fn(|marked| {
            (begins.iter().filter(|&&begin| usize::from(begin) <= marked).count() - 1) as u8
        });
        let sources = sources(turns(form.ties).ok_or(BadNet)?);
        let stages = (0..form.stages).map(|_| Stage::read(form.ties, &sources, rest)).collect::<Result<_, _>>()?;
        Ok(Stages { stages, stage_of })
    }

    /// Points for the side to act, in a position where it cannot win at once.
    #[inline]
    pub(super) fn evaluate(&self, own: u32, other: u32) -> i32 {
        let stage = &self.stages[usize::from(self.stage_of[(own | other).count_ones() as usize])];
        stage.weigh(&stage.products(patterns(own, other)))
    }
}

impl<const PARTS: usize, const QUARTERS: usize> Stage<PARTS, QUARTERS> {
    fn read(ties: usize, sources: &[Vec<u16>], rest: &mut &[u8]) -> Result<Self, BadNet> {
        let products = 8 * PARTS;
        let bases = products / ties;
        let (tables, others) = rest.split_at_checked(2 * bases * ROWS).ok_or(BadNet)?;
        *rest = others;
        let (first, second) = tables.split_at(bases * ROWS);
        let mut rows = vec![[Eight::ZERO; PARTS]; ROWS];
        for product in 0..products {
            let base = product / ties * ROWS;
            for (row, source) in rows.iter_mut().zip(&sources[product % ties]) {
                let place = base + usize::from(*source);
                let below = (first[place] as i8 as i16 + 128) as u16;
                let word = below | u16::from(second[place]) << 8;
                bytemuck::cast_mut::<Eight, [i16; 8]>(&mut row[product / 8])[product % 8] = word as i16;
            }
        }
        let mut bias = [[Eight::ZERO; PARTS]; 2];
        for (factor, parts) in bias.iter_mut().enumerate() {
            // What was added to the weights of the first factors is taken off again.
            let surplus = if factor == 0 { 128 * LINES as i16 } else { 0 };
            let biases = some_shorts(bases, rest)?;
            for product in 0..products {
                bytemuck::cast_mut::<Eight, [i16; 8]>(&mut parts[product / 8])[product % 8] =
                    biases[product / ties] - surplus;
            }
        }
        let mut second = vec![[Eight::ZERO; QUARTERS]; products / 2];
        for unit in 0..4 * QUARTERS {
            for (pair, weights) in second.iter_mut().zip(some_shorts(products, rest)?.as_chunks::<2>().0) {
                let place = 2 * (unit % 4);
                bytemuck::cast_mut::<Eight, [i16; 8]>(&mut pair[unit / 4])[place..place + 2].copy_from_slice(weights);
            }
        }
        let mut second_bias = [i32x4::ZERO; QUARTERS];
        for part in &mut second_bias {
            *part = i32x4::new(longs::<4>(rest)?);
        }
        let output = (0..QUARTERS / 2).map(|_| Ok(Eight::new(shorts::<8>(rest)?))).collect::<Result<_, _>>()?;
        Ok(Stage { rows, bias, second, second_bias, output, output_bias: longs::<1>(rest)?[0] })
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
        let mut sums = self.second_bias;
        let pairs = products.iter().flat_map(|part| bytemuck::cast::<Eight, [i32; 4]>(*part));
        for (pair, weights) in pairs.zip(&self.second) {
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
            total += passed.max(Eight::ZERO).min(Eight::splat(PASSED)).dot(*weight);
        }
        // Whole numbers keep floating point out of the search.
        ((i64::from(self.output_bias + total.reduce_add()) * LOGIT as i64) >> OUTPUT) as i32
    }
}

/// For each of these symmetries and each row of a first layer, the row of the turned board.
fn sources(turns: &[usize]) -> Vec<Vec<u16>> {
    let squares = line_squares();
    let source = |turn: usize, line: usize, pattern: usize| {
        let image = squares[line].map(|square| turned(1 << square, turn).trailing_zeros() as u8);
        let mut reversed = image;
        reversed.reverse();
        let (place, is_reversed) = (0..LINES)
            .find_map(|place| match squares[place] {
                line if line == image => Some((place, false)),
                line if line == reversed => Some((place, true)),
                _ => None,
            })
            .unwrap_or((line, false));
        let digits: [usize; 5] = std::array::from_fn(|digit| pattern / 3usize.pow(digit as u32) % 3);
        let weight = |digit: usize| 3usize.pow(if is_reversed { 4 - digit } else { digit } as u32);
        let shown: usize = (0..5).map(|digit| digits[digit] * weight(digit)).sum();
        (place * PATTERNS + shown) as u16
    };
    let all = |turn: usize| (0..ROWS).map(|row| source(turn, row / PATTERNS, row % PATTERNS)).collect();
    turns.iter().map(|&turn| all(turn)).collect()
}

/// The squares of each line in the order of its pattern's digits.
fn line_squares() -> [[u8; 5]; LINES] {
    std::array::from_fn(|line| {
        std::array::from_fn(|digit| {
            (match line {
                0..5 => 5 * line + digit,
                5..10 => 5 * digit + line - 5,
                10 => 6 * digit,
                _ => 4 * digit + 4,
            }) as u8
        })
    })
}

fn some_shorts(count: usize, rest: &mut &[u8]) -> Result<Vec<i16>, BadNet> {
    let (bytes, others) = rest.split_at_checked(2 * count).ok_or(BadNet)?;
    *rest = others;
    Ok(bytes.as_chunks::<2>().0.iter().map(|two| i16::from_le_bytes(*two)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::net::Net;
    use super::super::node::Duel;
    use super::*;
    use crate::{Random, checksum};

    const BEGINS: [u8; 3] = [0, 10, 14];

    /// A file of random numbers of this form.
    fn random_file(products: usize, narrow: usize, ties: usize) -> Vec<u8> {
        let mut random = Random::new(5);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([products as u8, narrow as u8, BEGINS.len() as u8, ties as u8]);
        bytes.extend(BEGINS);
        for _ in BEGINS {
            let bases = products / ties;
            bytes.extend((0..2 * bases * ROWS).map(|_| random.next_u64() as u8).map(|byte| (byte as i8 / 4) as u8));
            let mut shorts = |count: usize, most: u32, into: &mut Vec<u8>| {
                for _ in 0..count {
                    let number = random.below(2 * most + 1) as i16 - most as i16;
                    into.extend(number.to_le_bytes());
                }
            };
            shorts(2 * bases, 60, &mut bytes);
            shorts(narrow * products, 1000, &mut bytes);
            for _ in 0..narrow {
                bytes.extend((random.below(1 << 20) as i32).to_le_bytes());
            }
            for _ in 0..narrow {
                bytes.extend((random.below(2001) as i16 - 1000).to_le_bytes());
            }
            bytes.extend((random.below(1 << 18) as i32 - (1 << 17)).to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The same network number by number, each copy of a unit from the board turned.
    fn plain(bytes: &[u8], own: u32, other: u32) -> i32 {
        let [products, narrow, stages, ties] = [8, 9, 10, 11].map(|place| usize::from(bytes[place]));
        let bases = products / ties;
        let size = 2 * bases * ROWS + 4 * bases + narrow * (2 * products + 6) + 4;
        let marked = (own | other).count_ones();
        let stage = BEGINS.iter().filter(|&&begin| u32::from(begin) <= marked).count() - 1;
        let stage = &bytes[12 + stages + stage * size..][..size];
        let short = |place: usize| i64::from(i16::from_le_bytes([stage[place], stage[place + 1]]));
        let long = |place: usize| i64::from(i32::from_le_bytes(stage[place..place + 4].try_into().unwrap()));
        let biases = 2 * bases * ROWS;
        let factor = |factor: usize, product: usize| {
            let turn = turns(ties).unwrap()[product % ties];
            let unit = factor * bases + product / ties;
            let rows = patterns(turned(own, turn), turned(other, turn)).into_iter().enumerate();
            let weights = rows.map(|(line, row)| stage[unit * ROWS + line * PATTERNS + usize::from(row)] as i8);
            (weights.map(i64::from).sum::<i64>() + short(biases + 2 * unit)).clamp(0, 64)
        };
        let passed: Vec<i64> = (0..products).map(|product| factor(0, product) * factor(1, product)).collect();
        let second = biases + 4 * bases;
        let (second_bias, output) = (second + 2 * narrow * products, second + 2 * narrow * products + 4 * narrow);
        let mut total = long(output + 2 * narrow);
        for unit in 0..narrow {
            let weights = (0..products).map(|product| short(second + 2 * (unit * products + product)));
            let sum: i64 = long(second_bias + 4 * unit) + weights.zip(&passed).map(|(a, b)| a * b).sum::<i64>();
            total += (sum >> 11).clamp(0, 256) * short(output + 2 * unit);
        }
        ((total * 1000) >> 16) as i32
    }

    #[test]
    fn a_network_of_any_form_says_what_its_numbers_say() {
        for (products, narrow, ties) in [(64, 32, 1), (64, 32, 2), (64, 16, 8), (96, 32, 4), (128, 32, 8), (128, 16, 4)]
        {
            let bytes = random_file(products, narrow, ties);
            let net = Net::read(&bytes).unwrap();
            assert!(Net::read(&bytes[..bytes.len() - 1]).is_err());
            let mut random = Random::new(7);
            let mut seen = std::collections::HashSet::new();
            for _ in 0..300 {
                let [a, b, c] = [(); 3].map(|()| random.next_u64() as u32 & ((1 << 25) - 1));
                let (own, other) = if random.below(2) == 0 { (a & b, !a & b) } else { (a & b & c, !a & b & c) };
                let points = net.evaluate(&Duel { own, other });
                assert_eq!(points, plain(&bytes, own, other), "{products} {narrow} {ties} {own:x} {other:x}");
                seen.insert(points);
            }
            assert!(seen.len() > 100, "{}", seen.len());
        }
    }

    /// `QUIXO_CHECK` names a file of lines `own other points`, made by another program.
    #[test]
    #[ignore = "needs a file"]
    fn agrees_with_a_file() {
        for line in std::fs::read_to_string(std::env::var("QUIXO_CHECK").unwrap()).unwrap().lines() {
            let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let points = Net::embedded().evaluate(&Duel { own: numbers[0] as u32, other: numbers[1] as u32 });
            assert!((i64::from(points) - numbers[2]).abs() <= 25, "{line} {points}");
        }
    }
}
