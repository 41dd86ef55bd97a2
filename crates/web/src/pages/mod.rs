//! The pages, one file each, and which program shows which.

pub mod analyse;
pub mod home;
pub mod learn;
pub mod new_game;
pub mod table;

use leptos::prelude::*;

use crate::lean::spawn;
use crate::route::Route;
use analyse::Analyse;
use home::Home;
use learn::Learn;
use new_game::{NewGame, start_at_once};
use table::Table;

/// The pages of the program `fourfold-app`: everything one plays with.
pub fn playing(route: Route) -> AnyView {
    match route {
        Route::Home => view! { <Home lost=false /> }.into_any(),
        Route::New(game, query) => view! { <NewGame game query /> }.into_any(),
        Route::Start(game, query) => {
            spawn(start_at_once(game, query));
            waiting()
        }
        Route::Table(key) => view! { <Table key_=key /> }.into_any(),
        _ => view! { <Home lost=true /> }.into_any(),
    }
}

/// The page of the program `fourfold-learn`, which whoever comes to play need not wait for.
pub fn learning(route: Route) -> AnyView {
    match route {
        Route::Learn(game) => view! { <Learn game /> }.into_any(),
        _ => lost(),
    }
}

/// The page of the program `fourfold-study`: analysis.
pub fn studying(route: Route) -> AnyView {
    match route {
        Route::Analyse(query) => view! { <Analyse query /> }.into_any(),
        _ => lost(),
    }
}

/// An address that leads nowhere is told about where the games are.
pub(crate) fn lost() -> AnyView {
    Route::Lost("#/lost".to_owned()).go_instead();
    waiting()
}

fn waiting() -> AnyView {
    view! { <main class="waiting" aria-busy="true"></main> }.into_any()
}
