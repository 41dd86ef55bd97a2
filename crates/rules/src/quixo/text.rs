//! The position text of Quixo.

use std::fmt;

use super::{Cube, Players, Quixo, SIZE, bits};
use crate::{BadPosition, Field, Outcome, Seat, Square};

impl fmt::Display for Quixo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..SIZE).rev() {
            for column in 0..SIZE {
                let letter = match self.cube(Square::new(column, row)) {
                    Cube::Blank => '.',
                    Cube::Marked { owner, .. } => ['x', 'o', 'X', 'O'][owner.index()],
                };
                write!(f, "{letter}")?;
            }
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        match self.players {
            Players::Two => write!(f, "{}", self.seat),
            Players::Four => write!(f, "{} {}", self.seat, self.passes),
        }
    }
}

const FIELDS: &[Field] = &[Field::Board, Field::Seat, Field::Passes];

pub(super) fn parse(players: Players, text: &str) -> Result<Quixo, BadPosition> {
    let fields: Vec<&str> = text.split(' ').collect();
    let (board, seat, passes) = match (players, fields.as_slice()) {
        (Players::Two, [board, seat]) => (board, seat, "0"),
        (Players::Four, [board, seat, passes]) => (board, seat, *passes),
        (Players::Two, _) => return Err(BadPosition::Fields { expected: &FIELDS[..2], found: fields.len() }),
        (Players::Four, _) => return Err(BadPosition::Fields { expected: FIELDS, found: fields.len() }),
    };
    let (both, second) = parse_board(players, board)?;
    let seat = seat
        .parse()
        .ok()
        .filter(|seat: &Seat| seat.number() <= players.count())
        .ok_or_else(|| BadPosition::value(Field::Seat, format!("1…{}", players.count())))?;
    let passes = match passes {
        "0" | "1" | "2" | "3" | "4" => passes.as_bytes()[0] - b'0',
        _ => return Err(BadPosition::value(Field::Passes, "0…4")),
    };
    checked(Quixo { both, second, seat, passes, players, outcome: None })
}

/// Finds how the game ended, and refuses what cannot arise under the rules.
pub(super) fn checked(mut position: Quixo) -> Result<Quixo, BadPosition> {
    let mover = (position.seat.index() + 1) & 1;
    position.outcome = position.judge(mover);
    check_counts(&position)?;
    check_passes(&position)?;
    if position.passes == 4 {
        position.outcome = Some(Outcome::Draw);
    }
    Ok(position)
}

fn parse_board(players: Players, text: &str) -> Result<(u64, u32), BadPosition> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != SIZE as usize || ranks.iter().any(|rank| rank.chars().count() != SIZE as usize) {
        return Err(BadPosition::Ranks { field: Field::Board, ranks: SIZE, cells: SIZE });
    }
    let (mut both, mut second) = (0, 0);
    for (row, rank) in ranks.iter().rev().enumerate() {
        for (column, cell) in rank.chars().enumerate() {
            let bit = bits::bit(Square::new(column as u8, row as u8));
            let side = match (cell, players) {
                ('.', _) => continue,
                ('x', _) | ('X', Players::Four) => 0,
                ('o', _) | ('O', Players::Four) => 1,
                (_, Players::Two) => return Err(BadPosition::value(Field::Board, ". x o")),
                (_, Players::Four) => return Err(BadPosition::value(Field::Board, ". x X o O")),
            };
            both |= u64::from(bit) << (32 * side);
            if cell.is_ascii_uppercase() {
                second |= bit;
            }
        }
    }
    Ok((both, second))
}

/// Marks never leave the board and every push leaves one of the mover's, so early positions are bound.
fn check_counts(position: &Quixo) -> Result<(), BadPosition> {
    let [x, o] = [0, 1].map(|side| position.marks_of(side).count_ones());
    let possible = match (x, o) {
        (0, 0) => position.seat == Seat::ONE,
        (0, _) => false,
        (1, 0) => position.seat == Seat::TWO,
        (_, 0) => false,
        _ => true,
    };
    if possible {
        return Ok(());
    }
    Err(BadPosition::Marks { x, o, seat: position.seat })
}

/// A seat passes exactly when it can take no cube (QX7), and a line ends the game before any pass.
fn check_passes(position: &Quixo) -> Result<(), BadPosition> {
    if position.passes > 0 && position.outcome.is_some() {
        return Err(BadPosition::AfterTheEnd);
    }
    let mut seat = position.seat;
    for _ in 0..position.passes {
        seat = Seat::from_index((seat.index() + 3) % 4);
        if position.takeable_by(seat) != 0 {
            return Err(BadPosition::CouldAct(seat));
        }
    }
    Ok(())
}
