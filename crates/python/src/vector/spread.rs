//! Bits as bytes, 32 at a time on processors that can.
//!
//! Unsafe because what such a processor computes can only be stored through a pointer.

#![allow(unsafe_code)]

use crate::bits;

/// How a shard writes bits as bytes.
pub(super) trait Spread {
    /// Writes as many bits as `into` has bytes, each as 0 or 1.
    fn spread(set: &[u64], into: &mut [u8]);
}

/// For every processor.
pub(super) struct Portable;

impl Spread for Portable {
    #[inline(always)]
    fn spread(set: &[u64], into: &mut [u8]) {
        bits::spread(set, into);
    }
}

/// For processors with AVX2. Only functions that are compiled for it may name this type.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Spread for Avx2 {
    #[inline(always)]
    fn spread(set: &[u64], into: &mut [u8]) {
        // The caller is compiled for AVX2, and so runs only where it is.
        unsafe { avx2::spread(set, into) }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_min_epu8, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi64x,
        _mm256_shuffle_epi8, _mm256_storeu_si256,
    };

    use crate::bits;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn spread(set: &[u64], into: &mut [u8]) {
        let length = into.len();
        let (words, rest) = into.as_chunks_mut::<64>();
        for (bytes, &word) in words.iter_mut().zip(set) {
            let (low, high) = bytes.split_at_mut(32);
            store(low, word, 0);
            store(high, word, 0x0404_0404_0404_0404);
        }
        if rest.is_empty() {
            return;
        }
        let last = set.get(words.len()).copied().unwrap_or(0);
        if rest.len() >= 32 {
            store(&mut rest[..32], last, 0);
        }
        // The last few bytes are written with those before them once more.
        match length.checked_sub(32) {
            Some(at) => store(&mut into[at..], bits::four_bytes_at(set, at).into(), 0),
            None => bits::spread(set, into),
        }
    }

    /// Writes the lower 32 bits of a word as 32 bytes, or with fours in every byte of `half` the upper ones.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(into: &mut [u8], word: u64, half: i64) {
        const EVERY: i64 = 0x0101_0101_0101_0101;
        assert_eq!(into.len(), 32);
        // Eight copies of each byte, in each of them one bit, then 1 where that bit is set.
        let order = _mm256_setr_epi64x(half, half + EVERY, half + 2 * EVERY, half + 3 * EVERY);
        let copies = _mm256_shuffle_epi8(_mm256_set1_epi64x(word.cast_signed()), order);
        let places = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        let bytes = _mm256_min_epu8(_mm256_and_si256(copies, places), _mm256_set1_epi8(1));
        // The slice is as long as what is stored, and alignment is not asked for.
        unsafe { _mm256_storeu_si256(into.as_mut_ptr().cast::<__m256i>(), bytes) }
    }
}
