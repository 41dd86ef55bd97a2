//! The frame around all pages: settings, the way between pages, and what every page shares.

use std::any::Any;
use std::cell::RefCell;

use leptos::prelude::*;
use locale::{Language, Part};
use wasm_bindgen::JsValue;

use crate::art::{self, Icon, icon};
use crate::lean::{self, live, press, say, spawn};
use crate::route::{Route, current_route};
use crate::settings::{Settings, Theme, first_language, load_texts, speak};

/// What shows the page of a route; each program has pages of its own.
pub type Pages = fn(Route) -> AnyView;

thread_local! {
    /// Keeps the app in the page for as long as it is held.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Makes a binary one of the app's programs: what it runs, and what `boot.js` calls to prepare, start and stop it.
#[macro_export]
macro_rules! program {
    (texts: [$($part:expr),+], pages: $pages:path) => {
        use ::wasm_bindgen::prelude::*;

        fn main() {
            ::console_error_panic_hook::set_once();
        }

        /// Fetches the texts; fails if they cannot be had.
        #[wasm_bindgen]
        pub async fn prepare() -> Result<(), JsValue> {
            $crate::app::prepare(&[$($part),+]).await
        }

        /// Puts the program into the page.
        #[wasm_bindgen]
        pub fn start() {
            $crate::app::start($pages);
        }

        /// Takes it out again.
        #[wasm_bindgen]
        pub fn stop() {
            $crate::app::stop();
        }
    };
}

/// Fetches what a program needs before it can show anything.
pub async fn prepare(parts: &[Part]) -> Result<(), JsValue> {
    for &part in parts {
        load_texts(first_language(), part).await?;
    }
    Ok(())
}

/// Puts the app into the page, in place of the note for browsers that cannot run it.
pub fn start(pages: Pages) {
    if let Some(note) = document().get_element_by_id("note") {
        note.remove();
    }
    if let Some(body) = document().body() {
        let mounted = mount_to(body, move || view! { <App pages /> });
        MOUNTED.with_borrow_mut(|held| *held = Some(Box::new(mounted)));
    }
}

/// Takes the app out of the page, to make room for another program.
pub fn stop() {
    drop(MOUNTED.with_borrow_mut(Option::take));
}

#[component]
fn App(pages: Pages) -> impl IntoView {
    provide_context(Settings::load());
    let route = current_route();
    let page = lean::part(move || match route.get() {
        Route::Missing => view! { <Missing /> }.into_any(),
        route => pages(route),
    });
    view! {
        <div inner_html=art::defs()></div>
        <UpdateNote />
        {page}
    }
}

/// Stands for pages of a program that could not be fetched.
#[component]
fn Missing() -> impl IntoView {
    view! {
        <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
        <main class="dead-end"><p class="lead notice" role="alert">{say(Language::web_no_texts)}</p><p><a class="button main" href="#/">{say(Language::web_home)}</a></p></main>
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
                <a class="button plain" href="#/" aria-label=say(Language::web_home) title=say(Language::web_home) inner_html=icon(Icon::Back)></a>
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
