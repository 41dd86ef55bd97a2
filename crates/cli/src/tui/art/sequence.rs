//! Sequence: chips on picture tiles, and cards by their names.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use rules::Sign;
use scene::{Card, Cell, Ground, Piece, Token};

use super::{BoardArt, GameArt, Lines, Look, Marking};
use crate::tui::palette::Tint;
use crate::tui::text::{centre, fit};

pub(super) const ART: GameArt = GameArt { board: &PICTURES, pieces: &[] };

/// Tiles of paper with the names of what they show.
pub(super) const PICTURES: BoardArt = BoardArt {
    sizes: &[(12, 4, Lines::Drawn), (10, 3, Lines::Drawn), (9, 2, Lines::Drawn), (8, 2, Lines::Drawn)],
    compact: &[(5, 1, Lines::Drawn)],
    ground: (Tint::Ink, Tint::Paper),
    lines: (Tint::FadedInk, Tint::Paper),
    marking: Marking::Ground,
    square: tile,
};

fn tile(look: Look, buffer: &mut Buffer, area: Rect, cell: &Cell, style: Style) {
    match cell.ground {
        Ground::Picture(card) => picture(look, buffer, area, card, cell.piece, style),
        Ground::Corner => centre(buffer, area, "●■▲★", style),
        Ground::Unlaid | Ground::Well | Ground::Slot | Ground::Cell | Ground::OfGame(_) => {
            centre(buffer, area, "?", style)
        }
        Ground::Gap => {}
    }
}

fn picture(look: Look, buffer: &mut Buffer, area: Rect, card: Card, piece: Option<Piece>, style: Style) {
    let plain = style.bg == look.ground(&PICTURES).bg;
    let faded = piece.is_some() && plain && look.palette.has_colours();
    let style = if faded { style.patch(look.palette.text(Tint::FadedInk)) } else { style };
    if area.height == 1 {
        // One line for both: the chip, then as much of the name as there is room for.
        let chip = piece.map_or(String::new(), |piece| super::sign(piece).to_owned());
        return centre(buffer, area, &fit(&format!("{chip}{}", locale::card(look.language, card)), area.width), style);
    }
    let top = Rect { height: area.height.div_ceil(2), ..area };
    centre(buffer, top, &fit(locale::card(look.language, card), area.width), style);
    if let Some(piece) = piece {
        look.piece(buffer, Rect { y: area.bottom() - 1, height: 1, ..area }, piece, style);
    }
}

/// A chip takes one line, in the middle of the area.
pub(super) fn draw_chip(look: Look, buffer: &mut Buffer, area: Rect, chip: Token) {
    let line = Rect { y: area.y + area.height / 2, height: area.height.min(1), ..area };
    let style = look.palette.chip(chip.sign);
    if look.palette.has_colours() {
        buffer.set_style(line, style);
    }
    centre(buffer, line, &format!("{} {}", sign(chip.sign), chip.seat), style);
}

pub(super) fn draw_card(look: Look, buffer: &mut Buffer, area: Rect, card: Card, style: Style) {
    centre(buffer, area, &fit(locale::card(look.language, card), area.width), style);
}

/// A chip of a colour as one character.
pub(super) const fn sign(colour: Sign) -> &'static str {
    ["●", "■", "▲", "★"][colour.index()]
}
