//! Sequence's cards and chips, and a bright board of pictures.

mod animals;

pub(crate) use animals::{Sketch, animal, card};

use rules::Sign;
use scene::{BoardStyle, Ground, Piece};

use crate::GameArt;
use crate::defs::Gradient;
use crate::drawing::Drawing;
use crate::layout::{Inset, Layout, StyleArt};

pub(crate) const ART: GameArt = GameArt { board: &PICTURES, piece, gradients: &[GRADIENTS] };

fn piece(piece: Piece) -> Option<Drawing> {
    match piece {
        Piece::Chip(chip) => Some(self::chip(chip.sign)),
        Piece::Card(card) => card.map(self::card),
        _ => None,
    }
}

const GRADIENTS: &[Gradient] =
    &[Gradient::linear("meadow", r#"x1=".28" y1="-.1" x2=".72" y2="1.1""#, "0 #3c7a66, 1 #1f4a4a")];

/// Rounded tiles, each with its picture.
pub(crate) const PICTURES: StyleArt = StyleArt {
    style: BoardStyle::Pictures,
    gap: 7,
    margin: |_| 15,
    top: None,
    corner: 23,
    cell_corner: 14,
    inset: Inset::even(9),
    surface,
    square: tile,
};

fn surface(layout: &Layout) -> String {
    let (width, height, corner) = (layout.width(), layout.height(), layout.corner());
    format!(r##"<rect width="{width}" height="{height}" rx="{corner}" fill="url(#meadow)"/>{}"##, layout.bevel())
}

fn tile(ground: Ground) -> Option<Drawing> {
    let printed = match ground {
        Ground::Picture(card) => animals::card(card).shapes,
        Ground::Corner => free_corner().to_owned(),
        // A tile that is not laid yet is blank; other grounds are not printed.
        Ground::Unlaid | Ground::Well | Ground::Slot | Ground::Cell | Ground::Gap | Ground::OfGame(_) => String::new(),
    };
    Some(Drawing::square(format!(
        r##"<rect y="2" width="100" height="100" rx="14" fill="#000" fill-opacity=".3"/><rect width="100" height="100" rx="14" fill="#fff8e8"/>{printed}"##
    )))
}

/// Green disc, blue square, red triangle, yellow star: each colour has its own sign cut into it.
pub(crate) fn chip(colour: Sign) -> Drawing {
    let (light, dark, sign_ink, sign) = [
        ("#4fa37f", "#1f5a44", "#0f3a2a", r##"<circle cx="50" cy="48" r="15"/>"##),
        ("#5b8fd0", "#244f8c", "#14315c", r##"<rect x="36" y="34" width="28" height="28" rx="2"/>"##),
        ("#d4604c", "#8c2a1b", "#56120a", r##"<path d="M50 30 L68 62 H32 z"/>"##),
        (
            "#f0c445",
            "#9a7209",
            "#5c4200",
            r##"<path d="M50 28 l5.6 13.2 14.3 1.2 -10.9 9.3 3.4 14 -12.4 -7.5 -12.4 7.5 3.4 -14 -10.9 -9.3 14.3 -1.2z"/>"##,
        ),
    ][colour.index()];
    Drawing::square(format!(
        r##"<ellipse cx="53" cy="58" rx="44" ry="40" fill="url(#contact)"/><circle cx="50" cy="52" r="38" fill="{dark}"/><circle cx="50" cy="48" r="38" fill="{light}" stroke="#fff" stroke-opacity=".75" stroke-width="2"/><circle cx="50" cy="48" r="29" fill="none" stroke="{dark}" stroke-opacity=".5" stroke-width="2" stroke-dasharray="6 5"/><g fill="{sign_ink}" stroke="#fff" stroke-width="3" stroke-linejoin="round">{sign}</g>"##
    ))
}

/// A free corner: a printed chip that is everyone's.
fn free_corner() -> &'static str {
    r##"<circle cx="50" cy="50" r="40" fill="#e8dcc0" stroke="#b99d66" stroke-width="3"/><circle cx="50" cy="50" r="29" fill="none" stroke="#b99d66" stroke-width="2" stroke-dasharray="6 5"/><g stroke="#fff" stroke-width="2"><circle cx="40" cy="40" r="8" fill="#4fa37f"/><rect x="53" y="33" width="14" height="14" fill="#5b8fd0"/><path d="M40 55 l8 14 h-16z" fill="#d4604c"/><path d="M60 53 l2.5 6 6.5 .5 -5 4.2 1.6 6.4 -5.6 -3.4 -5.6 3.4 1.6 -6.4 -5 -4.2 6.5 -.5z" fill="#f0c445"/></g>"##
}
