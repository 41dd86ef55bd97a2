//! The bar of every page: the way home, the title, the ways to other pages, language, sound, theme and settings.
//!
//! On a phone the ways lie at the lower edge, within the thumb's reach; the style sheet puts them there.

use art::{Icon, icon};
use locale::Language;
use ui::prelude::*;

use crate::app::settings;
use crate::route::{self, Route};
use crate::settings::{Theme, speak};
use crate::views::{live, press, say, spawn};

/// A part of the app that can be reached from every page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Play,
    Online,
    Puzzles,
    Learn,
    Analyse,
    Account,
}

impl Way {
    const ALL: [Way; 6] = [Way::Play, Way::Online, Way::Puzzles, Way::Learn, Way::Analyse, Way::Account];

    fn route(self) -> Route {
        match self {
            Way::Play => Route::Home,
            Way::Online => Route::Lobby,
            Way::Puzzles => Route::Puzzles(String::new()),
            Way::Learn => Route::Courses,
            Way::Analyse => Route::Analyse(String::new()),
            Way::Account => Route::Account,
        }
    }

    fn of(route: &Route) -> Option<Way> {
        Some(match route {
            Route::Home | Route::New(..) | Route::Start(..) | Route::Table(_) => Way::Play,
            Route::Lobby | Route::Arrange(..) | Route::Meet(_) | Route::Mine => Way::Online,
            Route::Person(_) | Route::Friends | Route::Leaders(_) => Way::Online,
            Route::Puzzles(_) => Way::Puzzles,
            Route::Courses | Route::Learn(_) => Way::Learn,
            Route::Analyse(_) => Way::Analyse,
            Route::Account | Route::Privacy => Way::Account,
            Route::Settings => return None,
        })
    }

    fn icon(self) -> Icon {
        match self {
            Way::Play => Icon::Play,
            Way::Online => Icon::People,
            Way::Puzzles => Icon::Puzzle,
            Way::Learn => Icon::Book,
            Way::Analyse => Icon::Lens,
            Way::Account => Icon::Person,
        }
    }

    fn name(self) -> fn(Language) -> &'static str {
        match self {
            Way::Play => Language::web_play_now,
            Way::Online => Language::web_online,
            Way::Puzzles => Language::web_puzzles,
            Way::Learn => Language::web_learn,
            Way::Analyse => Language::web_analyse,
            Way::Account => Language::web_account,
        }
    }
}

/// The bar.
#[component]
pub fn TopBar(
    /// The page's name.
    title: Signal<String>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    Effect::new(move || {
        let name = title.get();
        document().set_title(&if name == PRODUCT { name } else { format!("{name} – {PRODUCT}") });
    });
    let here = Route::read(&route::current_address()).as_ref().and_then(Way::of);
    let ways: Vec<AnyView> = Way::ALL.into_iter().map(|way| way_view(way, here == Some(way))).collect();
    let theme_name = move || if settings.is_dark() { lang().web_theme_light() } else { lang().web_theme_dark() };
    let next_theme = move || settings.theme.set(if settings.is_dark_untracked() { Theme::Light } else { Theme::Dark });
    // A word that would not fit on a phone is set smaller there.
    let long = live(move || title.with(|title| title.split(' ').any(|word| word.chars().count() > 13)));
    let sound_name = move || if settings.sound.get() { lang().web_sound_off() } else { lang().web_sound_on() };
    view! {
        <header class="bar">
            <a class="button plain brand" href=Route::Home.link() aria-label=say(Language::web_home)></a>
            <h1 class="title" class:long=long>{title}</h1>
            <nav class="ways-bar" aria-label=say(Language::web_pages)>{ways}</nav>
            <LanguageChoice />
            <button type="button" class="button plain only-wide" aria-label=sound_name
                on:click=press(move || settings.sound.update(|on| *on = !*on))
                inner_html=live(move || icon(if settings.sound.get() { Icon::Sound } else { Icon::Mute }))></button>
            <button type="button" class="button plain only-wide" aria-label=theme_name on:click=press(next_theme)
                inner_html=live(move || icon(if settings.is_dark() { Icon::Sun } else { Icon::Moon }))></button>
            <a class="button plain" href=Route::Settings.link() aria-label=say(Language::web_settings) inner_html=icon(Icon::Gear)></a>
        </header>
    }
}

/// The name of the app, the same in every language.
const PRODUCT: &str = "Fourfold";

fn way_view(way: Way, here: bool) -> AnyView {
    view! {
        <a href=way.route().link() aria-current=here.then_some("page")>
            <span inner_html=icon(way.icon())></span><span>{say(way.name())}</span>
        </a>
    }
    .into_any()
}

/// The list of languages.
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
            <span aria-hidden="true">{live(move || settings.language.get().code().to_ascii_uppercase())}</span>
            <select class="language" aria-label=say(Language::menu_language) on:change=choose>{options}</select>
        </span>
    }
}
