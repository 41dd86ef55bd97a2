//! Quarto's figures in three-quarter view.

use scene::{Attribute, Figure, Quality};

/// Where the figure stands, from the top of its frame.
const GROUND: i32 = 130;

/// Round is a cylinder, square a prism; tall is 1.7 times short; hollow has a dark well in its top.
///
/// Walnut carries a light rim and maple a dark one, so that colour is never the only sign.
pub(super) fn figure(figure: Figure) -> String {
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
    format!(
        r##"<svg viewBox="0 0 100 150" class="figure" aria-hidden="true" focusable="false"><ellipse cx="54" cy="{GROUND}" rx="46" ry="17" fill="url(#contact)"/>{body}{well}</svg>"##
    )
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
