//! The way to the puzzles of the day.

use art::{Icon, icon};
use leptos::prelude::*;
use locale::Language;

use crate::erased_views::say;
use crate::route::Route;

/// A line about the puzzles of the day. It holds no puzzle, so the first page loads none.
#[component]
pub fn DayPuzzle() -> impl IntoView {
    view! {
        <section class="quick-online">
            <h2>{say(Language::web_puzzle_of_day)}</h2>
            <p class="quiet">{say(Language::web_puzzle_of_day_about)}</p>
            <a class="button main" href=Route::Puzzles(String::new()).link()>
                <span inner_html=icon(Icon::Puzzle)></span>{say(Language::web_puzzle_solve)}
            </a>
        </section>
    }
}
