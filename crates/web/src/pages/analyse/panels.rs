//! What stands beside the board: what to touch there, the values, the moves and the mistakes.

use leptos::prelude::*;
use locale::Language;
use locale::Names;
use rules::Turn;
use scene::{Button, HandCard, Scene, Spot, TrayPlace};
use search::Value;
use table::Match;

use super::said;
use super::study::{Blunder, Review, Study};
use crate::app::settings;
use crate::art::{self, Icon, icon};
use crate::board::Turned;
use crate::lean::{list, live, press, say, showing, tool};
use crate::words;

/// More rows than this help nobody; all of them are still marked on the board.
const MOST_ROWS: usize = 40;

/// Who is to do what, what can be touched besides the board, and the way through the game.
#[component]
pub(super) fn BesideBoard(
    study: Study,
    scene: Memo<Scene>,
    names: Memo<Names>,
    turned: RwSignal<Turned>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let said = move || {
        study.now.with(|game| {
            let ended = game.ending().and_then(|ending| names.with(|names| words::ending(lang(), ending, game, names)));
            ended.unwrap_or_else(|| names.with(|names| locale::message(lang(), &scene.get().status, names)))
        })
    };
    let spots = Memo::new(move |_| study.spot_values());
    let places = Memo::new(move |_| {
        scene.with(|scene| scene.stock.as_ref().map(|tray| tray.places.clone()).unwrap_or_default())
    });
    let columns = move || scene.with(|scene| scene.stock.as_ref().map_or(4, |tray| tray.columns));
    let held = Memo::new(move |_| scene.with(|scene| scene.held.map(|(_, piece)| piece)));
    let cards = Memo::new(move |_| {
        let cards = |scene: &Scene| scene.hands.iter().flat_map(|hand| hand.cards.clone()).collect::<Vec<_>>();
        scene.with(cards).into_iter().filter(|card| card.card.is_some()).collect::<Vec<_>>()
    });
    let buttons = Memo::new(move |_| scene.with(|scene| scene.buttons.clone()));
    let place = move |place: TrayPlace| {
        let label = move || names.with(|names| locale::piece(settings.lang(), place.piece, names));
        view! {
            <button type="button" class="place" class:gone=!place.present data-spot=place.spot.to_string()
                data-drag=place.present.then(|| place.spot.to_string())
                aria-label=label title=label disabled=!place.present on:click=press(move || study.touch(place.spot))>
                {place.present.then(|| view! { <span class="piece" inner_html=art::piece(place.piece)></span> })}
                {move || mark(&spots.read(), place.spot)}
            </button>
        }
    };
    let card = move |held: HandCard| {
        let card = held.card?;
        let spot = Spot::Card(card);
        let class = move || {
            if study.marks().touched.contains(&spot) { "card touched" } else { "card" }
        };
        Some(view! {
            <button type="button" class=class data-spot=spot.to_string() on:click=press(move || study.touch(spot))>
                <span class="face" inner_html=art::card_face(card)></span>
                <span class="name">{live(move || locale::card(settings.lang(), card))}</span>
                {move || mark(&spots.read(), spot)}
            </button>
        })
    };
    let button = move |button: Button| {
        let spot = Spot::Button(button);
        view! {
            <button type="button" class="button" data-spot=spot.to_string() on:click=press(move || study.touch(spot))>
                {live(move || names.with(|names| locale::button(settings.lang(), button, names)))}
                {move || mark(&spots.read(), spot)}
            </button>
        }
    };
    view! {
        <nav class="steps">
            {tool(Icon::First, Language::study_first, move || study.go(0))}
            {tool(Icon::Back, Language::study_back, move || study.step(-1))}
            {tool(Icon::Forward, Language::study_forward, move || study.step(1))}
            {tool(Icon::Last, Language::study_last, move || study.go(usize::MAX))}
            {tool(Icon::Rotate, Language::web_rotate, move || turned.update(|turned| *turned = (*turned + 1) % 4))}
        </nav>
        <p class="say" role="status" aria-live="polite">{said}</p>
        <p class="notice" role="status">{live(move || study.notice.get())}</p>
        {showing(move || held.get().is_some(), move || view! {
            <div class="held">
                <div class="pedestal"><span class="piece" inner_html=live(move || held.get().map(art::piece).unwrap_or_default())></span></div>
                <p>{live(move || held.get().map(|piece| names.with(|names| locale::piece(settings.lang(), piece, names))))}</p>
            </div>
        })}
        {showing(move || !places.read().is_empty(), move || view! {
            <div class="stock" role="group" aria-label=say(Language::stock_title) style=live(move || format!("--columns:{}", columns()))>
                {list(move || places.get().into_iter().map(place))}
            </div>
        })}
        {showing(move || !cards.read().is_empty(), move || view! {
            <div class="hand" role="group" aria-label=say(Language::hand_title)>{list(move || cards.get().into_iter().filter_map(card))}</div>
        })}
        <div class="buttons">{list(move || buttons.get().into_iter().map(button))}</div>
        <Chance study />
    }
}

/// The value of a spot beside the board.
fn mark(values: &[(Spot, Value)], spot: Spot) -> Option<impl IntoView + use<>> {
    let (_, value) = values.iter().find(|(other, _)| *other == spot)?;
    Some(view! { <span class=format!("value {}", said::class(*value))>{said::sign(*value)}</span> })
}

