//! Quixo: cubes in a tray.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use rules::Sign;
use scene::{Edge, Mark};

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
    let art: &[&str] = match (mark.sign.index(), area.height) {
        (_, 0) => &[],
        (_, 1) => &[sign(mark.sign)],
        (0, 2) => &["╲╱", "╱╲"],
        (_, 2) => &["╭╮", "╰╯"],
        (0, 3 | 4) => &["╲ ╱", " ╳ ", "╱ ╲"],
        (_, 3 | 4) => &["╭─╮", "│ │", "╰─╯"],
        (0, _) => &["╲   ╱", " ╲ ╱ ", "  ╳  ", " ╱ ╲ ", "╱   ╲"],
        _ => &["╭───╮", "│   │", "│   │", "│   │", "╰───╯"],
    };
    let style = style.add_modifier(Modifier::BOLD);
    picture(buffer, area, art, style);
    if let Some(dot) = mark.dot {
        // The stud sits on the edge that faces its seat.
        let (x, y) = match dot.edge {
            Edge::Near => (area.x + area.width / 2 + 2, area.bottom() - 1),
            Edge::Left => (area.x, area.y + area.height / 2),
            Edge::Far => (area.x + area.width / 2 + 2, area.y),
            Edge::Right => (area.right() - 1, area.y + area.height / 2),
        };
        put(buffer, x.min(area.right() - 1), y, dot.seat.to_string(), style.add_modifier(Modifier::UNDERLINED));
    }
}

pub(super) fn sign(sign: Sign) -> &'static str {
    if sign.index() == 0 { "×" } else { "○" }
}

pub(super) fn letter(mark: Mark) -> String {
    let symbol = if mark.sign.index() == 0 { "x" } else { "o" };
    mark.dot.map_or(symbol.to_owned(), |dot| format!("{symbol}{}", dot.seat))
}
