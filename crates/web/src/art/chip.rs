//! Sequence's chips.

use rules::Seat;

/// Green disc, blue square, red triangle, yellow star: each colour has its own sign cut into it.
pub(super) fn chip(seat: Seat) -> String {
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
    ][seat.index()];
    format!(
        r##"<svg viewBox="0 0 100 100" class="chip" aria-hidden="true" focusable="false"><ellipse cx="53" cy="58" rx="44" ry="40" fill="url(#contact)"/><circle cx="50" cy="52" r="38" fill="{dark}"/><circle cx="50" cy="48" r="38" fill="{light}" stroke="#fff" stroke-opacity=".75" stroke-width="2"/><circle cx="50" cy="48" r="29" fill="none" stroke="{dark}" stroke-opacity=".5" stroke-width="2" stroke-dasharray="6 5"/><g fill="{sign_ink}" stroke="#fff" stroke-width="3" stroke-linejoin="round">{sign}</g></svg>"##
    )
}

/// A free corner: a printed chip that is everyone's.
pub(super) fn corner() -> String {
    r##"<svg viewBox="0 0 100 100" aria-hidden="true" focusable="false"><circle cx="50" cy="50" r="40" fill="#e8dcc0" stroke="#b99d66" stroke-width="3"/><circle cx="50" cy="50" r="29" fill="none" stroke="#b99d66" stroke-width="2" stroke-dasharray="6 5"/><g stroke="#fff" stroke-width="2"><circle cx="40" cy="40" r="8" fill="#4fa37f"/><rect x="53" y="33" width="14" height="14" fill="#5b8fd0"/><path d="M40 55 l8 14 h-16z" fill="#d4604c"/><path d="M60 53 l2.5 6 6.5 .5 -5 4.2 1.6 6.4 -5.6 -3.4 -5.6 3.4 1.6 -6.4 -5 -4.2 6.5 -.5z" fill="#f0c445"/></g></svg>"##.to_owned()
}
