//! What a person has chosen for the whole app, kept on the device.

use leptos::prelude::*;
use locale::{Language, Part};
use wasm_bindgen::JsValue;

use crate::browser;

/// Light, dark, or as the device says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Paper.
    Light,
    /// Night.
    Dark,
}

/// The choices, as signals that the whole app follows.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The language of every text.
    pub language: RwSignal<Language>,
    /// The theme.
    pub theme: RwSignal<Theme>,
    /// Whether there are sounds.
    pub sound: RwSignal<bool>,
    /// Whether boards show their coordinates.
    pub coordinates: RwSignal<bool>,
}

impl Settings {
    /// Reads what was kept, or asks the browser.
    pub fn load() -> Settings {
        let settings = Settings {
            language: RwSignal::new(first_language()),
            theme: RwSignal::new(match kept("theme").as_deref() {
                Some("dark") => Theme::Dark,
                Some("light") => Theme::Light,
                _ => browser_theme(),
            }),
            sound: RwSignal::new(kept("sound").as_deref() == Some("on")),
            coordinates: RwSignal::new(kept("coordinates").as_deref() == Some("on")),
        };
        settings.follow();
        settings
    }

    /// The language now, tracked.
    pub fn lang(&self) -> Language {
        self.language.get()
    }

    /// Keeps changes and tells the page.
    fn follow(self) {
        let on_off = |on| if on { "on" } else { "off" };
        Effect::new(move || {
            let code = self.language.get().code();
            root_attribute("lang", code);
            keep("language", code);
        });
        Effect::new(move || {
            let name = if self.theme.get() == Theme::Dark { "dark" } else { "light" };
            root_attribute("data-theme", name);
            keep("theme", name);
        });
        Effect::new(move || keep("sound", on_off(self.sound.get())));
        Effect::new(move || keep("coordinates", on_off(self.coordinates.get())));
    }
}

/// The language the app begins with: as chosen before, or as the browser asks. `boot.js` guesses the same.
pub fn first_language() -> Language {
    kept("language").and_then(|code| code.parse().ok()).unwrap_or_else(browser_language)
}

/// Sees to it that texts of a language are here.
pub async fn load_texts(language: Language, part: Part) -> Result<(), JsValue> {
    if language.is_loaded(part) {
        return Ok(());
    }
    let Some(file) = routes::texts_file(language.code(), part) else { return Ok(()) };
    let texts = browser::fetch_file(&file).await?.as_string().unwrap_or_default();
    language.load(part, &texts).map_err(|other| JsValue::from_str(&other.to_string()))
}

/// Speaks another language, once all the texts are here that are here in this one.
pub async fn speak(settings: Settings, language: Language) -> Result<(), JsValue> {
    let spoken = settings.language.get_untracked();
    for part in Part::ALL.into_iter().filter(|part| spoken.is_loaded(*part)) {
        load_texts(language, part).await?;
    }
    settings.language.set(language);
    Ok(())
}

fn root_attribute(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(name, value);
    }
}

fn browser_language() -> Language {
    let languages = window().navigator().languages();
    languages.iter().filter_map(|code| Language::from_env_text(&code.as_string()?)).next().unwrap_or(Language::English)
}

fn browser_theme() -> Theme {
    let dark = window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|query| query.matches());
    if dark { Theme::Dark } else { Theme::Light }
}

/// A small setting kept by the browser, or by the page where storage is refused.
pub fn kept(name: &str) -> Option<String> {
    let stored = window().local_storage().ok().flatten().and_then(|storage| storage.get_item(&stored_as(name)).ok()?);
    stored.or_else(|| document().document_element()?.get_attribute(&page_attribute(name)))
}

/// Keeps a small setting; where storage is full or refused it lasts as long as the page.
pub fn keep(name: &str, value: &str) {
    let storage = window().local_storage().ok().flatten();
    if storage.is_none_or(|storage| storage.set_item(&stored_as(name), value).is_err()) {
        root_attribute(&page_attribute(name), value);
    }
}

fn stored_as(name: &str) -> String {
    format!("fourfold.{name}")
}

fn page_attribute(name: &str) -> String {
    format!("data-kept-{name}")
}
