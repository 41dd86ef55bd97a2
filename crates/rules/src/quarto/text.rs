//! The position text of Quarto.
//!
//! A game that was won by a call says who called: `1!`. A drawn one has `-` for the seat. With `call=auto` a won game
//! shows on the board, and the seat is the one that placed last.

use std::fmt;

use super::{Call, Piece, Quarto, QuartoOptions, SIZE, bits, placer, win};
use crate::{BadPosition, Field, Outcome, Position, Seat, Square};

impl fmt::Display for Quarto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..SIZE).rev() {
            for column in 0..SIZE {
                match self.piece(Square::new(column, row)) {
                    Some(piece) => write!(f, "{piece}")?,
                    None => f.write_str(".")?,
                }
            }
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        match self.hand {
            Some(piece) => write!(f, "{piece} ")?,
            None => f.write_str("- ")?,
        }
        match Acting::of(self) {
            Acting::Seat(seat) => write!(f, "{seat} ")?,
            Acting::Called(seat) => write!(f, "{seat}! ")?,
            Acting::NoSeat => f.write_str("- ")?,
        }
        match self.last() {
            Some(square) => write!(f, "{square}"),
            None => f.write_str("-"),
        }
    }
}

/// What the seat field says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acting {
    Seat(Seat),
    Called(Seat),
    NoSeat,
}

impl Acting {
    /// What the seat field of a position says.
    pub(super) fn of(position: &Quarto) -> Acting {
        match (position.options.call, position.outcome) {
            (_, Some(Outcome::Draw)) => Acting::NoSeat,
            (Call::Auto, _) | (_, None) => Acting::Seat(position.seat),
            (_, Some(Outcome::Win(_))) => Acting::Called(position.seat),
        }
    }
}

const FIELDS: &[Field] = &[Field::Board, Field::Hand, Field::Seat, Field::LastSquare];

pub(super) fn parse(options: &QuartoOptions, text: &str) -> Result<Quarto, BadPosition> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [board, hand, seat, last] = fields[..] else {
        return Err(BadPosition::Fields { expected: FIELDS, found: fields.len() });
    };
    let mut position = Quarto::start(options);
    parse_board(&mut position, board)?;
    parse_hand(&mut position, hand)?;
    position.last = parse_last(&position, last)?;
    checked(position, parse_seat(seat)?)
}

/// Finds how the game ended, and refuses what cannot arise under the rules.
pub(super) fn checked(mut position: Quarto, acting: Acting) -> Result<Quarto, BadPosition> {
    (position.outcome, position.row_to_call) = (None, false);
    check_seat(&mut position, acting)?;
    judge(&mut position, acting)?;
    Ok(position)
}

fn parse_board(position: &mut Quarto, text: &str) -> Result<(), BadPosition> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != SIZE as usize || ranks.iter().any(|rank| rank.chars().count() != SIZE as usize) {
        return Err(BadPosition::Ranks { field: Field::Board, ranks: SIZE, cells: SIZE });
    }
    for (row, rank) in ranks.iter().rev().enumerate() {
        for (column, cell) in rank.chars().enumerate() {
            if cell == '.' {
                continue;
            }
            let piece =
                parse_piece(cell.encode_utf8(&mut [0; 4])).ok_or_else(|| BadPosition::value(Field::Board, "0…f, ."))?;
            take(position, piece)?;
            let index = 4 * row + column;
            position.board |= u64::from(piece.bits()) << (4 * index);
            position.taken |= 15 << (4 * index);
            position.empty &= !(1 << index);
        }
    }
    Ok(())
}

fn parse_hand(position: &mut Quarto, text: &str) -> Result<(), BadPosition> {
    if text == "-" {
        return Ok(());
    }
    let piece = parse_piece(text).ok_or_else(|| BadPosition::value(Field::Hand, "0…f, -"))?;
    take(position, piece)?;
    position.hand = Some(piece);
    Ok(())
}

fn parse_piece(text: &str) -> Option<Piece> {
    text.parse().ok()
}

