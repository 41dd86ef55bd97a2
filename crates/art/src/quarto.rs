//! Quarto's figures in three-quarter view, and a board with round wells.

use scene::{Attribute, BoardStyle, Figure, Ground, Piece, Quality};

use crate::GameArt;
use crate::defs::Gradient;
use crate::drawing::Drawing;
use crate::layout::{Inset, Layout, StyleArt};

pub(crate) const ART: GameArt = GameArt { board: &WELLS, piece, gradients: &[GRADIENTS] };

fn piece(piece: Piece) -> Option<Drawing> {
    match piece {
        Piece::Figure(figure) => Some(self::figure(figure)),
        _ => None,
    }
}

const GRADIENTS: &[Gradient] = &[
    Gradient::across("maple-round", "0 #d9b27a, .25 #f1d6a8, .7 #cfa066, 1 #a87843"),
    Gradient::across("maple-left", "0 #efd2a2, 1 #dfb981"),
    Gradient::across("maple-right", "0 #c6965a, 1 #a97a45"),
    Gradient::down("maple-top", "0 #fbe8c6, 1 #e6c48f"),
    Gradient::across("walnut-round", "0 #5f3a20, .25 #8d5d38, .7 #5a3620, 1 #341e10"),
    Gradient::across("walnut-left", "0 #7e5231, 1 #6a4226"),
    Gradient::across("walnut-right", "0 #4c2d18, 1 #38200f"),
    Gradient::down("walnut-top", "0 #9a6a43, 1 #70482a"),
    Gradient::radial("wells", r#"cx=".2" cy=".1" r="1.2""#, "0 #b27d46, .55 #845630, 1 #623b1d"),
    Gradient::radial("well", r#"cx=".5" cy=".6" r=".78""#, "0 #704620, .36 #5f3919, .58 #43250e, .71 #2b1505"),
    Gradient::linear("well-rim", r#"x1="0" y1="0" x2="0" y2="1""#, "0 #3a1e0a, .5 #6b4322, 1 #b98a55"),
];

/// Wells sunk into a wooden board, seen a little from the front.
pub(crate) const WELLS: StyleArt = StyleArt {
    style: BoardStyle::Wells,
    gap: 10,
    margin: |_| 19,
    top: Some(50),
    corner: 26,
    cell_corner: 50,
    inset: Inset { top: -48, side: 3, bottom: 7 },
    surface,
    square: well,
};

fn surface(layout: &Layout) -> String {
    let (width, height, corner) = (layout.width(), layout.height(), layout.corner());
    format!(
        r##"<rect width="{width}" height="{height}" rx="{corner}" fill="url(#wells)"/><svg width="{width}" height="{height}" viewBox="0 0 400 420" preserveAspectRatio="none"><path d="M0 22C120 6 260 44 400 18M0 128C130 108 240 150 400 124M0 236C110 214 280 262 400 232M0 338C140 320 250 366 400 336M0 402C140 388 260 418 400 400" fill="none" stroke="#381d08" stroke-opacity=".16" stroke-width="1.6"/></svg>{}"##,
        layout.bevel()
    )
}

fn well(_: Ground) -> Option<Drawing> {
    let shapes = r##"<circle cx="50" cy="50" r="49.5" fill="url(#well)" stroke="url(#well-rim)"/>"##;
    Some(Drawing::square(shapes.to_owned()))
}

/// Where the figure stands, from the top of its frame.
const GROUND: i32 = 130;

/// Round is a cylinder, square a prism; tall is 1.7 times short; hollow has a dark well in its top.
///
/// Walnut carries a light rim and maple a dark one, so that colour is never the only sign.
pub(crate) fn figure(figure: Figure) -> Drawing {
    let wood = if figure.quality(Attribute::Colour) == Quality::Dark { "walnut" } else { "maple" };
    let rim = if wood == "walnut" { "#d9b98a" } else { "#6b4320" };
    let height = if figure.quality(Attribute::Height) == Quality::Tall { 85 } else { 50 };
    let body = if figure.quality(Attribute::Shape) == Quality::Round {
        cylinder(wood, rim, height)
    } else {
        prism(wood, rim, height)
    };
    let top = GROUND - 13 - height;
    let well = match figure.quality(Attribute::Top) {
        Quality::Hollow => format!(
            r##"<ellipse cx="50" cy="{top}" rx="17" ry="7" fill="#1c100a"/><path d="M34.5 {y} a17 7 0 0 0 31 0" fill="none" stroke="{rim}" stroke-width="1.6" stroke-opacity=".8"/>"##,
            y = top + 2
        ),
        _ => String::new(),
    };
    let shapes = format!(r##"<ellipse cx="54" cy="{GROUND}" rx="46" ry="17" fill="url(#contact)"/>{body}{well}"##);
    Drawing { width: 100, height: 150, shapes }
}

fn cylinder(wood: &str, rim: &str, height: i32) -> String {
    let base = GROUND - 13;
    let top = base - height;
    format!(
        r##"<path d="M18 {top} V{base} a32 13 0 0 0 64 0 V{top} z" fill="url(#{wood}-round)" stroke="{rim}" stroke-width="1.4" stroke-opacity=".75"/><path d="M32 {g1} V{g2} M61 {g3} V{g4}" stroke="{rim}" stroke-opacity=".16" stroke-width="1.4" fill="none"/><ellipse cx="50" cy="{top}" rx="32" ry="13" fill="url(#{wood}-top)" stroke="{rim}" stroke-width="2"/>"##,
        g1 = top + 16,
        g2 = base + 6,
        g3 = top + 18,
        g4 = base + 8,
    )
}

fn prism(wood: &str, rim: &str, height: i32) -> String {
    let base = GROUND - 13;
    let top = base - height;
    let (near, far, foot) = (top + 15, top - 15, base + 15);
    format!(
        r##"<path d="M14 {top} L50 {near} V{foot} L14 {base} z" fill="url(#{wood}-left)" stroke="{rim}" stroke-width="1.4" stroke-opacity=".75" stroke-linejoin="round"/><path d="M86 {top} L50 {near} V{foot} L86 {base} z" fill="url(#{wood}-right)" stroke="{rim}" stroke-width="1.4" stroke-opacity=".75" stroke-linejoin="round"/><path d="M26 {g1} V{g2} M64 {g3} V{g4}" stroke="{rim}" stroke-opacity=".16" stroke-width="1.4"/><path d="M50 {far} L86 {top} L50 {near} L14 {top} z" fill="url(#{wood}-top)" stroke="{rim}" stroke-width="2" stroke-linejoin="round"/><path d="M50 {near} V{foot}" stroke="{rim}" stroke-opacity=".55" stroke-width="1.4"/>"##,
        g1 = top + 14,
        g2 = base + 2,
        g3 = top + 14,
        g4 = base + 6,
    )
}
