//! Readable action texts of any game, legal somewhere or nowhere, to try where they do not belong.

use std::collections::BTreeSet;

use rules::{GameId, Square};
use search::Random;
use testkit::tables::{game, seeded_game, variants};

/// How many texts are put together anew.
const MADE: u32 = 4_000;

/// A part of an action text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Square(String),
    Number(String),
    Word(String),
    Sign(char),
}

/// The texts that are legal in some seeded games, and as many again of the same shapes with other squares (also beyond
/// the edge of the board), numbers and words.
pub(crate) fn vocabulary(id: GameId) -> Vec<String> {
    let mut legal = BTreeSet::new();
    for variant in variants(id) {
        for (position, _) in seeded_game(&game(&variant), 1, 120) {
            legal.extend(position.legal());
        }
    }
    let texts: Vec<Vec<Part>> = legal.iter().map(|text| parts(text)).collect();
    let all: BTreeSet<&Part> = texts.iter().flatten().collect();
    let squares = squares_around(&all);
    let of_kind = |kind: fn(&Part) -> Option<&String>| all.iter().filter_map(|part| kind(part)).collect::<Vec<_>>();
    let numbers = of_kind(|part| if let Part::Number(text) = part { Some(text) } else { None });
    let words = of_kind(|part| if let Part::Word(text) = part { Some(text) } else { None });
    let mut random = Random::new(1);
    let mut pick = |count: usize| random.below(count as u32) as usize;
    let mut made = legal;
    // A shape that few texts have is as worth trying as one that many have.
    let shapes: BTreeSet<Vec<u8>> = texts.iter().map(|text| shape(text)).collect();
    for number in 0..MADE as usize {
        let wanted = shapes.iter().nth(number % shapes.len()).expect("some shape");
        let of_shape: Vec<&Vec<Part>> = texts.iter().filter(|text| shape(text) == *wanted).collect();
        let text = of_shape[pick(of_shape.len())].iter().map(|part| match part {
            Part::Square(_) => squares[pick(squares.len())].clone(),
            Part::Number(_) => numbers[pick(numbers.len())].clone(),
            Part::Word(_) => words[pick(words.len())].clone(),
            Part::Sign(sign) => sign.to_string(),
        });
        made.insert(text.collect());
    }
    made.into_iter().collect()
}

/// Every square between the corner and those that were met, and a row and a column beyond.
fn squares_around(all: &BTreeSet<&Part>) -> Vec<String> {
    let met = |part: &&Part| if let Part::Square(text) = part { text.parse::<Square>().ok() } else { None };
    let (columns, rows) = all
        .iter()
        .filter_map(met)
        .fold((0, 0), |(columns, rows), square| (columns.max(square.column), rows.max(square.row)));
    let rows = 0..=rows + 1;
    rows.flat_map(|row| (0..=columns + 1).map(move |column| Square::new(column, row).to_string())).collect()
}

fn shape(text: &[Part]) -> Vec<u8> {
    text.iter()
        .map(|part| match part {
            Part::Square(_) => b'a',
            Part::Number(_) => b'1',
            Part::Word(_) => b'w',
            Part::Sign(sign) => *sign as u8,
        })
        .collect()
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let letters = run(rest, |letter| letter.is_ascii_lowercase());
        let digits = run(&rest[letters..], |letter| letter.is_ascii_digit());
        let (part, length) = match (letters, digits) {
            (1, 1..) => (Part::Square(rest[..1 + digits].to_owned()), 1 + digits),
            (1.., _) => (Part::Word(rest[..letters].to_owned()), letters),
            (0, 1..) => (Part::Number(rest[..digits].to_owned()), digits),
            (0, 0) => (Part::Sign(first), first.len_utf8()),
        };
        parts.push(part);
        rest = &rest[length..];
    }
    parts
}

fn run(text: &str, is_part: fn(char) -> bool) -> usize {
    text.find(|letter| !is_part(letter)).unwrap_or(text.len())
}
