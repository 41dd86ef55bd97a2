//! Board symmetries times attribute symmetries.
//!
//! Without squares the board has 32: those that carry rows, columns and long diagonals into such. With squares the
//! eight of a square remain. Pieces may swap the two values of any attribute (16 ways) and exchange attributes among
//! those that make rows and among those that do not. Attributes that make no row are counted too: exchanging or
//! flipping them changes the position's text but never the game.

use super::{Action, Piece, Quarto, SIZE, Squares, bits};
use crate::square::dihedral;
use crate::{Square, Symmetric};

impl Symmetric for Quarto {
    fn symmetries(&self) -> usize {
        self.board_symmetries() * 16 * exchanges(self.options.attributes().bits()).count()
    }

    fn transform(&self, symmetry: usize) -> Self {
        let map = self.map(symmetry);
        let mut moved = Quarto { board: 0, taken: 0, stock: 0, empty: 0, ..*self };
        for from in 0..16 {
            let to = map.index(from);
            match self.piece_at(from) {
                Some(piece) => {
                    moved.board |= u64::from(map.piece(piece).bits()) << (4 * to);
                    moved.taken |= 15 << (4 * to);
                }
                None => moved.empty |= 1 << to,
            }
        }
        moved.stock = self.stock().iter().fold(0, |stock, piece| stock | 1 << map.piece(piece).bits());
        moved.hand = self.hand.map(|piece| map.piece(piece));
        moved.last = self.last.map(|last| map.index(last.into()) as u8);
        moved
    }

    fn transform_action(&self, symmetry: usize, action: Action) -> Action {
        let map = self.map(symmetry);
        match action {
            Action::Give(piece) => Action::Give(map.piece(piece)),
            Action::Place(square) => Action::Place(map.square(square)),
            Action::Call | Action::Pass => action,
        }
    }
}

impl Quarto {
    fn board_symmetries(&self) -> usize {
        match self.options.squares {
            Squares::No => 32,
            Squares::Yes => 8,
        }
    }

    fn map(&self, symmetry: usize) -> Map {
        let boards = self.board_symmetries();
        let pieces = symmetry / boards;
        let exchange = exchanges(self.options.attributes().bits()).nth(pieces / 16).unwrap_or([0, 1, 2, 3]);
        Map { board: symmetry % boards, squares: self.options.squares, exchange, flips: (pieces % 16) as u8 }
    }
}

/// One symmetry, ready to be applied.
struct Map {
    board: usize,
    squares: Squares,
    /// Where each attribute bit goes.
    exchange: [u8; 4],
    flips: u8,
}

impl Map {
    fn square(&self, square: Square) -> Square {
        match self.squares {
            Squares::Yes => dihedral(square, SIZE, self.board),
            Squares::No => line_preserving(square, self.board),
        }
    }

    fn index(&self, index: usize) -> usize {
        bits::index(self.square(Square::from_index(index, SIZE)))
    }

    fn piece(&self, piece: Piece) -> Piece {
        let moved = (0..4).fold(0, |bits, from| bits | (piece.bits() >> from & 1) << self.exchange[from]);
        Piece::of_bits(moved ^ self.flips)
    }
}

/// One of the 32 maps of the board that keep rows, columns and long diagonals; 0 is the identity.
fn line_preserving(square: Square, symmetry: usize) -> Square {
    // Columns and rows are renumbered alike, in one of the eight ways that keep 0 opposite 3 and 1 opposite 2: so a
    // diagonal stays one. Mirroring the rows alone exchanges the diagonals, and so may rows and columns be exchanged.
    let renumber = |line: u8| {
        let line = if symmetry & 1 != 0 { line ^ 1 } else { line };
        let mirrored = if line == 0 || line == 3 { symmetry & 2 != 0 } else { symmetry & 4 != 0 };
        if mirrored { 3 - line } else { line }
    };
    let (column, mut row) = (renumber(square.column), renumber(square.row));
    if symmetry & 8 != 0 {
        row = 3 - row;
    }
    if symmetry & 16 != 0 { Square::new(row, column) } else { Square::new(column, row) }
}

/// The permutations of the four attribute bits that keep the used ones among themselves, the identity first.
fn exchanges(used: u8) -> impl Iterator<Item = [u8; 4]> {
    (0..4u8)
        .flat_map(|a| (0..4u8).flat_map(move |b| (0..4u8).map(move |c| (a, b, c))))
        .filter(|(a, b, c)| a != b && a != c && b != c)
        .map(|(a, b, c)| [a, b, c, 6 - a - b - c])
        .filter(move |order| (0..4).all(|from| used >> from & 1 == used >> order[from] & 1))
}
