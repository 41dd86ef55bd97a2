//! What a person has chosen for the whole app, kept on the device.

use std::ops::Deref;

use game::GameId;
use locale::{Language, Part};
use ui::prelude::*;
use wasm_bindgen::JsValue;

use crate::views::spawn;
use crate::{browser, move_text};

/// Declares settings with a few values each, the usual one, and the words by which they are kept.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident usually $usual:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_doc])* $value,)+
        }

        impl Kept for $name {
            const ALL: &'static [$name] = &[$($name::$value),+];
            const USUAL: $name = $name::$usual;

            fn word(self) -> &'static str {
                match self { $($name::$value => $word,)+ }
            }
        }
    )+};
}

/// A setting with a few values.
pub trait Kept: Copy + PartialEq + 'static {
    /// Every value, in the order of menus.
    const ALL: &'static [Self];
    /// What holds until something else is chosen.
    const USUAL: Self;

    /// The word by which a value is kept, and by which style sheets and scripts know it.
    fn word(self) -> &'static str;

    /// What was kept under a name, or the usual value.
    fn read(name: &str) -> Self {
        let word = kept(name);
        let known = Self::ALL.iter().find(|value| word.as_deref() == Some(value.word()));
        *known.unwrap_or(&Self::USUAL)
    }

    /// The same, to be followed.
    fn load(name: &str) -> RwSignal<Self> {
        RwSignal::new(Self::read(name))
    }
}

choices! {
    /// The colours of the page.
    Theme usually System {
        /// As the device says.
        System = "system",
        /// Paper.
        Light = "light",
        /// Night.
        Dark = "dark",
    }
    /// What boards and pieces are made of.
    Look usually Wood {
        /// Maple and walnut.
        Wood = "wood",
        /// Slate and ivory.
        Slate = "slate",
        /// Black and white.
        Contrast = "contrast",
    }
    /// How fast pieces move.
    Speed usually Normal {
        /// Slower, to follow every move.
        Slow = "slow",
        /// As usual.
        Normal = "normal",
        /// Faster.
        Fast = "fast",
        /// Pieces do not move.
        Still = "still",
    }
    /// How loud sounds are.
    Volume usually Normal {
        /// Softer.
        Quiet = "quiet",
        /// As usual.
        Normal = "normal",
        /// Louder.
        Loud = "loud",
    }
    /// What sounds are like.
    Sounds usually Wood {
        /// Wood, card and stone.
        Wood = "wood",
        /// Soft tones.
        Tones = "tones",
    }
    /// How moves are written.
    Notation usually Pictures {
        /// With pictures of pieces and names of cards.
        Pictures = "pictures",
        /// As in records.
        Text = "text",
    }
    /// Something that is on or off.
    Switch usually Off {
        /// Not wanted.
        Off = "off",
        /// Wanted.
        On = "on",
    }
}

