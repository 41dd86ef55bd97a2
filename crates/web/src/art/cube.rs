//! Quixo's cubes, seen from above.

use rules::{Seat, Side};
use scene::Mark;

pub(super) fn cube(mark: Option<Mark>) -> String {
    let symbol = match mark {
        None => "",
        Some(Mark { side, .. }) if side == Side::ONE => {
            r##"<g fill="none" stroke-linecap="round"><path d="M32 32 L68 68 M68 32 L32 68" stroke="#7a4a20" stroke-width="15" stroke-opacity=".35"/><path d="M32 32 L68 68 M68 32 L32 68" stroke="#3a1d0b" stroke-width="10"/></g>"##
        }
        Some(_) => {
            r##"<g fill="none"><circle cx="50" cy="50" r="21" stroke="#7a4a20" stroke-width="15" stroke-opacity=".35"/><circle cx="50" cy="50" r="21" stroke="#3a1d0b" stroke-width="10"/></g>"##
        }
    };
    let stud = mark.and_then(|mark| mark.dot).map(stud).unwrap_or_default();
    format!(
        r##"<svg viewBox="0 0 100 100" class="cube" aria-hidden="true" focusable="false"><rect x="2" y="2" width="96" height="96" rx="11" fill="url(#cube-edge)"/><rect x="8" y="8" width="84" height="84" rx="8" fill="url(#cube-face)"/><path d="M12 30 C35 24 60 38 88 31 M12 72 C38 66 62 80 88 71 M12 51 C40 47 58 56 88 52" fill="none" stroke="#a5763d" stroke-opacity=".28" stroke-width="1.3"/>{symbol}{stud}</svg>"##
    )
}

/// The dot is a brass stud on the edge that faces its owner: seats sit around the board, seat 1 below, then clockwise.
fn stud(seat: Seat) -> String {
    let (x, y) = [(50, 86), (14, 50), (50, 14), (86, 50)][seat.index()];
    format!(r##"<circle cx="{x}" cy="{y}" r="7.5" fill="url(#brass)" stroke="#5e3f0b" stroke-width="1.5"/>"##)
}
