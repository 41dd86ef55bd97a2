use super::text::{Acting, checked};
use super::{Piece, Quarto, SIZE, bits, placer};
use crate::{BadPosition, Editable, Field, Position, Setup, SetupEntry, SetupField, SetupValue, Square};

/// A board of Quarto that is edited freely; a piece can be put in hand beside it.
///
/// The number of pieces says whose turn it is, and there is one of each: a piece that is put somewhere leaves where it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuartoSetup {
    /// Everything a position has, not checked.
    board: Quarto,
    acting: Acting,
}

impl Editable for Quarto {
    type Setup = QuartoSetup;
}

impl QuartoSetup {
    /// Clears a square.
    fn lift(&mut self, index: usize) {
        let board = &mut self.board;
        if let Some(piece) = board.piece_at(index) {
            board.board &= !(15 << (4 * index));
            board.taken &= !(15 << (4 * index));
            board.empty |= 1 << index;
            board.stock |= 1 << piece.bits();
        }
    }

    /// Takes a piece from the board or the hand, wherever it is.
    fn take_up(&mut self, piece: Piece) {
        if let Some(index) = (0..16).find(|&index| self.board.piece_at(index) == Some(piece)) {
            self.lift(index);
        }
        if self.board.hand == Some(piece) {
            self.board.hand = None;
        }
        self.board.stock &= !(1 << piece.bits());
    }

    fn settle(&mut self) {
        let placed = self.board.taken.count_ones() / 4;
        let due = placer(placed + u32::from(self.board.hand.is_some()));
        (self.board.seat, self.acting) = (due, Acting::Seat(due));
        (self.board.row_to_call, self.board.outcome) = (false, None);
    }
}

impl Setup for QuartoSetup {
    type Position = Quarto;
    type Piece = Piece;

    fn of(position: &Quarto) -> QuartoSetup {
        QuartoSetup { board: *position, acting: Acting::of(position) }
    }

    fn options(&self) -> super::QuartoOptions {
        self.board.options
    }

    fn pieces(&self) -> Vec<Piece> {
        Piece::all().collect()
    }

    fn piece(&self, square: Square) -> Option<Piece> {
        if on_board(square) { self.board.piece(square) } else { None }
    }

    fn is_used(&self, piece: Piece) -> bool {
        !self.board.stock().contains(piece)
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        if !on_board(square) {
            return;
        }
        let index = bits::index(square);
        self.lift(index);
        if let Some(piece) = piece {
            self.take_up(piece);
            self.board.board |= u64::from(piece.bits()) << (4 * index);
            self.board.taken |= 15 << (4 * index);
            self.board.empty &= !(1 << index);
            self.board.last = Some(index as u8);
        }
        self.settle();
    }

    fn clear(&mut self) {
        *self = QuartoSetup::of(&Quarto::start(&self.board.options));
    }

    fn fields(&self) -> Vec<SetupField<Piece>> {
        let entry = SetupEntry::Piece { value: self.board.hand, choices: self.pieces() };
        vec![SetupField { field: Field::Hand, seat: None, entry }]
    }

    fn set(&mut self, field: usize, value: SetupValue<Piece>) {
        let (0, SetupValue::Piece(given)) = (field, value) else { return };
        if let Some(before) = self.board.hand.take() {
            self.board.stock |= 1 << before.bits();
        }
        if let Some(piece) = given {
            self.take_up(piece);
            self.board.hand = Some(piece);
        }
        self.settle();
    }

    /// A row must have been completed by the piece placed last, so every piece may have been it.
    fn readings(&self) -> Vec<Result<Quarto, BadPosition>> {
        let taken = |index: &u8| self.board.empty & 1 << index == 0;
        let last = self.board.last.filter(taken);
        let mut lasts: Vec<Option<u8>> = last.into_iter().chain((0..16).filter(taken)).map(Some).collect();
        if lasts.is_empty() {
            lasts.push(None);
        }
        // A full board may be a draw, in which no seat is to act (QA10).
        let drawn = self.board.is_full().then_some(Acting::NoSeat);
        let actings = std::iter::once(self.acting).chain(drawn);
        let reading = |acting| lasts.iter().map(move |&last| checked(Quarto { last, ..self.board }, acting));
        actings.flat_map(reading).collect()
    }
}

fn on_board(square: Square) -> bool {
    square.column < SIZE && square.row < SIZE
}
