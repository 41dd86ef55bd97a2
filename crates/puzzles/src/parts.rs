//! A set cut into parts that are fetched when they are wanted, with a list of what each holds.

use std::collections::BTreeMap;
use std::fmt;

use rules::GameId;

use crate::shelf::{Entry, PuzzleQuery, Shelf};
use crate::sorting::sorted_by;
use crate::{HEADER, Theme};

/// Puzzles in a part: some twenty kilobytes once compressed.
const SIZE: usize = 400;

/// The file with the list of all parts in the browser's bundle.
pub const INDEX_FILE: &str = "puzzles/index.txt";

/// What a part holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Of which game.
    pub game: GameId,
    /// Its number among the parts of the game.
    pub number: usize,
    /// Whether its puzzles are by the rules that most people know.
    pub usual: bool,
    /// The lowest and the highest rating.
    pub ratings: (u16, u16),
    /// How many puzzles it has of each theme.
    pub themes: Vec<(Theme, usize)>,
}

impl Part {
    /// The file of the part in the browser's bundle.
    pub fn file(&self) -> String {
        format!("puzzles/{}-{:03}.txt", self.game, self.number)
    }

    /// Reads a line of the list.
    fn read(line: &str) -> Option<Part> {
        let mut words = line.split(' ');
        let mut word = || words.next();
        let (game, number) = (word()?.parse().ok()?, word()?.parse().ok()?);
        let usual = word()? == "usual";
        let ratings = (word()?.parse().ok()?, word()?.parse().ok()?);
        let theme = |word: &str| {
            let (theme, count) = word.split_once('=')?;
            Some((theme.parse().ok()?, count.parse().ok()?))
        };
        Some(Part { game, number, usual, ratings, themes: words.filter_map(theme).collect() })
    }

    /// How far its ratings are from the one wished for.
    fn distance(&self, rating: u32) -> u32 {
        let (low, high) = (u32::from(self.ratings.0), u32::from(self.ratings.1));
        low.saturating_sub(rating) + rating.saturating_sub(high)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = if self.usual { "usual" } else { "other" };
        write!(f, "{} {} {usual} {} {}", self.game, self.number, self.ratings.0, self.ratings.1)?;
        self.themes.iter().try_for_each(|(theme, count)| write!(f, " {theme}={count}"))
    }
}

/// Reads the list of parts; lines that cannot be read are left out.
pub fn read_index(text: &str) -> Vec<Part> {
    text.lines().filter_map(Part::read).collect()
}

/// The parts of a game from which a query can be met, the best first.
pub fn parts_for<'a>(parts: &'a [Part], game: GameId, query: &PuzzleQuery) -> Vec<&'a Part> {
    let fits = |part: &&Part| {
        part.game == game
            && (part.usual || !query.usual)
            && query.theme.is_none_or(|theme| part.themes.iter().any(|(other, count)| *other == theme && *count > 0))
    };
    let key = |part: &Part| (part.distance(query.rating), !part.usual);
    sorted_by(parts.iter().filter(fits), |one, other| key(one).cmp(&key(other)))
}

/// Cuts a game's set into parts by rating, each with its text.
pub fn cut(game: GameId, shelf: &Shelf) -> Vec<(Part, String)> {
    let mut entries: Vec<&Entry> = shelf.entries().iter().collect();
    entries.sort_by_key(|entry| (!entry.usual, entry.rating, entry.id));
    let kinds = entries.chunk_by(|one, other| one.usual == other.usual);
    let chunks = kinds.flat_map(|kind| kind.chunks(SIZE));
    let part = |(number, entries): (usize, &[&Entry])| {
        let mut themes = BTreeMap::new();
        let mut text = format!("{HEADER}\n");
        for entry in entries {
            *themes.entry(entry.theme).or_insert(0) += 1;
            text += shelf.line(entry);
            text.push('\n');
        }
        let rating = |entry: Option<&&Entry>| entry.map_or(0, |entry| entry.rating);
        let ratings = (rating(entries.first()), rating(entries.last()));
        let usual = entries.first().is_some_and(|entry| entry.usual);
        (Part { game, number, usual, ratings, themes: themes.into_iter().collect() }, text)
    };
    chunks.enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_puzzle_once_and_the_list_reads_back() {
        let shelf = Shelf::new(include_str!("../data/sequence-sample.puzzles").to_owned()).unwrap();
        let parts = cut(GameId::Sequence, &shelf);
        let lines: usize = parts.iter().map(|(_, text)| text.lines().count() - 1).sum();
        assert_eq!(lines, shelf.entries().len());
        let index: String = parts.iter().map(|(part, _)| format!("{part}\n")).collect();
        let read = read_index(&index);
        assert_eq!(read, parts.iter().map(|(part, _)| part.clone()).collect::<Vec<_>>());
        let query = PuzzleQuery { rating: 1500, theme: Some(Theme::Fork), usual: true, small: false };
        assert!(!parts_for(&read, GameId::Sequence, &query).is_empty());
        assert!(parts_for(&read, GameId::Quixo, &query).is_empty());
        assert!(read_index("nonsense\nsequence x\n").is_empty());
    }

    #[test]
    fn the_part_nearest_to_a_rating_comes_first_and_then_the_others() {
        let index = "quixo 0 usual 100 900 win=9\nquixo 1 usual 900 1300 win=9\nquixo 2 usual 1300 2000 hold=9\n";
        let parts = read_index(index);
        let order = |rating: u32, theme: Option<Theme>| -> Vec<usize> {
            let query = PuzzleQuery { rating, theme, usual: true, small: false };
            parts_for(&parts, GameId::Quixo, &query).iter().map(|part| part.number).collect()
        };
        assert_eq!(order(1000, None), [1, 0, 2]);
        assert_eq!(order(1900, None), [2, 1, 0]);
        assert_eq!(order(1900, Some(Theme::Win)), [1, 0]);
    }
}
