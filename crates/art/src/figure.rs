//! The figures of rules pages.

use rules::{Shows, Square};
use scene::{Piece, Scene};

use crate::defs::defs_for;
use crate::drawing;
use crate::layout::{CELL, Layout, Turned};
use crate::picture::{arrow_shape, middle, named, whole};

/// How many pieces stand in a row of a figure.
const IN_ROW: usize = 8;
/// The room around a piece.
const ROOM: i32 = 12;

/// A figure as a file of its own, with all that it needs: the board with what the scene marks, or the pieces alone.
///
/// A screen reader reads `title`.
pub fn figure_svg(scene: &Scene, shows: Shows, title: &str) -> String {
    let (width, height, shapes) = match shows {
        Shows::Pieces => row_of(&pieces(scene)),
        Shows::Hand => row_of(&hand(scene)),
        Shows::Held => beside(scene),
        Shows::Touched(_) => {
            let (width, height, shapes) = board(scene);
            (width, height, shapes + &ways_in(scene))
        }
        Shows::Board | Shows::After(_) => board(scene),
    };
    let (defs, title) = (defs_for(&shapes), named(title));
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}">{title}{defs}{shapes}</svg>"#
    )
}

fn board(scene: &Scene) -> (i32, i32, String) {
    let layout = Layout::new(scene, Turned::Upright);
    (layout.width(), layout.height(), whole(scene, &layout))
}

/// Arrows from the few squares where a touched piece may enter, with letters: the way it pushes. Nothing where there are many.
fn ways_in(scene: &Scene) -> String {
    let layout = Layout::new(scene, Turned::Upright);
    let way = |(letter, (from, to)): (char, (Square, Square))| {
        let (x, y) = middle(from, &layout);
        // The arrow shows the way; drawn in full it would meet the others.
        let towards = |from: u8, to: u8| from.saturating_add_signed((i16::from(to) - i16::from(from)).signum() as i8);
        let next = Square::new(towards(from.column, to.column), towards(from.row, to.row));
        let arrow = arrow_shape(from, next, &layout);
        let letter = format!(
            r##"<circle cx="{x}" cy="{y}" r="30" fill="#ffcf6b" stroke="#4a2508" stroke-width="6"/><text x="{x}" y="{}" font-family="sans-serif" font-size="44" font-weight="bold" text-anchor="middle" fill="#4a2508">{letter}</text>"##,
            y + 16
        );
        arrow + &letter
    };
    ('A'..).zip(scene.few_ways()).map(way).collect()
}

/// The board with the piece in hand on its right, twice as large as on a square.
fn beside(scene: &Scene) -> (i32, i32, String) {
    let (width, height, board) = board(scene);
    let (side, tall) = (2 * CELL, 3 * CELL);
    let held = scene.held.and_then(|(_, piece)| drawing(piece));
    let held = held.map(|drawing| drawing.inside(width + ROOM, (height - tall) / 2, side, tall)).unwrap_or_default();
    (width + side + 2 * ROOM, height, format!("{board}{held}"))
}

/// A scene to be judged without a page around it: the board, the piece in hand beside it, and the cards to choose from below.
///
/// A screen reader reads `title`.
pub fn position_svg(scene: &Scene, title: &str) -> String {
    let (width, height, shapes) = if scene.held.is_some() { beside(scene) } else { board(scene) };
    let cards = hand(scene);
    let (height, shapes) = if cards.is_empty() {
        (height, shapes)
    } else {
        let (row, tall, faces) = row_of(&cards);
        // A fourth of the board's width for each card, side by side in the middle.
        let scale = f64::from(width) / 4.0 / f64::from(CELL + ROOM);
        let left = (f64::from(width) - f64::from(row) * scale) / 2.0;
        let below = format!(r#"<g transform="translate({left:.0} {height}) scale({scale:.2})">{faces}</g>"#);
        (height + (f64::from(tall) * scale) as i32, shapes + &below)
    };
    let (defs, title) = (defs_for(&shapes), named(title));
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}">{title}{defs}{shapes}</svg>"#
    )
}

fn row_of(pieces: &[Piece]) -> (i32, i32, String) {
    let drawings: Vec<_> = pieces.iter().filter_map(|&piece| drawing(piece)).collect();
    let tallest = drawings.iter().map(|drawing| i32::from(drawing.height)).max().unwrap_or(CELL);
    let (step_x, step_y) = (CELL + ROOM, tallest + ROOM);
    let place = |(index, drawing): (usize, &drawing::Drawing)| {
        let (x, y) = ((index % IN_ROW) as i32 * step_x + ROOM, (index / IN_ROW) as i32 * step_y + ROOM);
        drawing.inside(x, y, CELL, tallest)
    };
    let columns = drawings.len().clamp(1, IN_ROW) as i32;
    let rows = drawings.len().div_ceil(IN_ROW).max(1) as i32;
    let shapes: String = drawings.iter().enumerate().map(place).collect();
    (columns * step_x + ROOM, rows * step_y + ROOM, shapes)
}

/// Each piece once.
fn pieces(scene: &Scene) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for piece in scene.pieces() {
        if let Err(place) = pieces.binary_search(&piece) {
            pieces.insert(place, piece);
        }
    }
    pieces
}

fn hand(scene: &Scene) -> Vec<Piece> {
    scene.hands.iter().flat_map(|hand| &hand.cards).filter_map(|held| held.card).collect()
}
