use super::{Action, Quixo, SIZE};
use crate::square::dihedral;
use crate::{Square, Symmetric};

impl Symmetric for Quixo {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Self {
        let turn = |bits| permute(bits, symmetry);
        let both = u64::from(turn(self.marks_of(0))) | u64::from(turn(self.marks_of(1))) << 32;
        Quixo { both, second: turn(self.second), ..*self }
    }

    fn transform_action(&self, symmetry: usize, action: Action) -> Action {
        let turn = |square| dihedral(square, SIZE, symmetry);
        match action {
            Action::Push { from, to, dot } => Action::Push { from: turn(from), to: turn(to), dot },
            Action::Pass => Action::Pass,
        }
    }
}

fn permute(bits: u32, symmetry: usize) -> u32 {
    (0..25)
        .filter(|index| bits & 1 << index != 0)
        .fold(0, |moved, index| moved | 1 << dihedral(Square::from_index(index, SIZE), SIZE, symmetry).index(SIZE))
}
