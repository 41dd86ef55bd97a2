//! A board to try something on: lessons, exercises and puzzles.

use locale::Language;
use rules::Seat;
use scene::Spot;
use ui::prelude::*;

use super::{Buttons, Cards, Held, Status, Stock};
use crate::app::settings;
use crate::board::{BoardView, Marks, Turned, proportion};
use crate::match_view::MatchView;
use crate::views::live;

/// The board with everything around it that the game needs.
#[component]
pub fn TryBoard(
    /// What is shown.
    match_view: MatchView,
    /// What is marked.
    marks: Memo<Marks>,
    /// Whose side it is seen from.
    seat: Seat,
    /// Says which side that is.
    side: fn(Language, &str) -> String,
    /// Hears what is touched.
    on_touch: Callback<Spot>,
    /// Hears that the last touch is taken back.
    on_back: Callback<()>,
) -> impl IntoView {
    let settings = settings();
    let scene = Memo::new(move |_| match_view.scene());
    let names = Memo::new(move |_| match_view.names(settings.lang()));
    // Where all play with the same pieces there is no side to know.
    let sides = scene.with_untracked(|scene| scene.seat_piece(seat).is_some());
    let told = live(move || sides.then(|| names.with(|names| side(settings.lang(), names.seat(seat)))));
    view! {
        <p class="quiet side-of">{told}</p>
        <div class="frame" style=scene.with_untracked(proportion)
            on:keydown=move |event| if event.key() == "Escape" { on_back.run(()) }>
            <BoardView scene=scene.into() marks=marks.into() turned=Signal::stored(Turned::default()) language=Signal::derive(move || settings.lang())
                names=names.into() coordinates=settings.coordinates.into() on_touch=on_touch />
        </div>
        <Status match_view names beside=().into_any() />
        <Held scene />
        <Stock match_view scene marks />
        <Cards match_view scene marks />
        <Buttons match_view scene names marks />
    }
}
