//! A table with others: the room before the game, then the same table as everywhere.

use leptos::prelude::*;
use locale::Language;
use protocol::{Command, Occupant, Offer, PersonKind, Refusal, SeatInfo, TableState};

use super::call;
use super::link::Line;
use super::offers::{Absent, Offers, offer_tool};
use super::room::Room;
use super::share::Share;
use super::status::LineState;
use super::talk::Talk;
use super::waiting::WaitingRoom;
use crate::app::{TopBar, settings};
use crate::art::Icon;
use crate::board::Turned;
use crate::lean::{live, part, press, say, showing, tool};
use crate::pages::analyse::whole_game_link;
use crate::parts::{Moves, TableFrame, Typing, ViewTools};
use crate::route::{self, Route};
use crate::sight::{Guest, Sight};

/// What the page shows.
#[derive(Clone, PartialEq)]
enum Stage {
    Opening,
    Refused(Refusal),
    Waiting,
    Playing,
}

/// The page.
#[component]
pub fn Meet(
    /// The table's name in addresses.
    id: String,
) -> impl IntoView {
    let settings = settings();
    let room = Room::open(id, settings);
    let stage = Memo::new(move |_| match room.line.get() {
        Line::Refused(code) => Stage::Refused(code),
        _ if room.sight.with(Option::is_some) => Stage::Playing,
        _ if room.follower.with(|it| it.as_ref().is_some_and(|it| it.table.state == TableState::Waiting)) => {
            Stage::Waiting
        }
        _ => Stage::Opening,
    });
    call::call_back(room);
    part(move || match stage.get() {
        Stage::Opening => view! {
            <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
            <main class="online waiting" aria-busy="true"><LineState room /></main>
        }
        .into_any(),
        Stage::Refused(code) => view! {
            <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
            <main class="dead-end">
                <p class="lead" role="alert">{live(move || code.sentence(settings.lang()))}</p>
                <p><a class="button main" href=Route::Lobby.link()>{say(Language::online_lobby)}</a></p>
            </main>
        }
        .into_any(),
        Stage::Waiting => view! { <WaitingRoom room /> }.into_any(),
        Stage::Playing => {
            let sight = room.sight.get_untracked();
            sight.map(|sight| view! { <Together room sight /> }.into_any()).unwrap_or_else(|| ().into_any())
        }
    })
}

/// The table while the game goes on, and after it.
#[component]
fn Together(room: Room, sight: Sight) -> impl IntoView {
    let settings = settings();
    let turned = RwSignal::new(Turned::default());
    let watching = Memo::new(move |_| room.known(|it| u64::from(it.presence.watching)));
    // Whoever has a seat has one at the next game, and goes there; not so whoever looks at an old one.
    Effect::new(move |before: Option<bool>| {
        let again = room.follower.with(|it| it.as_ref().and_then(|it| it.again.clone()));
        let known = again.is_some();
        if let Some(next) = again.filter(|_| before == Some(false) && room.seat().is_some()) {
            route::go(&Route::Meet(next));
        }
        known
    });
    Effect::new(move || {
        let over = sight.game.with(|game| game.ending().is_some());
        sight.guests.set(room.known(|it| it.table.seats.iter().map(|seat| guest(seat, over)).collect()));
    });
    let beside = view! {
        <LineState room />
        {showing(move || room.seat().is_none(), move || view! { <p class="quiet spectator">{say(Language::online_spectator)}</p> })}
        {showing(move || watching.get() > 0, move || view! { <p class="quiet watching">{live(move || settings.lang().online_watching(watching.get()))}</p> })}
        <Absent room sight />
        <p class="notice" role="alert">{live(move || room.trouble.get().map(|trouble| trouble.sentence(settings.lang())))}</p>
    };
    let page = view! {
        <TableFrame sight turned kind="together" beside=beside.into_any()>
            <Tools room sight turned />
            <Moves sight />
            <Talk room />
        </TableFrame>
    };
    // After the frame, which gives the page its usual title.
    call::entitle(room, sight);
    page
}

/// What the plate of a seat tells besides the name. The way to somebody's page is open once no game is left by it.
fn guest(seat: &SeatInfo, over: bool) -> Guest {
    let rating = seat.rating.map(|rating| rating.to_string());
    let page = match &seat.occupant {
        Some(Occupant::Person(person)) if over && person.kind == PersonKind::Account => {
            Some(Route::Person(person.id.clone()).link())
        }
        _ => None,
    };
    Guest { rating, page }
}

/// What can be done at a table with others.
#[component]
fn Tools(room: Room, sight: Sight, turned: RwSignal<Turned>) -> impl IntoView {
    let over = move || sight.game.with(|game| game.ending().is_some());
    let seated = move || room.seat().is_some();
    let playing = move || seated() && !over();
    let (asking, typing, sharing) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(false));
    let next = move || room.follower.with(|it| it.as_ref().and_then(|it| it.again.clone()));
    let resign = move || {
        asking.set(false);
        room.ask(Command::Resign {});
    };
    view! {
        <nav class="actions">
            <div class="toolbox">
            {showing(playing, move || view! {
                {offer_tool(room, Icon::Undo, Language::online_ask_takeback, Offer::Takeback)}
                {offer_tool(room, Icon::Hands, Language::action_offer_draw, Offer::Draw)}
                {tool(Icon::Flag, Language::action_resign, move || asking.set(true))}
            })}
            <ViewTools sight turned typing />
            {tool(Icon::Share, Language::online_invite_watch, move || sharing.update(|on| *on = !*on))}
            {showing(playing, call::bell)}
            </div>
            {showing(over, move || view! { <div class="after">
                {showing(move || seated() && next().is_none() && room.known(|it| it.offer.is_none()), move || view! {
                    <button type="button" class="button main" data-do="rematch" on:click=press(move || room.ask(Command::Propose { offer: Offer::Rematch }))>{say(Language::action_rematch)}</button>
                })}
                {showing(move || next().is_some(), move || view! {
                    <a class="button main" href=live(move || next().map(|next| Route::Meet(next).link()))>{say(Language::online_next_game)}</a>
                })}
                <a class="button" href=live(move || Route::Analyse(sight.game.with(whole_game_link)).link())>{say(Language::web_analyse)}</a>
                <a class="button" href=Route::Lobby.link()>{say(Language::online_lobby)}</a>
            </div> })}
            {showing(move || typing.get(), move || view! { <Typing sight /> })}
            <Offers room sight />
            {showing(move || asking.get() && playing(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::resign_question)>
                    <p>{say(Language::resign_question)}</p>
                    <button type="button" class="button main" on:click=press(resign)>{say(Language::action_yes)}</button>
                    <button type="button" class="button" on:click=press(move || asking.set(false))>{say(Language::action_no)}</button>
                </div>
            })}
        </nav>
        {showing(move || sharing.get(), move || view! { <Share id=room.id.get_value() about=Language::online_invite_about /> })}
    }
}