/// What chance may draw, to choose from.
#[component]
fn Chance(study: Study) -> impl IntoView {
    let chances = Memo::new(move |_| {
        study.now.with(|game| if game.chance_is_due() { game.position().chances() } else { Vec::new() })
    });
    let outcome = move |(action, weight): (String, u32)| {
        let total: u32 = chances.with(|chances| chances.iter().map(|(_, weight)| weight).sum());
        let odds = format!("{} %", (100 * weight + total / 2) / total.max(1));
        let text = action.clone();
        view! { <button type="button" class="button" on:click=press(move || study.act(&action))>{text}<small>{odds}</small></button> }
    };
    view! {
        {showing(move || !chances.read().is_empty(), move || view! {
            <div class="chance">
                <p>{say(Language::study_chance)}</p>
                <button type="button" class="button main" on:click=press(move || study.draw())>{say(Language::study_random)}</button>
                {list(move || chances.get().into_iter().map(outcome))}
            </div>
        })}
    }
}

/// Every action with its value, best first, and the best line.
#[component]
pub(super) fn Values(study: Study, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let scored = Memo::new(move |_| study.scored());
    let row = move |(action, value): (String, Value)| {
        let text = action.clone();
        view! {
            <li><button type="button" class="worth" on:click=press(move || study.act(&action))>
                <b>{text}</b><span class=format!("value {}", said::class(value)) aria-hidden="true">{said::sign(value)}</span>
                <span>{live(move || said::worth(lang(), value))}</span>
            </button></li>
        }
    };
    let rows = move || scored.get().into_iter().take(MOST_ROWS).map(row).collect_view();
    let more = move || {
        let more = scored.with(Vec::len).saturating_sub(MOST_ROWS);
        (more > 0).then(|| lang().study_more(more as u64))
    };
    let best = move || {
        study.found.with(|found| {
            let found = found.as_ref()?;
            let Turn::Seat(seat) = study.now.with(|game| game.position().turn()) else { return None };
            let who = names.with(|names| names.seat(seat).to_owned());
            let worth = lang().addressed(who, said::worth(lang(), found.worth.into()));
            Some(format!("{worth}. {}", lang().line_best(said::line(lang(), &found.line))))
        })
    };
    view! {
        <section class="values">
            <header>
                <h2>{say(Language::action_moves)}</h2>
                <span class="dots" class:still=live(move || !study.thinking.get()) aria-hidden="true"></span>
                <button type="button" class="button" aria-pressed=live(move || study.watching.get().to_string()) on:click=press(move || study.toggle_watching())>{say(Language::study_engine)}</button>
            </header>
            <p class="best" aria-live="polite">{best}</p>
            <ol>{rows}</ol>
            <p class="quiet">{more}</p>
            {showing(move || !scored.read().is_empty(), move || view! {<p class="quiet legend">{say(Language::study_legend)}</p>})}
        </section>
    }
}

/// The line of play, and the mistakes in it.
#[component]
pub(super) fn Moves(study: Study, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let moves = Memo::new(move |_| study.line.with(written));
    let row = move |(number, length, text): (usize, usize, String)| {
        let shown = move || study.at.get() == length;
        let bad = move || study.blunders.with(|blunders| blunders.iter().any(|blunder| blunder.at + 1 == length));
        view! {
            <li><button type="button" class="move" class:bad=bad aria-current=live(move || shown().then_some("step")) on:click=press(move || study.go(length))>
                <small>{number}</small>{text}{live(move || bad().then_some(" ?"))}
            </button></li>
        }
    };
    let blunder = move |blunder: Blunder| {
        let at = blunder.at;
        let told = move || {
            let who = names.with(|names| names.seat(blunder.seat).to_owned());
            let what = said::mistake(lang(), blunder.mistake);
            lang().mistake_told(blunder.number, who, &blunder.action, what, said::line(lang(), &blunder.better))
        };
        view! { <li><button type="button" class="blunder" on:click=press(move || study.go(at))>{told}</button></li> }
    };
    let state = move || match study.review.get() {
        Review::Idle => String::new(),
        Review::Running(done, all) => lang().study_progress(done, all),
        Review::Stopped => lang().study_stopped().to_owned(),
        Review::Done if study.blunders.with(Vec::is_empty) => lang().mistakes_none().to_owned(),
        Review::Done => String::new(),
    };
    let running = move || matches!(study.review.get(), Review::Running(..));
    let progress = move || match study.review.get() {
        Review::Running(done, all) => {
            Some(view! { <progress max=all value=done aria-label=lang().mistakes_title()></progress> })
        }
        _ => None,
    };
    view! {
        <section class="moves">
            <h2>{say(Language::moves_title)}</h2>
            {showing(move || moves.read().is_empty(), move || view! {<p class="quiet">{say(Language::no_moves_yet)}</p>})}
            <ol>{list(move || moves.get().into_iter().map(row))}</ol>
            <div class="choices">
                {showing(move || study.original.with(Option::is_some), move || view! {
                    <button type="button" class="button" on:click=press(move || study.go_back_to_original())>{say(Language::study_return)}</button>
                })}
                {showing(move || !moves.read().is_empty() && !running(), move || view! {
                    <button type="button" class="button" on:click=press(move || study.start_review())><span inner_html=icon(Icon::Lens)></span>{say(Language::study_find_mistakes)}</button>
                })}
                {showing(running, move || view! {
                    {progress}
                    <button type="button" class="button" on:click=press(move || study.stop_review())>{say(Language::study_stop)}</button>
                })}
                <span class="quiet" role="status">{state}</span>
            </div>
            {showing(move || !study.blunders.read().is_empty(), move || view! {
                <h2>{say(Language::mistakes_title)}</h2>
                <ol class="blunders">{list(move || study.blunders.get().into_iter().map(blunder))}</ol>
            })}
        </section>
    }
}

/// Every event of the log: number, length of the log after it, text.
fn written(game: &Match) -> Vec<(usize, usize, String)> {
    game.log().iter().enumerate().map(|(index, entry)| (index + 1, index + 1, entry.event.to_string())).collect()
}
