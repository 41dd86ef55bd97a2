//! The table as a whole.

use leptos::prelude::*;
use rules::{Seat, Viewer};

use super::{Buttons, Cards, Held, Plate, Status, Stock};
use crate::app::{TopBar, settings};
use crate::board::{BoardView, Turned, kinds, proportion};
use crate::erased_views::list;
use crate::match_view::MatchView;

/// The table of any match: plates, board, what lies beside it and in hand. Wherever the match is kept, it looks the same.
#[component]
pub fn TableFrame(
    /// The match.
    match_view: MatchView,
    /// How the board is turned.
    turned: RwSignal<Turned>,
    /// A word for the style sheet about what kind of table it is.
    #[prop(optional)]
    kind: &'static str,
    /// What is told beside what to do now.
    beside: AnyView,
    /// What can be done besides playing, and the moves.
    children: Children,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let id = match_view.game_untracked(|game| game.settings().game.id());
    let scene = Memo::new(move |_| match_view.scene());
    let (kinds, tall) = scene.with_untracked(|scene| (kinds(scene), proportion(scene)));
    let marks = Memo::new(move |_| match_view.marks());
    let names = Memo::new(move |_| match_view.names(lang()));
    match_view.accept_drags();
    let touch = Callback::new(move |spot| match_view.touch(spot));
    let plates = move |mine: bool| {
        let viewer = match_view.viewer();
        Seat::all(match_view.game(|game| game.position().seats()))
            .filter(|seat| (viewer == Viewer::Seat(*seat)) == mine)
            .map(|seat| view! { <Plate seat match_view scene names /> })
            .collect::<Vec<_>>()
    };
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(lang(), id).to_owned()) />
        <main class=format!("table {kinds} {kind}") style=tall data-match=match_view.name() on:keydown=move |event| if event.key() == "Escape" { match_view.back() }>
            <section class="others">{list(move || plates(false))}</section>
            <section class="stage"><div class="frame">
                <BoardView scene=scene.into() marks=marks.into() turned language=Signal::derive(lang) names=names.into()
                    coordinates=settings.coordinates on_touch=touch />
            </div></section>
            <section class="side">
                <Status match_view names>{beside}</Status>
                <Held scene />
                <Stock match_view scene marks />
                <Buttons match_view scene names marks />
            </section>
            <section class="mine">{list(move || plates(true))}<Cards match_view scene marks /></section>
            {children()}
        </main>
    }
}
