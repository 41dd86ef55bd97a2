//! Pieces beside the board: the one in hand, the stock, and cards.

use locale::Language;
use rules::Viewer;
use scene::{Scene, TrayPlace};
use ui::prelude::*;

use super::value;
use crate::app::settings;
use crate::board::Marks;
use crate::match_view::MatchView;
use crate::views::{list, live, press, say, showing};

/// The piece in hand, large. The status line says what it is called.
#[component]
pub fn Held(
    /// What is shown.
    scene: Memo<Scene>,
) -> impl IntoView {
    let has_stock = Memo::new(move |_| scene.with(|scene| scene.stock.is_some()));
    let held = move || scene.with(|scene| scene.held);
    view! {
        {showing(move || has_stock.get(), move || view! {
            <div class="held">
                <div class="pedestal" data-place="held" data-drag="held"><span class="piece" inner_html=live(move || held().map(|(_, piece)| art::piece(piece)).unwrap_or_default())></span></div>
            </div>
        })}
    }
}

/// Pieces beside the board, each in its own place.
#[component]
pub fn Stock(
    /// The match.
    match_view: MatchView,
    /// What is shown.
    scene: Memo<Scene>,
    /// What is marked.
    marks: Memo<Marks>,
) -> impl IntoView {
    let settings = settings();
    let places = Memo::new(move |_| {
        scene.with(|scene| scene.stock.as_ref().map(|tray| tray.places.clone()).unwrap_or_default())
    });
    let count = Memo::new(move |_| places.with(Vec::len));
    let columns = move || scene.with(|scene| scene.stock.as_ref().map_or(4, |tray| tray.columns));
    let names = Memo::new(move |_| match_view.names(settings.lang()));
    // Every piece has its place for the whole game; only whether it lies there changes.
    let place = move |at: usize| {
        let TrayPlace { spot, piece, .. } = places.with_untracked(|places| places.get(at).copied())?;
        let present = Memo::new(move |_| places.with(|places| places.get(at).is_some_and(|place| place.present)));
        let next = Memo::new(move |_| marks.with(|marks| marks.next.contains(&spot)));
        let advised = Memo::new(move |_| marks.with(|marks| marks.advised.contains(&spot)));
        let label = live(move || {
            named(settings.lang(), names.with(|names| locale::piece(settings.lang(), piece, names)), next.get())
        });
        let picture = live(move || if present.get() { art::piece(piece) } else { String::new() });
        Some(view! {
            <button type="button" class="place" class:next=next class:advised=advised class:gone=live(move || !present.get()) data-spot=spot.to_string()
                data-drag=live(move || present.get().then(|| spot.to_string()))
                aria-label=label disabled=live(move || !present.get()) on:click=press(move || match_view.touch(spot))>
                <span class="piece" inner_html=picture></span>
                {value(marks, spot)}
            </button>
        })
    };
    view! {
        {showing(move || count.get() > 0, move || view! {
            <div class="stock" role="group" aria-label=say(Language::stock_title) style=live(move || format!("--columns:{}", columns()))>
                {list(move || (0..count.get()).filter_map(place))}
            </div>
        })}
    }
}

/// What a screen reader says of a piece: its name, and whether it may be touched now.
fn named(language: Language, name: String, may_touch: bool) -> String {
    if may_touch { format!("{name}, {}", language.web_may_touch()) } else { name }
}

/// The viewer's hand of cards.
#[component]
pub fn Cards(
    /// The match.
    match_view: MatchView,
    /// What is shown.
    scene: Memo<Scene>,
    /// What is marked.
    marks: Memo<Marks>,
) -> impl IntoView {
    let settings = settings();
    let cards = Memo::new(move |_| {
        scene.with(|scene| {
            let open = scene.hands.iter().filter(|hand| match_view.viewer() == Viewer::Seat(hand.seat));
            open.flat_map(|hand| hand.cards.clone()).collect::<Vec<_>>()
        })
    });
    let card = move |held: scene::HandCard| {
        let (card, spot) = (held.card?, held.spot()?);
        let dead = locale::card_state(settings.lang(), held.state);
        let label = live(move || {
            let name = locale::piece_alone(settings.lang(), card);
            let name = dead.map_or_else(|| name.clone(), |dead| format!("{name}, {dead}"));
            named(settings.lang(), name, marks.with(|marks| marks.next.contains(&spot)))
        });
        let class = Memo::new(move |_| {
            let mut class = String::from("card");
            marks.with(|marks| {
                for (name, holds) in [
                    (" next", marks.next.contains(&spot)),
                    (" touched", marks.touched.contains(&spot)),
                    (" advised", marks.advised.contains(&spot)),
                    (" dead", dead.is_some()),
                ] {
                    if holds {
                        class.push_str(name);
                    }
                }
            });
            class
        });
        Some(view! {
            <button type="button" class=class aria-label=label data-spot=spot.to_string() data-drag=spot.to_string() on:click=press(move || match_view.touch(spot))>
                <span class="face" inner_html=art::piece(card)></span>
                <span class="name">{live(move || locale::piece_alone(settings.lang(), card))}</span>
                {dead.map(|dead| view! { <small>{dead}</small> })}
                {value(marks, spot)}
            </button>
        })
    };
    // A card that was played leaves its place empty until the next is drawn, so the others stay where they are.
    let places = Memo::new(move |before| cards.read().len().max(before.copied().unwrap_or(0)));
    let empty = || view! { <span class="card empty" aria-hidden="true"></span> }.into_any();
    view! {
        {showing(move || !cards.read().is_empty(), move || view! {
            <div class="hand" role="group" aria-label=say(Language::hand_title)>
                {list(move || {
                    let held: Vec<_> = cards.get().into_iter().filter_map(card).map(IntoView::into_any).collect();
                    let free = places.get().saturating_sub(held.len());
                    held.into_iter().chain((0..free).map(move |_| empty()))
                })}
            </div>
        })}
    }
}
