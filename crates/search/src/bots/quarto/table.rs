//! What the solver remembers, in a fixed amount of memory. Keys are lossless: a hit is never another position's.

/// A range that a score is known to lie in, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i8,
    pub(super) high: i8,
}

impl Bounds {
    /// Scores lie from -8 to 7, so nothing is known.
    pub(super) const OPEN: Bounds = Bounds { low: -8, high: 7 };

    /// What two statements say together.
    #[inline]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// Entries looked at for one key; a cache line holds two such groups.
const GROUP: usize = 4;
/// Bits of an entry that are not key: two scores of 4 bits, 5 of effort. Groups must take this many off the key.
const DATA_BITS: u32 = 13;

/// A hash table whose entries give way to those that cost more to find.
pub(super) struct Table {
    /// A power of two of groups; empty if there is too little memory for the smallest table.
    groups: Vec<[u64; GROUP]>,
    bits: u32,
}

impl Table {
    /// A table of at most so many bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let groups = Table::size(bytes) / size_of::<[u64; GROUP]>();
        Table { groups: vec![[0; GROUP]; groups], bits: groups.checked_ilog2().unwrap_or(0) }
    }

    /// What a table of at most so many bytes really takes: the next lower power of two, or nothing below the smallest.
    pub(super) fn size(bytes: usize) -> usize {
        match (bytes / size_of::<[u64; GROUP]>()).checked_ilog2() {
            Some(bits @ DATA_BITS..) => size_of::<[u64; GROUP]>() << bits,
            _ => 0,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.groups.len() * size_of::<[u64; GROUP]>()
    }

    pub(super) fn clear(&mut self) {
        self.groups.fill([0; GROUP]);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        if self.groups.is_empty() {
            return None;
        }
        let (group, tag) = self.locate(key);
        let entry = self.groups[group].iter().find(|&&entry| entry >> DATA_BITS == tag && entry & 31 != 0)?;
        Some(unpack(*entry))
    }

    /// Remembers bounds that took `nodes` to find.
    #[inline]
    pub(super) fn put(&mut self, key: u64, bounds: Bounds, nodes: u64) {
        if self.groups.is_empty() {
            return;
        }
        let (group, tag) = self.locate(key);
        let effort = u64::from((nodes | 1).ilog2().min(30) + 1);
        let entry = tag << DATA_BITS | pack(bounds) | effort;
        let group = &mut self.groups[group];
        let same = group.iter().position(|&old| old >> DATA_BITS == tag && old & 31 != 0);
        let cheapest = |group: &[u64; GROUP]| {
            (1..GROUP).fold(0, |least, next| if group[next] & 31 < group[least] & 31 { next } else { least })
        };
        let place = same.unwrap_or_else(|| cheapest(group));
        // What is costly stays, but not for ever: a group whose cheapest entry is dear forgets slowly.
        if same.is_none() && group[place] & 31 > effort + 2 {
            group[place] -= 1;
            return;
        }
        group[place] = entry;
    }

    /// Mixes the key reversibly; some bits choose the group and the others, kept whole, tell keys apart.
    #[inline]
    fn locate(&self, key: u64) -> (usize, u64) {
        let mut mixed = key ^ key >> 32;
        mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 29;
        mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^= mixed >> 32;
        ((mixed & ((1 << self.bits) - 1)) as usize, mixed >> self.bits)
    }
}

fn pack(bounds: Bounds) -> u64 {
    (((bounds.low + 8) as u64) << 4 | (bounds.high + 8) as u64) << 5
}

fn unpack(entry: u64) -> Bounds {
    Bounds { low: (entry >> 9 & 15) as i8 - 8, high: (entry >> 5 & 15) as i8 - 8 }
}
