//! QR codes for addresses: bytes, error correction M, versions 1 to 6, one mask.
//!
//! A whole encoder would be twice as heavy as all that a table's link needs; the tests hold this one against such a one.

/// A code: `true` is a dark module, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Modules along a side.
    pub size: usize,
    dark: Vec<bool>,
    /// What is no data: patterns that a reader finds the code by, and the format.
    fixed: Vec<bool>,
}

/// Data bytes in all, check bytes per block, blocks; for versions 1 to 6. The blocks of each are alike.
const VERSIONS: [(usize, usize, usize); 6] =
    [(16, 10, 1), (28, 16, 1), (44, 26, 1), (64, 18, 2), (86, 24, 2), (108, 16, 4)];

/// The format of error correction M with mask 0, with its own check bits.
const FORMAT: u32 = 0x5412;

impl Code {
    /// The code of a text; `None` if it is too long.
    pub fn new(text: &str) -> Option<Code> {
        let index = VERSIONS.iter().position(|(data, ..)| text.len() + 2 <= *data)?;
        let (data, checks, blocks) = VERSIONS[index];
        let size = 21 + 4 * index;
        let mut code = Code { size, dark: vec![false; size * size], fixed: vec![false; size * size] };
        code.draw_patterns(index);
        code.draw_data(&interleaved(&bytes_of(text, data), checks, blocks));
        Some(code)
    }

    /// Whether a module is dark.
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        self.dark[y * self.size + x]
    }

    fn fix(&mut self, x: usize, y: usize, dark: bool) {
        let at = y * self.size + x;
        self.dark[at] = dark;
        self.fixed[at] = true;
    }

    fn draw_patterns(&mut self, index: usize) {
        let size = self.size;
        for at in 0..size {
            self.fix(6, at, at % 2 == 0);
            self.fix(at, 6, at % 2 == 0);
        }
        for (left, top) in [(0, 0), (size - 7, 0), (0, size - 7)] {
            self.draw_square(left + 3, top + 3, 4);
        }
        if index > 0 {
            self.draw_square(size - 7, size - 7, 2);
        }
        for bit in 0..15 {
            let dark = FORMAT >> bit & 1 == 1;
            match bit {
                0..6 => self.fix(8, bit, dark),
                6 | 7 => self.fix(8, bit + 1, dark),
                8 => self.fix(7, 8, dark),
                _ => self.fix(14 - bit, 8, dark),
            }
            if bit < 8 { self.fix(size - 1 - bit, 8, dark) } else { self.fix(8, size - 15 + bit, dark) }
        }
        self.fix(8, size - 8, true);
    }

    /// Rings around a middle: what a reader looks for, with a light border around the large ones.
    fn draw_square(&mut self, x: usize, y: usize, reach: usize) {
        for row in y.saturating_sub(reach)..(y + reach + 1).min(self.size) {
            for column in x.saturating_sub(reach)..(x + reach + 1).min(self.size) {
                let ring = x.abs_diff(column).max(y.abs_diff(row));
                let light = if reach == 4 { ring == 2 || ring == 4 } else { ring == 1 };
                self.fix(column, row, !light);
            }
        }
    }

    /// Bits go up and down in columns of two from the right, past what is fixed.
    fn draw_data(&mut self, bytes: &[u8]) {
        let size = self.size;
        let mut bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1));
        let columns = (0..size).rev().filter(|column| *column != 6).collect::<Vec<_>>();
        for (pair, columns) in columns.chunks(2).enumerate() {
            for step in 0..size {
                let y = if pair % 2 == 0 { size - 1 - step } else { step };
                for &x in columns {
                    let at = y * size + x;
                    if !self.fixed[at] {
                        let bit = bits.next().unwrap_or_default();
                        self.dark[at] = bit ^ ((x + y) % 2 == 0);
                    }
                }
            }
        }
    }
}

/// The text as bytes with its length, filled up.
fn bytes_of(text: &str, data: usize) -> Vec<u8> {
    // Four bits for “bytes”, eight for how many: everything is moved by half a byte.
    let mut halves = vec![4, (text.len() >> 4) as u8, (text.len() & 15) as u8];
    halves.extend(text.bytes().flat_map(|byte| [byte >> 4, byte & 15]));
    halves.push(0);
    let mut bytes: Vec<u8> =
        halves.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default()).collect();
    for filler in [0xec, 0x11].into_iter().cycle().take(data - bytes.len()) {
        bytes.push(filler);
    }
    bytes
}

/// The blocks' data and then their checks, a byte of each block in turn.
fn interleaved(data: &[u8], checks: usize, blocks: usize) -> Vec<u8> {
    let divisor = divisor(checks);
    let blocks: Vec<&[u8]> = data.chunks(data.len() / blocks).collect();
    let remainders: Vec<Vec<u8>> = blocks.iter().map(|block| remainder(block, &divisor)).collect();
    let mut all: Vec<u8> = (0..blocks[0].len()).flat_map(|at| blocks.iter().map(move |block| block[at])).collect();
    all.extend((0..checks).flat_map(|at| remainders.iter().map(move |remainder| remainder[at])));
    all
}

/// The polynomial of Reed and Solomon with so many roots, without its leading one.
fn divisor(degree: usize) -> Vec<u8> {
    let mut result = vec![0; degree];
    result[degree - 1] = 1;
    let mut root = 1;
    for _ in 0..degree {
        for at in 0..degree {
            result[at] = multiply(result[at], root) ^ result.get(at + 1).copied().unwrap_or_default();
        }
        root = multiply(root, 2);
    }
    result
}

fn remainder(data: &[u8], divisor: &[u8]) -> Vec<u8> {
    let mut result = vec![0; divisor.len()];
    for byte in data {
        let factor = byte ^ result.remove(0);
        result.push(0);
        for (place, coefficient) in result.iter_mut().zip(divisor) {
            *place ^= multiply(*coefficient, factor);
        }
    }
    result
}

/// Multiplication in the field of 256 elements.
fn multiply(a: u8, b: u8) -> u8 {
    let mut product = 0_u8;
    for bit in (0..8).rev() {
        product = (product << 1) ^ ((product >> 7) * 0x1d);
        product ^= (b >> bit & 1) * a;
    }
    product
}

#[cfg(test)]
mod tests {
    use qrcodegen::{Mask, QrCode, QrCodeEcc, QrSegment, Version};

    use super::*;

    #[test]
    fn codes_are_those_of_a_whole_encoder() {
        for length in 0..=106 {
            let text: String = "https://play.example.org/t/Zy09".chars().cycle().take(length).collect();
            let code = Code::new(&text).unwrap();
            let segments = [QrSegment::make_bytes(text.as_bytes())];
            let other = QrCode::encode_segments_advanced(
                &segments,
                QrCodeEcc::Medium,
                Version::new(1),
                Version::new(6),
                Some(Mask::new(0)),
                false,
            )
            .unwrap();
            assert_eq!(code.size as i32, other.size(), "{length}");
            for y in 0..code.size {
                for x in 0..code.size {
                    assert_eq!(code.is_dark(x, y), other.get_module(x as i32, y as i32), "{length}: {x}, {y}");
                }
            }
        }
        assert_eq!(Code::new(&"a".repeat(107)), None);
    }
}
