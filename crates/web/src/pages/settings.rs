//! The settings: language, colours, boards, motion and sounds.

use game::GameId;
use locale::Language;
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::browser;
use crate::parts::GamePicture;
use crate::settings::{Kept, Look, Notation, Sounds, Speed, Theme, Volume, speak};
use crate::views::{live, press, say, showing, spawn};

/// A text of the app.
type Text = fn(Language) -> &'static str;

/// The page.
#[component]
pub fn SettingsPage() -> impl IntoView {
    let settings = settings();
    view! {
        <TopBar title=Signal::derive(move || settings.lang().web_settings().to_owned()) />
        <main class="setup settings">
            <p class="quiet">{say(Language::web_settings_about)}</p>
            <section>
                <Languages />
                {choice(Language::settings_theme, settings.theme, |theme| match theme {
                    Theme::System => Language::settings_theme_system,
                    Theme::Light => Language::web_theme_light,
                    Theme::Dark => Language::web_theme_dark,
                })}
            </section>
            <section>
                <Looks />
                {on_off(Language::web_coordinates, settings.coordinates)}
                {on_off(Language::settings_confirm, settings.confirm)}
                {on_off(Language::settings_premove, settings.premove)}
                {choice(Language::settings_notation, settings.notation, |notation| match notation {
                    Notation::Pictures => Language::settings_notation_pictures,
                    Notation::Text => Language::settings_notation_text,
                })}
                {choice(Language::settings_speed, settings.speed, |speed| match speed {
                    Speed::Normal => Language::settings_normal,
                    Speed::Slow => Language::settings_slow,
                    Speed::Fast => Language::settings_fast,
                    Speed::Still => Language::settings_still,
                })}
            </section>
            <section>
                {on_off(Language::settings_sound, settings.sound)}
                {choice(Language::settings_volume, settings.volume, |volume| match volume {
                    Volume::Normal => Language::settings_normal,
                    Volume::Quiet => Language::settings_quiet,
                    Volume::Loud => Language::settings_loud,
                })}
                {choice(Language::settings_sounds, settings.sounds, |sounds| match sounds {
                    Sounds::Wood => Language::settings_sounds_wood,
                    Sounds::Tones => Language::settings_sounds_tones,
                })}
                <p><button type="button" class="button" on:click=press(|| browser::play_sound("wood"))>{say(Language::settings_listen)}</button></p>
            </section>
            <Install />
        </main>
    }
}

/// Offers to install the app where the browser can. It stands last, because the browser says so only after a while, and
/// nothing may be pushed down by it.
#[component]
fn Install() -> impl IntoView {
    let is_offered = RwSignal::new(browser::can_install());
    let listening = window_event_listener("fourfold-install", move |_: ui::ev::Event| is_offered.set(true));
    on_cleanup(move || listening.remove());
    let install = move || {
        browser::install();
        is_offered.set(false);
    };
    showing(
        move || is_offered.get(),
        move || {
            view! { <p><button type="button" class="button main" data-do="install" on:click=press(install)>{say(Language::settings_install)}</button></p> }
        },
    )
}

/// One setting as a row of buttons.
fn choice<T: Kept>(name: Text, chosen: RwSignal<T>, label: fn(T) -> Text) -> AnyView {
    let button = |value: T| {
        let is_chosen = live(move || chosen.get() == value);
        setting_button(value.word(), say(label(value)), is_chosen, move || chosen.set(value))
    };
    row(name, T::ALL.iter().map(|value| button(*value)).collect())
}

fn on_off(name: Text, chosen: RwSignal<bool>) -> AnyView {
    let button = |on: bool, word: &'static str, label: Text| {
        let is_chosen = live(move || chosen.get() == on);
        setting_button(word, say(label), is_chosen, move || chosen.set(on))
    };
    row(name, vec![button(false, "off", Language::action_no), button(true, "on", Language::action_yes)])
}

fn setting_button(word: &'static str, label: AnyView, is_chosen: AnyView, choose: impl Fn() + 'static) -> AnyView {
    view! { <button type="button" class="button" data-value=word aria-pressed=is_chosen on:click=press(choose)>{label}</button> }
        .into_any()
}

fn row(name: Text, buttons: Vec<AnyView>) -> AnyView {
    view! {
        <div class="setting" role="group" aria-label=say(name)>
            <h2>{say(name)}</h2>
            <div class="choices">{buttons}</div>
        </div>
    }
    .into_any()
}

#[component]
fn Languages() -> impl IntoView {
    let settings = settings();
    let button = |language: Language| {
        let choose = move || spawn(async move { drop(speak(settings, language).await) });
        view! {
            <button type="button" class="button" lang=language.code() data-value=language.code()
                aria-pressed=live(move || settings.language.get() == language)
                on:click=press(choose)>{language.native_name()}</button>
        }
        .into_any()
    };
    row(Language::menu_language, Language::ALL.map(button).into_iter().collect())
}

/// The looks of each game, beside its board, which shows the choice at once.
#[component]
fn Looks() -> impl IntoView {
    let settings = settings();
    let look = |(game, chosen): (GameId, RwSignal<Look>)| {
        let button = |value: Look| {
            let label = match value {
                Look::Wood => Language::settings_look_wood,
                Look::Slate => Language::settings_look_slate,
                Look::Contrast => Language::settings_look_contrast,
            };
            let is_chosen = live(move || chosen.get() == value);
            setting_button(value.word(), say(label), is_chosen, move || chosen.set(value))
        };
        let name = Signal::derive(move || locale::game_name(settings.lang(), game));
        view! {
            <div class="look" role="group" aria-label=name data-look-of=game.name()>
                <span aria-hidden="true"><GamePicture game /></span>
                <h3>{name}</h3>
                <div class="choices">{Look::ALL.iter().map(|value| button(*value)).collect::<Vec<_>>()}</div>
            </div>
        }
        .into_any()
    };
    let looks: Vec<AnyView> = GameId::ALL.into_iter().zip(settings.looks).map(look).collect();
    view! { <div class="setting"><h2>{say(Language::settings_look)}</h2><div class="looks">{looks}</div></div> }
}
