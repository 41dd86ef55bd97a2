//! Who sits there, how much time is left, and what they have.

use std::time::Duration;

use game::{ClockRule, Player};
use locale::{Language, Names};
use rules::{Seat, Viewer};
use scene::{Counter, CounterKind, Scene};
use session::words;
use ui::prelude::*;

use crate::app::settings;
use crate::match_view::{MatchView, now};
use crate::views::{list, live, say};

/// A seat: its name, clock and counters, and whether it is its turn.
#[component]
pub fn Plate(
    /// Whose plate.
    seat: Seat,
    /// The match.
    match_view: MatchView,
    /// What is shown.
    scene: Memo<Scene>,
    /// What everybody is called.
    names: Memo<Names>,
    /// The edge of the board at which it lies, if it lies there.
    edge: Option<&'static str>,
    /// Whether the player is the partner of the one whose plate lies below the board.
    is_partner: bool,
) -> impl IntoView {
    let settings = settings();
    let turn = move || match_view.game(|game| game.to_act() == Some(seat));
    let counters = move || {
        let counters = scene.with(|scene| {
            scene.counters.iter().filter(|counter| counter.seat == Some(seat)).copied().collect::<Vec<_>>()
        });
        // Movements come and go: as the last they move nothing.
        let (passing, lasting): (Vec<_>, Vec<_>) =
            counters.into_iter().partition(|counter| counter.kind == CounterKind::Movements);
        lasting.into_iter().chain(passing).map(|counter| view! { <CounterView counter /> }).collect_view()
    };
    let piece = move || scene.with(|scene| scene.seat_piece(seat)).map(art::piece).unwrap_or_default();
    let hand = Memo::new(move |_| {
        scene.with(|scene| {
            let hand = scene.hands.iter().find(|hand| hand.seat == seat)?;
            let hidden = hand.cards.iter().filter(|card| card.card.is_none()).count();
            // The viewer's own lies below the board.
            let places = if match_view.viewer() == Viewer::Seat(seat) { 0 } else { hand.size };
            Some((hidden, places, hand.discards.last().copied()))
        })
    });
    let backs = move || {
        let (hidden, places, top) = hand.get()?;
        let back = move |at| view! { <i class="card-back" class:gone={at >= hidden}></i> };
        Some(view! { <span class="held-cards">
            // The discards lie first: a card less in the hand does not move them.
            <span class="discard" data-place=format!("discards-{seat}") inner_html=top.map(art::piece).unwrap_or_default()></span>
            <span class="backs" data-place=format!("hand-{seat}")>{(0..places).map(back).collect_view()}</span>
        </span> })
    };
    let level = live(move || {
        match_view.game(|game| match game.settings().sitters.get(seat.index())?.player() {
            Player::Bot(level) => Some(words::level(settings.lang(), level).to_owned()),
            Player::Person => match_view.guests.with(|guests| guests.get(seat.index())?.rating.clone()),
        })
    });
    // The name links to the player's page, if there is one.
    let name = list(move || {
        let name = live(move || names.with(|names| plate_name(settings.lang(), names, seat)));
        let page = match_view.guests.with(|guests| guests.get(seat.index()).and_then(|guest| guest.page.clone()));
        [match page {
            Some(page) => view! { <a class="name" href=page>{name}</a> }.into_any(),
            None => view! { <span class="name">{name}</span> }.into_any(),
        }]
    });
    let (confer, is_dealer) = untrack(|| {
        match_view.with(|view| {
            let dealer = view.plates(now()).into_iter().any(|plate| plate.seat == seat && plate.is_dealer);
            (view.game.settings().conferring(), dealer)
        })
    });
    view! {
        <div class="plate" data-edge=edge class:partner=is_partner class:turn=turn class:out=live(move || match_view.game(|game| game.is_out(seat))) data-place=format!("plate-{seat}")>
            <span class="sign" inner_html=piece></span>
            {name}
            {is_partner.then(|| view! { <em class="of-team">{say(Language::web_partner)}{confer.map(|agreed| view! { <small>" · "{live(move || words::conferring(settings.lang(), agreed))}</small> })}</em> })}
            {is_dealer.then(|| view! { <em class="of-team dealer">{say(Language::web_dealer)}</em> })}
            <span class="level">{level}</span>
            {backs}
            <span class="counters">{counters}</span>
            <Clock seat match_view />
        </div>
    }
}

/// The time a seat has left, if there is a clock.
#[component]
fn Clock(seat: Seat, match_view: MatchView) -> impl IntoView {
    let settings = settings();
    let clocked = match_view.game_untracked(|game| game.settings().clock != ClockRule::None);
    clocked.then(|| {
        let tick = RwSignal::new(());
        let ticking = set_interval_with_handle(move || tick.set(()), Duration::from_millis(250)).ok();
        on_cleanup(move || {
            if let Some(ticking) = ticking {
                ticking.clear();
            }
        });
        let left = move || {
            tick.track();
            match_view.with(|view| view.clocks.left(seat, now())).map(|left| words::time(settings.lang(), left))
        };
        view! { <span class="clock" role="timer" aria-label=say(Language::web_clock_label)>{live(left)}</span> }
    })
}

/// The person at this device is “you”, whatever else the seat is called.
fn plate_name(language: Language, names: &Names, seat: Seat) -> String {
    if names.is_you(seat) { language.you().to_owned() } else { names.seat(seat).to_owned() }
}

/// A number with its name; movements left are small stones.
#[component]
pub fn CounterView(
    /// What is counted.
    counter: Counter,
) -> impl IntoView {
    let settings = settings();
    let text = match counter.of {
        Some(of) if counter.kind != CounterKind::Movements => format!("{}/{of}", counter.value),
        _ => counter.value.to_string(),
    };
    let pips = (counter.kind == CounterKind::Movements).then(|| {
        let usual = counter.of.unwrap_or(4);
        let class = move |n| if n >= usual { "pip bonus" } else { "pip" };
        (0..counter.value).map(|n| view! { <i class=class(n)></i> }).collect_view()
    });
    // As wide as its largest number, so that a larger one moves nothing.
    let width = counter.of.map_or(0, |of| 2 * of.to_string().len() + 1).max(text.len()).max(2);
    view! {
        <span class="counter" class:movements=counter.kind == CounterKind::Movements>
            <small>{live(move || locale::counter(settings.lang(), counter.kind))}</small>
            {pips}
            <b style=format!("min-width:{width}ch")>{text}</b>
        </span>
    }
}
