//! The sets of puzzles of every game, packed into the program, and the list of the puzzles of the day.
//!
//! The browser app does not link this: it fetches months and parts of sets, which the bundler makes from here.
//!
//! ```
//! use puzzle_sets::{daily, shelf};
//! use puzzles::Day;
//! use rules::GameId;
//!
//! let day: Day = "2026-11-17".parse()?;
//! let puzzle = daily(day, GameId::Sequence).expect("every day has a puzzle of each of these games");
//! assert!(shelf(GameId::Sequence).find(puzzle.id()).is_some());
//! # Ok::<(), puzzles::BadDay>(())
//! ```

use std::io;
use std::sync::OnceLock;

use puzzles::{Day, GAMES, Puzzle, PuzzleId, Shelf, daily as list};
use rules::GameId;

/// The names of the puzzles of the day (docs/puzzles.md says how they were chosen).
pub const DAILY_LIST: &str = include_str!("../data/daily.list");

/// How the sets are packed: quality, and the logarithm of the window, which is larger than any set.
const QUALITY: i32 = 11;
const WINDOW: i32 = 24;

/// A game's set as it lies in the program; nothing for a game that has no puzzles.
pub const fn packed(game: GameId) -> &'static [u8] {
    match game {
        GameId::Quarto => include_bytes!("../data/quarto.puzzles.br"),
        GameId::Quixo => include_bytes!("../data/quixo.puzzles.br"),
        GameId::Sequence => include_bytes!("../data/sequence.puzzles.br"),
        GameId::Four => include_bytes!("../data/four.puzzles.br"),
        #[allow(unreachable_patterns, reason = "every game of today has puzzles; a new one need not")]
        _ => &[],
    }
}

/// Unpacks a set.
pub fn unpack(packed: &[u8]) -> io::Result<String> {
    let mut text = Vec::new();
    brotli::BrotliDecompress(&mut &*packed, &mut text)?;
    String::from_utf8(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Packs a set.
pub fn pack(text: &str) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: QUALITY, lgwin: WINDOW, ..Default::default() };
    brotli::BrotliCompress(&mut text.as_bytes(), &mut packed, &parameters)?;
    Ok(packed)
}

/// A game's set, unpacked when it is first asked for.
pub fn shelf(game: GameId) -> &'static Shelf {
    static SHELVES: [OnceLock<Shelf>; GameId::ALL.len()] = [const { OnceLock::new() }; GameId::ALL.len()];
    let place = GameId::ALL.iter().position(|other| *other == game).unwrap_or(0);
    // The tests of this crate unpack and read every set.
    SHELVES[place].get_or_init(|| unpack(packed(game)).ok().and_then(|text| Shelf::new(text).ok()).unwrap_or_default())
}

/// The puzzle of a day.
pub fn daily(day: Day, game: GameId) -> Option<Puzzle> {
    let shelf = shelf(game);
    shelf.read(shelf.find(list::of_list(DAILY_LIST, day, game)?)?)
}

/// A puzzle by its name, whatever its game.
pub fn find(id: PuzzleId) -> Option<Puzzle> {
    GAMES.into_iter().map(shelf).find_map(|shelf| shelf.read(shelf.find(id)?))
}
