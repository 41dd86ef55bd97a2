use super::cards::{Discards, HAND, Hand, Stock};
use super::{Away, Card, Due, HEIGHT, Sequence, WIDTH, board, text};
use crate::{BadPosition, Editable, Field, Position, Seat, Setup, SetupEntry, SetupField, SetupValue, Square};

/// A board of Sequence that is edited freely; the hands can be chosen beside it.
///
/// Each chip was put there with its card and the seats took turns, so discards and turn follow from the chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceSetup {
    /// Everything a position has, not checked.
    board: Sequence,
    /// The cards that each seat is to have, as far as there are enough of them.
    wished: [[Option<Card>; HAND]; 4],
}

/// What lies on the board or in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupPiece {
    /// A chip of a seat.
    Chip(Seat),
    /// A card.
    Card(Card),
}

impl Editable for Sequence {
    type Setup = SequenceSetup;
}

impl SequenceSetup {
    /// The cards that put a seat's chips on the board.
    fn played_by(&self, seat: Seat) -> Vec<Card> {
        board::squares(self.board.chips(seat)).filter_map(|square| self.board.picture(square)).collect()
    }

    /// After an edit a turn begins, with the discards and hands that the chips leave.
    fn settle(&mut self) {
        let played: Vec<Vec<Card>> = Seat::all(self.board.seats()).map(|seat| self.played_by(seat)).collect();
        let fewest = played.iter().map(Vec::len).min().unwrap_or_default();
        let acting = played.iter().position(|cards| cards.len() == fewest).unwrap_or_default();
        let board = &mut self.board;
        board.seat = Seat::from_index(acting);
        (board.due, board.passes, board.swaps, board.away) = (Due::Nothing, 0, 0, Away::default());
        self.deal(&played, None);
        if !self.board.layout.is_complete() {
            (self.board.due, self.board.hands) = (Due::Tile, [Hand::EMPTY; 4]);
        }
    }

    /// Lays the discards down and fills the hands, first with the cards wished for; `short` has one card less.
    fn deal(&mut self, played: &[Vec<Card>], short: Option<Seat>) {
        let mut stock = Stock::DECK;
        let mut discards = Discards::EMPTY;
        for (seat, cards) in Seat::all(self.board.seats()).zip(played) {
            for &card in cards {
                stock.take(card);
                discards.push(seat, card);
            }
        }
        let mut hands = [Hand::EMPTY; 4];
        for (hand, wished) in hands.iter_mut().zip(&self.wished).take(usize::from(self.board.seats())) {
            wished.iter().flatten().filter(|&&card| stock.take(card)).for_each(|&card| hand.insert(card));
        }
        for seat in Seat::all(self.board.seats()) {
            let hand = &mut hands[seat.index()];
            let size = if short == Some(seat) { HAND - 1 } else { HAND };
            while hand.len() > size {
                let spare = hand.cards()[hand.len() - 1];
                hand.remove(spare);
                stock.add(spare);
            }
            for card in Card::ALL.into_iter().cycle().take(2 * Card::COUNT) {
                if hand.len() < size && stock.take(card) {
                    hand.insert(card);
                }
            }
        }
        (self.board.hands, self.board.discards, self.board.stock) = (hands, discards, stock);
    }
}

impl Setup for SequenceSetup {
    type Position = Sequence;
    type Piece = SetupPiece;

    fn of(position: &Sequence) -> SequenceSetup {
        let mut wished = [[None; HAND]; 4];
        for seat in Seat::all(position.seats()) {
            for (slot, &card) in wished[seat.index()].iter_mut().zip(position.hand(seat)) {
                *slot = Some(card);
            }
        }
        SequenceSetup { board: *position, wished }
    }

    fn options(&self) -> super::SequenceOptions {
        self.board.options
    }

    fn pieces(&self) -> Vec<SetupPiece> {
        Seat::all(self.board.seats()).map(SetupPiece::Chip).collect()
    }

    fn piece(&self, square: Square) -> Option<SetupPiece> {
        self.board.chip(square).map(SetupPiece::Chip)
    }

    fn put(&mut self, square: Square, piece: Option<SetupPiece>) {
        let bit = if square.column < WIDTH && square.row < HEIGHT { board::bit(square) } else { 0 };
        if bit & board::PICTURES == 0 {
            return;
        }
        self.board.chips = self.board.chips.map(|chips| chips & !bit);
        if let Some(SetupPiece::Chip(seat)) = piece {
            self.board.chips[seat.index()] |= bit;
        }
        self.settle();
    }

    fn clear(&mut self) {
        self.board.chips = [0; 4];
        self.settle();
    }

    fn fields(&self) -> Vec<SetupField<SetupPiece>> {
        let choices: Vec<SetupPiece> = Card::ALL.map(SetupPiece::Card).into();
        let slot = |seat: Seat, card: Option<Card>| SetupField {
            field: Field::Hands,
            seat: Some(seat),
            entry: SetupEntry::Piece { value: card.map(SetupPiece::Card), choices: choices.clone() },
        };
        let hand = |seat: Seat| self.wished[seat.index()].map(|card| slot(seat, card));
        Seat::all(self.board.seats()).flat_map(hand).collect()
    }

    fn set(&mut self, field: usize, value: SetupValue<SetupPiece>) {
        let Some(slot) = self.wished.as_flattened_mut().get_mut(field) else { return };
        *slot = match value {
            SetupValue::Piece(None) => None,
            SetupValue::Piece(Some(SetupPiece::Card(card))) => Some(card),
            _ => return,
        };
        self.settle();
    }

    /// The winner acted last, and any of that seat's cards may have been the last.
    fn readings(&self) -> Vec<Result<Sequence, BadPosition>> {
        let seats = self.board.seats();
        let last = Seat::from_index((self.board.seat.index() + usize::from(seats) - 1) % usize::from(seats));
        let played: Vec<Vec<Card>> = Seat::all(seats).map(|seat| self.played_by(seat)).collect();
        let mut readings = vec![text::checked(self.board)];
        for turn in 0..played[last.index()].len() {
            let (mut reading, mut discards) = (self.clone(), played.clone());
            discards[last.index()].rotate_left(turn);
            reading.deal(&discards, Some(last));
            readings.push(text::checked(reading.board));
        }
        readings
    }
}
