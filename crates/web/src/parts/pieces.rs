//! Pieces beside the board: the one in hand, the stock, and cards.

use locale::Language;
use rules::Viewer;
use scene::{Hand, HandCard, Scene, TrayPlace};
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
    let places = Memo::new(move |before| {
        scene.with(|scene| {
            let own = scene.hands.iter().find(|hand| match_view.viewer() == Viewer::Seat(hand.seat));
            own.map_or_else(Vec::new, |hand| placed(before, hand))
        })
    });
    let card = move |held: HandCard| {
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
    // As large as a card, so that one that comes moves nothing.
    let empty = || {
        view! { <span class="card empty" aria-hidden="true"><span class="face"></span><span class="name">"\u{a0}"</span></span> }.into_any()
    };
    view! {
        {showing(move || !places.read().is_empty(), move || view! {
            <div class="hand" role="group" aria-label=say(Language::hand_title)>
                {list(move || places.get().into_iter().map(move |place| place.and_then(card).map_or_else(empty, IntoView::into_any)))}
            </div>
        })}
    }
}

/// The places of a hand: a card that was played leaves its own empty until the next is drawn, and the others stay.
fn placed(before: Option<&Vec<Option<HandCard>>>, hand: &Hand) -> Vec<Option<HandCard>> {
    let mut cards = hand.cards.clone();
    let keep = |place: &Option<HandCard>| {
        let lay = place.as_ref()?.card;
        let at = cards.iter().position(|card| card.card == lay)?;
        Some(cards.remove(at))
    };
    let mut places: Vec<_> = before.into_iter().flatten().map(keep).collect();
    places.resize(hand.size.max(places.len()), None);
    let free = places.iter_mut().filter(|place| place.is_none());
    for (place, card) in free.zip(cards) {
        *place = Some(card);
    }
    places
}

#[cfg(test)]
mod tests {
    use rules::Seat;
    use scene::{Card, CardState, Piece};

    use super::*;

    #[test]
    fn cards_stay_where_they_lie() {
        let card = |card| HandCard { card: Some(Piece::Card(Some(card))), state: CardState::Usable };
        let [cat, dog, fox, owl] = [Card::Cat, Card::Dog, Card::Fox, Card::Owl].map(card);
        let hand = |cards: &[HandCard]| Hand { seat: Seat::ONE, cards: cards.to_vec(), size: 3, discards: Vec::new() };
        assert_eq!(placed(None, &hand(&[cat])), [Some(cat), None, None]);
        let first = placed(None, &hand(&[cat, dog, fox]));
        let played = placed(Some(&first), &hand(&[dog, fox]));
        assert_eq!(played, [None, Some(dog), Some(fox)]);
        assert_eq!(placed(Some(&played), &hand(&[dog, fox, owl])), [Some(owl), Some(dog), Some(fox)]);
        assert_eq!(placed(Some(&first), &hand(&[cat, cat, dog])), [Some(cat), Some(dog), Some(cat)]);
    }
}