/// Takes a piece from the stock: there is one of each (QA1).
fn take(position: &mut Quarto, piece: Piece) -> Result<(), BadPosition> {
    if !position.stock().contains(piece) {
        return Err(BadPosition::PieceTwice(piece));
    }
    position.stock &= !(1 << piece.bits());
    Ok(())
}

fn parse_last(position: &Quarto, text: &str) -> Result<Option<u8>, BadPosition> {
    let bare = position.taken == 0;
    if text == "-" {
        return if bare { Ok(None) } else { Err(BadPosition::LastSquareMissing) };
    }
    let square: Square = text
        .parse()
        .ok()
        .filter(|square: &Square| square.column < SIZE && square.row < SIZE)
        .ok_or_else(|| BadPosition::value(Field::LastSquare, "a1…d4, -"))?;
    if position.piece(square).is_none() {
        return Err(BadPosition::LastSquareEmpty(square));
    }
    Ok(Some(bits::index(square) as u8))
}

fn parse_seat(text: &str) -> Result<Acting, BadPosition> {
    match text {
        "1" => Ok(Acting::Seat(Seat::ONE)),
        "2" => Ok(Acting::Seat(Seat::TWO)),
        "1!" => Ok(Acting::Called(Seat::ONE)),
        "2!" => Ok(Acting::Called(Seat::TWO)),
        "-" => Ok(Acting::NoSeat),
        _ => Err(BadPosition::value(Field::Seat, "1, 2, 1!, 2!, -")),
    }
}

/// The pieces placed and the hand tell whose turn it is (QA3), but for the passes on a full board (QA10).
fn check_seat(position: &mut Quarto, acting: Acting) -> Result<(), BadPosition> {
    let placed = position.taken.count_ones() / 4;
    let due = if position.hand.is_some() { placer(placed + 1) } else { placer(placed) };
    let calls = position.options.call != Call::Auto;
    position.seat = match acting {
        Acting::Seat(seat) | Acting::Called(seat) => seat,
        // The second pass is seat 2's; without calls the last placement ends the game.
        Acting::NoSeat if calls => Seat::TWO,
        Acting::NoSeat => due,
    };
    let full = position.is_full();
    if !calls && matches!(acting, Acting::Called(_)) {
        return Err(BadPosition::NobodyCalls);
    }
    if acting == Acting::NoSeat && !full {
        return Err(BadPosition::PassedTooSoon);
    }
    if position.seat != due && !(full && calls) {
        return Err(BadPosition::TurnOf(due));
    }
    Ok(())
}

/// Finds the rows that decide the game, and refuses those that would have decided it before.
fn judge(position: &mut Quarto, acting: Acting) -> Result<(), BadPosition> {
    let last = position.last();
    let (mut fresh, mut older) = (false, false);
    for row in position.rows() {
        if last.is_some_and(|last| row.squares.contains(&last)) {
            fresh = true;
        } else {
            older = true;
        }
    }
    match position.options.call {
        Call::Auto if older => {
            return Err(BadPosition::OlderRow);
        }
        Call::Auto if fresh && position.hand.is_some() => {
            return Err(BadPosition::GivenAfterRow);
        }
        Call::Auto if fresh => position.outcome = win(position.seat),
        Call::Auto if position.is_full() && acting != Acting::NoSeat => {
            return Err(BadPosition::value(Field::Seat, "-"));
        }
        Call::Auto => {}
        Call::Lapse => position.row_to_call = fresh,
        Call::Open => position.row_to_call = fresh || older,
    }
    match acting {
        Acting::Seat(_) => {}
        Acting::Called(_) if !position.row_to_call => {
            return Err(BadPosition::NoRowCalled);
        }
        Acting::Called(seat) => position.outcome = win(seat),
        Acting::NoSeat if position.outcome.is_some() => return Err(BadPosition::TurnOf(position.seat)),
        Acting::NoSeat => position.outcome = Some(Outcome::Draw),
    }
    Ok(())
}
