use rules::quarto::{Action, Call, Piece, Quarto, SIZE};
use rules::{Position, Seat, Square, Turn};

use super::{Encoded, Field, Layout};

const GIVE: usize = 0;
const PLACE: usize = 16;
const CALL: usize = 32;
const PASS: usize = 33;

impl Encoded for Quarto {
    const VERSION: u32 = 1;

    fn layout(&self) -> Layout {
        let planes = vec![
            // Bits of a piece from the lowest: hollow, square, tall, dark (QA2).
            Field::new("pieces", &[4, 4, 4]),
            Field::new("occupied", &[4, 4]),
            Field::new("stock", &[16]),
            Field::new("hand", &[16]),
            Field::new("last", &[4, 4]),
        ];
        Layout::new(Self::VERSION, [34, 0], planes, Vec::new())
    }

    #[inline(always)]
    fn legal(&self, mask: &mut [u64]) {
        if !matches!(self.turn(), Turn::Seat(_)) {
            mask[0] = 0;
            return;
        }
        mask[0] = if self.hand().is_some() {
            u64::from(self.empty()) << PLACE
        } else if self.empty() == 0 {
            1 << PASS
        } else {
            u64::from(self.stock().bits()) << GIVE
        };
        if self.options().call != Call::Auto && self.callable().next().is_some() {
            mask[0] |= 1 << CALL;
        }
    }

    #[inline(always)]
    fn decode(&self, number: usize) -> Option<Action> {
        match number {
            GIVE..PLACE => Piece::new(number as u8).map(Action::Give),
            PLACE..CALL => Some(Action::Place(Square::from_index(number - PLACE, SIZE))),
            CALL => Some(Action::Call),
            PASS => Some(Action::Pass),
            _ => None,
        }
    }

    fn encode(&self, action: Action) -> Option<usize> {
        match action {
            Action::Give(piece) => Some(GIVE + usize::from(piece.bits())),
            Action::Place(square) if square.column < SIZE && square.row < SIZE => Some(PLACE + square.index(SIZE)),
            Action::Place(_) => None,
            Action::Call => Some(CALL),
            Action::Pass => Some(PASS),
        }
    }

    #[inline(always)]
    fn observe(&self, _: Seat, planes: &mut [u64], _: &mut [u8]) {
        let hand = self.hand().map_or(0, |piece| 1u64 << piece.bits());
        let last = self.last().map_or(0, |square| 1u64 << square.index(SIZE));
        let rest = u64::from(!self.empty()) | u64::from(self.stock().bits()) << 16 | hand << 32 | last << 48;
        if let [pieces, others] = planes {
            (*pieces, *others) = (self.nibbles(), rest);
        }
    }
}
