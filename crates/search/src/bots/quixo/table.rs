//! What the search remembers of positions it has seen.

/// What a remembered score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exactly,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Points for the seat to act, wins counted from this position.
    pub(super) score: i16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
    /// The action that was best.
    pub(super) code: u8,
    age: u8,
}

/// An entry in memory: key plus one, and the rest packed. An all-zero entry is empty, so a new table needs no filling.
type Packed = [u64; 2];

impl Entry {
    #[inline]
    fn packed(self) -> u64 {
        let [low, high] = self.score.to_le_bytes();
        u64::from_le_bytes([low, high, self.depth as u8, self.bound as u8, self.code, self.age, 0, 0])
    }

    #[inline]
    fn unpacked(word: u64) -> Entry {
        let [low, high, depth, bound, code, age, ..] = word.to_le_bytes();
        let bound = match bound {
            0 => Bound::AtLeast,
            1 => Bound::AtMost,
            _ => Bound::Exactly,
        };
        Entry { score: i16::from_le_bytes([low, high]), depth: depth as i8, bound, code, age }
    }
}

/// Entries that share a place; together they fill a cache line.
const BUCKET: usize = 4;

/// A table of bounded size; a smaller one forgets more but is never wrong.
#[derive(Default)]
pub(super) struct Table {
    entries: Vec<Packed>,
    age: u8,
    keep: bool,
}

impl Table {
    /// Makes the table fit into this many bytes and starts a new search in it.
    ///
    /// Unless `keep` is set, nothing an earlier search has left can be seen by this one.
    pub(super) fn begin(&mut self, bytes: usize, keep: bool) {
        let wanted = match bytes / size_of::<Packed>() / BUCKET {
            0 => 0,
            buckets => BUCKET << buckets.ilog2(),
        };
        self.age = self.age.wrapping_add(1);
        if self.entries.len() != wanted || self.age == 0 {
            self.forget();
            self.entries = vec![[0; 2]; wanted];
            self.age = 1;
        }
        self.keep = keep;
    }

    /// How many of a thousand entries this search has filled, from a sample.
    pub(super) fn fill_permille(&self) -> u32 {
        let sample = &self.entries[..self.entries.len().min(1000)];
        let used = sample.iter().filter(|entry| entry[0] != 0 && Entry::unpacked(entry[1]).age == self.age).count();
        (1000 * used / sample.len().max(1)) as u32
    }

    /// Forgets all and gives the memory back.
    pub(super) fn forget(&mut self) {
        self.entries = Vec::new();
    }

    #[inline]
    fn bucket(&self, key: u64) -> Option<usize> {
        let buckets = self.entries.len() / BUCKET;
        if buckets == 0 {
            return None;
        }
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some(((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as usize & (buckets - 1))
    }

    #[inline]
    pub(super) fn look_up(&self, key: u64) -> Option<Entry> {
        let first = self.bucket(key)? * BUCKET;
        let bucket = &self.entries[first..first + BUCKET];
        let same = bucket.iter().filter(|entry| entry[0] == key + 1).map(|entry| Entry::unpacked(entry[1]));
        same.into_iter().find(|entry| self.keep || entry.age == self.age)
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, score: i32, depth: i32, bound: Bound, code: u8) {
        let Some(bucket) = self.bucket(key) else { return };
        let (age, keep) = (self.age, self.keep);
        let bucket = &mut self.entries[bucket * BUCKET..][..BUCKET];
        let mut victim = 0;
        let mut least = i32::MAX;
        for (place, packed) in bucket.iter().enumerate() {
            let entry = Entry::unpacked(packed[1]);
            let worth = if packed[0] == key + 1 && (keep || entry.age == age) {
                i32::MIN
            } else if entry.age != age {
                // Entries of earlier searches are all treated alike, so that their contents cannot change this search.
                i32::from(i8::MIN) - 1
            } else {
                i32::from(entry.depth)
            };
            if worth < least {
                (victim, least) = (place, worth);
            }
        }
        let entry = Entry { score: score as i16, depth: depth.clamp(-100, 100) as i8, bound, code, age };
        bucket[victim] = [key + 1, entry.packed()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_obeys_its_limit() {
        let mut table = Table::default();
        for bytes in [0, 10, 100, 1 << 12, (1 << 20) - 1] {
            table.begin(bytes, false);
            assert!(table.entries.capacity() * size_of::<Packed>() <= bytes);
            table.store(7, -5, 3, Bound::AtMost, 1);
            let entry = Entry { score: -5, depth: 3, bound: Bound::AtMost, code: 1, age: table.age };
            assert_eq!(table.look_up(7), (bytes >= 100).then_some(entry));
        }
    }

    #[test]
    fn a_new_search_sees_nothing_of_the_last_unless_told() {
        let mut table = Table::default();
        table.begin(1 << 12, false);
        table.store(7, 5, 3, Bound::Exactly, 1);
        table.begin(1 << 12, true);
        assert!(table.look_up(7).is_some());
        table.begin(1 << 12, false);
        assert!(table.look_up(7).is_none());
    }
}
