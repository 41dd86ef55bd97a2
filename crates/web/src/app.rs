//! The frame around all pages: settings, the way between pages, and what every page shares.

use std::any::Any;
use std::cell::RefCell;

use leptos::prelude::*;
use locale::{Language, Part};
use wasm_bindgen::JsValue;

use crate::art::{Icon, icon};
use crate::browser;
use crate::chunks::{self, NotLoaded};
use crate::erased_views::{self, live, press, say, spawn};
use crate::pages::home::{Home, load_pictures};
use crate::route::{self, Route};
use crate::settings::{Settings, Theme, first_language, load_texts, speak};

thread_local! {
    /// Keeps the app in the page for as long as it is held.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Puts the app into the page, in place of the note for browsers that cannot run it.
pub async fn start() -> Result<(), JsValue> {
    load_texts(first_language(), Part::Table).await?;
    let first = Shown::load(&route::current_address()).await;
    if let Some(note) = document().get_element_by_id("note") {
        note.remove();
    }
    if let Some(body) = document().body() {
        let mounted = mount_to(body, move || view! { <App first /> });
        MOUNTED.with_borrow_mut(|held| *held = Some(Box::new(mounted)));
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
        let Some(route) = Route::read(address) else {
            load_pictures().await;
            return Shown::NotFound;
        };
        let loaded = match route.chunk() {
            Some(chunk) => chunks::load(chunk).await,
            None => {
                load_pictures().await;
                Ok(())
            }
        };
        loaded.map_or(Shown::NotLoaded, |()| Shown::Page(route))
    }

    fn view(self) -> Result<AnyView, NotLoaded> {
        match self {
            Shown::Page(route) => match route.chunk() {
                Some(chunk) => chunks::page(chunk, route),
                None => Ok(view! { <Home lost=false /> }.into_any()),
            },
            Shown::NotFound => Ok(view! { <Home lost=true /> }.into_any()),
            Shown::NotLoaded => Err(NotLoaded),
        }
    }
}

#[component]
fn App(first: Shown) -> impl IntoView {
    provide_context(Settings::load());
    let shown = RwSignal::new(first);
    route::watch_address(move || spawn(follow_address(shown)));
    let page = erased_views::part(move || {
        let shown = shown.get();
        shown.view().unwrap_or_else(|NotLoaded| view! { <TryAgain /> }.into_any())
    });
    view! {
        <UpdateNote />
        {page}
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

/// Says that a new version waits. It comes with a later start of the page, never in the middle of a game.
#[component]
fn UpdateNote() -> impl IntoView {
    let settings = settings();
    let told = document().document_element().is_some_and(|root| root.has_attribute("data-update"));
    let waiting = RwSignal::new(told);
    let _listening = window_event_listener_untyped("fourfold-update", move |_| waiting.set(true));
    view! { <p class="notice update" role="status">{live(move || waiting.get().then(|| settings.lang().web_update()))}</p> }
}

/// The settings every page reaches for.
pub fn settings() -> Settings {
    expect_context::<Settings>()
}

/// The bar at the top: the way home, the title, language, theme and sound.
#[component]
pub fn TopBar(
    /// The page's name.
    #[prop(into)]
    title: Signal<String>,
    /// Whether there is a way home.
    #[prop(optional)]
    home: bool,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    Effect::new(move || document().set_title(&format!("{} – Fourfold", title.get())));
    let next_theme = move |_| {
        settings.theme.update(|theme| *theme = if *theme == Theme::Dark { Theme::Light } else { Theme::Dark });
    };
    let theme_name = move || match settings.theme.get() {
        Theme::Dark => lang().web_theme_light(),
        Theme::Light => lang().web_theme_dark(),
    };
    // A word that would not fit on a phone is set smaller there.
    let long = live(move || title.with(|title| title.split(' ').any(|word| word.chars().count() > 13)));
    let sound_name = move || if settings.sound.get() { lang().web_sound_off() } else { lang().web_sound_on() };
    view! {
        <header class="bar">
            {(!home).then(|| view! {
                <a class="button plain" href=Route::Home.link() aria-label=say(Language::web_home) title=say(Language::web_home) inner_html=icon(Icon::Back)></a>
            })}
            <h1 class="title" class:long=long>{title}</h1>
            <LanguageChoice />
            <button type="button" class="button plain" aria-label=sound_name title=sound_name
                on:click=press(move || settings.sound.update(|on| *on = !*on))
                inner_html=live(move || icon(if settings.sound.get() { Icon::Sound } else { Icon::Mute }))></button>
            <button type="button" class="button plain" aria-label=theme_name title=theme_name on:click=next_theme
                inner_html=live(move || icon(if settings.theme.get() == Theme::Dark { Icon::Sun } else { Icon::Moon }))></button>
        </header>
    }
}

#[component]
fn LanguageChoice() -> impl IntoView {
    let settings = settings();
    let options = Language::ALL
        .into_iter()
        .map(|language| {
            view! {
                <option value=language.code() lang=language.code() selected=live(move || settings.language.get() == language)>
                    {language.native_name()}
                </option>
            }
        })
        .collect_view();
    let choose = move |event| {
        let Ok(language) = event_target_value(&event).parse() else { return };
        spawn(async move {
            if speak(settings, language).await.is_err() {
                // The list goes back to the language that is spoken.
                settings.language.update(|_| {});
            }
        });
    };
    view! {
        // The list lies unseen over a short sign, so that the bar has room for its title on a phone.
        <span class="languages">
            <span aria-hidden="true">{live(move || settings.language.get().code().to_uppercase())}</span>
            <select class="language" aria-label=say(Language::menu_language) title=say(Language::menu_language) on:change=choose>{options}</select>
        </span>
    }
}
