use super::board::Board;
use super::{Action, Four};
use crate::Symmetric;
use crate::square::dihedral;

impl Symmetric for Four {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Self {
        let size = self.size();
        let mut stones = Board::default();
        for seat in 0..2 {
            self.stones.of(seat).each(size, |square| stones.insert(seat, dihedral(square, size, symmetry)));
        }
        Four { stones, ..*self }
    }

    fn transform_action(&self, symmetry: usize, action: Action) -> Action {
        let turn = |square| dihedral(square, self.size(), symmetry);
        match action {
            Action::Place { at, capture } => Action::Place { at: turn(at), capture: capture.map(turn) },
            Action::Move { from, to } => Action::Move { from: turn(from), to: turn(to) },
            Action::End | Action::Pass => action,
        }
    }
}
