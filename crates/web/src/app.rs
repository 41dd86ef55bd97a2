//! The frame around all pages: settings, the way between pages, and what every page shares.

use locale::{Language, Part};
use ui::prelude::*;
use wasm_bindgen::JsValue;

use crate::browser;
use crate::chunks::{self, NotLoaded};
use crate::route::{self, Route};
use crate::settings::{Settings, first_language, load_texts};
pub use crate::top_bar::TopBar;
use crate::views::{self, press, say, showing, spawn};

/// Puts the app into the page, in place of the note for browsers that cannot run it.
pub async fn start() -> Result<(), JsValue> {
    load_texts(first_language(), Part::Table).await?;
    let first = Shown::load(&route::current_address()).await;
    if let Some(note) = document().get_element_by_id("note") {
        note.remove();
    }
    if let Some(body) = document().body() {
        ui::mount_to(&body, move || view! { <App first /> });
    }
    Ok(())
}

/// What an address comes to.
#[derive(Clone)]
enum Shown {
    /// A page whose chunk is loaded.
    Page(Route),
    /// The address is no page.
    NotFound,
    /// The page's chunk could not be loaded.
    NotLoaded,
}

impl Shown {
    /// Loads what the page of an address needs.
    async fn load(address: &str) -> Shown {
        let route = Route::read(address);
        let loaded = chunks::load_page(route.as_ref().unwrap_or(&Route::Home)).await;
        loaded.map_or(Shown::NotLoaded, |()| route.map_or(Shown::NotFound, Shown::Page))
    }

    fn view(self) -> Result<AnyView, NotLoaded> {
        match self {
            Shown::Page(route) => chunks::page(route),
            Shown::NotFound => chunks::not_found(),
            Shown::NotLoaded => Err(NotLoaded),
        }
    }
}

#[component]
fn App(first: Shown) -> impl IntoView {
    provide_context(Settings::load());
    let shown = RwSignal::new(first);
    route::watch_address(move || spawn(follow_address(shown)));
    let page = views::part(move || {
        let shown = shown.get();
        shown.view().unwrap_or_else(|NotLoaded| view! { <TryAgain /> }.into_any())
    });
    view! {
        <UpdateNote />
        {page}
        <Notifications />
    }
}

/// Shows what the address asks for. Until all of it is here, the page stays as it is.
async fn follow_address(shown: RwSignal<Shown>) {
    let address = route::current_address();
    mark_loading(true);
    let next = Shown::load(&address).await;
    // The person may have gone elsewhere meanwhile.
    if route::current_address() == address {
        mark_loading(false);
        shown.set(next);
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }
}

fn mark_loading(loading: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.toggle_attribute_with_force("data-loading", loading);
    }
}

/// Stands for a page that could not be loaded.
#[component]
fn TryAgain() -> impl IntoView {
    // The server may have a newer version by now, whose files are elsewhere: then only a fresh start helps.
    let retry = move || {
        spawn(async {
            match Shown::load(&route::current_address()).await {
                Shown::NotLoaded => drop(window().location().reload()),
                _ => browser::go(&route::current_address(), true),
            }
        });
    };
    view! {
        <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
        <main class="dead-end">
            <p class="lead notice" role="alert">{say(Language::web_not_loaded)}</p>
            <div class="choices">
                <button type="button" class="button main" data-do="retry" on:click=press(retry)>{say(Language::web_try_again)}</button>
                <a class="button" href=Route::Home.link()>{say(Language::web_home)}</a>
            </div>
        </main>
    }
}

/// Says that a new version waits. It comes with a later start of the page, never in the middle of a game. An installed app
/// has no button of the browser's for that.
#[component]
fn UpdateNote() -> impl IntoView {
    let told = document().document_element().is_some_and(|root| root.has_attribute("data-update"));
    let waiting = RwSignal::new(told);
    let _listening = window_event_listener("fourfold-update", move |_: ui::ev::Event| waiting.set(true));
    let reload = || drop(window().location().reload());
    let sentence = move || {
        view! { <button type="button" data-do="reload" on:click=press(reload)>{say(Language::web_update)}</button> }
    };
    view! { <p class="notice update" role="status">{showing(move || waiting.get(), sentence)}</p> }
}

/// Follows what `notifications.js` reports: challenges, and settings that were chosen on another device.
#[component]
fn Notifications() -> impl IntoView {
    let settings = settings();
    let challenges = || {
        let count = document().document_element().and_then(|root| root.get_attribute("data-challenges"));
        count.and_then(|count| count.parse().ok()).unwrap_or_default()
    };
    let count = RwSignal::new(challenges());
    let _listening = window_event_listener("fourfold-challenges", move |_: ui::ev::Event| count.set(challenges()));
    let _reloading = window_event_listener("fourfold-settings", move |_: ui::ev::Event| settings.reload());
    let was_challenged = Memo::new(move |before: Option<&bool>| before == Some(&true) || count.get() > 0);
    views::showing(move || was_challenged.get(), move || chunks::challenges(count))
}

/// The settings every page reaches for.
pub fn settings() -> Settings {
    expect_context::<Settings>()
}
