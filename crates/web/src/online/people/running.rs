//! The games with others that the person at this device has not finished, as small boards that follow the play.

use std::time::Duration;

use locale::Language;
use ui::prelude::*;

use super::page::tile;
use crate::online::games::{Played, Standing, by_rank, read_game};
use crate::online::http;
use crate::route::Route;
use crate::views::{list, say, showing, spawn};

/// How often the boards are looked at again while the page is seen.
const AGAIN: Duration = Duration::from_secs(6);
/// How many are shown.
const MOST: usize = 6;

/// Games to go on with, those first that wait for the person; nothing while there are none.
#[component]
pub fn OwnGames() -> impl IntoView {
    let games = RwSignal::new(Vec::<Played>::new());
    let ask = move || {
        spawn(async move {
            let Ok(answer) = http::get("api/me/games").await else { return };
            let running = answer.list().iter().map(read_game).filter(|game| game.standing() == Standing::Running);
            let now: Vec<Played> = by_rank(&running.collect::<Vec<_>>()).take(MOST).collect();
            if games.try_with_untracked(|before| *before != now) == Some(true) {
                games.set(now);
            }
        });
    };
    ask();
    let again = move || {
        // A person without games is asked once; a page that is not seen waits.
        if !document().hidden() && games.try_with_untracked(|games| !games.is_empty()) == Some(true) {
            ask();
        }
    };
    let asking = set_interval_with_handle(again, AGAIN).ok();
    on_cleanup(move || {
        if let Some(asking) = asking {
            asking.clear();
        }
    });
    view! {
        {showing(move || !games.read().is_empty(), move || view! {
            <section class="live-games own-games">
                <h2><a href=Route::Mine.link()>{say(Language::online_mine)}</a></h2>
                <ul class="board-tiles">{list(move || games.get().into_iter().map(tile))}</ul>
            </section>
        })}
    }
}
