//! Quixo: cubes in a tray.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use rules::Side;
use scene::Mark;

use super::{BoardArt, GameArt, Lines, Marking, picture, piece_alone};
use crate::tui::palette::Tint;
use crate::tui::text::put;

pub(super) const ART: GameArt = GameArt { board: &TRAY, pieces: &[] };

/// A tray that cubes fill without a gap.
pub(super) const TRAY: BoardArt = BoardArt {
    sizes: &[(11, 5, Lines::Drawn), (9, 4, Lines::Drawn), (7, 3, Lines::Drawn), (6, 2, Lines::Drawn)],
    compact: &[],
    ground: (Tint::Burnt, Tint::Cube),
    lines: (Tint::Groove, Tint::Cube),
    marking: Marking::Ground,
    square: piece_alone,
};

/// A cube with a symbol on top.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, mark: Mark, style: Style) {
    let art: &[&str] = match (mark.side, area.height) {
        (_, 0) => &[],
        (side, 1) => &[sign(side)],
        (Side::ONE, 2) => &["╲╱", "╱╲"],
        (_, 2) => &["╭╮", "╰╯"],
        (Side::ONE, 3 | 4) => &["╲ ╱", " ╳ ", "╱ ╲"],
        (_, 3 | 4) => &["╭─╮", "│ │", "╰─╯"],
        (Side::ONE, _) => &["╲   ╱", " ╲ ╱ ", "  ╳  ", " ╱ ╲ ", "╱   ╲"],
        _ => &["╭───╮", "│   │", "│   │", "│   │", "╰───╯"],
    };
    let style = style.add_modifier(Modifier::BOLD);
    picture(buffer, area, art, style);
    if let Some(seat) = mark.dot {
        // The stud sits on the edge that faces its seat: 1 below, 2 left, 3 above, 4 right.
        let (x, y) = match seat.index() {
            0 => (area.x + area.width / 2, area.bottom() - 1),
            1 => (area.x, area.y + area.height / 2),
            2 => (area.x + area.width / 2, area.y),
            _ => (area.right() - 1, area.y + area.height / 2),
        };
        let x = if seat.index() % 2 == 0 { x + 2 } else { x };
        put(buffer, x.min(area.right() - 1), y, seat.to_string(), style.add_modifier(Modifier::UNDERLINED));
    }
}

pub(super) fn sign(side: Side) -> &'static str {
    if side == Side::ONE { "×" } else { "○" }
}

pub(super) fn letter(mark: Mark) -> String {
    let symbol = if mark.side == Side::ONE { "x" } else { "o" };
    mark.dot.map_or(symbol.to_owned(), |seat| format!("{symbol}{seat}"))
}
