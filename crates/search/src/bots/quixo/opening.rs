//! What is known of the opening: for classes of few cubes the value of all positions, as one value and the exceptions.
//!
//! A class holds the positions with so many own cubes and so many of the other side. Of the eight symmetric forms of a
//! position one is numbered: that in which the own set is least, and among those the one with the least number. The file:
//!
//! | bytes | |
//! |---|---|
//! | 0–7 | `4FOLDOP1` |
//! | 8 | how many classes |
//! | then 8 for each | own cubes, other cubes, the usual value (2 won, 1 drawn, 0 lost), Rice parameter, 4 for the length of its exceptions |
//! | then for each | its exceptions: distances between their numbers, Rice-coded from the lowest bit on, each followed by a bit that tells which of the two unusual values it has; a bit before each, 1, and 0 at the end |
//! | the last 8 | a checksum of all before |

use std::sync::OnceLock;

use super::board::turned;
use crate::{Value, checksum};

const MAGIC: &[u8; 8] = b"4FOLDOP1";
/// The squares of the board.
const CELLS: u32 = 25;
/// Rice parameters beyond this are of no use.
const MOST_SHIFT: u32 = 24;

/// The knowledge of some classes.
#[derive(Debug, Default)]
pub struct Opening {
    classes: Vec<Class>,
}

#[derive(Debug)]
struct Class {
    own: u32,
    other: u32,
    usual: u8,
    /// Only where there are exceptions: to number the positions of nine cubes takes a while.
    numbering: Option<Numbering>,
    /// The exceptions in ascending order: four times the number, plus the value.
    exceptions: Vec<u64>,
}

/// Bytes that are no knowledge of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadOpening;

impl Opening {
    /// What is compiled in.
    pub(super) fn embedded() -> &'static Opening {
        static EMBEDDED: OnceLock<Opening> = OnceLock::new();
        // A test proves that the file is whole.
        EMBEDDED.get_or_init(|| Opening::read(include_bytes!("opening.known")).unwrap_or_default())
    }

    /// Nothing.
    pub(super) fn empty() -> &'static Opening {
        static EMPTY: Opening = Opening { classes: Vec::new() };
        &EMPTY
    }

    /// Reads what [`Writer`] has written.
    pub fn read(bytes: &[u8]) -> Result<Opening, BadOpening> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(BadOpening)?;
        if !body.starts_with(MAGIC) || checksum(body) != u64::from_le_bytes(*sum) {
            return Err(BadOpening);
        }
        let count = usize::from(*body.get(8).ok_or(BadOpening)?);
        let (heads, mut rest) = body[9..].split_at_checked(8 * count).ok_or(BadOpening)?;
        let mut classes = Vec::with_capacity(count);
        for head in heads.chunks_exact(8) {
            let &[own, other, usual, shift, ref length @ ..] = head else { return Err(BadOpening) };
            let length = length.try_into().map(u32::from_le_bytes).map_err(|_| BadOpening)? as usize;
            let (code, left) = rest.split_at_checked(length).ok_or(BadOpening)?;
            rest = left;
            let (own, other, shift) = (u32::from(own), u32::from(other), u32::from(shift));
            if own + other > CELLS || usual > 2 || shift > MOST_SHIFT {
                return Err(BadOpening);
            }
            let exceptions = decode(code, shift, usual).ok_or(BadOpening)?;
            let numbering = (!exceptions.is_empty()).then(|| Numbering::new(own, other));
            classes.push(Class { own, other, usual, numbering, exceptions });
        }
        if rest.is_empty() { Ok(Opening { classes }) } else { Err(BadOpening) }
    }

    /// What is known of a position, for the side to act; `None` if its class is not here.
    pub fn look_up(&self, own: u32, other: u32) -> Option<Value> {
        let (a, b) = (own.count_ones(), other.count_ones());
        let class = self.classes.iter().find(|class| (class.own, class.other) == (a, b))?;
        let exception = class.numbering.as_ref().and_then(|numbering| {
            let number = numbering.number(own, other);
            let place = class.exceptions.partition_point(|&exception| exception >> 2 < number);
            class.exceptions.get(place).filter(|exception| **exception >> 2 == number)
        });
        let value = exception.map_or(class.usual, |&exception| (exception & 3) as u8);
        Some(match value {
            2 => Value::Win(None),
            1 => Value::Draw,
            _ => Value::Loss(None),
        })
    }
}

/// Writes the values of classes.
#[derive(Debug, Default)]
pub struct Writer {
    heads: Vec<u8>,
    codes: Vec<u8>,
}

/// What a class came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Positions that have the usual value, and others; symmetric forms count once.
    pub usual: u64,
    /// Positions that have another.
    pub exceptions: u64,
    /// What they take.
    pub bytes: usize,
}

