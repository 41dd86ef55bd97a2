use super::{Cube, Players, Quixo, SIZE, bits, text};
use crate::{BadPosition, Editable, Field, Position, Seat, Setup, SetupEntry, SetupField, SetupValue, Square};

/// A board of Quixo that is edited freely; a seat to act can be chosen beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuixoSetup(
    /// Everything a position has, not checked.
    Quixo,
);

impl Editable for Quixo {
    type Setup = QuixoSetup;
}

impl Setup for QuixoSetup {
    type Position = Quixo;
    type Piece = Cube;

    fn of(position: &Quixo) -> QuixoSetup {
        QuixoSetup(*position)
    }

    fn options(&self) -> super::QuixoOptions {
        self.0.options()
    }

    fn pieces(&self) -> Vec<Cube> {
        let marked = |owner: Seat| Cube::Marked { side: self.0.side(owner), owner };
        let of_side = |side: usize| Seat::all(self.0.seats()).filter(move |owner| owner.index() & 1 == side);
        of_side(0).chain(of_side(1)).map(marked).collect()
    }

    /// The tray is always full, so a square without a symbol shows a blank cube.
    fn piece(&self, square: Square) -> Option<Cube> {
        on_board(square).then(|| self.0.cube(square))
    }

    fn put(&mut self, square: Square, piece: Option<Cube>) {
        if !on_board(square) {
            return;
        }
        let bit = bits::bit(square);
        self.0.both &= !bits::twice(bit);
        self.0.second &= !bit;
        if let Some(Cube::Marked { side, owner }) = piece {
            self.0.both |= u64::from(bit) << (32 * (side.index() & 1));
            if self.0.players == Players::Four && owner.index() >= 2 {
                self.0.second |= bit;
            }
        }
        self.0.passes = 0;
    }

    fn clear(&mut self) {
        self.0 = Quixo::start(&self.0.options());
    }

    fn fields(&self) -> Vec<SetupField<Cube>> {
        let entry = SetupEntry::Seat { value: self.0.seat, seats: self.0.seats() };
        vec![SetupField { field: Field::Seat, seat: None, entry }]
    }

    fn set(&mut self, field: usize, value: SetupValue<Cube>) {
        if let (0, SetupValue::Seat(seat)) = (field, value)
            && seat.number() <= self.0.seats()
        {
            self.0.seat = seat;
            self.0.passes = 0;
        }
    }

    fn readings(&self) -> Vec<Result<Quixo, BadPosition>> {
        vec![text::checked(self.0)]
    }
}

fn on_board(square: Square) -> bool {
    square.column < SIZE && square.row < SIZE
}
