//! The board of a puzzle of the day, for the first page.

use game::GameId;
use ui::prelude::*;

use crate::app::settings;
use crate::chunks;
use crate::online::http;
use crate::parts::Thumbnail;
use crate::route::{Route, write_query};
use crate::views::{live, showing, spawn};

/// One of today's puzzles, another game every day.
#[component]
pub fn DayBoard() -> impl IntoView {
    let settings = settings();
    let shown = RwSignal::new(None::<(String, String)>);
    spawn(async move {
        let Ok(answer) = http::get("api/puzzles/daily").await else { return };
        let puzzles = answer.list();
        let today = (js_sys::Date::now() / 86_400_000.0) as usize;
        let Some(puzzle) = puzzles.get(today % puzzles.len().max(1)) else { return };
        let text = |name: &str| puzzle.text_of(name);
        let board = chunks::position_board(text("game"), text("position"), puzzle.number_of("seat")).await;
        if let Some(picture) = board.ok().filter(|picture| !picture.is_empty()) {
            let _ = shown.try_set(Some((text("game"), picture)));
        }
    });
    showing(
        move || shown.with(Option::is_some),
        move || {
            let (game, picture) = shown.get_untracked().unwrap_or_default();
            let id = game.parse::<game::Game>().ok().map(|game| game.id());
            let link = Route::Puzzles(write_query(&[("mode", "daily"), ("game", id.map_or("", GameId::name))])).link();
            view! {
                <a class="day-board" href=link>
                    <span aria-hidden="true"><Thumbnail picture=Signal::stored(picture) /></span>
                    <b>{live(move || id.map(|id| locale::game_name(settings.lang(), id)))}</b>
                </a>
            }
        },
    )
}
