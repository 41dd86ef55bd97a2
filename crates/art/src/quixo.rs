//! Quixo's cubes, seen from above, and the tray that they fill.

use scene::{BoardStyle, Edge, Mark, Piece};

use crate::GameArt;
use crate::defs::Gradient;
use crate::drawing::Drawing;
use crate::layout::{Inset, Layout, StyleArt};

pub(crate) const ART: GameArt = GameArt { board: &TRAY, piece, gradients: &[GRADIENTS] };

fn piece(piece: Piece) -> Option<Drawing> {
    match piece {
        Piece::Cube(mark) => Some(cube(mark)),
        _ => None,
    }
}

const GRADIENTS: &[Gradient] = &[
    Gradient::down("cube-face", "0 #f3dcb3, 1 #ddb67d"),
    Gradient::down("cube-edge", "0 #fff0d2, .5 #c99d63, 1 #8e6334"),
    Gradient::radial("brass", r#"cx=".36" cy=".3" r=".85""#, "0 #ffe9b0, .5 #d9a441, 1 #7d5510"),
    Gradient::down("tray", "0 #6d4526, 1 #45290f"),
    Gradient::linear(
        "tray-shade",
        r#"x1="0" y1="0" x2="0" y2="1""#,
        "0 #0f0600 .7, .1 #0f0600 .25, .9 #0f0600 .2, 1 #0f0600 .3",
    ),
];

/// Cubes in a tight tray.
pub(crate) const TRAY: StyleArt = StyleArt {
    style: BoardStyle::Tray,
    gap: 3,
    margin: |_| 19,
    top: None,
    corner: 22,
    cell_corner: 14,
    inset: Inset::even(0),
    surface,
    square: |_| None,
};

fn surface(layout: &Layout) -> String {
    let (width, height, corner) = (layout.width(), layout.height(), layout.corner());
    format!(
        r##"<rect width="{width}" height="{height}" rx="{corner}" fill="url(#tray)"/><rect x="4" y="4" width="{}" height="{}" rx="{}" fill="none" stroke="#ffdcaa" stroke-opacity=".13" stroke-width="8"/><rect x="2" y="2" width="{}" height="{}" rx="{}" fill="none" stroke="url(#tray-shade)" stroke-width="4"/>"##,
        width - 8,
        height - 8,
        corner - 4,
        width - 4,
        height - 4,
        corner - 2
    )
}

/// A cube with its symbol burnt in; blank wood without one.
pub(crate) fn cube(mark: Option<Mark>) -> Drawing {
    let symbol = match mark {
        None => "",
        Some(Mark { sign, .. }) if sign.index() == 0 => {
            r##"<g fill="none" stroke-linecap="round"><path d="M32 32 L68 68 M68 32 L32 68" stroke="#7a4a20" stroke-width="15" stroke-opacity=".35"/><path d="M32 32 L68 68 M68 32 L32 68" stroke="#3a1d0b" stroke-width="10"/></g>"##
        }
        Some(_) => {
            r##"<g fill="none"><circle cx="50" cy="50" r="21" stroke="#7a4a20" stroke-width="15" stroke-opacity=".35"/><circle cx="50" cy="50" r="21" stroke="#3a1d0b" stroke-width="10"/></g>"##
        }
    };
    let stud = mark.and_then(|mark| mark.dot).map(|dot| stud(dot.edge)).unwrap_or_default();
    Drawing::square(format!(
        r##"<rect x="2" y="2" width="96" height="96" rx="11" fill="url(#cube-edge)"/><rect x="8" y="8" width="84" height="84" rx="8" fill="url(#cube-face)"/><path d="M12 30 C35 24 60 38 88 31 M12 72 C38 66 62 80 88 71 M12 51 C40 47 58 56 88 52" fill="none" stroke="#a5763d" stroke-opacity=".28" stroke-width="1.3"/>{symbol}{stud}"##
    ))
}

/// The dot is a brass stud on the edge that faces its owner.
fn stud(edge: Edge) -> String {
    let (x, y) = match edge {
        Edge::Near => (50, 86),
        Edge::Left => (14, 50),
        Edge::Far => (50, 14),
        Edge::Right => (86, 50),
    };
    format!(r##"<circle cx="{x}" cy="{y}" r="7.5" fill="url(#brass)" stroke="#5e3f0b" stroke-width="1.5"/>"##)
}
