//! Sets of numbers as words of 64 bits, and their two forms in Python: a byte per bit, or eight bits in a byte.

/// How many words hold so many bits.
pub(crate) const fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Adds up to 57 bits at any place.
#[inline(always)]
pub(crate) fn put(set: &mut [u64], at: usize, bits: u64) {
    set[at / 64] |= bits << (at % 64);
    let over = (at % 64 + 57).saturating_sub(64);
    if over > 0 && at / 64 + 1 < set.len() {
        set[at / 64 + 1] |= bits >> (63 - at % 64) >> 1;
    }
}

/// Whether a number is in the set.
#[inline(always)]
pub(crate) fn has(set: &[u64], number: usize) -> bool {
    set.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
}

/// How many numbers are in the set.
#[inline(always)]
pub(crate) fn count(set: &[u64]) -> u32 {
    let mut total = 0;
    for word in set {
        total += word.count_ones();
    }
    total
}

/// The number at a place of the set, counted from 0.
#[inline(always)]
pub(crate) fn nth(set: &[u64], mut place: u32) -> Option<usize> {
    for (index, &word) in set.iter().enumerate() {
        let here = word.count_ones();
        if place < here {
            return Some(64 * index + nth_of_word(word, place) as usize);
        }
        place -= here;
    }
    None
}

/// The place of a set bit in a word that has more than `place` of them.
#[inline(always)]
fn nth_of_word(word: u64, place: u32) -> u32 {
    const EVERY: u64 = 0x0101_0101_0101_0101;
    // How many bits each byte has, then each byte with all below it.
    let pairs = word - ((word >> 1) & (0x55 * EVERY));
    let nibbles = (pairs & (0x33 * EVERY)) + ((pairs >> 2) & (0x33 * EVERY));
    let sums = ((nibbles + (nibbles >> 4)) & (0x0f * EVERY)).wrapping_mul(EVERY);
    // A mark in every byte that lies wholly below the place; their number is the byte that has it.
    let below = (((u64::from(place) * EVERY) | (0x80 * EVERY)) - sums) & (0x80 * EVERY);
    let shift = ((below >> 7).wrapping_mul(EVERY) >> 56) as u32 * 8;
    let before = (sums << 8 >> (shift & 63)) as u32 & 0xff;
    let byte = (word >> (shift & 63)) as usize & 0xff;
    shift + u32::from(PLACES[byte][(place.wrapping_sub(before) & 7) as usize])
}

/// For every byte the places of its set bits, in order.
const PLACES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Every byte with its bits as bytes of their own.
const SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes as many bits as `into` has bytes, each as 0 or 1.
#[inline(always)]
pub(crate) fn spread(set: &[u64], into: &mut [u8]) {
    let length = into.len();
    // Large sets are mostly empty for long stretches, which are quickly filled; deciding it word by word would be slower.
    let (stretches, rest) = into.as_chunks_mut::<256>();
    for (bytes, words) in stretches.iter_mut().zip(set.as_chunks::<4>().0) {
        if *words == [0; 4] {
            *bytes = [0; 256];
            continue;
        }
        for (bytes, &word) in bytes.as_chunks_mut::<64>().0.iter_mut().zip(words) {
            spread_word(word, bytes);
        }
    }
    let set_rest = set.get(4 * stretches.len()..).unwrap_or_default();
    let (whole, rest) = rest.as_chunks_mut::<64>();
    for (bytes, &word) in whole.iter_mut().zip(set_rest) {
        spread_word(word, bytes);
    }
    let last = set_rest.get(whole.len()).copied().unwrap_or(0);
    for (eight, byte) in rest.as_chunks_mut::<8>().0.iter_mut().zip(last.to_le_bytes()) {
        *eight = SPREAD[usize::from(byte)];
    }
    // The last few bytes are written with those before them once more, because eight take one instruction.
    match into.last_chunk_mut::<8>() {
        Some(eight) => *eight = SPREAD[byte_at(set, length - 8)],
        None => into.copy_from_slice(&SPREAD[last as usize & 0xff][..length]),
    }
}

#[inline(always)]
fn spread_word(word: u64, bytes: &mut [u8; 64]) {
    for (eight, byte) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(word.to_le_bytes()) {
        *eight = SPREAD[usize::from(byte)];
    }
}

/// The eight bits that begin at any place.
#[inline(always)]
fn byte_at(set: &[u64], at: usize) -> usize {
    four_bytes_at(set, at) as usize & 0xff
}

/// The 32 bits that begin at any place.
#[inline(always)]
pub(crate) fn four_bytes_at(set: &[u64], at: usize) -> u32 {
    let low = set.get(at / 64).copied().unwrap_or(0) >> (at % 64);
    let high = set.get(at / 64 + 1).copied().unwrap_or(0) << 1 << (63 - at % 64);
    (low | high) as u32
}

/// Writes the bits eight to a byte, the lowest first, as `numpy.packbits(…, bitorder="little")` does.
#[inline(always)]
pub(crate) fn pack(set: &[u64], into: &mut [u8]) {
    for (bytes, word) in into.chunks_mut(8).zip(set) {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}
