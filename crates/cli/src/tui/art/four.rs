//! Four: stones on a field of points.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use rules::Sign;
use scene::{Cell, Ground};

use super::{BoardArt, GameArt, Lines, Look, Marking};
use crate::tui::palette::Tint;
use crate::tui::text::centre;

pub(super) const ART: GameArt = GameArt { board: &GRID, pieces: &[] };

/// A plain board, however many squares it has.
pub(super) const GRID: BoardArt = BoardArt {
    sizes: &[(5, 2, Lines::Drawn), (3, 1, Lines::Drawn), (3, 1, Lines::Left), (2, 1, Lines::Left)],
    compact: &[],
    ground: (Tint::Black, Tint::Honey),
    lines: (Tint::Burnt, Tint::Honey),
    marking: Marking::Point,
    square,
};

fn square(look: Look, buffer: &mut Buffer, area: Rect, cell: &Cell, style: Style) {
    match cell.piece {
        Some(piece) => look.piece(buffer, area, piece, style),
        None if cell.ground == Ground::Gap => {}
        None => centre(buffer, area, "·", style.patch(look.lines(&GRID))),
    }
}

/// The colour of a stone.
pub(super) fn tint(colour: Sign) -> Tint {
    if colour.index() == 0 { Tint::Black } else { Tint::White }
}

pub(super) fn sign(colour: Sign) -> &'static str {
    if colour.index() == 0 { "●" } else { "○" }
}

pub(super) fn letter(colour: Sign) -> &'static str {
    if colour.index() == 0 { "x" } else { "o" }
}
