//! The faces of the computer's characters, one for each level: those of the animals, and a chick.

use scene::Card;

use crate::sequence::{Sketch, animal, card};

/// The markup of the face of a level from 1 to 8; a higher number has the face of the last.
///
/// ```
/// assert!(art::face(1).starts_with("<svg viewBox="));
/// assert_ne!(art::face(7), art::face(8));
/// ```
pub fn face(level: u8) -> String {
    let drawing = match level {
        0 | 1 => animal(CHICK),
        2 => card(Card::Frog),
        3 => card(Card::Dog),
        4 => card(Card::Bear),
        5 => card(Card::Cat),
        6 => card(Card::Fox),
        7 => card(Card::Owl),
        _ => card(Card::Dragon),
    };
    drawing.svg()
}

const CHICK: Sketch = Sketch {
    sky: "#cfe9f3",
    coat: "#f9d65c",
    pair: r##"<path d="M16 62 Q2 66 6 84 Q20 84 26 74z" fill="#f2c53d"/>"##,
    front: r##"<path d="M44 16 Q38 4 48 6 Q50 2 54 6 Q62 6 56 16z"/><path d="M50 12 Q88 14 88 56 Q88 94 50 94 Q12 94 12 56 Q12 14 50 12z"/><path d="M38 56 Q50 48 62 56 Q58 70 50 70 Q42 70 38 56z" fill="#f08a3a"/><path d="M40 58 Q50 62 60 58" fill="none" stroke-width="2.4"/><g fill="#f4a7a0" stroke="none"><circle cx="26" cy="62" r="6.5"/><circle cx="74" cy="62" r="6.5"/></g>"##,
    eyes: &[(34, 46), (66, 46)],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_face_of_its_own() {
        let faces: std::collections::BTreeSet<String> = (1..=8).map(face).collect();
        assert_eq!(faces.len(), 8);
    }
}
