//! The stones of Four.

use rules::Seat;

/// Black carries a light ring and white a dark one, so that they differ in more than their colour.
pub(super) fn stone(seat: Seat) -> String {
    let (fill, ring) = if seat == Seat::ONE { ("stone-black", "#8b847b") } else { ("stone-white", "#6f6350") };
    let sign = if seat == Seat::ONE {
        ""
    } else {
        r##"<circle cx="50" cy="50" r="9" fill="none" stroke="#b3a78f" stroke-width="3"/>"##
    };
    format!(
        r##"<svg viewBox="0 0 100 100" class="stone" aria-hidden="true" focusable="false"><ellipse cx="54" cy="57" rx="46" ry="43" fill="url(#contact)"/><circle cx="50" cy="50" r="41" fill="url(#{fill})" stroke="{ring}" stroke-width="2.5"/>{sign}</svg>"##
    )
}
