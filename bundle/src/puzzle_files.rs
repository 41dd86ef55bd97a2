//! The puzzles as the app fetches them: each game's puzzles of the day by months, and its set in parts.

use std::fs;
use std::path::Path;

use puzzles::daily::{MONTHS, month_file, month_set};
use puzzles::parts::{INDEX_FILE, cut};

use crate::Result;

/// Writes all of them.
pub(crate) fn write(build: &Path) -> Result<()> {
    fs::create_dir_all(build.join("puzzles"))?;
    let mut index = String::new();
    for game in puzzles::GAMES {
        let shelf = puzzle_sets::shelf(game);
        for month in 0..MONTHS {
            let set = month_set(puzzle_sets::DAILY_LIST, month, game, shelf);
            fs::write(build.join(month_file(month, game)), set.ok_or("a puzzle of the day is in no set")?)?;
        }
        for (part, text) in cut(game, shelf) {
            fs::write(build.join(part.file()), text)?;
            index += &format!("{part}\n");
        }
    }
    fs::write(build.join(INDEX_FILE), index)?;
    Ok(())
}

/// Whether a file is one of them; the service worker does not fetch them all for everybody.
pub(crate) fn is_one(address: &str) -> bool {
    address.split('/').nth(1) == Some("puzzles") && address.ends_with(".txt")
}
