//! The pages, one file each, and which chunk of the program shows which.

pub mod analyse;
pub mod home;
pub mod learn;
mod living;
pub mod new_game;
pub mod puzzles;
pub mod settings;
pub mod table;

use ui::prelude::*;

use crate::route::Route;
use crate::views::spawn;
use analyse::Analyse;
use learn::{Courses, Learn};
pub(crate) use living::enliven;
use new_game::{NewGame, start_at_once};
use puzzles::Puzzles;
use settings::SettingsPage;
use table::Table;

/// The pages of the chunk `play`: a game on this device.
pub(crate) fn playing(route: Route) -> AnyView {
    match route {
        Route::Start(game, query) => {
            spawn(start_at_once(game, query));
            waiting()
        }
        Route::Table(key) => view! { <Table key_=key /> }.into_any(),
        _ => waiting(),
    }
}

/// The page of the chunk `setup`.
pub(crate) fn setting_up(route: Route) -> AnyView {
    match route {
        Route::New(game, query) => view! { <NewGame game query /> }.into_any(),
        _ => waiting(),
    }
}

/// The pages of the chunk `learn`.
pub(crate) fn learning(route: Route) -> AnyView {
    match route {
        Route::Courses => view! { <Courses /> }.into_any(),
        Route::Learn(game) => view! { <Learn game /> }.into_any(),
        _ => waiting(),
    }
}

/// The page of the chunk `puzzles`.
pub(crate) fn puzzling(route: Route) -> AnyView {
    match route {
        Route::Puzzles(details) => view! { <Puzzles details /> }.into_any(),
        _ => waiting(),
    }
}

/// The page of the chunk `analyse`.
pub(crate) fn analysing(route: Route) -> AnyView {
    match route {
        Route::Analyse(query) => view! { <Analyse query /> }.into_any(),
        _ => waiting(),
    }
}

/// The page of the chunk `settings`.
pub(crate) fn choosing(route: Route) -> AnyView {
    match route {
        Route::Settings => view! { <SettingsPage /> }.into_any(),
        _ => waiting(),
    }
}

/// An empty page, until there is something to show.
pub(crate) fn waiting() -> AnyView {
    view! { <main class="waiting" aria-busy="true"></main> }.into_any()
}
