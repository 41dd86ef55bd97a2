use rules::{Seat, Square};

use crate::{Highlight, Message, Piece, Spot};

/// What an action did, to see and to hear: what to say, what moves, what to mark until the next action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// What happened, in one message.
    pub message: Message,
    /// What moves where. Motions of the same step go together, the steps one after another.
    pub motions: Vec<Motion>,
    /// The last action's squares, and the figures of captures.
    pub highlights: Vec<Highlight>,
}

/// A piece that moves, or that turns over or changes where it lies: then it goes from its square to the same square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// The piece as it arrives.
    pub piece: Piece,
    /// Where it was.
    pub from: Place,
    /// Where it goes.
    pub to: Place,
    /// When, counted from 0.
    pub step: u8,
}

/// Somewhere a piece can come from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A square of the board.
    Square(Square),
    /// Where a piece or card lies that is touched by this spot: a place of the stock.
    Spot(Spot),
    /// Quarto's piece in hand.
    Held,
    /// A seat's hand of cards.
    Hand(Seat),
    /// The draw pile.
    Pile,
    /// A seat's discards.
    Discards(Seat),
    /// A seat's reserve of chips or stones.
    Reserve(Seat),
    /// A seat's captured stones: gone for good.
    Captured(Seat),
}
