use std::fmt;
use std::str::FromStr;

use crate::UnreadableAction;

/// A square of a board (G5): a letter for the column from the left, a number for the row from the bottom.
///
/// ```
/// use rules::Square;
///
/// let square: Square = "b3".parse()?;
/// assert_eq!(square, Square::new(1, 2));
/// assert_eq!(square.index(5), 11);
/// assert_eq!(Square::from_index(11, 5).to_string(), "b3");
/// # Ok::<(), rules::UnreadableAction>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// Zero-based column from the left.
    pub column: u8,
    /// Zero-based row from the bottom.
    pub row: u8,
}

impl Square {
    /// The square at a zero-based column and row.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Square {
        Square { column, row }
    }

    /// The square's place when a board of this width is read from `a1` to the right, rank by rank upwards.
    #[inline]
    pub const fn index(self, width: u8) -> usize {
        self.row as usize * width as usize + self.column as usize
    }

    /// The reverse of [`Square::index`].
    #[inline]
    pub const fn from_index(index: usize, width: u8) -> Square {
        Square { column: (index % width as usize) as u8, row: (index / width as usize) as u8 }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column) as char, self.row + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = UnreadableAction;

    /// Reads any square from `a1` to `z99`; whether it lies on a board is for the game to say.
    fn from_str(text: &str) -> Result<Square, UnreadableAction> {
        let unreadable = || UnreadableAction::new(text, "a square such as b3");
        let (letter, number) = text.split_at_checked(1).ok_or_else(unreadable)?;
        let letter = letter.as_bytes()[0];
        let plain = (1..=2).contains(&number.len())
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && !number.starts_with('0');
        if !letter.is_ascii_lowercase() || !plain {
            return Err(unreadable());
        }
        let row: u8 = number.parse().map_err(|_| unreadable())?;
        Ok(Square::new(letter - b'a', row - 1))
    }
}

/// Where a square of a `size`×`size` board goes under one of the eight symmetries of the square; 0 is the identity.
pub(crate) fn dihedral(square: Square, size: u8, symmetry: usize) -> Square {
    let Square { mut column, mut row } = square;
    if symmetry & 1 != 0 {
        column = size - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    Square { column, row }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_g5() {
        // G5: a1 is bottom left, no letter is skipped.
        assert_eq!(Square::new(0, 0).to_string(), "a1");
        assert_eq!(Square::new(18, 18).to_string(), "s19");
        assert_eq!("i9".parse(), Ok(Square::new(8, 8)));
        for bad in ["", "a", "a0", "a01", "A1", "11", "a1 ", "я1", "a100", "a+1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad:?} is no square");
        }
    }
}
