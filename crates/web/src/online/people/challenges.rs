//! Challenges to the person at this device: on every page, as long as their tables wait.

use locale::Language;
use protocol::{Challenge, Compact as _};
use ui::prelude::*;

use crate::app::settings;
use crate::browser::play_sound;
use crate::online::browser;
use crate::online::http::{self, HttpError};
use crate::online::me::{Told, clock_name, game_name, name_of, told};
use crate::route::{self, Route};
use crate::views::{list, live, press, say, showing, spawn, tool};
use art::Icon;

/// The challenges to the person at this device and by it.
async fn challenges() -> Option<protocol::Challenges> {
    protocol::Challenges::read(&http::get("api/me/challenges").await.ok()?)
}

/// The open challenges over any page, with the ways to answer them.
#[component]
pub fn Challenges(
    /// How many there are, as the page hears of it.
    count: RwSignal<usize>,
) -> impl IntoView {
    let settings = settings();
    let open = RwSignal::new(Vec::<Challenge>::new());
    let hidden = RwSignal::new(false);
    let said: Told = RwSignal::new(None);
    // A challenge by the player may have been declined, so every report counts.
    Effect::new(move || {
        count.track();
        spawn(async move {
            let Some(now) = challenges().await.map(|challenges| challenges.received) else { return };
            let Some(before) = open.try_get_untracked() else { return };
            let news = now.iter().find(|challenge| !before.contains(challenge)).cloned();
            open.set(now);
            if let Some(challenge) = news {
                hidden.set(false);
                announce(settings.language.get_untracked(), &challenge);
                if settings.sound.get_untracked() {
                    play_sound("turn");
                }
            }
        });
    });
    let row = move |challenge: Challenge| row(challenge, open, said);
    view! {
        {showing(move || !hidden.get() && !open.read().is_empty(), move || view! {
            <aside class="challenges" aria-label=say(Language::online_challenges)>
                <header><h2>{say(Language::online_challenges)}</h2>{tool(Icon::Close, Language::web_close, move || hidden.set(true))}</header>
                {told(said)}
                <div role="status"><ul class="rows">{list(move || open.get().into_iter().map(row))}</ul></div>
            </aside>
        })}
    }
}

/// Calls a person whose page is hidden.
fn announce(language: Language, challenge: &Challenge) {
    let name = name_of(language, &challenge.name);
    browser::notify(&language.online_challenged(&name), &game_name(language, &challenge.game));
}

fn row(challenge: Challenge, open: RwSignal<Vec<Challenge>>, said: Told) -> AnyView {
    let settings = settings();
    let Challenge { table, game, clock, rated, person, name, .. } = challenge;
    let about = live(move || {
        let language = settings.lang();
        let stakes = if rated { language.online_rated() } else { language.online_friendly() };
        format!("{} · {} · {stakes}", game_name(language, &game), clock_name(language, &clock))
    });
    let accept = {
        let table = table.clone();
        move || {
            let table = table.clone();
            answer(table.clone(), "POST", format!("api/tables/{table}/sit"), open, said, move || {
                route::go(&Route::Meet(table));
            });
        }
    };
    let decline = move || {
        let table = table.clone();
        answer(table.clone(), "DELETE", format!("api/me/challenges/{table}"), open, said, || {});
    };
    view! {
        <li>
            <div><b><a href=Route::Person(person).link()>{live(move || name_of(settings.lang(), &name))}</a></b><span>{about}</span></div>
            <div class="choices">
                <button type="button" class="button main" data-do="accept" on:click=press(accept)>{say(Language::action_accept)}</button>
                <button type="button" class="button" data-do="decline" on:click=press(decline)>{say(Language::action_decline)}</button>
            </div>
        </li>
    }
    .into_any()
}

/// Answers a challenge, which is then open no more.
fn answer(
    table: String,
    method: &'static str,
    path: String,
    open: RwSignal<Vec<Challenge>>,
    said: Told,
    then: impl FnOnce() + 'static,
) {
    spawn(async move {
        match http::send(method, &path, Some("{}")).await {
            Ok(_) => {
                let _ = open.try_update(|open| open.retain(|challenge| challenge.table != table));
                then();
            }
            Err(error) => {
                // A table that is gone or full can be neither accepted nor declined.
                if matches!(error, HttpError::Refused(_)) {
                    let _ = open.try_update(|open| open.retain(|challenge| challenge.table != table));
                }
                let _ = said.try_set(Some(Err(error)));
            }
        }
    });
}

/// What became of the challenges that the player has sent from a table.
pub fn sent(table: String) -> AnyView {
    let settings = settings();
    let challenged = RwSignal::new(Vec::<(String, bool)>::new());
    let look = move || {
        let table = table.clone();
        spawn(async move {
            let Some(challenges) = challenges().await else { return };
            let of_table = challenges.sent.into_iter().filter(|challenge| challenge.table == table);
            let now = of_table.map(|challenge| (challenge.name, challenge.declined)).collect();
            let _ = challenged.try_set(now);
        });
    };
    look();
    let listening = window_event_listener("fourfold-challenges", move |_: ui::ev::Event| look());
    on_cleanup(move || listening.remove());
    let line = move |(name, declined): (String, bool)| {
        let text = live(move || {
            let (language, name) = (settings.lang(), name_of(settings.lang(), &name));
            if declined { language.online_has_declined(&name) } else { language.online_is_challenged(&name) }
        });
        view! { <p class="quiet" role="status">{text}</p> }
    };
    list(move || challenged.get().into_iter().map(line)).into_any()
}
