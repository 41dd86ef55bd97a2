use super::cells::Cells;
use super::{Action, Four};
use crate::Symmetric;
use crate::square::dihedral;

impl Symmetric for Four {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Self {
        let size = self.size();
        let turn = |cells: Cells| {
            let mut turned = Cells::default();
            for square in cells.squares(size) {
                turned.insert(dihedral(square, size, symmetry));
            }
            turned
        };
        Four { stones: self.stones.map(turn), ..*self }
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
