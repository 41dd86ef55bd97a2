//! Makes the file of the network from what training wrote: weights that hardly matter are kept with fewer bits.
//!
//! How much a row of a table matters is measured on positions that searches evaluate: the mean square of how much the
//! expected result changes with the row's numbers. A pattern that does not come up at a stage of the game matters nothing.

use super::board::has_line;
use super::lines::{LINES, PATTERNS, ROWS, patterns, turned_rows};
use super::net::{BEGINS, BadNet, FINE, KINDS, MAGIC, NARROW, OUTPUT, PASSED, PRODUCTS, SECOND, TIES, UNIT, stage_of};
use super::node::{Duel, Node};
use crate::{Random, checksum};

const TRAINED: &[u8; 8] = b"QUIXONN5";
/// The most positions of a stage that are looked at.
const ENOUGH: u32 = 60_000;
/// The greatest shift: none of a number's bits is left.
const MOST_SHIFT: u32 = 8;

/// A network as training writes it, with what is known about its rows.
pub struct Coarse {
    stages: Vec<Stage>,
    turned: Vec<Vec<u16>>,
}

struct Stage {
    /// By factor, kind and row.
    tables: Vec<i8>,
    bias: Vec<i16>,
    /// By unit and product.
    second: Vec<i16>,
    second_bias: Vec<i32>,
    output: Vec<i16>,
    output_bias: i32,
    /// By row: the sum over all positions.
    matters: Vec<f64>,
    positions: u32,
}

/// What the units of a stage sum up in a position.
struct Sums {
    factors: [[i32; PRODUCTS]; 2],
    narrow: [i32; NARROW],
    output: i32,
}

