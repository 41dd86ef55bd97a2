//! The rules of a game, to read and to try.

use leptos::prelude::*;
use table::GameId;

use crate::app::{TopBar, settings};
use crate::words;

/// The page of one game.
#[component]
pub fn Learn(
    /// Which game.
    game: GameId,
) -> impl IntoView {
    let settings = settings();
    view! { <TopBar title=Signal::derive(move || words::game(game).name(settings.lang()).to_owned()) /> }
}
