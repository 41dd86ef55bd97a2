//! The puzzles of the day: the same for everybody, one per game, from a fixed list.
//!
//! The list holds the names of the puzzles for so many months; then it begins anew. A game's puzzles of a month are a set of
//! their own, small enough to be fetched ahead.

use rules::GameId;
use search::Random;

use crate::shelf::{Entry, Shelf};
use crate::{Day, GAMES, HEADER, Puzzle, PuzzleId};

/// Months after which the list begins anew.
pub const MONTHS: usize = 24;

/// Every month of the list has room for so many days.
const DAYS: usize = 31;

/// Which month of the list a day belongs to, from 0.
pub fn month(day: Day) -> usize {
    let (year, month, _) = day.date();
    (year.unsigned_abs() as usize * 12 + month as usize - 1) % MONTHS
}

/// The file of a game's month in the browser's bundle.
pub fn month_file(month: usize, game: GameId) -> String {
    format!("puzzles/month-{month:02}-{game}.txt")
}

/// A day's puzzle of a game, from the game's set of its month; `None` if it is damaged.
pub fn of_month(text: &str, day: Day, game: GameId) -> Option<Puzzle> {
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return None;
    }
    let line = lines.nth(day.date().2 as usize - 1)?;
    Puzzle::read(line).ok().filter(|puzzle| puzzle.game.id() == game)
}

/// The name of a day's puzzle in the list.
pub fn of_list(list: &str, day: Day, game: GameId) -> Option<PuzzleId> {
    named(list, month(day), day.date().2 as usize - 1, game)
}

/// A game's set of a month, from the list and all its puzzles; `None` if one is missing.
pub fn month_set(list: &str, month: usize, game: GameId, shelf: &Shelf) -> Option<String> {
    let mut text = format!("{HEADER}\n");
    for day in 0..DAYS {
        let entry = shelf.find(named(list, month, day, game)?)?;
        text += shelf.line(entry);
        text.push('\n');
    }
    Some(text)
}

/// Chooses the puzzles of all months with this seed, and writes the list: a line per day, a name per game.
pub fn choose(shelves: &[(GameId, Shelf)], seed: u64) -> String {
    let chosen: Vec<Vec<PuzzleId>> =
        shelves.iter().map(|(game, shelf)| choose_of(*game, shelf, seed ^ *game as u64)).collect();
    let line = |day: usize| {
        let names: Vec<String> = chosen.iter().filter_map(|names| names.get(day)).map(ToString::to_string).collect();
        names.join(" ") + "\n"
    };
    (0..MONTHS * DAYS).map(line).collect()
}

/// A game's puzzles, a theme after the other, neither the easiest nor the hardest.
fn choose_of(game: GameId, shelf: &Shelf, seed: u64) -> Vec<PuzzleId> {
    let mut ratings: Vec<u16> = shelf.entries().iter().map(|entry| entry.rating).collect();
    ratings.sort_unstable();
    let at = |share: usize| ratings.get(ratings.len() * share / 100).copied().unwrap_or(0);
    let middle = at(10)..=at(90);
    // What no level solves has the highest rating, and may be more than a tenth of a set.
    let highest = ratings.last().copied().unwrap_or(0);
    let fits = |entry: &&Entry| entry.usual && entry.small && middle.contains(&entry.rating) && entry.rating < highest;
    let mut random = Random::new(seed);
    let mut themes: Vec<Vec<PuzzleId>> = Vec::new();
    for theme in crate::Theme::of(game) {
        let of_theme = shelf.entries().iter().filter(fits).filter(|entry| entry.theme == *theme);
        let mut names: Vec<PuzzleId> = of_theme.map(|entry| entry.id).collect();
        for last in (1..names.len()).rev() {
            names.swap(last, random.below(last as u32 + 1) as usize);
        }
        themes.push(names);
    }
    let mut chosen = Vec::new();
    while chosen.len() < MONTHS * DAYS && themes.iter().any(|names| !names.is_empty()) {
        chosen.extend(themes.iter_mut().filter_map(Vec::pop));
    }
    chosen
}

fn named(list: &str, month: usize, day: usize, game: GameId) -> Option<PuzzleId> {
    let line = list.lines().nth(month * DAYS + day)?;
    line.split(' ').nth(GAMES.iter().position(|other| *other == game)?)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_each_other_and_begin_anew_after_two_years() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert_eq!((month(day("2026-11-30")) + 1) % MONTHS, month(day("2026-12-01")));
        assert_eq!((month(day("2026-12-31")) + 1) % MONTHS, month(day("2027-01-01")));
        assert_eq!(month(day("2026-11-17")), month(day("2028-11-01")));
    }
}