impl Coarse {
    /// Reads what training wrote.
    pub fn read(bytes: &[u8]) -> Result<Coarse, BadNet> {
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(BadNet)?;
        let form = [PRODUCTS, NARROW, BEGINS.len(), TIES].map(|number| number as u8);
        let head = [TRAINED.as_slice(), &form, &BEGINS].concat();
        let mut rest = content.strip_prefix(head.as_slice()).ok_or(BadNet)?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(BadNet);
        }
        let stages = BEGINS.iter().map(|_| Stage::read(&mut rest)).collect::<Result<_, _>>()?;
        if rest.is_empty() { Ok(Coarse { stages, turned: turned_rows() }) } else { Err(BadNet) }
    }

    /// Takes in some of what a search evaluates when it looks at this position, the cubes of the side to act and of the
    /// other: successors in which nobody has a line and the side to act cannot make one.
    pub fn learn(&mut self, own: u32, other: u32, random: &mut Random) {
        Duel { own, other }.each_child(|_, Duel { own, other }| {
            if random.below(8) == 0 && !has_line(own) && !has_line(other) && !(Duel { own, other }).can_win() {
                self.take_in(own, other);
            }
        });
    }

    fn take_in(&mut self, own: u32, other: u32) {
        let stage = &mut self.stages[stage_of((own | other).count_ones())];
        if stage.positions < ENOUGH {
            let shown = shown(&self.turned, own, other);
            let sums = stage.sums(&shown);
            stage.weigh(&shown, &sums);
        }
    }

    /// The file of the network. A row is kept so fine that its error matters about as much as this, the same for all rows;
    /// 0 keeps everything.
    pub fn write(&self, error: f64) -> Vec<u8> {
        let mut bits = Bits { bytes: MAGIC.to_vec(), held: 0, count: 0 };
        for stage in &self.stages {
            stage.write(&stage.shifts(error), &mut bits);
        }
        let mut bytes = bits.finish();
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// For each symmetry the rows of the lines of the turned board.
fn shown(turned: &[Vec<u16>], own: u32, other: u32) -> [[usize; LINES]; TIES] {
    let patterns = patterns(own, other);
    std::array::from_fn(|tie| {
        std::array::from_fn(|line| usize::from(turned[tie][line * PATTERNS + usize::from(patterns[line])]))
    })
}

/// Where a table begins.
fn table(factor: usize, kind: usize) -> usize {
    (factor * KINDS + kind) * ROWS
}

impl Stage {
    fn read(rest: &mut &[u8]) -> Result<Stage, BadNet> {
        let tables = taken(2 * KINDS * ROWS, rest)?.iter().map(|&byte| byte as i8).collect();
        let bias = shorts(2 * KINDS, rest)?;
        let second = shorts(NARROW * PRODUCTS, rest)?;
        let second_bias = longs(NARROW, rest)?;
        let output = shorts(NARROW, rest)?;
        let output_bias = longs(1, rest)?[0];
        let matters = vec![0.0; ROWS];
        let most = 1 << (FINE - 1);
        if second.iter().any(|weight| !(-most..most).contains(weight)) {
            return Err(BadNet);
        }
        Ok(Stage { tables, bias, second, second_bias, output, output_bias, matters, positions: 0 })
    }

    fn sums(&self, shown: &[[usize; LINES]; TIES]) -> Sums {
        let factors: [[i32; PRODUCTS]; 2] = std::array::from_fn(|factor| {
            std::array::from_fn(|product| {
                let kind = product / TIES;
                let table = &self.tables[table(factor, kind)..][..ROWS];
                let rows = shown[product % TIES].iter().map(|&row| i32::from(table[row]));
                rows.sum::<i32>() + i32::from(self.bias[factor * KINDS + kind])
            })
        });
        let unit = i32::from(UNIT);
        let narrow = std::array::from_fn(|narrow| {
            let weights = &self.second[narrow * PRODUCTS..][..PRODUCTS];
            let passed = factors[0].iter().zip(&factors[1]).map(|(a, b)| (*a).clamp(0, unit) * (*b).clamp(0, unit));
            self.second_bias[narrow]
                + passed.zip(weights).map(|(passed, &weight)| passed * i32::from(weight)).sum::<i32>()
        });
        let passed = narrow.iter().map(|&sum| (sum >> SECOND).clamp(0, i32::from(PASSED)));
        let output = passed.zip(&self.output).map(|(passed, &weight)| passed * i32::from(weight)).sum::<i32>();
        Sums { factors, narrow, output: self.output_bias + output }
    }

    /// Adds how much each number of the rows matters in a position.
    fn weigh(&mut self, shown: &[[usize; LINES]; TIES], sums: &Sums) {
        self.positions += 1;
        let logit = f64::from(sums.output) / f64::from(1 << OUTPUT);
        let expected = 1.0 / (1.0 + (-logit).exp());
        // Where the result is all but certain, moves must still be told apart.
        let slope = (0.02 + expected * (1.0 - expected)) / f64::from(1 << OUTPUT);
        let mut of_product = [0.0; PRODUCTS];
        for (unit, (&sum, &output)) in sums.narrow.iter().zip(&self.output).enumerate() {
            if (0..i32::from(PASSED)).contains(&(sum >> SECOND)) {
                for (slope, &weight) in of_product.iter_mut().zip(&self.second[unit * PRODUCTS..]) {
                    *slope += f64::from(output) * f64::from(weight) / f64::from(1 << SECOND);
                }
            }
        }
        let unit = i32::from(UNIT);
        for (product, of_product) in of_product.into_iter().enumerate() {
            for factor in 0..2 {
                let (sum, with) = (sums.factors[factor][product], sums.factors[1 - factor][product]);
                if (0..unit).contains(&sum) {
                    let change = of_product * f64::from(with.clamp(0, unit)) * slope;
                    for &row in &shown[product % TIES] {
                        self.matters[row] += change * change;
                    }
                }
            }
        }
    }

    /// For each row by how many bits its numbers are shifted.
    fn shifts(&self, error: f64) -> Vec<u32> {
        let numbers = f64::from(self.positions.max(1)) * (2 * KINDS) as f64;
        let shift = |matters: &f64| match matters / numbers {
            _ if error == 0.0 => 0,
            0.0 => MOST_SHIFT,
            // The error of a number grows with its last bit, and matters with its square.
            matters => (0.5 * (error / matters).log2()).round().clamp(0.0, f64::from(MOST_SHIFT)) as u32,
        };
        self.matters.iter().map(shift).collect()
    }

    fn write(&self, shifts: &[u32], bits: &mut Bits) {
        shifts.iter().for_each(|&shift| bits.push(i64::from(shift), 4));
        for table in self.tables.chunks(ROWS) {
            for (&weight, &shift) in table.iter().zip(shifts) {
                bits.push(i64::from(shifted(weight, shift)), MOST_SHIFT - shift);
            }
        }
        self.bias.iter().for_each(|&bias| bits.push(i64::from(bias), 16));
        self.second.iter().for_each(|&weight| bits.push(i64::from(weight), FINE));
        self.second_bias.iter().for_each(|&bias| bits.push(i64::from(bias), 32));
        self.output.iter().for_each(|&weight| bits.push(i64::from(weight), 16));
        bits.push(i64::from(self.output_bias), 32);
    }
}

/// The nearest number with so many bits fewer.
fn shifted(weight: i8, shift: u32) -> i32 {
    let most = 127 >> shift;
    ((i32::from(weight) + (1 << shift >> 1)) >> shift).min(most)
}

/// Bits of a file, from the lowest of each byte on.
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, number: i64, bits: u32) {
        self.held |= (number as u64 & ((1 << bits) - 1)) << self.count;
        self.count += bits;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.held as u8);
        }
        self.bytes
    }
}

fn taken<'a>(count: usize, rest: &mut &'a [u8]) -> Result<&'a [u8], BadNet> {
    let (bytes, others) = rest.split_at_checked(count).ok_or(BadNet)?;
    *rest = others;
    Ok(bytes)
}