impl Writer {
    /// Adds a class, asking for the value of every position; leaves it out (and says so by `Err`) if it would take more
    /// than `most` bytes.
    pub fn add(
        &mut self,
        own: u32,
        other: u32,
        most: usize,
        mut value: impl FnMut(u32, u32) -> Value,
    ) -> Result<Written, Written> {
        let numbering = Numbering::new(own, other);
        let mut lists: [Vec<u64>; 3] = Default::default();
        numbering.each(|number, own, other| lists[usize::from(points(value(own, other)))].push(number));
        let usual = (0..3).max_by_key(|&value| lists[value].len()).unwrap_or(1);
        let count = lists[usual].len() as u64;
        let mut exceptions: Vec<u64> = (0..3)
            .filter(|&value| value != usual)
            .flat_map(|value| lists[value].iter().map(move |&number| number << 2 | value as u64))
            .collect();
        exceptions.sort_unstable();
        let coded = (0..=MOST_SHIFT).map(|shift| (shift, encode(&exceptions, shift, usual as u8, most)));
        let (shift, code) = coded.min_by_key(|(_, code)| code.len()).unwrap_or_default();
        let written = Written { usual: count, exceptions: exceptions.len() as u64, bytes: code.len() };
        if code.len() > most {
            return Err(written);
        }
        self.heads.extend([own as u8, other as u8, usual as u8, shift as u8]);
        self.heads.extend((code.len() as u32).to_le_bytes());
        self.codes.extend(code);
        Ok(written)
    }

    /// The whole file.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push((self.heads.len() / 8) as u8);
        bytes.extend(self.heads);
        bytes.extend(self.codes);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// How the file writes a proved value: 2 for a win, 1 for a draw, 0 for a loss.
fn points(value: Value) -> u8 {
    match value {
        Value::Win(_) => 2,
        Value::Draw | Value::Estimate(_) => 1,
        Value::Loss(_) => 0,
    }
}

/// How the positions of a class are numbered.
#[derive(Debug)]
struct Numbering {
    /// The own sets that are the least of their symmetric forms, ascending.
    keys: Vec<u32>,
    other: u32,
    /// Sets of the other side's cubes for each of them.
    each: u64,
}

impl Numbering {
    fn new(own: u32, other: u32) -> Numbering {
        let least = |set: &u32| (1..8).all(|symmetry| turned(*set, symmetry) >= *set);
        let keys = sets(CELLS, own).filter(least).collect();
        Numbering { keys, other, each: binomial(CELLS - own, other) }
    }

    /// The number of a position's form that is numbered.
    fn number(&self, own: u32, other: u32) -> u64 {
        let forms = (0..8).map(|symmetry| (turned(own, symmetry), symmetry));
        let least = forms.clone().map(|(set, _)| set).min().unwrap_or(own);
        let place = self.keys.partition_point(|&key| key < least) as u64;
        let ranks = forms.filter(|&(set, _)| set == least).map(|(key, symmetry)| rank(turned(other, symmetry), key));
        place * self.each + ranks.min().unwrap_or(0)
    }

