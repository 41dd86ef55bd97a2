//! What others have played in a position, from the server's finished games.

use locale::Language;
use protocol::Json;
use ui::prelude::*;

use super::study::Study;
use crate::app::settings;
use crate::browser;
use crate::move_text;
use crate::online::http;
use crate::route::write_query;
use crate::views::{list, live, press, say, showing, spawn, tenths};

/// An action that was played here.
#[derive(Clone, PartialEq)]
struct Played {
    action: String,
    games: u64,
    won: u64,
    drawn: u64,
}

fn read(it: &Json) -> Played {
    Played {
        action: it.text_of("action"),
        games: it.number_of("games"),
        won: it.number_of("won"),
        drawn: it.number_of("drawn"),
    }
}

/// The actions with their results; asked for while the list is open.
#[component]
pub(super) fn Openings(study: Study) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let (served, is_open) = (RwSignal::new(false), RwSignal::new(false));
    spawn(async move {
        let _ = served.try_set(browser::has_server().await.is_truthy());
    });
    let played = RwSignal::new(None::<Vec<Played>>);
    Effect::new(move || {
        if !is_open.get() {
            return;
        }
        let (game, position) =
            study.match_view.game(|game| (game.settings().game.to_string(), game.position().to_string()));
        let path = format!("api/openings?{}", write_query(&[("game", &game), ("position", &position)]));
        spawn(async move {
            let answer = http::get(&path).await.map(|it| it.list().iter().map(read).collect());
            let now = || study.match_view.game_untracked(|game| game.position().to_string());
            // The reader may have stepped on, or left the page.
            if played.try_with_untracked(|_| ()).is_some() && now() == position {
                played.set(answer.ok());
            }
        });
    });
    let row = move |Played { action, games, won, drawn }: Played| {
        let text = action.clone();
        let share = |part: u64| tenths(part as f64 / games.max(1) as f64 * 100.0) + "%";
        let bar = format!("--won:{};--drawn:{}", share(won), share(won + drawn));
        let about = live(move || lang().study_opening(games, won, drawn, games - won - drawn));
        view! {
            <li><button type="button" class="worth opening" on:click=press(move || study.act(&action))>
                <b inner_html=live(move || move_text::drawn(lang(), &move_text::action(lang(), &study.game(), &text)))></b>
                <i class="shares" style=bar aria-hidden="true"></i><span>{about}</span>
            </button></li>
        }
    };
    let none = move || played.with(|played| played.as_ref().is_some_and(Vec::is_empty));
    let toggle = move |event: ui::ev::Event| {
        use wasm_bindgen::JsCast;
        let details = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        is_open.set(details.is_some_and(|details| details.has_attribute("open")));
    };
    view! {
        {showing(move || served.get(), move || view! {
            <details class="openings" on:toggle=toggle>
                <summary><h2>{say(Language::study_openings)}</h2></summary>
                {showing(none, move || view! { <p class="quiet">{say(Language::study_openings_none)}</p> })}
                <ol class="blunders">{list(move || played.get().unwrap_or_default().into_iter().map(row))}</ol>
            </details>
        })}
    }
}
