//! Readable action texts of each game, legal somewhere or nowhere, to try where they do not belong.

use rules::Square;

/// Every text of a Quixo action on the board and one row beyond it.
pub fn quixo() -> Vec<String> {
    let squares = squares(6, 6);
    let mut texts = vec!["pass".to_owned()];
    for from in &squares {
        for to in &squares {
            texts.push(format!("{from}{to}"));
            texts.extend((1..=4).map(|seat| format!("{from}{to}:{seat}")));
        }
    }
    texts
}

/// Every text of a Quarto action.
pub fn quarto() -> Vec<String> {
    let pieces = (0..16).map(|piece| format!("{piece:x}"));
    pieces.chain(squares(5, 5)).chain(["!", "pass"].map(str::to_owned)).collect()
}

/// The animals of Sequence (SQ1), written out so that no test asks the rules what they should be.
pub const ANIMALS: [&str; 19] = [
    "bear",
    "camel",
    "cat",
    "cow",
    "crocodile",
    "dog",
    "elephant",
    "fox",
    "frog",
    "giraffe",
    "gorilla",
    "hippo",
    "kangaroo",
    "lion",
    "owl",
    "penguin",
    "tiger",
    "turtle",
    "whale",
];

/// Every text of a Sequence action.
pub fn sequence() -> Vec<String> {
    let squares = squares(8, 7);
    let mut texts = vec!["pass".to_owned()];
    for card in ANIMALS.into_iter().chain(["unicorn", "dragon"]) {
        texts.extend(["swap", "draw", "tile"].map(|verb| format!("{verb}:{card}")));
        texts.extend(squares.iter().map(|square| format!("{card}@{square}")));
    }
    texts
}

/// Texts of Four actions on a board of this size: all placements, all slides from every third square, some choices.
pub fn four(size: u8) -> Vec<String> {
    let squares = squares(size + 1, size + 1);
    let mut texts = vec!["end".to_owned(), "pass".to_owned()];
    texts.extend(squares.iter().cloned());
    for (index, from) in squares.iter().enumerate().step_by(3) {
        texts.extend(squares.iter().map(|to| format!("{from}-{to}")));
        texts.extend(squares.iter().skip(index % 5).step_by(5).map(|captured| format!("{from}x{captured}")));
    }
    texts
}

fn squares(width: u8, height: u8) -> Vec<String> {
    (0..height).flat_map(|row| (0..width).map(move |column| Square::new(column, row).to_string())).collect()
}
