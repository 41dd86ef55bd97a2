use super::{FEWEST_STONES, Four, FourOptions, MOVEMENTS, Phase, text};
use crate::{BadPosition, Editable, Field, Position, Seat, Setup, SetupEntry, SetupField, SetupValue, Square};

/// A board of Four that is edited freely; the seat to act and the points can be chosen beside it.
///
/// Every stone that was ever in a reserve is there, on the board, or a point of the opponent, so the reserves follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FourSetup(
    /// Everything a position has, not checked.
    Four,
);

impl Editable for Four {
    type Setup = FourSetup;
}

impl FourSetup {
    /// After an edit a turn begins, and the reserves hold what is neither on the board nor captured.
    fn settle(&mut self) {
        let board = &mut self.0;
        board.on_board = board.stones.counts();
        for (seat, other) in [(0, Seat::TWO), (1, Seat::ONE)] {
            let gone = board.on_board[seat].saturating_add(board.captures(other));
            board.reserves[seat] = board.options.reserve().saturating_sub(gone);
        }
        // The main game begins when both have ten stones, and never goes back.
        let opening = board.on_board.iter().any(|&stones| stones < FEWEST_STONES);
        board.phase = if opening { Phase::Opening } else { Phase::Main { movements: MOVEMENTS } };
        (board.quiet, board.passes, board.moved, board.hit) = (0, 0, 0, false);
    }
}

impl Setup for FourSetup {
    type Position = Four;
    type Piece = Seat;

    fn of(position: &Four) -> FourSetup {
        FourSetup(*position)
    }

    fn options(&self) -> FourOptions {
        self.0.options()
    }

    fn pieces(&self) -> Vec<Seat> {
        vec![Seat::ONE, Seat::TWO]
    }

    fn piece(&self, square: Square) -> Option<Seat> {
        self.0.stone(square)
    }

    fn put(&mut self, square: Square, piece: Option<Seat>) {
        if !self.0.has(square) {
            return;
        }
        for seat in 0..2 {
            self.0.stones.remove(seat, square);
        }
        if let Some(seat) = piece.filter(|seat| seat.index() < 2) {
            self.0.stones.insert(seat.index(), square);
        }
        self.settle();
    }

    fn clear(&mut self) {
        self.0 = Four::start(&self.0.options());
    }

    fn fields(&self) -> Vec<SetupField<Seat>> {
        let to_act = SetupEntry::Seat { value: self.0.seat, seats: 2 };
        let points = |seat: Seat| SetupField {
            field: Field::Points,
            seat: Some(seat),
            entry: SetupEntry::Number { value: self.0.points(seat), most: FourOptions::MOST_RESERVE },
        };
        vec![SetupField { field: Field::Seat, seat: None, entry: to_act }, points(Seat::ONE), points(Seat::TWO)]
    }

    fn set(&mut self, field: usize, value: SetupValue<Seat>) {
        match (field, value) {
            (0, SetupValue::Seat(seat)) if seat.index() < 2 => self.0.seat = seat,
            (1 | 2, SetupValue::Number(points)) => self.0.points[field - 1] = points,
            _ => return,
        }
        self.settle();
    }

    fn readings(&self) -> Vec<Result<Four, BadPosition>> {
        let board = self.0;
        let other = board.seat.next(2);
        let main = |movements| Four { phase: Phase::Main { movements }, ..board };
        let opening = Four { phase: Phase::Opening, ..board };
        let first = main(board.options.first());
        [board, Four { seat: other, ..opening }, main(MOVEMENTS), first, opening].map(text::checked).into()
    }
}
