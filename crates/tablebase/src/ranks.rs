//! Sets of a fixed number of squares, numbered: the colexicographic rank, by tables.

/// Bits of the three parts a set is cut into.
pub(crate) const PARTS: [u32; 3] = [9, 8, 8];
/// The most squares counted in the lowest part, and one for none.
const LOW_COUNTS: usize = PARTS[0] as usize + 1;
/// Entries of a table for one number of squares: the low part, the middle part for each count below it, the high part.
pub(crate) const TABLE: usize = LOW + LOW_COUNTS * MIDDLE + HIGH;
const LOW: usize = 1 << PARTS[0];
const MIDDLE: usize = 1 << PARTS[1];
const HIGH: usize = 1 << PARTS[2];

/// `n` over `k`.
pub(crate) fn binomial(n: u32, k: u32) -> u64 {
    if k > n { 0 } else { (0..u64::from(k)).fold(1, |product, i| product * (u64::from(n) - i) / (i + 1)) }
}

/// The rank of every set of `count` squares among those with as many.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    table: Vec<u32>,
}

impl Ranks {
    /// The tables for sets of `count` squares.
    pub(crate) fn new(count: u32) -> Ranks {
        let mut table = vec![0; TABLE];
        for (set, rank) in table[..LOW].iter_mut().enumerate() {
            *rank = part(set as u32, 0, 0);
        }
        for below in 0..LOW_COUNTS {
            for set in 0..MIDDLE {
                table[LOW + below * MIDDLE + set] = part(set as u32, PARTS[0], below as u32);
            }
        }
        for set in 0..HIGH as u32 {
            // All squares not in this part are below it.
            let below = count.saturating_sub(set.count_ones());
            table[LOW + LOW_COUNTS * MIDDLE + set as usize] = part(set, PARTS[0] + PARTS[1], below);
        }
        Ranks { table }
    }

    /// The tables as the graphics card gets them.
    pub(crate) fn table(&self) -> &[u32] {
        &self.table
    }

    /// The rank of a set.
    #[inline]
    pub(crate) fn of(&self, set: u32) -> u32 {
        let low = set as usize & (LOW - 1);
        let middle = (set >> PARTS[0]) as usize & (MIDDLE - 1);
        let high = (set >> (PARTS[0] + PARTS[1])) as usize & (HIGH - 1);
        let below = low.count_ones() as usize;
        self.table[low] + self.table[LOW + below * MIDDLE + middle] + self.table[LOW + LOW_COUNTS * MIDDLE + high]
    }
}

/// What the squares of a part add to the rank, if `below` squares are lower.
fn part(set: u32, shift: u32, below: u32) -> u32 {
    let squares = (0..9).filter(|&bit| set >> bit & 1 == 1);
    squares.zip(1..).map(|(bit, order)| binomial(bit + shift, below + order) as u32).fold(0, u32::wrapping_add)
}

/// All sets of `count` among `n` squares, in the order of their ranks.
pub(crate) fn sets(n: u32, count: u32) -> Vec<u32> {
    let mut sets = Vec::with_capacity(binomial(n, count) as usize);
    if count > n {
        return sets;
    }
    let mut set: u64 = (1 << count) - 1;
    while set < 1 << n {
        sets.push(set as u32);
        if set == 0 {
            break;
        }
        // The next larger number with as many bits.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        set = ripple | (((ripple ^ set) / low) >> 2);
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_place() {
        for (n, count) in [(25, 3), (13, 6), (17, 9), (25, 23), (5, 0), (4, 4), (20, 12)] {
            let ranks = Ranks::new(count);
            let sets = sets(n, count);
            assert_eq!(sets.len() as u64, binomial(n, count));
            for (place, &set) in sets.iter().enumerate() {
                assert_eq!(ranks.of(set) as usize, place, "{set:b}");
            }
        }
    }
}