/// The choices, as signals that the whole app follows. They live as long as the app: a handle of one word, because
/// nearly every closure of every page holds it.
#[derive(Clone, Copy)]
pub struct Settings(&'static Choices);

impl Deref for Settings {
    type Target = Choices;

    fn deref(&self) -> &Choices {
        self.0
    }
}

/// What there is to choose.
pub struct Choices {
    /// The language of every text.
    pub language: RwSignal<Language>,
    /// The theme.
    pub theme: RwSignal<Theme>,
    /// What the board and pieces of each game look like, in the order of menus.
    pub looks: [RwSignal<Look>; GameId::ALL.len()],
    /// How fast pieces move.
    pub speed: RwSignal<Speed>,
    /// Whether there are sounds.
    pub sound: RwSignal<bool>,
    /// How loud they are.
    pub volume: RwSignal<Volume>,
    /// What they are like.
    pub sounds: RwSignal<Sounds>,
    /// Whether boards show their coordinates.
    pub coordinates: RwSignal<bool>,
    /// Whether a chosen move is played only when confirmed.
    pub confirm: RwSignal<bool>,
    /// Whether a move can be chosen before one's turn.
    pub premove: RwSignal<bool>,
    /// How moves are written.
    pub notation: RwSignal<Notation>,
}

impl Settings {
    /// Reads what was kept, or asks the browser.
    pub fn load() -> Settings {
        let is_on = |name| RwSignal::new(Switch::read(name) == Switch::On);
        let choices = Choices {
            language: RwSignal::new(first_language()),
            theme: Theme::load("theme"),
            looks: GameId::ALL.map(|game| Look::load(&look_name(game))),
            speed: Speed::load("speed"),
            sound: is_on("sound"),
            volume: Volume::load("volume"),
            sounds: Sounds::load("sounds"),
            coordinates: is_on("coordinates"),
            confirm: is_on("confirm"),
            premove: RwSignal::new(is_wanted("premove")),
            notation: Notation::load("notation"),
        };
        let settings = Settings(Box::leak(Box::new(choices)));
        settings.follow();
        settings
    }

    /// Takes over what was chosen on another device and is kept here by now.
    pub fn reload(self) {
        fn take<T: Kept>(chosen: RwSignal<T>, name: &str) {
            update(chosen, T::read(name));
        }
        take(self.theme, "theme");
        for (game, look) in GameId::ALL.into_iter().zip(self.looks) {
            take(look, &look_name(game));
        }
        take(self.speed, "speed");
        take(self.volume, "volume");
        take(self.sounds, "sounds");
        take(self.notation, "notation");
        for (chosen, name) in [(self.sound, "sound"), (self.coordinates, "coordinates"), (self.confirm, "confirm")] {
            update(chosen, Switch::read(name) == Switch::On);
        }
        update(self.premove, is_wanted("premove"));
        if first_language() != self.language.get_untracked() {
            spawn(async move { drop(speak(self, first_language()).await) });
        }
    }

    /// The language now, tracked.
    pub fn lang(&self) -> Language {
        self.language.get()
    }

    /// Whether the page is dark now, tracked.
    pub fn is_dark(&self) -> bool {
        match self.theme.get() {
            Theme::System => browser_is_dark(),
            theme => theme == Theme::Dark,
        }
    }

    /// Whether the page is dark now.
    pub fn is_dark_untracked(&self) -> bool {
        untrack(|| self.is_dark())
    }

    /// Keeps changes and shows them to the page.
    fn follow(self) {
        let switch = |on| if on { Switch::On } else { Switch::Off };
        Effect::new(move || {
            let code = self.language.get().code();
            root_attribute("lang", code);
            choose("language", code);
        });
        Effect::new(move || {
            root_attribute("data-theme", if self.is_dark() { "dark" } else { "light" });
            colour_the_frame(self.is_dark());
            choose("theme", self.theme.get().word());
        });
        for (game, look) in GameId::ALL.into_iter().zip(self.looks) {
            follow_word(look_name(game), move || look.get().word());
        }
        follow_word("speed", move || self.speed.get().word());
        follow_word("volume", move || self.volume.get().word());
        follow_word("sounds", move || self.sounds.get().word());
        follow_word("sound", move || switch(self.sound.get()).word());
        follow_word("coordinates", move || switch(self.coordinates.get()).word());
        follow_word("confirm", move || switch(self.confirm.get()).word());
        follow_word("premove", move || switch(self.premove.get()).word());
        follow_word("notation", move || self.notation.get().word());
        Effect::new(move || move_text::write_as(self.notation.get()));
    }
}

/// The name under which the look of a game is kept.
fn look_name(game: GameId) -> String {
    format!("look-{game}")
}

/// Keeps a setting, and puts it on the page for style sheets and scripts.
fn follow_word(name: impl Into<String>, word: impl Fn() -> &'static str + 'static) {
    let (name, word) = (name.into(), Signal::derive(word));
    Effect::new(move || {
        root_attribute(&format!("data-{name}"), word.get());
        choose(&name, word.get());
    });
}

/// Sets a setting if it is another one.
fn update<T: Copy + PartialEq + 'static>(chosen: RwSignal<T>, value: T) {
    if chosen.get_untracked() != value {
        chosen.set(value);
    }
}

/// Whether something is on that is on unless it was switched off.
fn is_wanted(name: &str) -> bool {
    kept(name).as_deref() != Some(Switch::Off.word())
}

/// Keeps a setting, and when it was chosen: on the devices of one account the latest choice counts. What a device begins
/// with was not chosen.
fn choose(name: &str, value: &str) {
    let before = kept(name);
    if before.as_deref() == Some(value) {
        return;
    }
    keep(name, value);
    if before.is_some() {
        let at = format!("at.{name}");
        let last: u64 = kept(&at).and_then(|at| at.parse().ok()).unwrap_or_default();
        keep(&at, &(js_sys::Date::now() as u64).max(last + 1).to_string());
        browser::report_choice();
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

/// Gives what the browser or the system draws around the page the colour of the theme. The page begins with the device's.
fn colour_the_frame(is_dark: bool) {
    let colour = if is_dark { "#221a14" } else { "#f4ead9" };
    for scheme in ["light", "dark"] {
        let meta = document().query_selector(&format!("meta[name=theme-color][media*={scheme}]"));
        if let Ok(Some(meta)) = meta {
            let _ = meta.set_attribute("content", colour);
        }
    }
}

fn browser_language() -> Language {
    let languages = window().navigator().languages();
    languages.iter().filter_map(|code| Language::from_env_text(&code.as_string()?)).next().unwrap_or(Language::English)
}

fn browser_is_dark() -> bool {
    window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|query| query.matches())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words<T: Kept>() -> Vec<&'static str> {
        T::ALL.iter().map(|value| value.word()).collect()
    }

    #[test]
    fn every_value_has_a_word_of_its_own() {
        for words in [words::<Theme>(), words::<Look>(), words::<Speed>(), words::<Volume>(), words::<Sounds>()] {
            let different: std::collections::BTreeSet<_> = words.iter().collect();
            assert_eq!(different.len(), words.len());
        }
    }
}
