//! How what happened is seen and heard.

use scene::{Motion, Piece, Place, Scene};

use crate::browser;

/// How long a piece is on its way, in milliseconds.
const FLIGHT: f64 = 240.0;

/// Lets pieces move inside the element that `around` selects; `before` shows what turns over.
pub(super) fn perform(motions: &[Motion], before: Option<&Scene>, around: &str) {
    let selector = |place| format!("{around}{}", selector(place));
    for motion in motions {
        let delay = f64::from(motion.step) * FLIGHT * 0.8;
        let (from, to) = (selector(motion.from), selector(motion.to));
        if let (true, Place::Square(square)) = (motion.from == motion.to, motion.to) {
            let piece = before.and_then(|scene| scene.board.cell(square)?.piece);
            browser::turn_over(&to, &piece.map(art::piece).unwrap_or_default(), delay, FLIGHT);
        } else if stays(motion.to) {
            browser::arrive(&from, &to, delay, FLIGHT);
        } else {
            browser::leave(&from, &to, &art::piece(motion.piece), delay, FLIGHT);
        }
    }
}

/// The element of a place.
fn selector(place: Place) -> String {
    match place {
        Place::Square(square) => format!("[data-spot='{square}']"),
        Place::Spot(spot) => format!("[data-spot='{spot}']"),
        Place::Held => "[data-place='held']".to_owned(),
        Place::Hand(seat) => format!("[data-place='hand-{seat}']"),
        Place::Pile => "[data-place='pile']".to_owned(),
        Place::Discards(seat) => format!("[data-place='discards-{seat}']"),
        Place::Reserve(seat) | Place::Captured(seat) => format!("[data-place='plate-{seat}'] .sign"),
    }
}

/// Whether a piece can be seen where it arrives.
fn stays(place: Place) -> bool {
    matches!(place, Place::Square(_) | Place::Held | Place::Spot(_))
}

/// The sound of what moves.
pub(super) fn material(motions: &[Motion]) -> &'static str {
    match motions.first().map(|motion| motion.piece) {
        Some(Piece::Card(_)) => "card",
        Some(Piece::Stone(_) | Piece::Chip(_)) => "stone",
        _ => "wood",
    }
}
