//! The moves played.

use leptos::prelude::*;
use locale::Language;

use crate::app::settings;
use crate::browser;
use crate::lean::{list, live, press, say, showing};
use crate::sight::{Sight, seen_moves};
use crate::words;

/// The moves played; one click looks back.
#[component]
pub fn Moves(
    /// The match.
    sight: Sight,
) -> impl IntoView {
    let settings = settings();
    let moves = Memo::new(move |_| {
        let viewer = sight.viewer();
        sight.game.with(|game| seen_moves(game, viewer))
    });
    let row = move |(number, length, text): (usize, usize, String)| {
        let written = move || sight.game.with(|game| words::action(settings.lang(), &game.settings().game, &text));
        let shown = move || sight.looking.get() == Some(length);
        view! {
            <li><button type="button" class="move" aria-current=live(move || shown().then_some("step")) on:click=press(move || sight.looking.set(Some(length)))>
                <small>{number}</small><span inner_html=live(move || words::drawn(settings.lang(), &written()))></span>
            </button></li>
        }
    };
    // Where the list has a frame of its own, the last move is in sight.
    Effect::new(move || {
        moves.track();
        browser::scroll_to_end(".moves");
    });
    view! {
        <section class="moves">
            <h2>{say(Language::moves_title)}</h2>
            {showing(move || moves.read().is_empty(), move || view! {<p class="quiet">{say(Language::no_moves_yet)}</p>})}
            <ol>{list(move || moves.get().into_iter().map(row))}</ol>
            {showing(move || sight.looking.get().is_some(), move || view! {
                <button type="button" class="button" on:click=press(move || sight.looking.set(None))>{say(Language::web_back_to_now)}</button>
            })}
        </section>
    }
}
