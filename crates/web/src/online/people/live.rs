//! Games being played now, as small boards to look at.

use std::time::Duration;

use locale::Language;
use protocol::{Compact as _, Json};
use ui::prelude::*;

use crate::app::settings;
use crate::online::games::board;
use crate::online::http;
use crate::online::me::{clock_name, game_name, listed_name};
use crate::parts::Thumbnail;
use crate::route::Route;
use crate::views::{list, live, say, showing, spawn};

/// How often the list is asked for.
const AGAIN: Duration = Duration::from_secs(20);

/// A game that is being played.
#[derive(Clone, PartialEq)]
struct Running {
    table: String,
    game: String,
    clock: String,
    players: Vec<Option<String>>,
    watching: u64,
    /// Grows with every action.
    actions: u64,
}

fn read(it: &Json) -> Running {
    Running {
        table: it.text_of("table"),
        game: it.text_of("game"),
        clock: it.text_of("clock"),
        players: it.get("players").and_then(Vec::read).unwrap_or_default(),
        watching: it.number_of("watching"),
        actions: it.number_of("actions"),
    }
}

/// Games to watch, the best first; nothing while there are none.
#[component]
pub fn LiveGames(
    /// How many at most.
    most: usize,
) -> impl IntoView {
    let games = RwSignal::new(Vec::<Running>::new());
    let ask = move || {
        spawn(async move {
            let Ok(answer) = http::get("api/live").await else { return };
            let now: Vec<Running> = answer.list().iter().take(most).map(read).collect();
            if games.try_with_untracked(|before| *before != now) == Some(true) {
                games.set(now);
            }
        });
    };
    ask();
    let asking = set_interval_with_handle(ask, AGAIN).ok();
    on_cleanup(move || {
        if let Some(asking) = asking {
            asking.clear();
        }
    });
    view! {
        {showing(move || !games.read().is_empty(), move || view! {
            <section class="live-games">
                <h2>{say(Language::online_live)}</h2>
                <ul class="board-tiles">{list(move || games.get().into_iter().map(tile))}</ul>
            </section>
        })}
    }
}

fn tile(running: Running) -> AnyView {
    let settings = settings();
    let Running { table, game, clock, players, watching, .. } = running;
    let picture = board(table.clone());
    let names = live(move || {
        let names = players.iter().flatten().map(|name| listed_name(settings.lang(), name));
        names.collect::<Vec<_>>().join(" – ")
    });
    let about = live(move || {
        let pace = clock_name(settings.lang(), &clock);
        if watching == 0 { pace } else { format!("{pace} · {}", settings.lang().online_watching(watching)) }
    });
    view! {
        <li>
            <a href=Route::Meet(table).link()>
                <span aria-hidden="true"><Thumbnail picture=picture.into() /></span>
                <b>{live(move || game_name(settings.lang(), &game))}</b><span>{names}</span><small>{about}</small>
            </a>
        </li>
    }
    .into_any()
}
