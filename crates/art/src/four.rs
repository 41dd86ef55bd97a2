//! The stones of Four, and a quiet board with thin lines.

use rules::Sign;
use scene::{BoardStyle, Piece};

use crate::GameArt;
use crate::defs::Gradient;
use crate::drawing::Drawing;
use crate::layout::{CELL, Inset, Layout, StyleArt};

pub(crate) const ART: GameArt = GameArt { board: &GRID, piece, gradients: &[STONES, &[HONEY]] };

fn piece(piece: Piece) -> Option<Drawing> {
    match piece {
        Piece::Stone(stone) => Some(self::stone(stone.sign)),
        _ => None,
    }
}

/// The gradients of the stones, for games that play with the same.
pub(crate) const STONES: &[Gradient] = &[
    Gradient::radial("stone-black", r#"cx=".36" cy=".3" r=".85""#, "0 #6b6660, .45 #2d2a27, 1 #0c0b0a"),
    Gradient::radial("stone-white", r#"cx=".36" cy=".3" r=".85""#, "0 #ffffff, .6 #efeae0, 1 #bdb3a2"),
];

const HONEY: Gradient = Gradient::linear("honey", r#"x1=".16" y1="-.09" x2=".84" y2="1.09""#, "0 #efd9a4, 1 #dcb873");

/// A plain board divided by thin lines, however many squares it has.
pub(crate) const GRID: StyleArt = StyleArt {
    style: BoardStyle::Grid,
    gap: 0,
    // The margin stays the same part of the board, whose squares may be few or many.
    margin: |columns| columns as u16 * 3 / 2,
    top: None,
    corner: 14,
    cell_corner: 0,
    inset: Inset::even(5),
    surface,
    square: |_| None,
};

fn surface(layout: &Layout) -> String {
    let (width, height, corner, margin) = (layout.width(), layout.height(), layout.corner(), layout.margin());
    let (right, bottom) = (width - margin, height - margin);
    let lines_down = (0..=i32::from(layout.columns)).map(|x| format!("M{} {margin}V{bottom}", margin + x * CELL));
    let lines_across = (0..=i32::from(layout.rows)).map(|y| format!("M{margin} {}H{right}", margin + y * CELL));
    let lines: String = lines_down.chain(lines_across).collect();
    format!(
        r##"<rect width="{width}" height="{height}" rx="{corner}" fill="url(#honey)"/><rect x="2" y="2" width="{}" height="{}" rx="{}" fill="none" stroke="#785019" stroke-opacity=".35" stroke-width="4"/><path class="lines" d="{lines}" fill="none" stroke="#603e10" stroke-opacity=".6" stroke-width="2.4"/>{}"##,
        width - 4,
        height - 4,
        corner - 2,
        layout.bevel()
    )
}

/// Black carries a light ring and white a dark one, so that they differ in more than their colour.
pub(crate) fn stone(sign: Sign) -> Drawing {
    let is_black = sign.index() == 0;
    let (fill, ring) = if is_black { ("stone-black", "#8b847b") } else { ("stone-white", "#6f6350") };
    let sign = if is_black {
        ""
    } else {
        r##"<circle cx="50" cy="50" r="9" fill="none" stroke="#b3a78f" stroke-width="3"/>"##
    };
    Drawing::square(format!(
        r##"<ellipse cx="54" cy="57" rx="46" ry="43" fill="url(#contact)"/><circle cx="50" cy="50" r="41" fill="url(#{fill})" stroke="{ring}" stroke-width="2.5"/>{sign}"##
    ))
}