    /// Calls `visit` with every number that is used, and its position.
    fn each(&self, mut visit: impl FnMut(u64, u32, u32)) {
        for (place, &key) in self.keys.iter().enumerate() {
            let twins: Vec<usize> = (1..8).filter(|&symmetry| turned(key, symmetry) == key).collect();
            for (rank, set) in (0..).zip(sets(CELLS - key.count_ones(), self.other)) {
                let other = spread(set, key);
                if twins.iter().all(|&symmetry| self::rank(turned(other, symmetry), key) >= rank) {
                    visit(place as u64 * self.each + rank, key, other);
                }
            }
        }
    }
}

/// The colexicographic rank of a set among those with as many cubes on the squares that `key` leaves free.
fn rank(set: u32, key: u32) -> u64 {
    let mut left = set;
    let mut rank = 0;
    let mut count = 0;
    while left != 0 {
        let square = left.trailing_zeros();
        count += 1;
        rank += binomial(square - (key & ((1 << square) - 1)).count_ones(), count);
        left &= left - 1;
    }
    rank
}

/// A set of numbered free squares, on the board.
fn spread(set: u32, key: u32) -> u32 {
    let mut free = (0..CELLS).filter(|square| key >> square & 1 == 0);
    let mut result = 0;
    let mut left = set;
    while let Some(square) = free.next().filter(|_| left != 0) {
        result |= (left & 1) << square;
        left >>= 1;
    }
    result
}

/// All sets of `count` among `n` squares, in the order of their ranks.
fn sets(n: u32, count: u32) -> impl Iterator<Item = u32> {
    let first: u64 = (1 << count) - 1;
    let next = move |&set: &u64| {
        // The next larger number with as many bits.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        (set != 0).then(|| ripple | ((ripple ^ set) / low) >> 2)
    };
    std::iter::successors(Some(first), next).take_while(move |&set| set < 1 << n).map(|set| set as u32)
}

fn binomial(n: u32, k: u32) -> u64 {
    if k > n { 0 } else { (0..u64::from(k)).fold(1, |product, i| product * (u64::from(n) - i) / (i + 1)) }
}

/// Breaks off beyond `most` bytes: that is too long, however long it gets.
fn encode(exceptions: &[u64], shift: u32, usual: u8, most: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut next = 0;
    for exception in exceptions {
        let distance = (exception >> 2) - next;
        next = (exception >> 2) + 1;
        bits.put(1);
        (0..distance >> shift).for_each(|_| bits.put(1));
        bits.put(0);
        (0..shift).for_each(|bit| bits.put(distance >> bit & 1));
        bits.put(u64::from((exception & 3) as u8 == unusual(usual)[1]));
        if bits.bytes.len() > most {
            break;
        }
    }
    bits.put(0);
    bits.bytes
}

fn decode(code: &[u8], shift: u32, usual: u8) -> Option<Vec<u64>> {
    let mut place = 0;
    let mut bit = || {
        let byte = code.get(place / 8)?;
        place += 1;
        Some(u64::from(byte >> ((place - 1) % 8) & 1))
    };
    let (mut exceptions, mut next) = (Vec::new(), 0);
    while bit()? == 1 {
        let mut distance = 0;
        while bit()? == 1 {
            distance += 1 << shift;
        }
        for number in 0..shift {
            distance += bit()? << number;
        }
        let value = unusual(usual)[bit()? as usize];
        next += distance;
        exceptions.push(next << 2 | u64::from(value));
        next += 1;
    }
    Some(exceptions)
}

/// The two values that are not the usual one.
fn unusual(usual: u8) -> [u8; 2] {
    match usual {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, bit: u64) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= (bit as u8) << (self.used % 8);
        }
        self.used = self.used.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn any_value(own: u32, other: u32) -> Value {
        let form = (0..8).map(|symmetry| (turned(own, symmetry), turned(other, symmetry))).min().unwrap();
        match Random::new(u64::from(form.0) << 32 | u64::from(form.1)).below(20) {
            0 => Value::Win(None),
            1 => Value::Loss(None),
            _ => Value::Draw,
        }
    }

    #[test]
    fn what_was_written_is_known_for_every_symmetric_form() {
        let mut writer = Writer::default();
        for (own, other) in [(0, 0), (0, 1), (2, 1), (1, 3), (2, 2), (1, 23)] {
            writer.add(own, other, usize::MAX, any_value).unwrap();
        }
        let bytes = writer.finish();
        let opening = Opening::read(&bytes).unwrap();
        for (a, b) in [(0, 0), (0, 1), (2, 1), (1, 3), (2, 2), (1, 23)] {
            for own in sets(CELLS, a) {
                for other in sets(CELLS - a, b).map(|set| spread(set, own)) {
                    assert_eq!(opening.look_up(own, other), Some(any_value(own, other)), "{own:x} {other:x}");
                }
            }
        }
        assert_eq!(opening.look_up(1, 0), None);
        for place in [0, 8, 9, 20, bytes.len() - 1] {
            let mut spoiled = bytes.clone();
            spoiled[place] ^= 4;
            assert!(Opening::read(&spoiled).is_err(), "byte {place}");
            assert!(Opening::read(&bytes[..place]).is_err(), "{place} bytes");
        }
    }

    #[test]
    fn a_class_that_takes_too_much_is_left_out() {
        let mut writer = Writer::default();
        let found = writer.add(2, 2, 100, any_value).unwrap_err();
        assert!(found.bytes > 100 && found.usual > 8000, "{found:?}");
        assert_eq!(Opening::read(&writer.finish()).unwrap().look_up(3, 4), None);
    }

    #[test]
    fn the_embedded_file_is_whole() {
        assert!(Opening::read(include_bytes!("opening.known")).is_ok());
        // Facts of docs/solved-quixo.md that hold for whole classes.
        let opening = Opening::embedded();
        for (own, other) in [(0, 0), (0, 1), (1, 2), (3, 12), (3, 28)] {
            assert_eq!(opening.look_up(own, other), Some(Value::Draw), "{own:x} {other:x}");
        }
    }

    /// The counts are those of docs/data/quixo-counts.csv, symmetric forms counted each.
    #[test]
    fn the_embedded_file_knows_every_position_with_up_to_four_cubes() {
        let opening = Opening::embedded();
        for ((a, b), expected) in [((1, 3), [43_208, 7_392, 0]), ((2, 2), [0, 75_900, 0]), ((2, 1), [0, 4, 6_896])] {
            let mut counts = [0; 3];
            for own in sets(CELLS, a) {
                for other in sets(CELLS - a, b).map(|set| spread(set, own)) {
                    let known = opening.look_up(own, other).expect("the class is there");
                    counts[usize::from(points(known))] += 1;
                }
            }
            assert_eq!(counts, expected, "{a} against {b}");
        }
    }
}
