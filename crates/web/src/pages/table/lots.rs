//! Who begins, where the players drew lots: the light goes round and stops at one of them.

use std::time::Duration;

use locale::Names;
use rules::Seat;
use session::words;
use ui::prelude::*;

use crate::app::settings;
use crate::match_view::MatchView;
use crate::views::{list, live, press, showing};

/// How long the draw is shown.
const SHOWN: Duration = Duration::from_millis(3600);

/// The draw of lots before the first move; a touch ends it.
#[component]
pub fn Lots(
    /// The match.
    match_view: MatchView,
    /// What everybody is called.
    names: Memo<Names>,
) -> impl IntoView {
    let settings = settings();
    let is_drawn = untrack(|| match_view.with(|view| view.shows_lot()));
    let is_shown = RwSignal::new(is_drawn);
    if is_drawn {
        let hide = move || {
            // The page may be gone by then.
            let _ = is_shown.try_set(false);
        };
        set_timeout(hide, SHOWN);
    }
    let scene = untrack(|| match_view.scene());
    let seats = match_view.game_untracked(|game| game.position().seats());
    let lot = move |seat: Seat| {
        let sign = scene.seat_piece(seat).map(art::piece).unwrap_or_default();
        let name = live(move || names.with(|names| names.seat(seat).to_owned()));
        // The first seat has won the draw; the light comes to it last.
        let turn = seat.index();
        view! { <li class="lot" class:drawn={seat == Seat::ONE} style=format!("--turn:{turn};--lots:{seats}")><span class="sign" inner_html=sign></span>{name}</li> }
    };
    let begins = Signal::derive(move || names.with(|names| words::lot(settings.lang(), names)));
    showing(
        move || is_shown.get(),
        move || {
            let lot = lot.clone();
            view! {
                <div class="lots" on:click=press(move || is_shown.set(false))>
                    <ol aria-hidden="true">{list(move || Seat::all(seats).map(lot.clone()).collect::<Vec<_>>())}</ol>
                    <p role="status">{begins}</p>
                </div>
            }
        },
    )
}
