//! A table with others: the room before the game, then the same table as everywhere.

use locale::Language;
use protocol::{Command, Occupant, PersonKind, Refusal, SeatInfo, TableState};
use session::{OfferKind, RematchPolicy};
use ui::prelude::*;

use super::call;
use super::connection::ConnectionState;
use super::connection_note::ConnectionNote;
use super::http;
use super::offers::{Absent, Offers, offer_tool};
use super::share::Share;
use super::table::OnlineTable;
use super::talk::Talk;
use super::waiting::WaitingRoom;
use crate::app::{TopBar, settings};
use crate::board::Turned;
use crate::chunks;
use crate::match_view::{Guest, MatchView};
use crate::pages::analyse::whole_game_link;
use crate::pages::table::Lots;
use crate::parts::menu::{item, item_link};
use crate::parts::{EndCard, Menu, Panel, PanelState, PanelTool, TableFrame, Typing, ViewTools, end_card, yes_or_no};
use crate::route::{self, Route};
use crate::views::{live, part, press, say, showing, spawn, word_tool};
use art::{Icon, icon};

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
        {showing(move || watching() > 0, move || view! { <p class="quiet watching">{live(move || settings.lang().online_watching(watching()))}</p> })}
    };
    let page = view! {
        <TableFrame match_view turned beside=beside.into_any()>
            {chunks::online_tools(table, match_view, turned)}
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

/// What comes once the board can be touched: tools, moves and chat, and who begins.
pub(crate) fn tools(table: OnlineTable, match_view: MatchView, turned: RwSignal<Turned>) -> AnyView {
    let settings = settings();
    let names = Memo::new(move |_| match_view.names(settings.lang()));
    let panel = PanelState::new(Some(Memo::new(move |_| table.known(|it| it.chat.len()))));
    let chat = view! { <Talk table /> };
    view! {
        <Tools table match_view turned panel />
        <Panel match_view state=panel chat=Some(chat) />
        <Lots match_view names />
    }
}

/// What can be done at a table with others.
#[component]
fn Tools(table: OnlineTable, match_view: MatchView, turned: RwSignal<Turned>, panel: PanelState) -> impl IntoView {
    let over = move || match_view.game(|game| game.ending().is_some());
    let seated = move || table.seat().is_some();
    let playing = move || seated() && !over();
    let link = Signal::derive(move || route::full_address(&Route::Meet(table.id.get_value())));
    let (asking, typing, sharing) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(false));
    view! {
        <nav class="actions">
            {showing(playing, move || view! {
                {offer_tool(table, Icon::Undo, Language::tool_undo, OfferKind::Takeback)}
                {offer_tool(table, Icon::Hands, Language::tool_draw, OfferKind::Draw)}
                {word_tool(Icon::Flag, Language::action_resign, "resign", || true, move || asking.set(true))}
            })}
            {showing(move || !seated() && !over(), move || view! { <p class="quiet spectator">{say(Language::online_spectator)}</p> })}
            {showing(over, move || view! { <After table match_view /> })}
            <PanelTool state=panel />
            <Menu>
                {item(Icon::Share, Language::online_invite_watch, move || sharing.update(|on| *on = !*on))}
                {showing(playing, call::bell)}
                {item_link(Icon::People, Language::online_lobby, Route::Lobby.link())}
                <ViewTools match_view turned typing />
            </Menu>
        </nav>
        {end_card(EndCard { match_view, rating: Some(rating_change(table, match_view)), link, after: Callback::new(move |()| after_card(table, match_view)) })}
        <div class="floating">
            <ConnectionNote table />
            <Absent table match_view />
            <ErrorNotice table />
            {showing(move || typing.get(), move || view! { <Typing match_view /> })}
            {showing(move || sharing.get(), move || view! { <div class="question">
                <Share id=table.id.get_value() about=Language::online_invite_about />
                <button type="button" class="button" on:click=press(move || sharing.set(false))>{say(Language::web_close)}</button>
            </div> })}
            <Offers table match_view />
            {showing(move || asking.get() && playing(), move || yes_or_no(Language::resign_question, move || {
                asking.set(false);
                table.ask(Command::Resign {});
            }, move || asking.set(false)))}
        </div>
    }
}

/// What the card at the end offers: another game, or the way to it, and the analysis.
fn after_card(table: OnlineTable, match_view: MatchView) -> AnyView {
    let address = live(move || Route::Analyse(match_view.game(whole_game_link)).link());
    let next = move || table.known(|it| it.again.clone());
    let may_offer = move || match_view.with(|view| view.rematch == RematchPolicy::Offer && view.offer.is_none());
    let offer = move || table.command(|session| Some(session.offer_or_withdraw(OfferKind::Rematch)));
    view! {
        {showing(may_offer, move || view! {
            <button type="button" class="button main" data-do="rematch" on:click=press(offer)>{say(Language::action_rematch)}</button>
        })}
        {showing(move || next().is_some(), move || view! {
            <a class="button main" href=live(move || next().map(|next| Route::Meet(next).link()))>{say(Language::online_next_game)}</a>
        })}
        <a class="button" href=address>{say(Language::web_analyse)}</a>
    }
    .into_any()
}

/// The own rating before and after a rated game that is over, however long ago.
fn rating_change(table: OnlineTable, match_view: MatchView) -> Signal<Option<String>> {
    let change = RwSignal::new(None::<String>);
    Effect::new(move || {
        let rated_seat = table.seat().filter(|_| table.known(|it| it.table.rated));
        let Some(seat) = rated_seat.filter(|_| match_view.game(|game| game.ending().is_some())) else { return };
        let path = format!("api/tables/{}/ratings", table.known(|it| it.table.id.clone()));
        spawn(async move {
            let Ok(changes) = http::get(&path).await else { return };
            let own = changes.list().iter().find(|it| it.number_of("seat") == u64::from(seat.number()));
            change.set(own.map(|it| format!("{} → {}", it.number_of("before"), it.number_of("after"))));
        });
    });
    Signal::derive(move || change.get())
}

/// Why the last command was refused.
#[component]
fn ErrorNotice(table: OnlineTable) -> impl IntoView {
    let settings = settings();
    view! { <p class="notice" role="alert">{live(move || table.error.get().map(|error| error.sentence(settings.lang())))}</p> }
}

/// What comes after the game.
#[component]
fn After(table: OnlineTable, match_view: MatchView) -> impl IntoView {
    let next = move || table.known(|it| it.again.clone());
    let may_offer = move || match_view.with(|view| view.rematch == RematchPolicy::Offer && view.offer.is_none());
    let offer = move || table.command(|session| Some(session.offer_or_withdraw(OfferKind::Rematch)));
    view! {
        {showing(move || match_view.with(|view| view.rematch == RematchPolicy::Offer), move || word_tool(Icon::Again, Language::tool_rematch, "rematch", may_offer, offer))}
        {showing(move || next().is_some(), move || view! {
            <a class="tool" href=live(move || next().map(|next| Route::Meet(next).link()))><span inner_html=icon(Icon::Again)></span><span>{say(Language::online_next_game)}</span></a>
        })}
        <a class="tool" href=live(move || Route::Analyse(match_view.game(whole_game_link)).link())><span inner_html=icon(Icon::Lens)></span><span>{say(Language::web_analyse)}</span></a>
    }
}
