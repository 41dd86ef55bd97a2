//! The pictures, drawn by us as SVG. Each function gives the markup of one picture; colours and light come from the
//! gradients in [`defs`], which stand once in the page.

mod animals;
mod chip;
mod cube;
mod figure;
mod icon;
mod option;
mod stone;

pub use animals::face as card_face;
pub use icon::{Icon, icon};
pub use option::option;

use scene::{Ground, Piece};

/// The picture of a piece, for the skin's frame of its kind.
pub fn piece(piece: Piece) -> String {
    match piece {
        Piece::Figure(it) => figure::figure(it),
        Piece::Cube(mark) => cube::cube(mark),
        Piece::Stone(seat) => stone::stone(seat),
        Piece::Chip(seat) => chip::chip(seat),
        Piece::Card(card) => card.map(card_face).unwrap_or_default(),
    }
}

/// What is printed on a square, if anything.
pub fn ground(ground: Ground) -> String {
    match ground {
        Ground::Well | Ground::Slot | Ground::Cell | Ground::Unlaid => String::new(),
        Ground::Picture(card) => card_face(card),
        Ground::Corner => chip::corner(),
    }
}

/// Gradients that all pictures share: light falls from the upper left.
pub fn defs() -> String {
    let linear = |id: &str, turn: &str, stops: &[(&str, &str)]| {
        let stops: String =
            stops.iter().map(|(at, colour)| format!(r#"<stop offset="{at}" stop-color="{colour}"/>"#)).collect();
        format!(r#"<linearGradient id="{id}" {turn}>{stops}</linearGradient>"#)
    };
    let radial = |id: &str, stops: &[(&str, &str)]| {
        let stops: String =
            stops.iter().map(|(at, colour)| format!(r#"<stop offset="{at}" stop-color="{colour}"/>"#)).collect();
        format!(r#"<radialGradient id="{id}" cx=".36" cy=".3" r=".85">{stops}</radialGradient>"#)
    };
    let across = r#"x1="0" y1="0" x2="1" y2="0""#;
    let down = r#"x1="0" y1="0" x2="1" y2="1""#;
    [
        r#"<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>"#.to_owned(),
        linear("maple-round", across, &[("0", "#d9b27a"), (".25", "#f1d6a8"), (".7", "#cfa066"), ("1", "#a87843")]),
        linear("maple-left", across, &[("0", "#efd2a2"), ("1", "#dfb981")]),
        linear("maple-right", across, &[("0", "#c6965a"), ("1", "#a97a45")]),
        linear("maple-top", down, &[("0", "#fbe8c6"), ("1", "#e6c48f")]),
        linear("walnut-round", across, &[("0", "#5f3a20"), (".25", "#8d5d38"), (".7", "#5a3620"), ("1", "#341e10")]),
        linear("walnut-left", across, &[("0", "#7e5231"), ("1", "#6a4226")]),
        linear("walnut-right", across, &[("0", "#4c2d18"), ("1", "#38200f")]),
        linear("walnut-top", down, &[("0", "#9a6a43"), ("1", "#70482a")]),
        linear("cube-face", down, &[("0", "#f3dcb3"), ("1", "#ddb67d")]),
        linear("cube-edge", down, &[("0", "#fff0d2"), (".5", "#c99d63"), ("1", "#8e6334")]),
        radial("stone-black", &[("0", "#6b6660"), (".45", "#2d2a27"), ("1", "#0c0b0a")]),
        radial("stone-white", &[("0", "#ffffff"), (".6", "#efeae0"), ("1", "#bdb3a2")]),
        radial("brass", &[("0", "#ffe9b0"), (".5", "#d9a441"), ("1", "#7d5510")]),
        r##"<radialGradient id="contact"><stop offset="0" stop-color="#1a0f06" stop-opacity=".55"/><stop offset=".6" stop-color="#1a0f06" stop-opacity=".25"/><stop offset="1" stop-color="#1a0f06" stop-opacity="0"/></radialGradient>"##.to_owned(),
        "</defs></svg>".to_owned(),
    ]
    .concat()
}