fn shorts(count: usize, rest: &mut &[u8]) -> Result<Vec<i16>, BadNet> {
    Ok(taken(2 * count, rest)?.as_chunks::<2>().0.iter().map(|two| i16::from_le_bytes(*two)).collect())
}

fn longs(count: usize, rest: &mut &[u8]) -> Result<Vec<i32>, BadNet> {
    Ok(taken(4 * count, rest)?.as_chunks::<4>().0.iter().map(|four| i32::from_le_bytes(*four)).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::net::Net;
    use super::*;

    /// What training could have written: random numbers.
    fn random_file() -> Vec<u8> {
        let mut random = Random::new(5);
        let mut bytes = TRAINED.to_vec();
        bytes.extend([PRODUCTS as u8, NARROW as u8, BEGINS.len() as u8, TIES as u8]);
        bytes.extend(BEGINS);
        for _ in BEGINS {
            bytes.extend((0..2 * KINDS * ROWS).map(|_| (random.next_u64() as i8 / 4) as u8));
            let mut shorts = |count: usize, most: u32, into: &mut Vec<u8>| {
                for _ in 0..count {
                    into.extend((random.below(2 * most + 1) as i16 - most as i16).to_le_bytes());
                }
            };
            shorts(2 * KINDS, 60, &mut bytes);
            shorts(NARROW * PRODUCTS, 1000, &mut bytes);
            (0..NARROW).for_each(|_| bytes.extend((random.below(1 << 20) as i32).to_le_bytes()));
            (0..NARROW).for_each(|_| bytes.extend((random.below(2001) as i16 - 1000).to_le_bytes()));
            bytes.extend((random.below(1 << 18) as i32 - (1 << 17)).to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn positions(count: usize) -> Vec<Duel> {
        let mut random = Random::new(7);
        let some = |_| {
            let [a, b, c] = [(); 3].map(|()| random.next_u64() as u32 & ((1 << 25) - 1));
            if random.below(2) == 0 {
                Duel { own: a & b, other: !a & b }
            } else {
                Duel { own: a & b & c, other: !a & b & c }
            }
        };
        (0..count).map(some).collect()
    }

    /// The same network number by number, with rows as coarse as a file has them.
    fn plain(coarse: &Coarse, error: f64, node: &Duel) -> i32 {
        let stage = &coarse.stages[stage_of((node.own | node.other).count_ones())];
        let shifts = stage.shifts(error);
        let shifted = |(place, &weight)| {
            let shift: u32 = shifts[place % ROWS];
            (shifted(weight, shift) << shift) as i8
        };
        let tables = stage.tables.iter().enumerate().map(shifted).collect();
        let (bias, second, output) = (stage.bias.clone(), stage.second.clone(), stage.output.clone());
        let stage =
            Stage { tables, bias, second, output, second_bias: stage.second_bias.clone(), matters: vec![], ..*stage };
        let output = stage.sums(&shown(&coarse.turned, node.own, node.other)).output;
        ((i64::from(output) * 1000) >> OUTPUT) as i32
    }

    #[test]
    fn a_file_says_what_its_numbers_say() {
        let mut coarse = Coarse::read(&random_file()).unwrap();
        let positions = positions(500);
        positions.iter().for_each(|node| coarse.take_in(node.own, node.other));
        let mut sizes = HashSet::new();
        for error in [0.0, 1e-11, 1e-8] {
            let bytes = coarse.write(error);
            let net = Net::read(&bytes).unwrap();
            let points: HashSet<i32> = positions.iter().map(|node| net.evaluate(node)).collect();
            assert!(points.len() > 100, "{}", points.len());
            for node in &positions[..100] {
                assert_eq!(net.evaluate(node), plain(&coarse, error, node), "{node:?}, {error}");
            }
            sizes.insert(bytes.len());
        }
        assert_eq!(sizes.len(), 3, "{sizes:?}");
    }

    #[test]
    fn what_is_no_trained_network_is_refused() {
        let bytes = random_file();
        assert!(Coarse::read(&bytes).is_ok());
        assert!(Coarse::read(&bytes[1..]).is_err());
        assert!(Coarse::read(&[]).is_err());
        let mut damaged = bytes.clone();
        damaged[5000] ^= 1;
        assert!(Coarse::read(&damaged).is_err());
    }

    #[test]
    fn the_nearest_coarser_number_is_taken() {
        assert_eq!([-128, -3, -2, 0, 1, 2, 5, 127].map(|weight| shifted(weight, 2)), [-32, -1, 0, 0, 0, 1, 1, 31]);
        assert!((-128..=127).all(|weight| shifted(weight, 8) == 0 && shifted(weight, 0) == i32::from(weight)));
    }
}
