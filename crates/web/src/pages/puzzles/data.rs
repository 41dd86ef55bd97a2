//! Puzzles are fetched when they are wanted: a game's puzzles of the day for a month, or a part of its set.

use std::cell::RefCell;
use std::rc::Rc;

use game::GameId;
use puzzles::parts::{self, INDEX_FILE, Part, parts_for};
use puzzles::{Day, Diary, Puzzle, PuzzleId, PuzzleQuery, Shelf, daily};
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

/// The puzzle of a day; `None` if it could not be fetched or is damaged.
pub async fn daily(day: Day, game: GameId) -> Option<Puzzle> {
    daily::of_month(&month_of(day, game).await?, day, game)
}

/// A game's puzzles of a day's month.
async fn month_of(day: Day, game: GameId) -> Option<Rc<str>> {
    let month = (daily::month(day), game);
    let known = FETCHED.with_borrow(|fetched| find(&fetched.months, &month));
    if known.is_some() {
        return known;
    }
    let text: Rc<str> = browser::fetch_file(&daily::month_file(month.0, game)).await.ok()?.as_string()?.into();
    FETCHED.with_borrow_mut(|fetched| fetched.months.push((month, text.clone())));
    Some(text)
}

/// Fetches what the next thirty days need, and of every game puzzles for this solver, so that all modes work without a
/// network.
pub async fn fetch_ahead(diary: Diary) {
    for days in [0, 15, 30] {
        for game in puzzles::GAMES {
            let _ = month_of(today().plus(days), game).await;
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

/// A puzzle of a game near a query, not one of those seen; `None` if none could be fetched.
pub async fn pick(game: GameId, query: PuzzleQuery, diary: &Diary) -> Option<Puzzle> {
    let index = index().await?;
    // Without a network the best part may be missing, while another is on the device.
    for part in parts_for(&index, game, &query) {
        if let Some(shelf) = shelf(part).await {
            return shelf.pick(&query, &|id: PuzzleId| diary.has_seen(id), &mut Random::new(seed()));
        }
    }
    None
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

async fn shelf(part: &Part) -> Option<Rc<Shelf>> {
    let file = part.file();
    if let Some(shelf) = FETCHED.with_borrow(|fetched| find(&fetched.shelves, &file)) {
        return Some(shelf);
    }
    let text = browser::fetch_file(&file).await.ok()?.as_string()?;
    let shelf = Rc::new(Shelf::new(text).ok()?);
    FETCHED.with_borrow_mut(|fetched| fetched.shelves.push((file, shelf.clone())));
    Some(shelf)
}
