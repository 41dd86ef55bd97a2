//! The table as a whole.

use locale::Language;
use rules::Seat;
use scene::Edge;
use ui::prelude::*;

use super::{Buttons, Cards, Held, Plate, Status, Stock};
use crate::app::{TopBar, settings};
use crate::board::{BoardView, Turned, kinds, proportion};
use crate::browser;
use crate::match_view::MatchView;
use crate::views::{list, live, tool};
use art::Icon;

/// From so many columns on a board can be enlarged.
const LARGE_BOARD: u8 = 12;

/// The table of any match: plates, board, what lies beside it and in hand. Wherever the match is kept, it looks the same.
/// Every part has a fixed place, and nothing that comes or goes moves another.
#[component]
pub fn TableFrame(
    /// The match.
    match_view: MatchView,
    /// How the board is turned.
    turned: RwSignal<Turned>,
    /// What is told beside what to do now.
    beside: AnyView,
    /// What can be done besides playing, and the moves.
    children: AnyView,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let id = match_view.game_untracked(|game| game.settings().game.id());
    let scene = Memo::new(move |_| match_view.scene());
    let (kinds, tall) = scene.with_untracked(|scene| (kinds(scene), proportion(scene)));
    let marks = Memo::new(move |_| match_view.marks());
    let names = Memo::new(move |_| match_view.names(lang()));
    // On a small screen the squares of a large board are smaller than a finger.
    let is_large = scene.with_untracked(|scene| scene.board.columns >= LARGE_BOARD);
    browser::watch_zoom();
    match_view.accept_drags();
    let touch = Callback::new(move |spot| match_view.touch(spot));
    let seating = Memo::new(move |_| match_view.with(|view| view.seating()));
    // Four sit around the board in turn order: the next player to the left, a partner opposite.
    let around = seating.with_untracked(|seating| seating.seats == 4);
    let others = move || {
        let seating = seating.get();
        let is_partner = move |seat: Seat| {
            match_view.game_untracked(|game| game.position().side(seat) == game.position().side(seating.near))
        };
        let plate = move |seat: Seat| {
            let edge = around.then(|| edge_name(seating.edge(seat)));
            view! { <Plate seat match_view scene names edge is_partner=is_partner(seat) /> }
        };
        seating.others().map(plate).collect::<Vec<_>>()
    };
    let mine = move || {
        [seating.with(|seating| seating.near)]
            .map(|seat| view! { <Plate seat match_view scene names edge=None is_partner=false /> })
    };
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(lang(), id).to_owned()) />
        <main class=format!("table {kinds}") style=tall data-match=match_view.name() on:keydown=move |event| if event.key() == "Escape" { match_view.back() }>
            {(!around).then(|| view! { <section class="others">{list(others)}</section> })}
            <section class="stage" class:around=around>{around.then(|| list(others))}<div class="frame">
                <BoardView scene=scene.into() marks=marks.into() turned=turned.into() language=Signal::derive(lang) names=names.into()
                    coordinates=settings.coordinates.into() on_touch=touch />
            </div>
            {is_large.then(|| tool(Icon::Lens, Language::web_zoom, browser::toggle_zoom))}
            <Shout match_view />
            </section>
            <section class="now"><Status match_view names beside /><Held scene /></section>
            <section class="side">
                <Stock match_view scene marks />
                <Cards match_view scene marks />
            </section>
            <section class="mine">{list(mine)}<Buttons match_view scene names marks /></section>
            {children}
        </main>
    }
}

/// The call of the row that won, large over the board; a screen reader says it at once.
#[component]
fn Shout(match_view: MatchView) -> impl IntoView {
    view! { <p class="shout" role="alert">{live(move || match_view.shouted.get().then(|| match_view.shout()).flatten())}</p> }
}

fn edge_name(edge: Edge) -> &'static str {
    match edge {
        Edge::Near => "near",
        Edge::Left => "left",
        Edge::Far => "far",
        Edge::Right => "right",
    }
}
