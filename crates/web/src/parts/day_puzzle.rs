//! The way to the puzzles of the day.

use art::{Icon, icon};
use locale::Language;
use ui::prelude::*;

use crate::chunks;
use crate::route::Route;
use crate::views::{say, showing};

/// A line about the puzzles of the day, with one of them as a board where a server tells it: the first page holds no puzzle.
#[component]
pub fn DayPuzzle(
    /// Whether there is a server.
    served: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <section class="of-the-day">
            <h2>{say(Language::web_puzzle_of_day)}</h2>
            <p class="quiet">{say(Language::web_puzzle_of_day_about)}</p>
            {showing(move || served.get(), chunks::day_board)}
            <a class="button main" href=Route::Puzzles(String::new()).link()>
                <span inner_html=icon(Icon::Puzzle)></span>{say(Language::web_puzzle_solve)}
            </a>
        </section>
    }
}
