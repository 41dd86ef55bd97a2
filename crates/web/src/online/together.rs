//! A table with others: the room before the game, then the same table as everywhere.

use leptos::prelude::*;
use locale::Language;
use protocol::{Command, Occupant, PersonKind, Refusal, SeatInfo, TableState};
use session::{OfferKind, RematchPolicy};

use super::call;
use super::connection::ConnectionState;
use super::connection_note::ConnectionNote;
use super::offers::{Absent, Offers, offer_tool};
use super::share::Share;
use super::table::OnlineTable;
use super::talk::Talk;
use super::waiting::WaitingRoom;
use crate::app::{TopBar, settings};
use crate::art::Icon;
use crate::board::Turned;
use crate::erased_views::{live, part, press, say, showing, tool};
use crate::match_view::{Guest, MatchView};
use crate::pages::analyse::whole_game_link;
use crate::parts::{Moves, TableFrame, Typing, ViewTools};
use crate::route::{self, Route};

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
    let table = OnlineTable::open(id, settings);
    let stage = Memo::new(move |_| match table.connection_state.get() {
        ConnectionState::Refused(code) => Stage::Refused(code),
        _ if table.match_view.with(Option::is_some) => Stage::Playing,
        _ if table
            .session
            .with(|it| it.as_ref().is_some_and(|it| it.follower().table.state == TableState::Waiting)) =>
        {
            Stage::Waiting
        }
        _ => Stage::Opening,
    });
    call::call_back(table);
    part(move || match stage.get() {
        Stage::Opening => view! {
            <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
            <main class="online waiting" aria-busy="true"><ConnectionNote table /></main>
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
        Stage::Waiting => view! { <WaitingRoom table /> }.into_any(),
        Stage::Playing => {
            let match_view = table.match_view.get_untracked();
            match_view
                .map(|match_view| view! { <Together table match_view /> }.into_any())
                .unwrap_or_else(|| ().into_any())
        }
    })
}

/// The table while the game goes on, and after it.
#[component]
fn Together(table: OnlineTable, match_view: MatchView) -> impl IntoView {
    let settings = settings();
    let turned = RwSignal::new(Turned::default());
    let watching = move || table.known(|it| u64::from(it.presence.watching));
    // A player goes on to the next game, where they have a seat; a visitor of an old game stays.
    Effect::new(move |before: Option<bool>| {
        let again = table.known(|it| it.again.clone());
        let known = again.is_some();
        if let Some(next) = again.filter(|_| before == Some(false) && table.seat().is_some()) {
            route::go(&Route::Meet(next));
        }
        known
    });
    Effect::new(move || {
        let over = match_view.game(|game| game.ending().is_some());
        match_view.guests.set(table.known(|it| it.table.seats.iter().map(|seat| guest(seat, over)).collect()));
    });
    let beside = view! {
        <ConnectionNote table />
        {showing(move || table.seat().is_none(), move || view! { <p class="quiet spectator">{say(Language::online_spectator)}</p> })}
        {showing(move || watching() > 0, move || view! { <p class="quiet watching">{live(move || settings.lang().online_watching(watching()))}</p> })}
        <Absent table match_view />
        <p class="notice" role="alert">{live(move || table.trouble.get().map(|trouble| trouble.sentence(settings.lang())))}</p>
    };
    let page = view! {
        <TableFrame match_view turned kind="together" beside=beside.into_any()>
            <Tools table match_view turned />
            <Moves match_view />
            <Talk table />
        </TableFrame>
    };
    // After the frame, which gives the page its usual title.
    call::entitle(table, match_view);
    page
}

/// What the plate of a seat shows besides the name. Names link to players' pages once the game is over.
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
fn Tools(table: OnlineTable, match_view: MatchView, turned: RwSignal<Turned>) -> impl IntoView {
    let over = move || match_view.game(|game| game.ending().is_some());
    let seated = move || table.seat().is_some();
    let playing = move || seated() && !over();
    let (asking, typing, sharing) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(false));
    let next = move || table.known(|it| it.again.clone());
    let resign = move || {
        asking.set(false);
        table.ask(Command::Resign {});
    };
    view! {
        <nav class="actions">
            <div class="toolbox">
            {showing(playing, move || view! {
                {offer_tool(table, Icon::Undo, Language::online_ask_takeback, OfferKind::Takeback)}
                {offer_tool(table, Icon::Hands, Language::action_offer_draw, OfferKind::Draw)}
                {tool(Icon::Flag, Language::action_resign, move || asking.set(true))}
            })}
            <ViewTools match_view turned typing />
            {tool(Icon::Share, Language::online_invite_watch, move || sharing.update(|on| *on = !*on))}
            {showing(playing, call::bell)}
            </div>
            {showing(over, move || view! { <div class="after">
                {showing(move || match_view.with(|view| view.rematch == RematchPolicy::Offer && view.offer.is_none()), move || view! {
                    <button type="button" class="button main" data-do="rematch" on:click=press(move || table.command(|session| Some(session.offer_or_withdraw(OfferKind::Rematch))))>{say(Language::action_rematch)}</button>
                })}
                {showing(move || next().is_some(), move || view! {
                    <a class="button main" href=live(move || next().map(|next| Route::Meet(next).link()))>{say(Language::online_next_game)}</a>
                })}
                <a class="button" href=live(move || Route::Analyse(match_view.game(whole_game_link)).link())>{say(Language::web_analyse)}</a>
                <a class="button" href=Route::Lobby.link()>{say(Language::online_lobby)}</a>
            </div> })}
            {showing(move || typing.get(), move || view! { <Typing match_view /> })}
            <Offers table match_view />
            {showing(move || asking.get() && playing(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::resign_question)>
                    <p>{say(Language::resign_question)}</p>
                    <button type="button" class="button main" on:click=press(resign)>{say(Language::action_yes)}</button>
                    <button type="button" class="button" on:click=press(move || asking.set(false))>{say(Language::action_no)}</button>
                </div>
            })}
        </nav>
        {showing(move || sharing.get(), move || view! { <Share id=table.id.get_value() about=Language::online_invite_about /> })}
    }
}
