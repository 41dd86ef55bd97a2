//! Drags on every board of a page: each reports to the match in which it began.

use std::cell::RefCell;

use scene::Spot;
use ui::prelude::*;
use wasm_bindgen::prelude::*;

use crate::browser;

/// A board that can be dragged on, by the name of the element around it.
#[derive(Clone)]
struct Board {
    name: String,
    touch: Callback<Spot>,
    may_touch: Callback<Spot, bool>,
}

thread_local! {
    static BOARDS: RefCell<Vec<Board>> = const { RefCell::new(Vec::new()) };
    static WATCHING: RefCell<bool> = const { RefCell::new(false) };
}

/// Lets drags inside the element with `data-match=name` touch a board, for as long as the current owner lives.
pub fn accept(name: String, touch: Callback<Spot>, may_touch: Callback<Spot, bool>) {
    let board = Board { name: name.clone(), touch, may_touch };
    BOARDS.with_borrow_mut(|boards| boards.push(board));
    on_cleanup(move || {
        BOARDS.with_borrow_mut(|boards| {
            // The same match may be opened anew before its old page is gone.
            if let Some(at) = boards.iter().position(|board| board.name == name) {
                boards.remove(at);
            }
        });
    });
    if WATCHING.replace(true) {
        return;
    }
    let report = Closure::<dyn FnMut(String, String, String)>::new(|name: String, from: String, to: String| {
        dragged(&name, &from, &to);
    });
    browser::watch_drags(&report);
    report.forget();
}

/// A drag begins by touching its source, if that can be touched, and ends by touching its target. The piece in hand has
/// no spot of its own.
fn dragged(name: &str, from: &str, to: &str) {
    let found = BOARDS.with_borrow(|boards| boards.iter().rfind(|board| board.name == name).cloned());
    let Some(board) = found else { return };
    let spot = if to.is_empty() { from.parse::<Spot>() } else { to.parse::<Spot>() };
    let Ok(spot) = spot else { return };
    if !to.is_empty() || board.may_touch.run(spot) {
        board.touch.run(spot);
    }
}
