//! A board in letters, for `repr`.

use rules::{Side, Turn};
use scene::{Card, Cell, Figure, Ground, Mark, Piece, Scene};

/// The ranks from the top, numbered, with the letters of the columns below.
pub(crate) fn board(scene: &Scene) -> String {
    let columns: Vec<String> = (0..scene.board.columns).map(|column| char::from(b'a' + column).to_string()).collect();
    let mut lines: Vec<String> = scene
        .board
        .ranks_from_top()
        .map(|rank| {
            let number = rank.first().map_or(0, |cell| cell.square.row + 1);
            let empty = |cell: &Cell| if cell.ground == Ground::Gap { " " } else { "." };
            let cells: Vec<String> =
                rank.iter().map(|cell| cell.piece.map_or_else(|| empty(cell).to_owned(), letter)).collect();
            format!("{number:>2} {}", cells.join(" ").trim_end())
        })
        .collect();
    lines.push(format!("   {}", columns.join(" ")));
    lines.join("\n")
}

/// Who acts, in words.
pub(crate) fn turn(turn: Turn) -> String {
    match turn {
        Turn::Seat(seat) => format!("seat {seat} to act"),
        Turn::Chance => "chance to act".to_owned(),
        Turn::Over(rules::Outcome::Win(side)) => format!("won by side {side}"),
        Turn::Over(rules::Outcome::Draw) => "drawn".to_owned(),
    }
}

/// The letter that position texts use for a piece.
fn letter(piece: Piece) -> String {
    match piece {
        Piece::Figure(figure) => Figure::to_string(&figure),
        Piece::Cube(None) => ".".to_owned(),
        Piece::Cube(Some(Mark { side, dot, .. })) => {
            let letter = if side == Side::ONE { "x" } else { "o" };
            if dot.is_some_and(|dot| dot.seat.index() >= 2) { letter.to_uppercase() } else { letter.to_owned() }
        }
        Piece::Stone(stone) => (if stone.seat.index() == 0 { "x" } else { "o" }).to_owned(),
        Piece::Chip(chip) => chip.seat.to_string(),
        Piece::Card(card) => card.map_or("?", Card::name).to_owned(),
        Piece::OfGame(piece) => piece.key.to_owned(),
    }
}
