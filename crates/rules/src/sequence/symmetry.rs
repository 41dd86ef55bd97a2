use super::{Action, Board, HEIGHT, Sequence, WIDTH, board};
use crate::{Square, Symmetric};

/// The standard layout looks like none of its mirror images, so only a shuffled board can be turned, and only once
/// its layout is complete: the order of laying is fixed.
impl Symmetric for Sequence {
    fn symmetries(&self) -> usize {
        if self.options.board == Board::Shuffled && self.layout.is_complete() { 4 } else { 1 }
    }

    fn transform(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return *self;
        }
        let turn = |bits| board::squares(bits).fold(0, |moved, square| moved | board::bit(mirror(square, symmetry)));
        Sequence {
            chips: self.chips.map(turn),
            layout: self.layout.transform(|square| mirror(square, symmetry)),
            ..*self
        }
    }

    fn transform_action(&self, symmetry: usize, action: Action) -> Action {
        match action {
            Action::Play { card, square } => Action::Play { card, square: mirror(square, symmetry) },
            Action::Tile(_) | Action::Draw(_) | Action::Swap(_) | Action::Pass => action,
        }
    }
}

/// The four symmetries of a rectangle.
fn mirror(square: Square, symmetry: usize) -> Square {
    let Square { column, row } = square;
    let column = if symmetry & 1 != 0 { WIDTH - 1 - column } else { column };
    let row = if symmetry & 2 != 0 { HEIGHT - 1 - row } else { row };
    Square { column, row }
}
