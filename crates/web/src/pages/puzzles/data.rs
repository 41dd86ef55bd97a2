//! Puzzles are fetched when they are wanted: a game's puzzles of the day for a month, or a part of its set.

use std::cell::RefCell;
use std::rc::Rc;

use game::GameId;
use puzzles::parts::{self, INDEX_FILE, Part, parts_for};
use puzzles::{Day, Diary, Picked, Puzzle, PuzzleId, PuzzleQuery, Shelf, daily};
use search::Random;

use crate::browser;
use crate::fitting_game::is_narrow;
use crate::local_table::seed;
use crate::settings::{keep, kept};

/// Under this name the diary is kept on the device.
const DIARY: &str = "puzzles";

thread_local! {
    /// What was fetched already, for as long as the app is open.
    static FETCHED: RefCell<Fetched> =
        const { RefCell::new(Fetched { months: Vec::new(), index: None, shelves: Vec::new() }) };
}

/// A few of each: looking through a list is quick, and a map would be 2 kB of the page.
struct Fetched {
    months: Vec<((usize, GameId), Rc<str>)>,
    index: Option<Rc<[Part]>>,
    shelves: Vec<(String, Rc<Shelf>)>,
}

/// What was fetched under a name.
fn find<K: PartialEq, V: Clone>(fetched: &[(K, V)], name: &K) -> Option<V> {
    fetched.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
}

/// What the solver has done on this device.
pub fn diary() -> Diary {
    kept(DIARY).map(|text| Diary::read(&text)).unwrap_or_default()
}

/// Keeps the diary.
pub fn keep_diary(diary: &Diary) {
    keep(DIARY, &diary.to_string());
}

/// Now, in milliseconds since 1970.
pub fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Today, the same everywhere.
pub fn today() -> Day {
    Day::at(now())
}

/// Why a puzzle is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotHere {
    /// Its file could not be fetched.
    NotLoaded,
    /// It is of another version, or contradicts the rules or itself.
    Damaged,
}

/// The puzzle of a day whose month was fetched.
pub fn daily(day: Day, game: GameId) -> Result<Puzzle, NotHere> {
    let month = FETCHED.with_borrow(|fetched| find(&fetched.months, &(daily::month(day), game)));
    daily::of_month(&month.ok_or(NotHere::NotLoaded)?, day, game).ok_or(NotHere::Damaged)
}

/// Fetches a game's puzzles of a day's month; without a network they may stay unknown.
pub async fn fetch_month(day: Day, game: GameId) {
    let month = (daily::month(day), game);
    if FETCHED.with_borrow(|fetched| find(&fetched.months, &month)).is_some() {
        return;
    }
    let text = browser::fetch_file(&daily::month_file(month.0, game)).await;
    if let Some(text) = text.ok().and_then(|text| text.as_string()) {
        FETCHED.with_borrow_mut(|fetched| fetched.months.push((month, text.into())));
    }
}

/// Fetches what the next thirty days need, and of every game puzzles for this solver, so that all modes work without a
/// network.
pub async fn fetch_ahead(diary: Diary) {
    for days in [0, 15, 30] {
        for game in puzzles::GAMES {
            fetch_month(today().plus(days), game).await;
        }
    }
    browser::when_kept().await;
    let Some(index) = index().await else { return };
    // What was fetched before is fetched again: the browser has it, and now it is kept.
    let _ = browser::fetch_file(INDEX_FILE).await;
    for game in puzzles::GAMES {
        let query = PuzzleQuery { rating: diary.rating(game).shown(), theme: None, usual: true, small: is_narrow() };
        if let Some(part) = parts_for(&index, game, &query).first() {
            let _ = browser::fetch_file(&part.file()).await;
        }
    }
}

/// A puzzle of a game near a query, not one of those seen. Damaged puzzles and parts are passed over.
pub async fn pick(game: GameId, query: PuzzleQuery, diary: &Diary) -> Result<Picked, NotHere> {
    let index = index().await.ok_or(NotHere::NotLoaded)?;
    let mut why = NotHere::NotLoaded;
    // Without a network the best part may be missing, while another is on the device.
    for part in parts_for(&index, game, &query) {
        let picked = shelf(part).await.and_then(|shelf| {
            let picked = shelf.pick(&query, &|id: PuzzleId| diary.has_seen(id), &mut Random::new(seed()));
            picked.ok_or(NotHere::Damaged)
        });
        match picked {
            Ok(Picked { puzzle, passed_over }) => {
                return Ok(Picked { puzzle, passed_over: passed_over || why == NotHere::Damaged });
            }
            // What is damaged is told rather than that other parts are not on the device.
            Err(NotHere::Damaged) => why = NotHere::Damaged,
            Err(NotHere::NotLoaded) => {}
        }
    }
    Err(why)
}

async fn index() -> Option<Rc<[Part]>> {
    if let Some(index) = FETCHED.with_borrow(|fetched| fetched.index.clone()) {
        return Some(index);
    }
    let text = browser::fetch_file(INDEX_FILE).await.ok()?.as_string()?;
    let index: Rc<[Part]> = parts::read_index(&text).into();
    FETCHED.with_borrow_mut(|fetched| fetched.index = Some(index.clone()));
    Some(index)
}

async fn shelf(part: &Part) -> Result<Rc<Shelf>, NotHere> {
    let file = part.file();
    if let Some(shelf) = FETCHED.with_borrow(|fetched| find(&fetched.shelves, &file)) {
        return Ok(shelf);
    }
    let text = browser::fetch_file(&file).await.ok().and_then(|text| text.as_string()).ok_or(NotHere::NotLoaded)?;
    let shelf = Rc::new(Shelf::new(text).map_err(|_| NotHere::Damaged)?);
    FETCHED.with_borrow_mut(|fetched| fetched.shelves.push((file, shelf.clone())));
    Ok(shelf)
}
