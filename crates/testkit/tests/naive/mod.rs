//! The rules once more, after the rule statements: slow, plain, on arrays of letters, and sharing no code
//! with the real ones. Where both agree, an error would have to be made twice.
//!
//! It was not written blind: its author had read the real rules. It finds slips of the bit tricks, but a statement that
//! both misread alike stays unfound.

pub(crate) mod four;
pub(crate) mod quarto;
pub(crate) mod quixo;
pub(crate) mod sequence;

use std::collections::BTreeMap;

/// A slow game.
pub(crate) trait Naive: Clone {
    fn read(options: &BTreeMap<String, String>, text: &str) -> Self;
    /// Every legal action; none when the game is over.
    fn legal(&self) -> Vec<String>;
    fn play(&mut self, action: &str);
}

/// `quixo(players=4)` as the option values given in it.
pub(crate) fn options(game: &str) -> BTreeMap<String, String> {
    let inside = game.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    inside.split(',').filter_map(|pair| pair.split_once('=')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

pub(crate) fn perft<N: Naive>(position: &N, depth: usize) -> u64 {
    let legal = position.legal();
    if depth == 1 {
        return legal.len() as u64;
    }
    let after = |action: &String| {
        let mut next = position.clone();
        next.play(action);
        perft(&next, depth - 1)
    };
    legal.iter().map(after).sum()
}

/// Column and row of `b3`, from 0.
pub(crate) fn square(name: &str) -> (i32, i32) {
    let column = i32::from(name.as_bytes()[0]) - i32::from(b'a');
    (column, name[1..].parse::<i32>().unwrap() - 1)
}

pub(crate) fn name(column: i32, row: i32) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}
